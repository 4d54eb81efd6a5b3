"""Commands that solve the game of dots, on one board or on all boards of a size."""
