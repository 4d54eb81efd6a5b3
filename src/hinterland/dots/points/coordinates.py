"""Points as a board takes them: how many there may be, and numbers that a coordinate can keep."""

from __future__ import annotations

import math
from typing import Any

from hinterland.contract.numbers import to_plain_json
from hinterland.errors import RulesError, quote

Point = tuple[float, float]
Points = tuple[Point, ...]

DOTS = (3, 60)
"""The fewest and the most dots of a board."""


def checked_points(points: Any) -> Points:
    """Return points as a board keeps them. Raises RulesError for what is none, too few or too many."""
    points = to_plain_json(points)
    if not isinstance(points, (tuple, list)):
        raise RulesError(f"points must be a list of (x, y), not {quote(points)}")
    least, most = DOTS
    if not least <= len(points) <= most:
        raise RulesError(f"a board has from {least} to {most} dots, not {len(points)}")
    return tuple(_checked_point(dot, point) for dot, point in enumerate(points))


def _checked_point(dot: int, point: Any) -> Point:
    point = to_plain_json(point)
    if not isinstance(point, (tuple, list)) or len(point) != 2:
        raise RulesError(f"dot {dot} must be (x, y), not {quote(point)}")
    x, y = (_checked_coordinate(dot, value) for value in point)
    return x, y


def _checked_coordinate(dot: int, value: Any) -> float:
    value = to_plain_json(value)
    if type(value) not in (int, float):
        raise RulesError(f"dot {dot}: coordinates must be numbers, not {quote(value)}")
    if type(value) is float and not math.isfinite(value):
        raise RulesError(f"dot {dot}: coordinates must be finite, not {value}")
    try:
        taken = float(value) + 0.0  # -0.0 is the same place as 0.0
    except OverflowError:
        taken = math.inf
    if taken != value:
        raise RulesError(f"dot {dot}: {quote(value)} has more digits than a coordinate can keep; use a float")
    return taken
