"""The reply map: what a stone on each cell would gain, for all cells at once.

A cell x with reach k (radius.py) is taken by every new stone in the disc ``|x - c|^2 <= k``, so the gains of
all replies are a sum of discs, one a cell, instead of a count of the board for each reply. Discs are entered as
differences (discs.py), and one sweep over the board sums them up.

Each core has tables of its own and takes bands of rows as long as there are any; the sweep adds the tables. Against a
single stone all discs are large, and half-planes are counted instead (bisector.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hinterland.gravity import bisector
from hinterland.gravity.discs import enter_row
from hinterland.gravity.octagons import (
    ACROSS,
    DOWN,
    FALLING,
    FALLING_EDGE,
    FALLING_LEFT,
    FALLING_TOP,
    RISING,
    RISING_EDGE,
    RISING_RIGHT,
    RISING_TOP,
    TABLES,
    UPRIGHT,
    new_tables,
)
from hinterland.gravity.radius import reaches_of_row
from hinterland.gravity.room import forbid
from hinterland.jit import cores, inlined, kernel, side_by_side

if TYPE_CHECKING:
    from collections.abc import Callable

    from hinterland.gravity.field import Stones
    from hinterland.gravity.rules import Rules

__all__ = ["reply_map", "reply_map_in_time"]

BAND = 16
"""A core takes the next so many rows whenever it is free, so that none waits long for another."""
SMALL = 200
"""Boards of at most this size are not worth waking a second core for."""


def reply_map(stones: Stones, rules: Rules, seat: int, weight: int) -> np.ndarray:
    """Return the gain of a stone of ``weight`` of ``seat`` on every cell: int32 (size, size), -1 where it may not go.

    The gain is how many cells the seat would own after the move and does not own before it.
    """
    gains = reply_map_in_time(stones, rules, seat, weight, lambda: True)
    assert gains is not None, "there was all the time"
    return gains


def reply_map_in_time(
    stones: Stones, rules: Rules, seat: int, weight: int, has_time: Callable[[], bool]
) -> np.ndarray | None:
    """Return the same; None once there is no more time, which is asked after every few rows."""
    gains = np.empty((rules.size, rules.size), dtype=np.int32)
    if not has_time():
        return None
    if bisector.applies(stones, seat, weight):
        bisector.bisect(stones, gains)
    elif not _add_discs(stones, rules, seat, weight, gains, has_time):
        return None
    forbid(stones.table, rules.spacing, gains)
    return gains


def _add_discs(
    stones: Stones, rules: Rules, seat: int, weight: int, gains: np.ndarray, has_time: Callable[[], bool]
) -> bool:
    """Set ``gains``, int32 (size, size), to the sum of the discs of all cells; say whether there was time for it."""
    size = rules.size
    nearest = rules.law == "nearest"
    bands = iter(range(0, size, BAND))
    parts = 1 if size <= SMALL else cores()
    tables = new_tables(parts, size)

    def enter(part: int) -> int:
        everywhere = 0
        for first in bands:
            if not has_time():
                return 0
            end = min(first + BAND, size)
            everywhere += _enter_discs(
                stones.table, stones.starts, seat, weight, nearest, first, end, size, tables[part]
            )
        return everywhere

    everywhere = sum(side_by_side(enter, parts))
    if not has_time():
        return False
    _sum_up(tables, everywhere, gains)
    return True


@kernel
def _enter_discs(
    stones: np.ndarray,
    starts: np.ndarray,
    seat: int,
    weight: int,
    nearest: bool,
    first: int,
    end: int,
    size: int,
    table: np.ndarray,
) -> int:
    """Enter the discs of the rows from ``first`` to before ``end``; return how many cells are taken from everywhere."""
    places = np.empty((2, size), dtype=np.float64)
    places[1] = np.arange(size)
    pulls = np.empty((3, size), dtype=np.float64)
    reaches = np.empty(size, dtype=np.int32)
    everywhere = 0
    for row in range(first, end):
        places[0] = row
        reaches_of_row(stones, starts, seat, weight, nearest, row, places, pulls, reaches)
        everywhere += enter_row(table, row, size, reaches)
    return everywhere


@inlined
def _sum_rims(tables: np.ndarray, size: int) -> np.ndarray:
    """Return how many diagonal chords begin on the cells of the board's edges, int32 (4, size + 2)."""
    width = size + 2
    rims = np.zeros((4, width), dtype=np.int32)
    for part in range(tables.shape[0]):
        first = TABLES * (size + 1) * width
        for rim in range(4):
            total = 0
            for i in range(width):
                total += tables[part, first + rim * width + i]
                rims[rim, i] += total
    return rims


@kernel
def _sum_up(tables: np.ndarray, everywhere: int, gains: np.ndarray) -> None:
    """Sum the differences of all parts up to the gains, int32 (size, size).

    Sums along diagonals stay where they are, and the window that holds the row's moves over them from row to row.
    """
    size = gains.shape[0]
    width = size + 2
    area = (size + 1) * width
    downwards = np.zeros((2, width), dtype=np.int32)
    falling = np.zeros((2, size + width), dtype=np.int32)
    rising = np.zeros((2, size + width), dtype=np.int32)
    edges = np.empty(width, dtype=np.int32)
    rims = _sum_rims(tables, size)
    falling[0, size:] += rims[FALLING_TOP]
    rising[0, :width] += rims[RISING_TOP]
    for row in range(size):
        falls = falling[:, size - row : size - row + width]
        rises = rising[:, row : row + width]
        falls[0, 1] += rims[FALLING_LEFT, row]
        rises[0, size] += rims[RISING_RIGHT, row]
        edges[:] = 0
        for part in range(tables.shape[0]):
            lines = tables[part, : TABLES * area].reshape(TABLES, area)[:, row * width : (row + 1) * width]
            for col in range(width):
                edges[col] += lines[ACROSS, col]
                downwards[0, col] += lines[DOWN, col]
                downwards[1, col] += lines[UPRIGHT, col]
            for col in range(width):
                falls[0, col] += lines[FALLING, col]
                falls[1, col] += lines[FALLING_EDGE, col]
            for col in range(width):
                rises[0, col] += lines[RISING, col]
                rises[1, col] += lines[RISING_EDGE, col]
        for col in range(width):
            edges[col] += downwards[1, col] + falls[1, col] + rises[1, col]
        total = everywhere
        for col in range(size):
            total += edges[col + 1]
            gains[row, col] = total + downwards[0, col + 1] + falls[0, col + 1] + rises[0, col + 1]
