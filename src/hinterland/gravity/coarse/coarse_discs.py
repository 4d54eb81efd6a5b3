"""Counts how many discs cover each cell of a coarse board; octagons stand for discs, so counts are a little off.

Discs are entered in tables of differences. A true disc changes two entries for each chord, in loops whose ends a
processor cannot predict. An octagon changes twelve entries, whatever its size, and needs no loop. Each piece of an
octagon's rim goes straight down, or one column to a side with each row. So it is enough to enter where each piece
begins and ends, in one table for each of the three directions. Each table is summed along its direction; the results
say where the rows of octagons begin and end. These results, summed along the rows, say how many octagons cover each
cell. Parts beyond the edge of the board are cut off, which leaves an octagon with other corners. An octagon's sides are
whole numbers, chosen so that its area is near the disc's; docs/performance-log.md says by how much sums of many discs
are off.
"""

from __future__ import annotations

import itertools
import math
from functools import cache
from typing import NamedTuple

import numpy as np

from hinterland.jit import inlined, kernel, part

FALLING, UPRIGHT, RISING = range(3)
"""The three tables: for pieces of a rim that go downwards to the right, straight down, and downwards to the left."""
LANES = 64
"""Number of discs that are entered together, so that the indices of several entries are computed at a time."""
ROW, COL, HALF, DIAGONAL = range(4)
"""The fields of a disc: row and column of its middle; half its width; and its extent along a diagonal, the greatest sum
of rows and columns from the middle to the rim."""
VECTOR_PLACES = 16
"""Rows of a table lie a multiple of this many numbers apart in memory. So when each row is added to the next, a vector
reads exactly the numbers that one vector has just written; only then can a processor forward them without delay."""
IDEAL_SIDES = np.array([0.9737, 1.3770])
"""HALF and DIAGONAL of an octagon, as shares of the radius."""
AREA_ERROR_WEIGHT = 0.3
"""Weight of an error in the choice of sides: a cell by which the area is off counts this much, a side that is off by
one counts 1."""


class Group(NamedTuple):
    """Room for discs that are entered together. Kernels overwrite it."""

    discs: np.ndarray
    """int32 (4, LANES)."""
    aims: np.ndarray
    """int32 (2, 6, LANES): the indices of each disc's entries, for the left and for the right half of its rim.

    Rows 0 to 2: where the upper, the upright and the lower piece begin. Rows 3 to 5: where these pieces end.
    """


def new_group() -> Group:
    """Return room for a group."""
    return Group(np.zeros((4, LANES), dtype=np.int32), np.zeros((2, 6, LANES), dtype=np.int32))


@cache
def octagons_of(grid: int) -> np.ndarray:
    """Return HALF and DIAGONAL of the octagons for the squared radii 0, 1, 2 …: int16 (2 grid^2 + 1, 2).

    The a-th row above or below the middle reaches min(HALF, DIAGONAL - a) cells to either side. Of the whole numbers
    near the ideal sides, those with the least loss are taken: they are near the ideal, and their area is near the
    disc's.
    """
    squares = np.arange(2 * grid * grid + 1) + 0.5
    ideal = np.sqrt(squares)[:, None] * IDEAL_SIDES + (0.0, 0.5)
    least = np.full(squares.size, np.inf)
    best = np.zeros(ideal.shape, dtype=np.int16)
    for up in itertools.product(range(-1, 3), range(-3, 5)):
        half, diagonal = sides = np.maximum(np.floor(ideal) + up, 1).T
        cut = 2 * half - diagonal
        excess = 4 * half**2 - 2 * cut * (cut + 1) - math.pi * squares
        loss = AREA_ERROR_WEIGHT * np.abs(excess) + np.abs(sides - ideal.T).sum(axis=0)
        better = (loss < least) & (half <= diagonal) & (cut >= 0)
        best[better] = sides.T[better]
        least[better] = loss[better]
    return best


@kernel(allocates=True)
def new_rims(grid: int) -> np.ndarray:
    """Return empty tables for a board of grid x grid cells: int32, flat, one table behind another.

    A pitch is the length of a row of the table UPRIGHT. In FALLING a row begins one number less than a pitch after the
    row before, in RISING one number more. So in every table the next cell along the table's direction is one pitch
    further on.
    """
    return np.zeros(3 * _pitch(grid) * (grid + 2), dtype=np.int32)


@inlined
def _pitch(grid: int) -> int:
    return (grid + 1 + VECTOR_PLACES) // VECTOR_PLACES * VECTOR_PLACES


@inlined
def _begin(table: int, row: int, grid: int) -> int:
    """Return the index at which ``row`` of ``table`` begins."""
    return table * _pitch(grid) * (grid + 2) + row * (_pitch(grid) + table - UPRIGHT)


@inlined
def set_disc(group: Group, lane: int, row: int, col: int, sides: np.ndarray) -> None:
    """Set a disc of a group.

    The disc's centre is the upper left corner of the cell (row, col), which must not be in the first row or column.

    ``sides``: a row of octagons_of.
    """
    group.discs[ROW, lane], group.discs[COL, lane] = row, col
    group.discs[HALF, lane], group.discs[DIAGONAL, lane] = sides[0], sides[1]


@inlined
def _aim(row: np.int32, col: np.int32, first: int, pitch: int) -> np.int32:
    return np.int32(np.int32(first + col) + np.int32(row * np.int32(pitch)))


@inlined
def _aim_rims(discs: np.ndarray, count: int, grid: int, side: int, aims: np.ndarray) -> None:
    """Set ``aims``, int32 (6, LANES), for the left (``side`` = -1) or right (``side`` = 1) halves of rims."""
    upper, lower = (RISING, FALLING) if side < 0 else (FALLING, RISING)
    first_upper, first, first_lower = _begin(upper, 0, grid), _begin(UPRIGHT, 0, grid), _begin(lower, 0, grid)
    pitch, upper_pitch, lower_pitch = _pitch(grid), _pitch(grid) + upper - UPRIGHT, _pitch(grid) + lower - UPRIGHT
    sideways = np.int32(side)
    for i in range(count):
        row, col, half, diagonal = discs[ROW, i], discs[COL, i], discs[HALF, i], discs[DIAGONAL, i]
        above, below = min(half, row), min(half, np.int32(grid - row))
        out = min(half, col if side < 0 else np.int32(grid - col))
        straight = np.int32(diagonal - out)
        high, low = np.int32(row - min(straight, above)), np.int32(row + min(straight, below))
        top = np.int32(col + np.int32(sideways * min(np.int32(diagonal - above), out)))
        bottom = np.int32(col + np.int32(sideways * np.int32(min(np.int32(diagonal - below), out) - 1)))
        edge = np.int32(col + np.int32(sideways * out))
        aims[0, i] = _aim(np.int32(row - above), top, first_upper, upper_pitch)
        aims[1, i] = _aim(high, edge, first, pitch)
        aims[2, i] = _aim(low, np.int32(edge - sideways), first_lower, lower_pitch)
        aims[3, i] = _aim(high, edge, first_upper, upper_pitch)
        aims[4, i] = _aim(low, edge, first, pitch)
        aims[5, i] = _aim(np.int32(row + below), bottom, first_lower, lower_pitch)


@part
def enter_octagons(rims: np.ndarray, grid: int, group: Group, count: int, points: int) -> None:
    """Enter the first ``count`` discs of a group; each gives ``points`` points to every cell that it covers.

    ``rims``: those of new_rims.
    """
    aims = group.aims
    _aim_rims(group.discs, count, grid, -1, aims[0])
    _aim_rims(group.discs, count, grid, 1, aims[1])
    for i in range(count):
        for piece in range(3):
            rims[np.uint64(aims[0, piece, i])] += points
            rims[np.uint64(aims[0, piece + 3, i])] -= points
            rims[np.uint64(aims[1, piece, i])] -= points
            rims[np.uint64(aims[1, piece + 3, i])] += points


@inlined
def _carry(rims: np.ndarray, pitch: int) -> None:
    """Add each row to the next, in all tables at once.

    After the last row of a table the sums are 0, so that nothing is added to the table that follows.
    """
    for begin in range(pitch, rims.size, pitch):
        here = rims[np.uint64(begin) : np.uint64(begin + pitch)]
        before = rims[np.uint64(begin - pitch) : np.uint64(begin)]
        for place in range(pitch):
            here[np.uint64(place)] += before[np.uint64(place)]


@inlined
def sum_octagons(rims: np.ndarray, sums: np.ndarray, everywhere: int) -> None:
    """Set ``sums``, int32 (grid, grid), to the points of all octagons that cover a cell, plus ``everywhere``.

    ``rims`` are overwritten.
    """
    grid = sums.shape[0]
    _carry(rims, _pitch(grid))
    for row in range(grid):
        line = sums[row]
        falling, upright, rising = (
            rims[np.uint64(_begin(FALLING, row, grid)) :],
            rims[np.uint64(_begin(UPRIGHT, row, grid)) :],
            rims[np.uint64(_begin(RISING, row, grid)) :],
        )
        for col in range(np.uint64(grid)):
            line[col] = falling[col] + upright[col] + rising[col]
        total = np.int32(everywhere)
        for col in range(np.uint64(grid)):
            total = np.int32(total + line[col])
            line[col] = total
