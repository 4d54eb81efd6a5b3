"""Checks of a bot before its first tournament: one thing after another, each with a name and a reason."""
