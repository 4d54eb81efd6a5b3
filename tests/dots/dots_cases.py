"""The cases of Join the dots for the contract."""

from hinterland import dots
from hinterland.dots import boards


def cases():
    """Return (game, rules, moves that are illegal at the start with their codes), as tests/contract_cases.py does."""
    line = dots.Line
    illegal = {line(-1, 0): "outside", line(0, 60): "outside", line(1, 1): "same", line(0, 0.5): "not_whole"}
    grid = [
        boards.make(name, dots=count, seed=count)
        for name in ("random", "circle", "double_circle", "clusters", "nested")
        for count in (3, 4, 5, 7)
    ]
    typed = dots.Rules(orientations=boards.random(dots=6, seed=1).signs)
    odd = dots.Rules(points=((0.1, -2.5), (1e300, 3), (-1e-300, 4.25), (7, 1e16)))
    return [("dots", rules, illegal) for rules in (*grid, typed, odd)]
