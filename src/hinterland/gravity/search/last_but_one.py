"""Chooses the last stone but one of a game of two: compares what it keeps on each cell after the best last stone.

A tree compares some two dozen places of great gain. For the last stone but one the best place is often none of these,
because this stone's gain matters less than the gain that it leaves to the last stone. Trees gave away 2 to 9 % of the
board that way (docs/performance-log.md). But one reply map finds the best last stone, so comparing all cells of a
coarse board takes no longer than a tree. The best few cells are then moved about on a finer board, by smaller and
smaller steps.
"""

from __future__ import annotations

import math

import numpy as np

from hinterland.gravity.coarse import coarse_board
from hinterland.gravity.coarse.coarse_board import CoarseBoard, gain_at, is_free, place_at
from hinterland.gravity.coarse.coarse_replies import map_replies
from hinterland.gravity.rules import Position, Stone
from hinterland.gravity.search import candidates
from hinterland.gravity.search.config import CONFIG
from hinterland.gravity.search.stones_left import Turns, turns_of
from hinterland.gravity.search.two_plies import LEAST_KEPT, count_kept
from hinterland.jit import kernel
from hinterland.search.budget import Budget


@kernel(allocates=True)
def count_kept_on(board: CoarseBoard, turns: Turns, cells: np.ndarray) -> np.ndarray:
    """Return what the mover's stone keeps on each of ``cells``, int64[n], after the best last stone: int64[n].

    What it keeps is the number of cells of the coarse board by which the mover's lead grows; LEAST_KEPT on cells that
    are not free. Places beside stones may stand among the cells; see coarse_board.py.
    """
    seat, left = turns.seat, (turns.stones, turns.weights)
    board.placed[:] = 0
    map_replies(board, seat, turns.weights[seat])
    gains = np.empty(cells.size, dtype=np.int64)
    for i in range(cells.size):
        gains[i] = gain_at(board, cells[i])
    found = np.full(cells.size, LEAST_KEPT, dtype=np.int64)
    for i in range(cells.size):
        row, col = place_at(board, cells[i])
        is_cell = cells[i] < board.grid * board.grid
        if board.free[0, int(row), int(col)] if is_cell else is_free(board, 0, row, col):
            found[i] = count_kept(board, 0, seat, cells[i], gains[i], left)
    return found


def find_best_moves(position: Position, budget: Budget) -> tuple[list[Stone], float]:
    """Return stones, best first, and the mover's final lead after the first of them, as a share of the board.

    The list is empty if no cell of the coarsest board is free, or if there is no time to compare all its cells.
    ``budget`` counts reply maps of the coarsest board.
    """
    size, turns = position.rules.size, turns_of(position)
    grid, best = 0, dict[int, int]()
    for finer in sorted({min(grid, size) for grid in CONFIG.all_cells_grids}):
        board = _ComparedBoard(position, finer, budget)
        if best and not board.has_time(finer * finer):
            break
        found = board.compare_all_cells()
        if not found:
            break
        grid, best = finer, found
    if not best:
        return [], 0.0
    finest = _ComparedBoard(position, min(CONFIG.best_cells_grid, size), budget)
    if climbed := finest.climb_all([_scale(cell, grid, finest.grid) for cell in best]):
        grid, best = finest.grid, climbed
    ordered = sorted(best, key=best.__getitem__, reverse=True)
    places = np.array([divmod(cell, grid) for cell in ordered], dtype=np.float64)
    weights = np.full(len(ordered), turns.weights[turns.seat])
    lead = (2 * position.scores[turns.seat] - sum(position.scores)) / size**2 + best[ordered[0]] / grid**2
    return candidates.legal(position, places, weights, size / grid), lead


def find_best_beside(position: Position, budget: Budget) -> list[Stone]:
    """Return the legal stones that keep the most beside a rival's stone, best first, and no more than ``best_cells``.

    The list is empty if the coarse board has no rings, if all their places are taken, or if there is no time to compare
    them.
    """
    board = _ComparedBoard(position, min(CONFIG.all_cells_grids[-1], position.rules.size), budget)
    count = board.count_beside()
    return board.compare_beside() if count and board.has_time(count) else []


class _ComparedBoard:
    """A coarse board whose cells are compared, and the places on its rings.

    A cell is row * grid + col; the other places are numbered as in coarse_board.py.
    """

    def __init__(self, position: Position, grid: int, budget: Budget) -> None:
        self.grid = grid
        self._budget = budget
        self._cost_per_map = (grid / CONFIG.all_cells_grids[0]) ** 2
        self._size = position.rules.size
        self._legal_moves = position.legal_moves
        self._turns = turns_of(position)
        self._board = coarse_board.coarsen(position, grid, self._turns.plies)

    def compare_all_cells(self) -> dict[int, int]:
        """Return the best cells, some way apart, and what a stone keeps on each; none if time runs out before."""
        kept = np.full((self.grid, self.grid), LEAST_KEPT)
        for row in range(self.grid):
            if self._budget.left() <= 0:
                return {}
            kept[row] = self._count_kept(np.arange(row * self.grid, (row + 1) * self.grid))
        best, apart = dict[int, int](), max(self.grid // CONFIG.best_cells_per_side, 1)
        while len(best) < CONFIG.best_cells and kept.max() > LEAST_KEPT:
            row, col = divmod(int(kept.argmax()), self.grid)
            best[row * self.grid + col] = int(kept[row, col])
            kept[max(row - apart, 0) : row + apart + 1, max(col - apart, 0) : col + apart + 1] = LEAST_KEPT
        return best

    def count_beside(self) -> int:
        """Return the number of places beside rivals' stones."""
        return self._number_beside().size

    def _number_beside(self) -> np.ndarray:
        """Return the numbers of all places beside rivals' stones."""
        board, directions = self._board, len(self._board.ring)
        is_rival = np.repeat(board.stones[: board.begun, 0] != self._turns.seat, directions)
        return self.grid**2 + np.flatnonzero(is_rival)

    def compare_beside(self) -> list[Stone]:
        """Return the legal stones on the best places beside rivals' stones, best first."""
        numbers, board, scale = self._number_beside(), self._board, self._size / self.grid
        kept = self._count_kept(numbers)
        found = []
        for number in numbers[np.argsort(-kept, kind="stable")][: min(CONFIG.best_cells, (kept > LEAST_KEPT).sum())]:
            stone, direction = divmod(int(number) - self.grid**2, len(board.ring))
            row, col = (board.stones[stone, 1:] + board.ring[direction] + 0.5) * scale - 0.5
            found.append(Stone(round(row), round(col), int(self._turns.weights[self._turns.seat])))
        return [stone for stone in found if stone in self._legal_moves]

    def climb_all(self, cells: list[int]) -> dict[int, int]:
        """Climb from each of ``cells`` while there is time; return where this leads, and what a stone keeps there."""
        best = dict[int, int]()
        for cell in cells:
            if not self.has_time(CONFIG.best_cells_maps):
                break
            near, kept = self._climb(cell)
            if kept > LEAST_KEPT:
                best[near] = kept
        return best

    def _climb(self, cell: int) -> tuple[int, int]:
        """Return the best cell to which smaller and smaller steps lead, and what a stone keeps there."""
        kept, step = int(self._count_kept(np.array([cell]))[0]), CONFIG.best_cells_step
        while step > 0:
            near = self._cells_around(cell, step)
            values = self._count_kept(near)
            if values.max() > kept:
                cell, kept = int(near[values.argmax()]), int(values.max())
            else:
                step //= 2
        return cell, kept

    def has_time(self, maps: int) -> bool:
        """Say whether a number of maps of this board can still be made."""
        return self._budget.left() >= maps * self._cost_per_map

    def _count_kept(self, cells: np.ndarray) -> np.ndarray:
        found = count_kept_on(self._board, self._turns, cells)
        self._budget.spend(math.ceil((1 + cells.size) * self._cost_per_map))
        return found

    def _cells_around(self, cell: int, step: int) -> np.ndarray:
        """Return a cell and the cells one step away from it, also diagonally."""
        row, col = divmod(cell, self.grid)
        rows, cols = (at + step * np.arange(-1, 2) for at in (row, col))
        rows, cols = (at[(at >= 0) & (at < self.grid)] for at in (rows, cols))
        return (rows[:, None] * self.grid + cols).ravel()


def _scale(cell: int, grid: int, finer: int) -> int:
    """Return the cell, on a board of ``finer`` cells a side, under the middle of a cell of a board of ``grid``."""
    row, col = (int((at + 0.5) * finer / grid) for at in divmod(cell, grid))
    return row * finer + col
