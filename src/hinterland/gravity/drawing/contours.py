"""Contours of the pull: closed lines on which the greatest pull is the same, each step half of the one further in.

They are found on a grid of squares that reaches a little beyond the board, so that no line runs along its edge. Then
each corner is moved onto its level by Newton's step, for the pull is known at every place.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hinterland.gravity.drawing.outlines import outlines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hinterland.gravity.drawing.outlines import Loop
    from hinterland.gravity.rules import Position

GRID = 480
"""Squares to a side of the board, where it has as many cells."""
BEYOND = 3
"""Squares beyond each edge."""
INNERMOST = 0.022
"""How far from a stone of usual weight the innermost line is, as a share of the side."""
LONGEST = 5
"""Squares between two corners, at most."""
NEAR = 1e-6
"""Squares of distances are no less, in cells."""


def contours(position: Position) -> Iterator[Loop]:
    """Yield closed lines, float64 (n, 2), as (column, row) in cells from the corner of the board; some lead outside."""
    size = position.rules.size
    if not position.moves:
        return
    step = size / min(GRID, size * 4)
    places = np.arange(-BEYOND * step, size + BEYOND * step, step) + step / 2
    levels = _levels(position, *np.meshgrid(places, places))
    for level in range(math.ceil(levels.min()), 1):
        for loop in outlines(levels >= level, tolerance=0.5):
            yield _settled(position, _divided(loop) * step + places[0] - step / 2, level, step)


def _levels(position: Position, cols: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return how many doublings the greatest pull lies above that of the innermost line."""
    rules = position.rules
    pulls = np.zeros((rules.players, *cols.shape))
    for seat, stone in position.moves:
        squares = (cols - stone.col - 0.5) ** 2 + (rows - stone.row - 0.5) ** 2
        pull = stone.weight / np.maximum(squares, NEAR)
        pulls[seat] = np.maximum(pulls[seat], pull) if rules.law == "nearest" else pulls[seat] + pull
    usual = 1 if rules.weight is None else rules.weight / rules.stones
    levels: np.ndarray = np.log2(pulls.max(axis=0) * (INNERMOST * rules.size) ** 2 / usual)
    return levels


def _divided(loop: Loop) -> Loop:
    """Cut the sides of a loop into pieces of at most LONGEST squares."""
    ends = np.roll(loop, -1, axis=0)
    pieces = np.maximum(np.ceil(np.hypot(*(ends - loop).T) / LONGEST), 1).astype(np.int64)
    first = np.repeat(np.cumsum(pieces) - pieces, pieces)
    share = (np.arange(pieces.sum()) - first) / np.repeat(pieces, pieces)
    divided: Loop = np.repeat(loop, pieces, axis=0) + share[:, None] * np.repeat(ends - loop, pieces, axis=0)
    return divided


def _settled(position: Position, loop: Loop, level: int, step: float) -> Loop:
    """Move each corner of a loop to where the level is, by at most a square."""
    col, row = loop.T
    reach = step / 8
    here = _levels(position, col, row)
    slope = np.stack([_levels(position, col + reach, row) - here, _levels(position, col, row + reach) - here]) / reach
    move = (level - here) * slope / np.maximum((slope**2).sum(axis=0), 1e-12)
    settled: Loop = loop + np.clip(move, -step, step).T
    return settled
