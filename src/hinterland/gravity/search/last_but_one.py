"""The last stone but one of two players: all cells are compared by what they keep once the best last stone has come.

A tree looks at some two dozen places of great gain. Here the best place is often none of them, for what a stone takes
matters less than what it leaves to the last one; trees gave away 2 to 9 % of the board that way
(docs/performance.md). But a last stone is one map, so what each cell of a coarse board keeps takes no longer than a
tree does. The best few cells are moved about on a finer board then, by smaller and smaller steps.
"""

from __future__ import annotations

import math

import numpy as np

from hinterland.gravity.coarse import coarse_board
from hinterland.gravity.coarse.coarse_board import CoarseBoard
from hinterland.gravity.coarse.coarse_replies import map_replies
from hinterland.gravity.rules import Position, Stone
from hinterland.gravity.search import candidates
from hinterland.gravity.search.stones_left import Turns, turns_of
from hinterland.gravity.search.two_plies import LEAST, keeps
from hinterland.jit import kernel
from hinterland.search.budget import Budget

GRIDS = (24, 48)
"""Cells are compared on boards of so many a side, as far as there is time."""
FINEST = 192
"""The best are moved about on this."""
BEST = 4
"""So many of them are."""
APART = 12
"""They are this share of the board apart, at least, in rows or in columns."""
STEPS = 2
"""They are moved by so many cells at first, half of what one of the board before takes."""
MOVED = 60
"""Moving one about takes so many maps."""


@kernel(allocates=True)
def keep_at(board: CoarseBoard, turns: Turns, cells: np.ndarray) -> np.ndarray:
    """Return what the mover's stone keeps on cells, int64[n], once the best last stone has come: int64[n].

    That is by how many cells of the coarse board its lead grows; LEAST on cells that are not free.
    """
    seat, left = turns.seat, (turns.stones, turns.weights)
    board.placed[:] = 0
    map_replies(board, seat, turns.weights[seat])
    gains = board.gains.copy()
    found = np.full(cells.size, LEAST, dtype=np.int64)
    for i in range(cells.size):
        if board.free[0, cells[i] // board.grid, cells[i] % board.grid]:
            found[i] = keeps(board, 0, seat, cells[i], gains, left)
    return found


def best_moves(position: Position, budget: Budget) -> tuple[list[Stone], float]:
    """Return stones, best first, and by what share of the board the mover is to lead in the end after the first.

    There are none where no cell of the coarsest board is free, or no time is left for all of it. ``budget``: in maps
    of that board.
    """
    size, turns = position.rules.size, turns_of(position)
    grid, best = 0, dict[int, int]()
    for finer in sorted({min(grid, size) for grid in GRIDS}):
        board = _Board(position, finer, budget)
        if best and not board.has_time(finer * finer):
            break
        found = board.all_cells()
        if not found:
            break
        grid, best = finer, found
    if not best:
        return [], 0.0
    finest = _Board(position, min(FINEST, size), budget)
    if moved := finest.moved([_scaled(cell, grid, finest.grid) for cell in best]):
        grid, best = finest.grid, moved
    ordered = sorted(best, key=best.__getitem__, reverse=True)
    places = np.array([divmod(cell, grid) for cell in ordered], dtype=np.float64)
    weights = np.full(len(ordered), turns.weights[turns.seat])
    lead = (2 * position.scores[turns.seat] - sum(position.scores)) / size**2 + best[ordered[0]] / grid**2
    return candidates.legal(position, places, weights, size / grid), lead


class _Board:
    """A coarse board of so many cells a side, on which they are compared."""

    def __init__(self, position: Position, grid: int, budget: Budget) -> None:
        self.grid = grid
        self._budget, self._map = budget, (grid / GRIDS[0]) ** 2
        self._turns = turns_of(position)
        self._board = coarse_board.coarsen(position, grid, self._turns.plies)

    def all_cells(self) -> dict[int, int]:
        """Return what the cells that keep the most keep, some way apart; none without time for all."""
        kept = np.full((self.grid, self.grid), LEAST)
        for row in range(self.grid):
            if self._budget.left() <= 0:
                return {}
            kept[row] = self._keep(np.arange(row * self.grid, (row + 1) * self.grid))
        best, apart = dict[int, int](), max(self.grid // APART, 1)
        while len(best) < BEST and kept.max() > LEAST:
            row, col = divmod(int(kept.argmax()), self.grid)
            best[row * self.grid + col] = int(kept[row, col])
            kept[max(row - apart, 0) : row + apart + 1, max(col - apart, 0) : col + apart + 1] = LEAST
        return best

    def moved(self, cells: list[int]) -> dict[int, int]:
        """Move cells about by smaller and smaller steps; return what those keep for which there was time."""
        best = dict[int, int]()
        for cell in cells:
            if not self.has_time(MOVED):
                break
            near, kept = self._climbed(cell)
            if kept > LEAST:
                best[near] = kept
        return best

    def _climbed(self, cell: int) -> tuple[int, int]:
        """Return the best cell that steps lead to from one, and what it keeps."""
        kept, step = int(self._keep(np.array([cell]))[0]), STEPS
        while step > 0:
            near = self._around(cell, step)
            values = self._keep(near)
            if values.max() > kept:
                cell, kept = int(near[values.argmax()]), int(values.max())
            else:
                step //= 2
        return cell, kept

    def has_time(self, maps: int) -> bool:
        """Say whether so many maps can still be made."""
        return self._budget.left() >= maps * self._map

    def _keep(self, cells: np.ndarray) -> np.ndarray:
        found = keep_at(self._board, self._turns, cells)
        self._budget.took(math.ceil((1 + cells.size) * self._map))
        return found

    def _around(self, cell: int, step: int) -> np.ndarray:
        """Return the cells so many steps away from one, and itself."""
        row, col = divmod(cell, self.grid)
        rows, cols = (at + step * np.arange(-1, 2) for at in (row, col))
        rows, cols = (at[(at >= 0) & (at < self.grid)] for at in (rows, cols))
        return (rows[:, None] * self.grid + cols).ravel()


def _scaled(cell: int, grid: int, finer: int) -> int:
    """Return the cell of a finer board at the middle of one of a coarser."""
    row, col = (int((at + 0.5) * finer / grid) for at in divmod(cell, grid))
    return row * finer + col
