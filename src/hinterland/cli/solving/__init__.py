"""Commands that solve games of dots, one or all of a size."""
