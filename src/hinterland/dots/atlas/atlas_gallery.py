"""The shipped atlas as the catalogue shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hinterland.contract import Atlas
from hinterland.dots.atlas.atlas_file import SHIPPED_SIZES, entries
from hinterland.dots.points.orientation import orientation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.contract import AtlasBoard

    Place = tuple[int, int]

__all__ = ["ATLAS"]


def options(board: AtlasBoard) -> dict[str, Any]:
    """Return what the rules make a board from."""
    return {"points": [list(point) for point in board.points]}


def outline(board: AtlasBoard) -> list[Place]:
    """Return the corners of the hull against the clock, from the leftmost on."""
    points = sorted(board.points)
    return [*_lower(points), *_lower(points[::-1])]


def _lower(points: Sequence[Place]) -> list[Place]:
    """Return the corners below all points, from the first of them to that before the last (Andrew, 1979)."""
    corners: list[Place] = []
    for point in points:
        while len(corners) > 1 and orientation(corners[-2], corners[-1], point) < 0:
            corners.pop()
        corners.append(point)
    return corners[:-1]


ATLAS = Atlas(unit="dots", sizes=SHIPPED_SIZES, boards=entries, filters=("hull",), outline=outline, options=options)
