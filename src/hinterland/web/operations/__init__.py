"""What operators need of a running arena: health, logs, and an audit trail."""
