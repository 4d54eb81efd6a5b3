"""What operators need of a running arena: health, metrics, and an audit trail."""
