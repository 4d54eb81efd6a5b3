"""How dark each edge is drawn: the shorter the darker, and a crowd of edges fainter, so that it is no grey slab."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hinterland.graph.graphs.edges import Edge

ROOM = 60.0
"""Edges are a crowd when together they are longer than so many sides of the picture."""
SHADES = 8
DARKEST = 0.62
"""The opacity of the shortest edge."""
LIGHTEST = 0.3
"""That of the longest on a board without a crowd."""
EVEN = 0.5
"""Where between them edges are that are all as long."""
UNSEEN = 1 / 256


class Stroke(NamedTuple):
    """Edges drawn alike."""

    opacity: float
    """From 0 to 1."""
    ends: np.ndarray
    """int64 (m, 2): vertices."""


def strokes(edges: tuple[Edge, ...], places: np.ndarray) -> list[Stroke]:
    """Sort edges into few shades, the lightest first, so that the darkest are drawn over all others.

    ``places``: float64 (n, 2) in the unit square. What would be too light to be seen is left out.
    """
    if not edges:
        return []
    ends = np.array([edge[:2] for edge in edges], dtype=np.int64)
    lengths = np.array([edge[2] for edge in edges])
    shortest, longest = lengths.min(), lengths.max()
    nearness = (longest - lengths) / (longest - shortest) if longest > shortest else np.full(len(edges), EVEN)
    drawn = float(np.hypot(*(places[ends[:, 0]] - places[ends[:, 1]]).T).sum())
    crowd = max(drawn / ROOM, 1.0)
    shade = np.rint(nearness ** math.sqrt(crowd) * (SHADES - 1)).astype(np.int64)
    opacities = np.linspace(LIGHTEST / crowd, DARKEST / crowd**0.2, SHADES)
    return [
        Stroke(float(opacity), ends[shade == number])
        for number, opacity in enumerate(opacities)
        if opacity >= UNSEEN and (shade == number).any()
    ]
