"""The side of a line on which a dot lies, exactly, for any finite floats.

The sign of a 2 x 2 determinant decides everything in this game: which lines cross, and which boards are the same.
Rounding can make the sign wrong if the determinant is near zero. So the determinant is computed first in floating
point, with the error bound of Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
Predicates" (1997), section 4.3. If the determinant does not exceed this bound, it is computed again in whole numbers:
each coordinate times the same power of two.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from hinterland.errors import RulesError

if TYPE_CHECKING:
    from collections.abc import Sequence

    Point = tuple[float, float]

ROUNDING = 2.0**-53
ERROR_BOUND = (3.0 + 16.0 * ROUNDING) * ROUNDING
UNDERFLOW = 2.0**-900
"""If the products in the determinant are smaller than this, they may have lost digits, which the error bound does not
cover."""
INFINITE = float("inf")


def orientation(p: Point, q: Point, r: Point) -> int:
    """Return 1 if p, q, r turn left (anticlockwise, y upwards), -1 if they turn right, 0 if they are on one line."""
    left = (q[0] - p[0]) * (r[1] - p[1])
    right = (q[1] - p[1]) * (r[0] - p[0])
    size = abs(left) + abs(right)
    if UNDERFLOW < size < INFINITE:
        turn = left - right
        if abs(turn) > ERROR_BOUND * size:
            return 1 if turn > 0 else -1
    return _orient_exactly(p, q, r)


def _orient_exactly(p: Point, q: Point, r: Point) -> int:
    """Return what ``orientation`` returns, computed in whole numbers: all coordinates times one power of two."""
    ratios = [value.as_integer_ratio() for point in (p, q, r) for value in point]
    whole = max(below for _, below in ratios)
    px, py, qx, qy, rx, ry = (above * (whole // below) for above, below in ratios)
    turn = (qx - px) * (ry - py) - (qy - py) * (rx - px)
    return (turn > 0) - (turn < 0)


def signs(points: Sequence[Point]) -> str:
    """Return the turn of every three dots i < j < k in lexicographic order, as "+" (left) or "-" (right).

    Raises RulesError, naming the dots, if two are in one place or three on one line.
    """
    seen: dict[Point, int] = {}
    for dot, point in enumerate(points):
        if point in seen:
            raise RulesError(f"dots {seen[point]} and {dot} are both at {_write_point(point)}")
        seen[point] = dot
    turns = []
    for i, j, k in combinations(range(len(points)), 3):
        turn = orientation(points[i], points[j], points[k])
        if turn == 0:
            listed = ", ".join(_write_point(points[dot]) for dot in (i, j, k))
            raise RulesError(f"dots {i}, {j} and {k} are on one line: {listed}")
        turns.append("+" if turn > 0 else "-")
    return "".join(turns)


def _write_point(point: Point) -> str:
    return f"({point[0]!r}, {point[1]!r})"
