"""Points that are too near each other, pushed apart gently: of two that are nearer than the gap each gives way.

Points are looked up in square cells at least one gap wide, each cell a chain of points.
"""

from __future__ import annotations

import math

import numpy as np

from hinterland.jit import inlined, kernel

GOLDEN_TURN = math.pi * (3.0 - math.sqrt(5.0))
"""Points turned by multiples of this never lie in one direction."""
ROUNDS = 150
CROWD = 64
"""So many points of a cell are looked at; more are parted later, when they have spread."""
EXACT = 11
"""To so many decimals are points known when the pushing begins: sines end otherwise on other processors."""
MOST_CELLS = 4096
"""A side."""
OVERSHOOT = 1.02
"""Gaps are opened by a little more than asked, or the last of it would take for ever."""


def decluttered(places: np.ndarray, gap: float, margin: float = -math.inf) -> np.ndarray:
    """Return points, float64 (n, 2), moved until any two are at least ``gap`` apart.

    They stay ``margin`` within the unit square; without one they may leave it. Where there is no room for all, they
    are apart as far as it goes.
    """
    turn = np.arange(len(places)) * GOLDEN_TURN
    wink = gap * 1e-4 * (1.0 + np.arange(len(places)) / len(places))  # points on one place need a way to go
    moved = np.round(places + np.stack((np.cos(turn), np.sin(turn)), axis=1) * wink[:, None], EXACT)
    _push(moved, gap, margin, ROUNDS)
    return moved


def nearest(places: np.ndarray, most: float) -> np.ndarray:
    """Return how far the nearest other point is from each, float64 (n, 2), but ``most`` at most: float64[n]."""
    return _nearest(np.ascontiguousarray(places, dtype=np.float64), most)


@inlined
def _at(share: float, side: int) -> int:
    """Return the row or column of a cell; points beyond the square belong to the cells at its border."""
    return min(max(int(share * side), 0), side - 1)


@inlined
def _chain(places: np.ndarray, side: int, first: np.ndarray, after: np.ndarray) -> None:
    """Chain up the points of each cell: it begins with ``first``, int64[side^2], and goes on ``after``, int64[n]."""
    first[:] = -1
    for point in range(places.shape[0]):
        cell = _at(places[point, 1], side) * side + _at(places[point, 0], side)
        after[point] = first[cell]
        first[cell] = point


@kernel(allocates=True)
def _push(places: np.ndarray, gap: float, margin: float, rounds: int) -> None:
    """Part the points of ``places``, in place."""
    count = places.shape[0]
    side = max(1, min(int(1.0 / gap), MOST_CELLS))
    first = np.empty(side * side, dtype=np.int64)
    after = np.empty(count, dtype=np.int64)
    for _ in range(rounds):
        _chain(places, side, first, after)
        parted = 0
        for point in range(count):
            parted += _part(places, point, gap, side, first, after)
        for point in range(count):
            for axis in range(2):
                places[point, axis] = min(max(places[point, axis], margin), 1.0 - margin)
        if parted == 0:
            break


@inlined
def _part(places: np.ndarray, point: int, gap: float, side: int, first: np.ndarray, after: np.ndarray) -> int:
    """Push a point and those near it with greater numbers apart; return how many."""
    row = _at(places[point, 1], side)
    col = _at(places[point, 0], side)
    parted = 0
    for near_row in range(max(row - 1, 0), min(row + 2, side)):
        for near_col in range(max(col - 1, 0), min(col + 2, side)):
            other = first[near_row * side + near_col]
            looked = 0
            while other >= 0 and looked < CROWD:
                if other > point:
                    parted += _push_pair(places, point, other, gap)
                other = after[other]
                looked += 1
    return parted


@inlined
def _push_pair(places: np.ndarray, one: int, other: int, gap: float) -> int:
    """Push two points that are nearer than the gap apart, each by half; return 1 if they were."""
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
def _nearest(places: np.ndarray, most: float) -> np.ndarray:
    """Return the distance to the nearest other point, at most ``most``: float64[n]."""
    count = places.shape[0]
    side = max(1, min(int(1.0 / most), MOST_CELLS))
    first = np.empty(side * side, dtype=np.int64)
    after = np.empty(count, dtype=np.int64)
    _chain(places, side, first, after)
    far = np.full(count, most * most, dtype=np.float64)
    for point in range(count):
        row = _at(places[point, 1], side)
        col = _at(places[point, 0], side)
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
