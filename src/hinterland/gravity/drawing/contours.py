"""Contours of the pull: closed lines of equal greatest pull, each half of that of the next line inwards.

They are traced on a grid of squares that reaches a little beyond the board, so that no line runs along its edge. Then
each corner is moved onto its level by a Newton step, for the pull is known at every place.
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

GRID_SQUARES = 480
"""Squares a side of the grid; on boards of fewer than 120 cells, four a cell."""
MARGIN_SQUARES = 3
"""Squares of the grid beyond each edge of the board."""
INNERMOST_RADIUS = 0.022
"""Distance of the innermost line from a stone of even weight, as a share of the board's side."""
MOST_PIECE_SQUARES = 5
"""Squares between two corners of a line, at most."""
LEAST_SQUARE = 1e-6
"""Least squared distance from a stone, in cells."""


def contours(position: Position) -> Iterator[Loop]:
    """Yield closed lines, float64 (n, 2), as (column, row) in cells from the corner of the board; some lead outside."""
    size = position.rules.size
    if not position.moves:
        return
    step = size / min(GRID_SQUARES, size * 4)
    places = np.arange(-MARGIN_SQUARES * step, size + MARGIN_SQUARES * step, step) + step / 2
    levels = _levels(position, *np.meshgrid(places, places))
    for level in range(math.ceil(levels.min()), 1):
        for loop in outlines(levels >= level, tolerance=0.5):
            yield _move_to_level(position, _divide_sides(loop) * step + places[0] - step / 2, level, step)


def _levels(position: Position, cols: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return by how many doublings the greatest pull exceeds that of the innermost line."""
    rules = position.rules
    pulls = np.zeros((rules.players, *cols.shape))
    for seat, stone in position.moves:
        squares = (cols - stone.col - 0.5) ** 2 + (rows - stone.row - 0.5) ** 2
        pull = stone.weight / np.maximum(squares, LEAST_SQUARE)
        pulls[seat] = np.maximum(pulls[seat], pull) if rules.law == "nearest" else pulls[seat] + pull
    usual = 1 if rules.weight is None else rules.weight / rules.stones
    levels: np.ndarray = np.log2(pulls.max(axis=0) * (INNERMOST_RADIUS * rules.size) ** 2 / usual)
    return levels


def _divide_sides(loop: Loop) -> Loop:
    """Cut the sides of a loop into pieces of at most MOST_PIECE_SQUARES."""
    ends = np.roll(loop, -1, axis=0)
    pieces = np.maximum(np.ceil(np.hypot(*(ends - loop).T) / MOST_PIECE_SQUARES), 1).astype(np.int64)
    first = np.repeat(np.cumsum(pieces) - pieces, pieces)
    share = (np.arange(pieces.sum()) - first) / np.repeat(pieces, pieces)
    divided: Loop = np.repeat(loop, pieces, axis=0) + share[:, None] * np.repeat(ends - loop, pieces, axis=0)
    return divided


def _move_to_level(position: Position, loop: Loop, level: int, step: float) -> Loop:
    """Move each corner of a loop onto its level, by at most a square."""
    col, row = loop.T
    reach = step / 8
    here = _levels(position, col, row)
    slope = np.stack([_levels(position, col + reach, row) - here, _levels(position, col, row + reach) - here]) / reach
    move = (level - here) * slope / np.maximum((slope**2).sum(axis=0), 1e-12)
    moved: Loop = loop + np.clip(move, -step, step).T
    return moved
