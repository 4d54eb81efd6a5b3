"""Computes the input of a guide: planes with a number for each cell of a coarse board, as the mover sees it.

All numbers are shares of the board or ratios of pulls, which do not change when board and spacing grow in proportion.
Some come from reply maps: what a stone on each cell would gain at once, for the mover and for its rival. So a network
need not learn what kernels compute exactly, only to see beyond one ply.
"""

from __future__ import annotations

import math

import numpy as np

from hinterland.gravity.coarse.coarse_board import TIE_SHARE, CoarseBoard
from hinterland.gravity.coarse.coarse_replies import map_replies
from hinterland.gravity.guide.network import Activations, Guide, cell_index, evaluate
from hinterland.jit import inlined, part

PLANES = (
    "margin",
    "owner",
    "own closeness",
    "rival closeness",
    "free",
    "gain",
    "gain beside the best",
    "rival gain",
    "edge",
    "board",
    "lead",
    "stones to come",
    "last",
)
"""Nine planes differ from cell to cell: *margin*, the mover's pull less the rival's, as a share of both; *owner*, 1 for
the mover, -1 for the rival, else 0; *own closeness* and *rival closeness*, how close each seat's stones are, below 1;
*free*, whether a stone may go there; *gain*, of the mover's stone at once, as a share of the board; *gain beside the
best*, 1 for the best cell, and the less, the more a gain falls behind the best; *rival gain*, of the rival's stone;
*edge*, the distance to the nearest edge, 1 in the middle. Four planes have one number for all cells: *board*, 1;
*lead*, of the mover, as a share of the board; *stones to come*, one over their number; *last*, whether the mover places
the last stone."""
HALF_CLOSE_AREA = 16.0
"""Scale of closeness: a stone a quarter of the side away is half as close as a stone can be."""
GAIN_TEMPERATURE = 0.05
"""A gain that is less than the best by this share of the board counts 1/e in *gain beside the best*."""


@part
def consult(guide: Guide, room: Activations, board: CoarseBoard, ply: int, seat: int, stones: np.ndarray) -> float:
    """Evaluate a guide at a ply of a game of two seats; return the mover's final lead, -1 to 1.

    ``board.gains`` must be the mover's gains; they are replaced by its rival's. ``stones``: int64[2], what each seat
    may still place.
    """
    write_planes(room.planes, board, ply, seat, stones)
    return evaluate(guide, room)


@inlined
def write_planes(planes: np.ndarray, board: CoarseBoard, ply: int, seat: int, stones: np.ndarray) -> None:
    """Write all planes, float32 (planes, room), each within its rim of zeros. Arguments as for ``consult``."""
    grid = board.grid
    area = grid * grid
    own = board.pulls[seat, board.placed[seat]]
    rival = board.pulls[1 - seat, board.placed[1 - seat]]
    left = max(stones.sum(), 1)
    last = 1.0 if stones[seat] > stones[1 - seat] else 0.0
    best = -1
    for row in range(grid):
        for col in range(grid):
            if board.free[ply, row, col]:
                best = max(best, board.gains[row, col])
    lead = 0
    for row in range(grid):
        for col in range(grid):
            i = cell_index(grid, row, col)
            mine, theirs = own[row, col], rival[row, col]
            free = board.free[ply, row, col]
            both = mine + theirs
            margin = (mine - theirs) / both if both > 0.0 else 0.0
            owner = 0 if abs(margin) <= TIE_SHARE else (1 if margin > 0.0 else -1)
            lead += owner
            planes[0, i] = margin
            planes[1, i] = owner
            planes[2, i] = mine * area / (mine * area + HALF_CLOSE_AREA)
            planes[3, i] = theirs * area / (theirs * area + HALF_CLOSE_AREA)
            planes[4, i] = free
            gain = board.gains[row, col] / area
            planes[5, i] = gain if free else 0.0
            planes[6, i] = math.exp((gain - best / area) / GAIN_TEMPERATURE) if free else 0.0
            planes[8, i] = 2.0 * (min(row, col, grid - 1 - row, grid - 1 - col) + 0.5) / grid
            planes[9, i] = 1.0
            planes[11, i] = 1.0 / left
            planes[12, i] = last
    map_replies(board, 1 - seat, 1)
    for row in range(grid):
        for col in range(grid):
            i = cell_index(grid, row, col)
            planes[7, i] = board.gains[row, col] / area if board.free[ply, row, col] else 0.0
            planes[10, i] = lead / area
