"""The reply map: what a stone on each cell would gain, for all cells at once.

A cell x with reach k (capture_radius.py) is taken by every new stone in the disc ``|x - c|^2 <= k``, so the gains of
all replies are a sum of discs, one a cell, instead of a count of the board for each reply. Discs are entered as
differences (discs.py), and one sweep over the board sums them up.

Each core has tables of its own and takes bands of rows as long as there are any; the sweep adds the tables. Against a
single stone all discs are large, and half-planes are counted instead (half_planes.py).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hinterland.gravity.area.stones import NewStone
from hinterland.gravity.replies import half_planes, octagons
from hinterland.gravity.replies.capture_radius import find_reaches, new_scratch
from hinterland.gravity.replies.discs import enter_band
from hinterland.gravity.replies.half_planes import count_nearer
from hinterland.gravity.spacing import forbid
from hinterland.jit import cores, in_strips, inlined, kernel

BAND = 48
"""A core takes the next so many rows whenever it is free."""
SMALL = 200
"""Boards of at most this size are not worth waking a second core for."""


def reply_map(new: NewStone) -> np.ndarray:
    """Return the gain of a stone on every cell: int32 (size, size), -1 where it may not go.

    The gain is how many cells its seat would own after the move and does not own before it.
    """
    gains = reply_map_in_time(new, lambda: True)
    assert gains is not None, "there was all the time"
    return gains


def reply_map_in_time(new: NewStone, has_time: Callable[[], bool]) -> np.ndarray | None:
    """Return the same; None once there is no more time, which is asked for every few rows."""
    size = new.stones.size
    gains = np.empty((size, size), dtype=np.int32)
    if half_planes.applies(new):
        in_strips(
            lambda _, first, end: has_time() and count_nearer(new.stones, first, end, gains),
            size, BAND, threads_for(size),
        )  # fmt: skip
    else:
        _add_discs(new, gains, has_time)
    if not has_time():
        return None
    forbid(new.stones, gains)
    return gains


def threads_for(size: int) -> int:
    """Return how many threads are worth waking for a board."""
    return 1 if size <= SMALL else cores()


def _add_discs(new: NewStone, gains: np.ndarray, has_time: Callable[[], bool]) -> None:
    """Set ``gains``, int32 (size, size), to the sum of the discs of all cells, where there is time for it."""
    size = new.stones.size
    tables = octagons.new_tables(threads_for(size), size)
    everywhere = in_strips(
        lambda thread, first, end: _enter_discs(new, first, end, tables[thread]) if has_time() else 0,
        size, BAND, len(tables),
    )  # fmt: skip
    if has_time():
        _sum_up(tables, sum(everywhere), gains)


@kernel(allocates=True)
def _enter_discs(new: NewStone, first: int, end: int, table: np.ndarray) -> int:
    """Enter the discs of the rows from ``first`` to before ``end``; return how many cells are taken from everywhere."""
    scratch = new_scratch(new.stones.size)
    reaches = np.empty((end - first, new.stones.size), dtype=np.int32)
    for row in range(first, end):
        find_reaches(new, row, scratch)
        reaches[row - first] = scratch.reaches
    return enter_band(table, first, reaches)


@inlined(allocates=True)
def _sum_rims(tables: np.ndarray, size: int) -> np.ndarray:
    """Return how many diagonal chords begin on the cells of the board's edges, int32 (4, size + 2)."""
    width = size + 2
    rims = np.zeros((4, width), dtype=np.int32)
    for part in range(tables.shape[0]):
        first = octagons.TABLES * (size + 1) * width
        for rim in range(4):
            total = 0
            for i in range(width):
                total += tables[part, first + rim * width + i]
                rims[rim, i] += total
    return rims


@inlined
def _add_line(sums: np.ndarray, line: np.ndarray) -> None:
    for col in range(sums.size):
        sums[col] += line[col]


@kernel(allocates=True)
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
    falling[0, size:] += rims[octagons.FALLING_TOP]
    rising[0, :width] += rims[octagons.RISING_TOP]
    for row in range(size):
        falls, falls_edge = falling[0, size - row : size - row + width], falling[1, size - row : size - row + width]
        rises, rises_edge = rising[0, row : row + width], rising[1, row : row + width]
        falls[1] += rims[octagons.FALLING_LEFT, row]
        rises[size] += rims[octagons.RISING_RIGHT, row]
        edges[:] = 0
        for part in range(tables.shape[0]):
            lines = tables[part, : octagons.TABLES * area].reshape(octagons.TABLES, size + 1, width)
            _add_line(edges, lines[octagons.ACROSS, row])
            _add_line(downwards[0], lines[octagons.DOWN, row])
            _add_line(downwards[1], lines[octagons.UPRIGHT, row])
            _add_line(falls, lines[octagons.FALLING, row])
            _add_line(falls_edge, lines[octagons.FALLING_EDGE, row])
            _add_line(rises, lines[octagons.RISING, row])
            _add_line(rises_edge, lines[octagons.RISING_EDGE, row])
        for col in range(width):
            edges[col] += np.int32(np.int32(downwards[1, col] + falls_edge[col]) + rises_edge[col])
        total = everywhere
        for col in range(size):
            total += edges[col + 1]
            gains[row, col] = total + downwards[0, col + 1] + falls[col + 1] + rises[col + 1]
