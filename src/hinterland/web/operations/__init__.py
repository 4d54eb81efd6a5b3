"""Health checks, logs and an audit trail for the operators of an arena."""
