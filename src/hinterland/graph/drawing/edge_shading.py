"""How dark each edge is drawn: shorter edges darker, and all edges fainter if there are many, to avoid a grey slab."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hinterland.graph.graphs.edges import Edge

CROWD_LENGTH = 60.0
"""Edges are crowded if their total length exceeds this many sides of the picture."""
SHADES = 8
DARKEST = 0.62
"""Opacity of the shortest edge."""
LIGHTEST = 0.3
"""Opacity of the longest edge on a board that is not crowded."""
EQUAL_SHADE = 0.5
"""Position between lightest and darkest if all edges are equally long."""
MIN_OPACITY = 1 / 256


class Stroke(NamedTuple):
    """Edges of one shade."""

    opacity: float
    """Opacity from 0 to 1."""
    ends: np.ndarray
    """int64 (m, 2): the vertices at the ends."""


def shade_edges(edges: tuple[Edge, ...], places: np.ndarray) -> list[Stroke]:
    """Sort edges into a few shades, the lightest first, so that the darkest are drawn over all others.

    ``places``: float64 (n, 2) in the unit square. Edges too light to be seen are left out.
    """
    if not edges:
        return []
    ends = np.array([edge[:2] for edge in edges], dtype=np.int64)
    lengths = np.array([edge[2] for edge in edges])
    shortest, longest = lengths.min(), lengths.max()
    nearness = (longest - lengths) / (longest - shortest) if longest > shortest else np.full(len(edges), EQUAL_SHADE)
    drawn = float(np.hypot(*(places[ends[:, 0]] - places[ends[:, 1]]).T).sum())
    crowd = max(drawn / CROWD_LENGTH, 1.0)
    shade = np.rint(nearness ** math.sqrt(crowd) * (SHADES - 1)).astype(np.int64)
    opacities = np.linspace(LIGHTEST / crowd, DARKEST / crowd**0.2, SHADES)
    return [
        Stroke(float(opacity), ends[shade == number])
        for number, opacity in enumerate(opacities)
        if opacity >= MIN_OPACITY and (shade == number).any()
    ]
