"""Predicts the stone of a player that looks two plies ahead, as rivals without a known habit are expected to do.

A player that looks two plies ahead puts its stone where it keeps the most after the best answer, as a minimax search of
depth two does. A coarse board shows what a stone keeps, with one map of the answers for each cell that is compared. The
compared cells must lie all over the board, because plans are improved against these predictions (best_response.py). If
a good cell were left out, a plan would soon rely on the rival not going there. Then the cells around the best ones are
compared, step by step.

This prediction is the level-k model of behavioural game theory (Stahl and Wilson 1995) with k = 2: the player expects a
rival that takes the best answer. Also against players that look farther ahead, a plan against this model did better
than a tree (docs/performance-log.md).
"""

from __future__ import annotations

import numpy as np

from hinterland.gravity.coarse.coarse_board import (
    CoarseBoard,
    best_expected,
    best_free,
    forget_near,
    gain_at,
    place,
    place_at,
)
from hinterland.gravity.coarse.coarse_replies import map_replies
from hinterland.jit import inlined, part

COMPARED_CELLS = 24
"""Number of cells that are compared at first."""
CELLS_PER_SIDE = 16
"""Two compared cells lie at least grid / 16 apart, in rows or in columns."""
CLIMBED_CELLS = 3
"""Number of the best compared cells from which steps lead to better neighbours."""
MOST_STEPS = 2
"""Most steps from each of the CLIMBED_CELLS."""
LEAST_KEPT = -(2**60)
"""Less than any stone keeps: stands for a cell that was not compared."""


@part(allocates=True)
def two_plies_cell(board: CoarseBoard, ply: int, seat: int, stones: np.ndarray, weights: np.ndarray) -> int:
    """Return the number of the place on which a stone keeps the most after the best answer, in a game of two.

    ``stones``, ``weights``: int64[2], what each seat may still place. ``board.gains`` must be the gains of the seat's
    stone with an even share of its weight; they are overwritten, those on rings, too. Returns -1 if no place is free.
    """
    if stones[1 - seat] == 0 or stones.sum() == 1:
        return best_free(board, ply)
    gains = board.gains.copy()
    cells, gained = np.empty(COMPARED_CELLS, dtype=np.int64), np.empty(COMPARED_CELLS, dtype=np.int64)
    kept = np.full(COMPARED_CELLS, LEAST_KEPT, dtype=np.int64)
    count = _spread_cells(board, ply, seat, (cells, gained), stones[seat] > 1)
    for number in range(count):
        kept[number] = count_kept(board, ply, seat, cells[number], gained[number], (stones, weights))
    best, most = -1, LEAST_KEPT
    for _ in range(min(CLIMBED_CELLS, count)):
        number = int(kept.argmax())
        cell, value = cells[number], kept[number]
        kept[number] = LEAST_KEPT
        for _ in range(MOST_STEPS):
            nearer, better = _best_neighbour(board, ply, seat, cell, gains, (stones, weights))
            if better <= value:
                break
            cell, value = nearer, better
        if value > most:
            best, most = cell, value
    return int(best)


@inlined
def _spread_cells(
    board: CoarseBoard, ply: int, seat: int, found: tuple[np.ndarray, np.ndarray], more: bool
) -> int:
    """Write free places of great gain, some way apart, and their gains to ``found``; return how many there are.

    ``board.gains`` and ``board.ring_gains`` are overwritten.

    If ``more`` stones of the seat are to come, every second cell lies far from the seat's own stones.
    """
    apart = max(board.grid // CELLS_PER_SIDE, 1)
    cells, gained = found
    count = 0
    best = best_free(board, ply)
    while best >= 0 and count < cells.size:
        cells[count], gained[count] = best, gain_at(board, best)
        count += 1
        forget_near(board, best, apart)
        best = best_expected(board, ply, seat) if more and count % 2 == 1 else -1
        if best < 0:
            best = best_free(board, ply)
    return count


@inlined
def _best_neighbour(
    board: CoarseBoard, ply: int, seat: int, cell: int, gains: np.ndarray, left: tuple[np.ndarray, np.ndarray]
) -> tuple[int, int]:
    """Return the best of the free cells around ``cell`` (-1 if there is none), and what a stone there keeps."""
    row, col = cell // board.grid, cell % board.grid
    best, most = -1, LEAST_KEPT
    if row >= board.grid:  # a place beside a stone has no neighbours here
        return best, most
    for i in range(max(row - 1, 0), min(row + 2, board.grid)):
        for j in range(max(col - 1, 0), min(col + 2, board.grid)):
            if (i != row or j != col) and board.free[ply, i, j]:
                kept = count_kept(board, ply, seat, i * board.grid + j, gains[i, j], left)
                if kept > most:
                    best, most = i * board.grid + j, kept
    return best, most


@inlined
def count_kept(
    board: CoarseBoard, ply: int, seat: int, cell: int, gain: int, left: tuple[np.ndarray, np.ndarray]
) -> int:
    """Return what a stone gains less what the best answer to it gains, in cells of the coarse board.

    ``cell``: the number of its place; ``gain``: its gain at once.
    """
    stones, weights = left
    row, col = place_at(board, cell)
    other = 1 - seat
    place(board, ply, seat, row, col, max(weights[seat] // stones[seat], 1))
    map_replies(board, other, max(weights[other] // stones[other], 1))
    answer = best_free(board, ply + 1)
    board.placed[seat] -= 1
    return int(gain) - (gain_at(board, answer) if answer >= 0 else 0)
