"""Checks of a bot before its first tournament. Each check has a name and gives a reason."""
