"""Pushes points gently apart: if two points are nearer to each other than the gap, both give way.

Points are looked up in square cells at least one gap wide; each cell is a linked list of points.
"""

from __future__ import annotations

import math

import numpy as np

from hinterland.jit import inlined, kernel

GOLDEN_TURN = math.pi * (3.0 - math.sqrt(5.0))
"""An angle in radians; no two of its multiples have the same direction."""
MAX_ROUNDS = 150
MAX_NEIGHBOURS = 64
"""Most points of a cell that are examined in a round. If a cell has more points, the others are pushed in later rounds,
when the points have spread."""
DECIMALS = 11
"""Decimals to which points are rounded at the beginning, because sines differ between processors."""
MAX_CELLS_PER_SIDE = 4096
"""Limit for the cells along a side."""
OVERSHOOT = 1.02
"""Distance, in gaps, to which two points are pushed apart; with exactly 1, the last rounds would take for ever."""


def declutter(places: np.ndarray, gap: float, margin: float = -math.inf) -> np.ndarray:
    """Return points, float64 (n, 2), moved until any two are at least ``gap`` apart.

    Points stay within the unit square, ``margin`` from its border; without a margin they may leave it. If there is no
    room for all points, some remain nearer to each other than ``gap``.
    """
    turn = np.arange(len(places)) * GOLDEN_TURN
    wink = gap * 1e-4 * (1.0 + np.arange(len(places)) / len(places))  # separates points that are in one place
    moved = np.round(places + np.stack((np.cos(turn), np.sin(turn)), axis=1) * wink[:, None], DECIMALS)
    _push(moved, gap, margin, MAX_ROUNDS)
    return moved


def find_nearest_distances(places: np.ndarray, most: float) -> np.ndarray:
    """Return the distance of each point to the nearest other point, but at most ``most``: float64[n].

    ``places``: float64 (n, 2).
    """
    return _find_nearest(np.ascontiguousarray(places, dtype=np.float64), most)


@inlined
def _cell_index(share: float, side: int) -> int:
    """Return the row or column of the cell at a coordinate; points outside the square belong to cells at its border."""
    return min(max(int(share * side), 0), side - 1)


@inlined
def _chain_points(places: np.ndarray, side: int, first: np.ndarray, after: np.ndarray) -> None:
    """Link the points of each cell in a list, which -1 ends.

    ``first``: int64[side^2], the first point of each cell. ``after``: int64[n], the next point after each point.
    """
    first[:] = -1
    for point in range(places.shape[0]):
        cell = _cell_index(places[point, 1], side) * side + _cell_index(places[point, 0], side)
        after[point] = first[cell]
        first[cell] = point


@kernel(allocates=True)
def _push(places: np.ndarray, gap: float, margin: float, rounds: int) -> None:
    """Push the points of ``places`` apart, in place."""
    count = places.shape[0]
    side = max(1, min(int(1.0 / gap), MAX_CELLS_PER_SIDE))
    first = np.empty(side * side, dtype=np.int64)
    after = np.empty(count, dtype=np.int64)
    for _ in range(rounds):
        _chain_points(places, side, first, after)
        parted = 0
        for point in range(count):
            parted += _push_neighbours(places, point, gap, side, first, after)
        for point in range(count):
            for axis in range(2):
                places[point, axis] = min(max(places[point, axis], margin), 1.0 - margin)
        if parted == 0:
            break


@inlined
def _push_neighbours(
    places: np.ndarray, point: int, gap: float, side: int, first: np.ndarray, after: np.ndarray
) -> int:
    """Push a point and near points with greater numbers apart; return how many pairs were too near."""
    row = _cell_index(places[point, 1], side)
    col = _cell_index(places[point, 0], side)
    parted = 0
    for near_row in range(max(row - 1, 0), min(row + 2, side)):
        for near_col in range(max(col - 1, 0), min(col + 2, side)):
            other = first[near_row * side + near_col]
            looked = 0
            while other >= 0 and looked < MAX_NEIGHBOURS:
                if other > point:
                    parted += _push_pair(places, point, other, gap)
                other = after[other]
                looked += 1
    return parted


@inlined
def _push_pair(places: np.ndarray, one: int, other: int, gap: float) -> int:
    """Push two points apart, each by half, if they are nearer than the gap; return 1 if they were, else 0."""
    x = places[other, 0] - places[one, 0]
    y = places[other, 1] - places[one, 1]
    square = x * x + y * y
    if square >= gap * gap:
        return 0
    apart = max(math.sqrt(square), 1e-12)
    push = 0.5 * (gap * OVERSHOOT - apart) / apart
    places[one, 0] -= push * x
    places[one, 1] -= push * y
    places[other, 0] += push * x
    places[other, 1] += push * y
    return 1


@kernel(allocates=True)
def _find_nearest(places: np.ndarray, most: float) -> np.ndarray:
    """Return the distance to the nearest other point, at most ``most``: float64[n]."""
    count = places.shape[0]
    side = max(1, min(int(1.0 / most), MAX_CELLS_PER_SIDE))
    first = np.empty(side * side, dtype=np.int64)
    after = np.empty(count, dtype=np.int64)
    _chain_points(places, side, first, after)
    far = np.full(count, most * most, dtype=np.float64)
    for point in range(count):
        row = _cell_index(places[point, 1], side)
        col = _cell_index(places[point, 0], side)
        for near_row in range(max(row - 1, 0), min(row + 2, side)):
            for near_col in range(max(col - 1, 0), min(col + 2, side)):
                other = first[near_row * side + near_col]
                while other >= 0 and far[point] > 0.0:
                    if other != point:
                        x = places[other, 0] - places[point, 0]
                        y = places[other, 1] - places[point, 1]
                        far[point] = min(far[point], x * x + y * y)
                    other = after[other]
    return np.sqrt(far)
