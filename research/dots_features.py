"""Features of an order type: hull, layers, crossings, symmetries, halving lines, empty triangles."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from hinterland.dots.atlas.atlas_survey import count_hull_and_crossings
from hinterland.dots.order_types.canonical import find_symmetries

if TYPE_CHECKING:
    import numpy as np

    from research.measuring import Cells


def features(side: np.ndarray) -> Cells:
    """Describe an order type; ``side``: int8 (n, n, n)."""
    hull, crossings = count_hull_and_crossings(side)
    return {
        "hull": hull, "layers": "-".join(map(str, layers(side))), "crossings": crossings,
        "symmetries": len(find_symmetries(side)[0]), "halving": halving(side), "empty": empty_triangles(side),
    }  # fmt: skip


def layers(side: np.ndarray) -> list[int]:
    """Return the numbers of corners of the hull, of the hull of the dots within it, and so on."""
    left, found = list(range(len(side))), []
    while len(left) > 2:
        corners = [dot for dot in left if _is_corner(side, dot, left)]
        found.append(len(corners))
        left = [dot for dot in left if dot not in corners]
    return [*found, len(left)] if left else found


def _is_corner(side: np.ndarray, dot: int, among: list[int]) -> bool:
    others = [other for other in among if other != dot]
    return any(all(side[dot, to, other] > 0 for other in others if other != to) for to in others)


def halving(side: np.ndarray) -> int:
    """Count the lines through two dots that have equally many dots on both sides, or one more on one."""
    dots = len(side)
    left = (side > 0).sum(axis=2)
    return sum(int(left[a, b]) in {(dots - 2) // 2, (dots - 1) // 2} for a, b in combinations(range(dots), 2))


def empty_triangles(side: np.ndarray) -> int:
    """Count the triangles without a dot inside."""
    dots = range(len(side))
    return sum(
        not any(side[a, b, x] == side[b, c, x] == side[c, a, x] != 0 for x in dots)
        for a, b, c in combinations(dots, 3)
    )
