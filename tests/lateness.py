"""Measures durations on a machine that may be busy."""


def measure_least(measure, below, most=4):
    """Measure up to ``most`` times until a value is below a bound; return the least value."""
    taken = [measure()]
    while min(taken) >= below and len(taken) < most:
        taken.append(measure())
    return min(taken)
