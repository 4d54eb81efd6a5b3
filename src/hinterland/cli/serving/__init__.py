"""Commands that serve an arena and keep its data."""
