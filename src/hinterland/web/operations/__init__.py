"""What operators need of a running arena: whether it is well, numbers, and what others asked of it."""
