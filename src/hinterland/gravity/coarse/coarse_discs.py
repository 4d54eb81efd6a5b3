"""Discs drawn as octagons: what a search enters instead of true discs where it may be off by a little.

A true disc takes two entries for each chord, in loops whose ends no processor foresees. An octagon takes twelve,
however large it is, and no loop: its rim goes straight down or falls one column a row, to either side, so it is enough
to enter where such a piece begins and where it ends, in one table for each of the three directions. Summed along their
directions they say where the rows of the octagons begin and end, and those, summed along rows, how many octagons cover
a cell. What lies beyond the edge of the board is cut off, which leaves an octagon with other corners. The sides are
whole numbers chosen so that the area is right (docs/performance.md says by how much sums of a thousand discs are off).
"""

from __future__ import annotations

import itertools
import math
from functools import cache

import numpy as np

from hinterland.jit import inlined, kernel

FALLING, UPRIGHT, RISING = range(3)
"""The tables: pieces of a rim that go downwards to the right, straight down, and downwards to the left."""
VECTOR = 16
"""What is carried from row to row lies a multiple of so many places behind: what a vector has just written, another
reads at once only where it reads all of it."""
IDEAL = np.array([0.9737, 1.3770])
"""Half the width of an octagon, and how far its slanting sides go in rows and columns together, of the radius."""
OFF = 0.3
"""What a cell too many or too few weighs, where a side that is off by one weighs 1."""


@cache
def octagons_of(grid: int) -> np.ndarray:
    """Return, for each whole square of a radius on a board, half the width and the girth: int16 (2 grid^2 + 1, 2).

    A row that is a cells from the middle, itself counted, is half the width or the girth less a to either side,
    whichever is less. Of the whole numbers near the ideal ones those are taken whose area is nearest to the disc's,
    and which are near.
    """
    squares = np.arange(2 * grid * grid + 1) + 0.5
    ideal = np.sqrt(squares)[:, None] * IDEAL + (0.0, 0.5)
    least = np.full(squares.size, np.inf)
    chosen = np.zeros(ideal.shape, dtype=np.int16)
    for up in itertools.product(range(-1, 3), range(-3, 5)):
        half, girth = sides = np.maximum(np.floor(ideal) + up, 1).T
        cut = 2 * half - girth
        excess = 4 * half**2 - 2 * cut * (cut + 1) - math.pi * squares
        loss = OFF * np.abs(excess) + np.abs(sides - ideal.T).sum(axis=0)
        better = (loss < least) & (half <= girth) & (cut >= 0)
        chosen[better] = sides.T[better]
        least[better] = loss[better]
    return chosen


@kernel(allocates=True)
def new_rims(grid: int) -> np.ndarray:
    """Return empty tables for a board of grid x grid cells: int32, flat, one table behind another.

    Rows overlap as slanting pieces ask for: along each table's direction it is a pitch from one cell to the next.
    """
    return np.zeros(3 * _pitch(grid) * (grid + 2), dtype=np.int32)


@inlined
def _pitch(grid: int) -> int:
    return (grid + 1 + VECTOR) // VECTOR * VECTOR


@inlined
def _begin(table: int, row: int, grid: int) -> int:
    """Return where a row of a table begins."""
    return table * _pitch(grid) * (grid + 2) + row * (_pitch(grid) + table - UPRIGHT)


@inlined
def _enter_piece(rims: np.ndarray, start: int, end: int, points: int) -> None:
    """Enter a piece of a rim from one place to before another."""
    rims[np.uint64(start)] += points
    rims[np.uint64(end)] -= points


@inlined
def _enter_rim(
    rims: np.ndarray, grid: int, middle: tuple[int, int], height: tuple[int, int], out: int, girth: int, points: int
) -> None:
    """Enter the left half of a rim, where points are positive, or the right one.

    ``height``: how many rows it has above and below the middle; ``out``: how far it goes to its side.
    """
    (row, col), (above, below) = middle, height
    side = -1 if points > 0 else 1
    upper, lower = (RISING, FALLING) if points > 0 else (FALLING, RISING)
    high, low = row - min(girth - out, above), row + min(girth - out, below)
    top, bottom = col + side * min(girth - above, out), col + side * (min(girth - below, out) - 1)
    edge = col + side * out
    _enter_piece(rims, _begin(upper, row - above, grid) + top, _begin(upper, high, grid) + edge, points)
    _enter_piece(rims, _begin(UPRIGHT, high, grid) + edge, _begin(UPRIGHT, low, grid) + edge, points)
    _enter_piece(rims, _begin(lower, low, grid) + edge - side, _begin(lower, row + below, grid) + bottom, points)


@inlined
def enter_octagon(rims: np.ndarray, grid: int, row: int, col: int, sides: np.ndarray, points: int) -> None:
    """Enter a disc around the upper left corner of a cell that is neither in the first row nor in the first column.

    ``rims``: those of new_rims; ``sides``: a row of octagons_of; ``points``: what each of its cells counts, above 0.
    """
    half, girth = int(sides[0]), int(sides[1])
    height = min(half, row), min(half, grid - row)
    _enter_rim(rims, grid, (row, col), height, min(half, col), girth, points)
    _enter_rim(rims, grid, (row, col), height, min(half, grid - col), girth, -points)


@inlined
def _carry(rims: np.ndarray, pitch: int) -> None:
    """Carry on what begins in each row, in all tables at once: at the end of each nothing is left to carry."""
    for begin in range(pitch, rims.size, pitch):
        here = rims[np.uint64(begin) : np.uint64(begin + pitch)]
        before = rims[np.uint64(begin - pitch) : np.uint64(begin)]
        for place in range(pitch):
            here[np.uint64(place)] += before[np.uint64(place)]


@inlined
def sum_octagons(rims: np.ndarray, sums: np.ndarray, everywhere: int) -> None:
    """Set ``sums``, int32 (grid, grid), to the points of all octagons that cover a cell, and what counts everywhere.

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
