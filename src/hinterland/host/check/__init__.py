"""Checks a bot before its first contest. Each check has a name, and says why a bot fails it."""
