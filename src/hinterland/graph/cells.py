"""The cell of each vertex in the plane: what is nearer to it than to any other, cut to a disc and to the unit square.

These are the blobs that regions are painted with; who owns a vertex is decided on the graph. A disc with 24 corners is
cut by the bisector to each vertex that is near enough to matter.
"""

from __future__ import annotations

import math

import numpy as np

from hinterland.jit import inlined, kernel

__all__ = ["cells", "reach_of"]

CORNERS = 24
"""Of the disc."""


def reach_of(vertices: int) -> float:
    """Return the radius of the disc around a vertex."""
    return min(1.2 / math.sqrt(vertices), 0.15)


def cells(places: np.ndarray, reach: float | None = None) -> list[np.ndarray]:
    """Return the cell of each of distinct points in the unit square: convex polygons, float64 (corners, 2) each."""
    far = reach_of(len(places)) if reach is None else reach
    side = max(1, min(int(0.5 / far), 4096))
    rows = np.clip((places * side).astype(np.int64), 0, side - 1)
    squares = rows[:, 1] * side + rows[:, 0]
    order = np.argsort(squares, kind="stable")
    begin = np.searchsorted(squares[order], np.arange(side * side + 1))
    turns = np.arange(CORNERS) * (math.tau / CORNERS)
    disc = np.stack((np.cos(turns), np.sin(turns)), axis=1) * far
    corners, counts = _cut_out(np.ascontiguousarray(places, dtype=np.float64), order, begin, side, disc)
    return np.split(corners, np.cumsum(counts)[:-1])


@kernel
def _cut_out(
    places: np.ndarray, order: np.ndarray, begin: np.ndarray, side: int, disc: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Cut the disc around each point; return all corners, float64 (any, 2), and how many each cell has, int64[n].

    The points of square s of ``side`` x ``side`` are ``order[begin[s]:begin[s + 1]]``; squares are as wide as discs.
    """
    count = places.shape[0]
    counts = np.zeros(count, dtype=np.int64)
    room = 16 * count + 64
    corners = np.empty((room, 2), dtype=np.float64)
    used = 0
    for point in range(count):
        cell = _cell(places, point, order, begin, side, disc)
        if used + cell.shape[0] > room:
            room *= 2
            larger = np.empty((room, 2), dtype=np.float64)
            larger[:used] = corners[:used]
            corners = larger
        corners[used : used + cell.shape[0]] = cell
        counts[point] = cell.shape[0]
        used += cell.shape[0]
    return corners[:used].copy(), counts


@inlined
def _cell(
    places: np.ndarray, point: int, order: np.ndarray, begin: np.ndarray, side: int, disc: np.ndarray
) -> np.ndarray:
    """Return the corners of one cell: float64 (any, 2)."""
    x = places[point, 0]
    y = places[point, 1]
    cell = disc + places[point]
    cell = _clipped(cell, 1.0, 0.0, 1.0)
    cell = _clipped(cell, -1.0, 0.0, 0.0)
    cell = _clipped(cell, 0.0, 1.0, 1.0)
    cell = _clipped(cell, 0.0, -1.0, 0.0)
    row = min(int(y * side), side - 1)
    col = min(int(x * side), side - 1)
    near = 4.0 * (disc[0, 0] ** 2 + disc[0, 1] ** 2)
    for near_row in range(max(row - 1, 0), min(row + 2, side)):
        for near_col in range(max(col - 1, 0), min(col + 2, side)):
            square = near_row * side + near_col
            for at in range(begin[square], begin[square + 1]):
                other = order[at]
                east = places[other, 0] - x
                south = places[other, 1] - y
                apart = east * east + south * south
                if other != point and apart < near and apart > 0.0:
                    half = 0.5 * (places[other, 0] ** 2 - x**2 + places[other, 1] ** 2 - y**2)
                    cell = _clipped(cell, east, south, half)
    return cell


@inlined
def _clipped(cell: np.ndarray, east: float, south: float, limit: float) -> np.ndarray:
    """Keep the part of a convex polygon, float64 (any, 2), where east * x + south * y is at most the limit."""
    count = cell.shape[0]
    over = cell[:, 0] * east + cell[:, 1] * south - limit
    if (over <= 0.0).all():
        return cell
    kept = np.empty((count + 2, 2), dtype=np.float64)
    used = 0
    for corner in range(count):
        after = (corner + 1) % count
        if over[corner] <= 0.0:
            kept[used] = cell[corner]
            used += 1
        if (over[corner] < 0.0 < over[after]) or (over[after] < 0.0 < over[corner]):
            share = over[corner] / (over[corner] - over[after])
            kept[used] = cell[corner] + share * (cell[after] - cell[corner])
            used += 1
    return kept[:used].copy()
