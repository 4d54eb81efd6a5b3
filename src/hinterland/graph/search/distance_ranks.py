"""Ranks of distances as small whole numbers, which is all that the rules need to know about distances.

A token on v takes x exactly when it is among the vertices strictly nearer to x than x's nearest token. Those are the
first vertices in x's list of all vertices by distance. So each vertex needs to store only how many there are, its
*reach*, and a new token changes little of what all vertices would gain.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.graph.distances.network import UNREACHED
from hinterland.graph.rules import Rules

MAX_RANKED_VERTICES = 1000
"""Larger boards have no ranks: sorting them would take too much of a move's time."""


class Ranks(NamedTuple):
    """The order of all distances of a board of n vertices."""

    by_distance: np.ndarray
    """int16 (n, n): row x lists all vertices, the nearest to x first."""
    places: np.ndarray
    """int16 (n, n): for row x, how many vertices are strictly nearer to x than each vertex in that list."""
    nearer: np.ndarray
    """int16 (n, n): [v, x] counts the vertices strictly nearer to x than v; n if no path joins them."""
    reach: np.ndarray
    """int16[n]: how many vertices a path joins to each vertex, itself included."""
    values: np.ndarray
    """int64[n]"""


def ranks_of(rules: Rules) -> Ranks:
    """Return the ranks of a board with at most MAX_RANKED_VERTICES vertices; they are computed once."""
    kept: Ranks | None = rules.__dict__.get("ranks")
    if kept is None:
        assert rules.distances is not None
        kept = rules.__dict__["ranks"] = _rank(rules.distances, rules.network.values)
    return kept


def _rank(distances: np.ndarray, values: np.ndarray) -> Ranks:
    count = values.size
    by_distance = np.argsort(distances, axis=1, kind="stable")
    in_order = np.take_along_axis(distances, by_distance, axis=1)
    first = np.arange(count, dtype=np.int16)[None, :].repeat(count, axis=0)
    first[:, 1:][in_order[:, 1:] == in_order[:, :-1]] = 0
    places = np.maximum.accumulate(first, axis=1)
    places[in_order >= UNREACHED] = count
    nearer = np.empty((count, count), dtype=np.int16)
    np.put_along_axis(nearer, by_distance, places, axis=1)
    reach = (distances < UNREACHED).sum(axis=1).astype(np.int16)
    return Ranks(by_distance.astype(np.int16), places, np.ascontiguousarray(nearer.T), reach, values.copy())
