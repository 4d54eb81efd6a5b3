"""Gravity in plain Python and whole fractions: slow, short, and independent of what it checks."""

from fractions import Fraction


def pull(stones, row, col, law):
    """Return the pull of a colour's stones [(row, col, weight)] on a cell; None stands for a stone on it."""
    pulls = []
    for stone_row, stone_col, weight in stones:
        square = (row - stone_row) ** 2 + (col - stone_col) ** 2
        if square == 0:
            return None
        pulls.append(Fraction(weight, square))
    if law == "nearest":
        return max(pulls, default=Fraction(0))
    return sum(pulls, Fraction(0))


def owner(stones_by_seat, row, col, law):
    """Return the seat that owns a cell, -1 for nobody."""
    pulls = [pull(stones, row, col, law) for stones in stones_by_seat]
    if None in pulls:
        return pulls.index(None)
    most = max(pulls)
    leading = [seat for seat, value in enumerate(pulls) if value == most]
    return leading[0] if len(leading) == 1 else -1


def owners(stones_by_seat, size, law):
    """Return the owners of all cells as a list of rows."""
    return [[owner(stones_by_seat, row, col, law) for col in range(size)] for row in range(size)]


def gains(stones_by_seat, size, law, seat, weight, spacing):
    """Return the gain of a seat's stone on each cell, -1 for illegal cells, by trying every cell."""
    others = [stone for stones in stones_by_seat for stone in stones]
    config = []
    for row in range(size):
        for col in range(size):
            if owner(stones_by_seat, row, col, law) == seat or any((r, c) == (row, col) for r, c, _ in others):
                continue
            own = pull(stones_by_seat[seat], row, col, law)
            rivals = [pull(stones, row, col, law) for other, stones in enumerate(stones_by_seat) if other != seat]
            missing = max(rivals) if law == "nearest" else max(rivals) - own
            config.append((row, col, missing.numerator, missing.denominator))
    found = []
    for row in range(size):
        line = []
        for col in range(size):
            if any((row - r) ** 2 + (col - c) ** 2 < spacing**2 for r, c, _ in others):
                line.append(-1)
                continue
            line.append(
                sum(
                    weight * denominator > numerator * ((row - cell_row) ** 2 + (col - cell_col) ** 2)
                    for cell_row, cell_col, numerator, denominator in config
                )
            )
        found.append(line)
    return found
