"""Discs with stairs for a rim: what a search enters instead of true discs where it may be off by a little.

A true disc takes two entries for each chord, in loops whose ends no processor foresees. Here four rectangles that cross
one another stand for it, each lower and wider than the one before. What two neighbours share is taken off again, so
every disc, small or large, takes 28 entries in a single table of two-dimensional differences, and no loop at all. Their
sides are whole numbers chosen so that the area is right; where the rim is too far out for one disc it is too far in for
the next, and sums of a thousand discs are off by little (docs/performance.md).
"""

from __future__ import annotations

import itertools
import math
from functools import cache

import numpy as np

from hinterland.jit import inlined

STEPS = 4
IDEAL = np.array([0.4141, 0.6567, 0.8411, 0.9763])
"""How far the steps go, of the radius: no other four leave less between stairs and circle, found by random search."""


@cache
def stairs_of(grid: int) -> np.ndarray:
    """Return, for each whole square of a radius on a board, how far the steps go: int16 (2 grid^2 + 1, STEPS), rising.

    Of the whole numbers next to the ideal ones those are taken whose area is nearest to the disc's, and which are near.
    """
    squares = np.arange(2 * grid * grid + 1) + 0.5
    ideal = np.sqrt(squares)[:, None] * IDEAL
    least = np.full(squares.size, np.inf)
    chosen = np.zeros(ideal.shape, dtype=np.int16)
    for up in itertools.product((0, 1), repeat=STEPS):
        steps = np.maximum(np.floor(ideal) + up, 1)
        rises = np.diff(steps, axis=1, prepend=0)
        quarter = (rises * steps[:, ::-1]).sum(axis=1)
        loss = np.abs(quarter - math.pi / 4 * squares) + np.abs(steps - ideal).sum(axis=1)
        better = (loss < least) & (rises >= 0).all(axis=1)
        chosen[better] = steps[better]
        least[better] = loss[better]
    return chosen


@inlined
def _enter_rectangle(table: np.ndarray, rows: tuple[int, int], cols: tuple[int, int], points: int) -> None:
    """Enter the rectangle from the first to before the second of ``rows`` and ``cols``."""
    top, bottom = table[np.uint64(rows[0])], table[np.uint64(rows[1])]
    left, right = np.uint64(cols[0]), np.uint64(cols[1])
    top[left] += points
    top[right] -= points
    bottom[left] -= points
    bottom[right] += points


@inlined
def _cut(middle: int, away: int, size: int) -> tuple[int, int]:
    """Return the first of the cells up to ``away`` on both sides of a line, and the one behind the last."""
    return max(middle - away, 0), min(middle + away, size)


@inlined
def enter_stairs(table: np.ndarray, row: int, col: int, steps: np.ndarray) -> None:
    """Enter a disc around the upper left corner of a cell.

    ``table``: int32 (size + 1, size + 1), differences along both rows and columns; ``steps``: a row of stairs_of.
    """
    size = table.shape[0] - 1
    one, two, three, four = int(steps[0]), int(steps[1]), int(steps[2]), int(steps[3])
    rows = _cut(row, one, size), _cut(row, two, size), _cut(row, three, size), _cut(row, four, size)
    cols = _cut(col, one, size), _cut(col, two, size), _cut(col, three, size), _cut(col, four, size)
    _enter_rectangle(table, rows[0], cols[3], 1)
    _enter_rectangle(table, rows[0], cols[2], -1)
    _enter_rectangle(table, rows[1], cols[2], 1)
    _enter_rectangle(table, rows[1], cols[1], -1)
    _enter_rectangle(table, rows[2], cols[1], 1)
    _enter_rectangle(table, rows[2], cols[0], -1)
    _enter_rectangle(table, rows[3], cols[0], 1)
