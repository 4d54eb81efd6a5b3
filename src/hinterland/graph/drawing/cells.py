"""Computes the cell of each vertex in the plane: the points nearer to it than to any other vertex.

Regions are painted with these cells; the owner of a vertex is decided on the graph. Cells are limited to a disc around
the vertex and to the unit square. To make a cell, a disc with 24 corners is cut along the bisector between the vertex
and each other vertex that is near enough to matter.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hinterland.jit import inlined, kernel

DISC_CORNERS = 24
"""Corners of the polygon that stands for a disc."""


def reach_of(vertices: int) -> float:
    """Return the radius of the disc around a vertex."""
    return min(1.2 / math.sqrt(vertices), 0.15)


class Squares(NamedTuple):
    """Points sorted into squares as wide as discs; ``order[begin[s]:begin[s + 1]]`` are the points in square s."""

    places: np.ndarray
    """float64 (n, 2)"""
    order: np.ndarray
    """int64[n]"""
    begin: np.ndarray
    """int64[side^2 + 1]"""
    side: int


def compute_cells(places: np.ndarray, reach: float | None = None) -> list[np.ndarray]:
    """Return the cell of each point as a convex polygon: float64 (corners, 2).

    ``places``: distinct points in the unit square. ``reach``: the radius of the discs, by default ``reach_of``.
    """
    far = reach_of(len(places)) if reach is None else reach
    side = max(1, min(int(0.5 / far), 4096))
    rows = np.clip((places * side).astype(np.int64), 0, side - 1)
    numbers = rows[:, 1] * side + rows[:, 0]
    order = np.argsort(numbers, kind="stable")
    begin = np.searchsorted(numbers[order], np.arange(side * side + 1))
    squares = Squares(np.ascontiguousarray(places, dtype=np.float64), order, begin, side)
    turns = np.arange(DISC_CORNERS) * (math.tau / DISC_CORNERS)
    disc = np.stack((np.cos(turns), np.sin(turns)), axis=1) * far
    starts = np.zeros(len(places) + 1, dtype=np.int64)
    _cut_cells(squares, disc, starts, np.empty((0, 2)))
    corners = np.empty((starts[-1], 2))
    _cut_cells(squares, disc, starts, corners)
    return np.split(corners, starts[1:-1])


@kernel(allocates=True)
def _cut_cells(squares: Squares, disc: np.ndarray, starts: np.ndarray, corners: np.ndarray) -> None:
    """Make the cell of each point: if ``corners`` is empty, only count the cells' corners; else write them.

    ``starts``: int64[n + 1], written when corners are counted. ``corners``: float64 (corners of all cells, 2); those of
    cell v are ``corners[starts[v]:starts[v + 1]]``.
    """
    count = squares.places.shape[0]
    cell = np.empty((DISC_CORNERS + count + 8, 2), dtype=np.float64)  # a cut adds at most one corner
    kept = np.empty((DISC_CORNERS + count + 8, 2), dtype=np.float64)
    for point in range(count):
        size = _cut_cell(squares, point, disc, cell, kept)
        if corners.shape[0] == 0:
            starts[point + 1] = starts[point] + size
        else:
            for corner in range(size):
                corners[starts[point] + corner, 0] = cell[corner, 0]
                corners[starts[point] + corner, 1] = cell[corner, 1]


@inlined
def _cut_cell(squares: Squares, point: int, disc: np.ndarray, cell: np.ndarray, kept: np.ndarray) -> int:
    """Write the corners of a point's cell to ``cell``; return how many. ``kept`` is overwritten."""
    places, order, begin, side = squares
    x = places[point, 0]
    y = places[point, 1]
    size = len(disc)
    for corner in range(size):
        cell[corner, 0] = x + disc[corner, 0]
        cell[corner, 1] = y + disc[corner, 1]
    for wall in range(4):
        outwards = 1.0 if wall < 2 else -1.0
        east = outwards * (wall % 2)
        size = _clip(cell, size, kept, east, outwards - east, max(outwards, 0.0))
    row = min(int(y * side), side - 1)
    col = min(int(x * side), side - 1)
    near = 4.0 * disc[0, 0] ** 2
    for near_row in range(max(row - 1, 0), min(row + 2, side)):
        for near_col in range(max(col - 1, 0), min(col + 2, side)):
            square = near_row * side + near_col
            for at in range(begin[square], begin[square + 1]):
                other = order[at]
                east = places[other, 0] - x
                south = places[other, 1] - y
                apart = east * east + south * south
                if 0.0 < apart < near:
                    size = _clip(cell, size, kept, east, south, east * x + south * y + 0.5 * apart)
    return size


@inlined
def _clip(cell: np.ndarray, size: int, kept: np.ndarray, east: float, south: float, limit: float) -> int:
    """Keep the part of a convex polygon where east * x + south * y <= limit; return its new number of corners."""
    used = 0
    before = cell[size - 1, 0] * east + cell[size - 1, 1] * south - limit
    for corner in range(size):
        here = cell[corner, 0] * east + cell[corner, 1] * south - limit
        if (before < 0.0 < here) or (here < 0.0 < before):
            share = before / (before - here)
            last = corner - 1 if corner > 0 else size - 1
            for axis in range(2):
                kept[used, axis] = cell[last, axis] + share * (cell[corner, axis] - cell[last, axis])
            used += 1
        if here <= 0.0:
            kept[used, 0] = cell[corner, 0]
            kept[used, 1] = cell[corner, 1]
            used += 1
        before = here
    for corner in range(used):
        cell[corner, 0] = kept[corner, 0]
        cell[corner, 1] = kept[corner, 1]
    return used
