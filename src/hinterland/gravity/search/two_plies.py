"""Where a player goes that looks two plies ahead, as a rival is expected to of whom nothing else is known.

It puts its stone where it keeps the most once the best answer has come, as a minimax search of depth two does. What a
stone keeps is seen on a coarse board: a map of the answers for each cell that is compared. Cells all over the board
must be, for plans are improved against what is expected here (best_response.py): they soon find each good cell that was
left out, and promise what never comes. Then the cells around the best ones are compared, step by step.

That is the level-k model of behavioural game theory (Stahl and Wilson 1995) with k = 2: a rival that answers a rival
that answers. A plan against it did better than a tree against players that look farther, too (docs/performance.md).
"""

from __future__ import annotations

import numpy as np

from hinterland.gravity.coarse.coarse_board import CoarseBoard, best_expected, best_free, place
from hinterland.gravity.coarse.coarse_replies import map_replies
from hinterland.jit import inlined, kernel

WIDTH = 24
"""So many cells are compared at first."""
APART = 16
"""They are this share of the board apart, at least, in rows or in columns."""
CLOSER = 3
"""Then those around so many of them."""
STEPS = 2
"""The best cell is so many steps away from them, at most."""
LEAST = -(2**60)


@kernel(allocates=True)
def two_plies_cell(board: CoarseBoard, ply: int, seat: int, stones: np.ndarray, weights: np.ndarray) -> int:
    """Return row * grid + col of the cell on which a stone keeps the most after the best answer, of two players.

    ``stones``, ``weights``: int64[2], what each may still place. ``board.gains`` are those of the seat with an even
    share of its weight; they are overwritten. -1 where no cell is free.
    """
    if stones[1 - seat] == 0 or stones.sum() == 1:
        return best_free(board, ply)
    gains = board.gains.copy()
    cells, kept = np.empty(WIDTH, dtype=np.int64), np.full(WIDTH, LEAST, dtype=np.int64)
    count = _spread(board, ply, seat, cells, stones[seat] > 1)
    for number in range(count):
        kept[number] = keeps(board, ply, seat, cells[number], gains, (stones, weights))
    best, most = -1, LEAST
    for _ in range(min(CLOSER, count)):
        number = int(kept.argmax())
        cell, value = cells[number], kept[number]
        kept[number] = LEAST
        for _ in range(STEPS):
            nearer, better = _around(board, ply, seat, cell, gains, (stones, weights))
            if better <= value:
                break
            cell, value = nearer, better
        if value > most:
            best, most = cell, value
    return int(best)


@inlined
def _spread(board: CoarseBoard, ply: int, seat: int, cells: np.ndarray, more: bool) -> int:
    """Write free cells of great gain to ``cells``, some way apart; return how many. ``board.gains`` is overwritten.

    With ``more`` stones to come every other one lies far from the seat's own.
    """
    grid, apart = board.grid, max(board.grid // APART, 1)
    count = 0
    best = best_free(board, ply)
    while best >= 0 and count < cells.size:
        cells[count] = best
        count += 1
        row, col = best // grid, best % grid
        board.gains[max(row - apart, 0) : row + apart + 1, max(col - apart, 0) : col + apart + 1] = -1
        best = best_expected(board, ply, seat) if more and count % 2 == 1 else -1
        if best < 0:
            best = best_free(board, ply)
    return count


@inlined
def _around(
    board: CoarseBoard, ply: int, seat: int, cell: int, gains: np.ndarray, left: tuple[np.ndarray, np.ndarray]
) -> tuple[int, int]:
    """Return the best free cell next to one, and what it keeps."""
    row, col = cell // board.grid, cell % board.grid
    best, most = -1, LEAST
    for i in range(max(row - 1, 0), min(row + 2, board.grid)):
        for j in range(max(col - 1, 0), min(col + 2, board.grid)):
            if (i != row or j != col) and board.free[ply, i, j]:
                kept = keeps(board, ply, seat, i * board.grid + j, gains, left)
                if kept > most:
                    best, most = i * board.grid + j, kept
    return best, most


@inlined
def keeps(
    board: CoarseBoard, ply: int, seat: int, cell: int, gains: np.ndarray, left: tuple[np.ndarray, np.ndarray]
) -> int:
    """Return what a stone on a cell gains less what the best answer to it does."""
    stones, weights = left
    row, col, other = cell // board.grid, cell % board.grid, 1 - seat
    place(board, ply, seat, float(row), float(col), max(weights[seat] // stones[seat], 1))
    map_replies(board, other, max(weights[other] // stones[other], 1))
    answer = best_free(board, ply + 1)
    board.placed[seat] -= 1
    return int(gains[row, col]) - (int(board.gains[answer // board.grid, answer % board.grid]) if answer >= 0 else 0)
