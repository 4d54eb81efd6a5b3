"""The reply map: what a stone on each cell would gain, for all cells at once.

A cell x with reach k (radius.py) is taken by every new stone in the disc ``|x - c|^2 <= k``, so the gains of
all replies are a sum of discs, one a cell, instead of a count of the board for each reply.

A disc is entered as differences, to be summed up once at the end. Its rows one by one would cost 2 entries for
each of its 2 r rows. Instead the square inscribed in it (half-side s, the greatest with 2 s^2 <= k) takes four
entries in a two-dimensional difference table. That leaves four caps, alike by symmetry: above and below they
are entered row by row, to the left and right column by column, and one square root serves a row of all four. So
4 r scattered additions become 2.3 r.

Each core has tables of its own and takes bands of rows as long as there are any; the tables are added at the end.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hinterland.gravity.radius import EVERYWHERE, reaches_of_row
from hinterland.gravity.room import forbid, reach
from hinterland.jit import cores, inlined, kernel, side_by_side

if TYPE_CHECKING:
    from hinterland.gravity.field import Stones
    from hinterland.gravity.rules import Rules

__all__ = ["reply_map"]

BAND = 16
"""A core takes the next so many rows whenever it is free, so that none waits long for another."""
SMALL = 200
"""Boards of at most this size are not worth waking a second core for."""


def reply_map(stones: Stones, rules: Rules, seat: int, weight: int) -> np.ndarray:
    """Return the gain of a stone of ``weight`` of ``seat`` on every cell: int32 (size, size), -1 where it may not go.

    The gain is how many cells the seat would own after the move and does not own before it.
    """
    size = rules.size
    nearest = rules.law == "nearest"
    bands = iter(range(0, size, BAND))

    def enter(_: int) -> tuple[np.ndarray, int]:
        tables = np.zeros((3, size + 1, size + 1), dtype=np.int32)
        everywhere = 0
        for first in bands:
            end = min(first + BAND, size)
            everywhere += _enter_discs(stones.table, stones.starts, seat, weight, nearest, first, end, tables)
        return tables, everywhere

    entered = side_by_side(enter, 1 if size <= SMALL else cores())
    tables = entered[0][0]
    for others, _ in entered[1:]:
        tables += others
    everywhere = sum(count for _, count in entered)
    gains = np.empty((size, size), dtype=np.int32)
    _sum_up(tables, everywhere, gains)
    forbid(stones.table, rules.spacing, gains)
    return gains


@inlined
def _enter_square(square: np.ndarray, row: int, col: int, half: int, size: int) -> None:
    top = max(row - half, 0)
    bottom = min(row + half + 1, size)
    left = max(col - half, 0)
    right = min(col + half + 1, size)
    square[top, left] += 1
    square[top, right] -= 1
    square[bottom, left] -= 1
    square[bottom, right] += 1


@inlined
def _enter_cap(
    lines: np.ndarray, first: int, step: int, count: int, middle: int, halves: np.ndarray, size: int
) -> None:
    """Enter ``count`` runs around ``middle`` of half-lengths ``halves``, on the lines first, first + step and so on."""
    for i in range(count):
        line = np.uint64(first + step * i)
        lines[line, np.uint64(max(middle - halves[i], 0))] += 1
        lines[line, np.uint64(min(middle + halves[i] + 1, size))] -= 1


@inlined
def _enter_disc(tables: np.ndarray, row: int, col: int, square: int, size: int, halves: np.ndarray) -> None:
    """Enter the disc of all c with ``|c - (row, col)|^2 <= square``.

    Entries at index ``size`` fall off the board.

    ``halves``: int64, overwritten with the half-lengths of a cap's runs, from the square outwards.
    """
    inner = reach(square // 2)
    below = size - 1 - row
    beyond = size - 1 - col
    outer = min(reach(square), max(row, below, col, beyond))
    _enter_square(tables[0], row, col, inner, size)
    for i in range(outer - inner):
        halves[i] = int(math.sqrt(float(square - (inner + 1 + i) ** 2)))
    _enter_cap(tables[1], row - inner - 1, -1, min(outer, row) - inner, col, halves, size)
    _enter_cap(tables[1], row + inner + 1, 1, min(outer, below) - inner, col, halves, size)
    _enter_cap(tables[2], col - inner - 1, -1, min(outer, col) - inner, row, halves, size)
    _enter_cap(tables[2], col + inner + 1, 1, min(outer, beyond) - inner, row, halves, size)


@kernel
def _enter_discs(
    stones: np.ndarray,
    starts: np.ndarray,
    seat: int,
    weight: int,
    nearest: bool,
    first: int,
    end: int,
    tables: np.ndarray,
) -> int:
    """Enter the discs of the rows from ``first`` to before ``end``; return how many cells are taken from everywhere.

    ``tables``: int32 (3, size + 1, size + 1): squares; caps by row (row, col); caps by column (col, row).
    """
    size = tables.shape[1] - 1
    places = np.empty((2, size), dtype=np.float64)
    places[1] = np.arange(size)
    pulls = np.empty((3, size), dtype=np.float64)
    reaches = np.empty(size, dtype=np.int64)
    halves = np.empty(size, dtype=np.int64)
    everywhere = 0
    for row in range(first, end):
        places[0] = row
        reaches_of_row(stones, starts, seat, weight, nearest, row, places, pulls, reaches)
        for col in range(size):
            if reaches[col] == EVERYWHERE:
                everywhere += 1
            elif reaches[col] >= 0:
                _enter_disc(tables, row, col, reaches[col], size, halves)
    return everywhere


@kernel
def _sum_up(tables: np.ndarray, everywhere: int, gains: np.ndarray) -> None:
    """Sum the differences up to the gains, int32 (size, size). ``tables`` is overwritten."""
    size = gains.shape[0]
    for col in range(size):
        total = 0
        for row in range(size):
            total += tables[2, col, row]
            tables[2, col, row] = total
    for row in range(size):
        squares = 0
        caps = 0
        for col in range(size):
            squares += tables[0, row, col]
            caps += tables[1, row, col]
            tables[0, row, col] = squares + (tables[0, row - 1, col] if row > 0 else 0)
            gains[row, col] = everywhere + caps + tables[0, row, col] + tables[2, col, row]
