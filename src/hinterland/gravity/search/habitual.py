"""Where a habit takes a rival on a coarse board."""

from __future__ import annotations

import numpy as np

from hinterland.gravity.coarse.coarse_board import CoarseBoard, best_expected, best_free
from hinterland.gravity.habits import HUG, LAYOUT, MIRROR, NONE
from hinterland.jit import inlined

RING = 1.5
"""Cells of the coarse board that are less than so much farther from a stone than they must be are close by it."""


@inlined
def habitual_cell(board: CoarseBoard, ply: int, seat: int) -> int:
    """Return row * grid + col of the cell to which its habit takes a seat, -1 without one or where it finds no room.

    ``board.gains`` are those of the seat; cells of gain -1 are passed over.
    """
    habit = board.habits[seat]
    best = -1
    if habit == LAYOUT:
        best = best_expected(board, ply, seat)
    elif habit == MIRROR:
        best = _image(board, ply, seat)
    elif habit == HUG:
        best = _closest(board, ply, seat)
    elif habit != NONE:
        best = best_free(board, ply)
    return best


@inlined
def _image(board: CoarseBoard, ply: int, seat: int) -> int:
    """Return the cell of the point reflection of the last stone of another seat, -1 if it is not free."""
    number = board.begun + ply - 1
    while number >= 0 and board.stones[number, 0] == seat:
        number -= 1
    if number < 0:
        return -1
    last = board.grid - 1
    row = min(max(round(last - board.stones[number, 1]), 0), last)
    col = min(max(round(last - board.stones[number, 2]), 0), last)
    return row * board.grid + col if board.free[ply, row, col] and board.gains[row, col] >= 0 else -1


@inlined
def _closest(board: CoarseBoard, ply: int, seat: int) -> int:
    """Return the cell of greatest gain close by a stone of another seat, -1 where none is free."""
    farthest = (np.sqrt(board.spacing_square) + RING) ** 2
    best = -1
    most = -1
    for row in range(board.grid):
        for col in range(board.grid):
            if board.free[ply, row, col] and board.gains[row, col] > most:
                for number in range(board.begun + ply):
                    down, right = row - board.stones[number, 1], col - board.stones[number, 2]
                    if board.stones[number, 0] != seat and down * down + right * right < farthest:
                        most = board.gains[row, col]
                        best = row * board.grid + col
                        break
    return best
