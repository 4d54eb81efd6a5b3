"""On which side of a line a dot lies, exactly, for any finite floats.

The sign of a 2 x 2 determinant decides everything in this game: which lines cross, and which boards are the same. In
floating point it is wrong near zero. So the determinant is computed twice: first in floats, with the bound on its
error of Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates" (1997), section
4.3; and where it does not clear this bound, in whole numbers, which floats become when multiplied by a power of two.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from hinterland.errors import RulesError

if TYPE_CHECKING:
    from collections.abc import Sequence

    Point = tuple[float, float]

ROUNDING = 2.0**-53
ERROR = (3.0 + 16.0 * ROUNDING) * ROUNDING
UNDERFLOW = 2.0**-900
"""Below this a product may have lost digits that the bound knows nothing of."""
INFINITE = float("inf")


def orientation(p: Point, q: Point, r: Point) -> int:
    """Return 1 where p, q, r turn left (against the clock, y upwards), -1 where they turn right, 0 on one line."""
    left = (q[0] - p[0]) * (r[1] - p[1])
    right = (q[1] - p[1]) * (r[0] - p[0])
    size = abs(left) + abs(right)
    if UNDERFLOW < size < INFINITE:
        turn = left - right
        if abs(turn) > ERROR * size:
            return 1 if turn > 0 else -1
    return _exact(p, q, r)


def _exact(p: Point, q: Point, r: Point) -> int:
    """Return the same by whole numbers: all six coordinates over one denominator, a power of two."""
    ratios = [value.as_integer_ratio() for point in (p, q, r) for value in point]
    whole = max(below for _, below in ratios)
    px, py, qx, qy, rx, ry = (above * (whole // below) for above, below in ratios)
    turn = (qx - px) * (ry - py) - (qy - py) * (rx - px)
    return (turn > 0) - (turn < 0)


def signs(points: Sequence[Point]) -> str:
    """Return the turn of every three dots i < j < k in lexicographic order, as one "+" (left) or "-" (right) each.

    Raises RulesError, which names the dots, for two in one place and for three on one line.
    """
    seen: dict[Point, int] = {}
    for dot, point in enumerate(points):
        if point in seen:
            raise RulesError(f"dots {seen[point]} and {dot} are both at {_told(point)}")
        seen[point] = dot
    turns = []
    for i, j, k in combinations(range(len(points)), 3):
        turn = orientation(points[i], points[j], points[k])
        if turn == 0:
            told = ", ".join(_told(points[dot]) for dot in (i, j, k))
            raise RulesError(f"dots {i}, {j} and {k} are on one line: {told}")
        turns.append("+" if turn > 0 else "-")
    return "".join(turns)


def _told(point: Point) -> str:
    return f"({point[0]!r}, {point[1]!r})"
