"""Points as a board keeps them: how many there may be, and which numbers are valid coordinates."""

from __future__ import annotations

import math
from typing import Any

from hinterland.contract.numbers import to_plain_json
from hinterland.errors import RulesError, quote

Point = tuple[float, float]
Points = tuple[Point, ...]

MIN_DOTS, MAX_DOTS = 3, 60
"""Limits for the number of dots of a board."""


def check_points(points: Any) -> Points:
    """Return points as a board keeps them. Raises RulesError for invalid points, and for too few or too many."""
    points = to_plain_json(points)
    if not isinstance(points, (tuple, list)):
        raise RulesError(f"points must be a list of (x, y), not {quote(points)}")
    if not MIN_DOTS <= len(points) <= MAX_DOTS:
        raise RulesError(f"a board has from {MIN_DOTS} to {MAX_DOTS} dots, not {len(points)}")
    return tuple(_check_point(dot, point) for dot, point in enumerate(points))


def _check_point(dot: int, point: Any) -> Point:
    point = to_plain_json(point)
    if not isinstance(point, (tuple, list)) or len(point) != 2:
        raise RulesError(f"dot {dot} must be (x, y), not {quote(point)}")
    x, y = (_check_coordinate(dot, value) for value in point)
    return x, y


def _check_coordinate(dot: int, value: Any) -> float:
    value = to_plain_json(value)
    if type(value) not in (int, float):
        raise RulesError(f"dot {dot}: coordinates must be numbers, not {quote(value)}")
    if type(value) is float and not math.isfinite(value):
        raise RulesError(f"dot {dot}: coordinates must be finite, not {value}")
    try:
        number = float(value) + 0.0  # turns -0.0 into 0.0
    except OverflowError:
        number = math.inf
    if number != value:
        raise RulesError(f"dot {dot}: {quote(value)} has more digits than a coordinate can keep; use a float")
    return number
