"""Finds the free cells, where a stone may still go: those outside the discs of radius ``spacing`` around all stones."""

from __future__ import annotations

import math

import numpy as np

from hinterland.gravity.area.stones import Stones
from hinterland.jit import inlined, kernel


@inlined
def half_run(spacing: int, down: int) -> int:
    """Return how many columns on each side a stone forbids in the row ``down`` rows below it; -1 if it forbids none."""
    square = spacing * spacing - 1 - down * down
    return int(math.sqrt(float(square))) if square >= 0 else -1


@kernel
def forbid(stones: Stones, board: np.ndarray) -> None:
    """Write -1 to every cell of ``board``, int32 (size, size), on which a stone may not go."""
    size, spacing = stones.size, stones.spacing
    for i in range(stones.rows.size):
        row, col = int(stones.rows[i]), int(stones.cols[i])
        for down in range(max(1 - spacing, -row), min(spacing, size - row)):
            half = half_run(spacing, down)
            board[row + down, max(col - half, 0) : min(col + half + 1, size)] = -1


@kernel
def mark_free(stones: Stones, row: int, free: np.ndarray) -> None:
    """Set ``free``, bool[size], to True for the cells of a row on which a stone may go, else to False."""
    free[:] = True
    for i in range(stones.rows.size):
        col = int(stones.cols[i])
        half = half_run(stones.spacing, row - int(stones.rows[i]))
        free[max(col - half, 0) : max(col + half + 1, 0)] = False


@kernel
def mark_all_free(stones: Stones, free: np.ndarray) -> None:
    """Set ``free``, bool (size, size), to True for the cells on which a stone may go, else to False."""
    size, spacing = stones.size, stones.spacing
    free[:] = True
    for i in range(stones.rows.size):
        row, col = int(stones.rows[i]), int(stones.cols[i])
        for down in range(max(1 - spacing, -row), min(spacing, size - row)):
            half = half_run(spacing, down)
            free[row + down, max(col - half, 0) : min(col + half + 1, size)] = False


@kernel(allocates=True)
def first_free(stones: Stones) -> int:
    """Return row * size + col of the first free cell in reading order, -1 if there is none."""
    free = np.empty(stones.size, dtype=np.bool_)
    for row in range(stones.size):
        mark_free(stones, row, free)
        for col in range(stones.size):
            if free[col]:
                return row * stones.size + col
    return -1


@kernel(allocates=True)
def count_free(stones: Stones) -> int:
    """Count the free cells."""
    free = np.empty(stones.size, dtype=np.bool_)
    total = 0
    for row in range(stones.size):
        mark_free(stones, row, free)
        total += free.sum()
    return total


def free_in_row(stones: Stones, row: int) -> np.ndarray:
    """Return the columns of a row's free cells in order: int64[n]."""
    free = np.empty(stones.size, dtype=np.bool_)
    mark_free(stones, row, free)
    return np.flatnonzero(free)


@inlined
def forbids(stones: Stones, row: int, col: int, side: int) -> bool:
    """Say whether one stone forbids all of a block of side x side cells, whose first cell is at (row, col)."""
    found = False
    for i in range(stones.rows.size):
        down, right = int(stones.rows[i]) - row, int(stones.cols[i]) - col
        down = max(abs(down), abs(down - side + 1))
        right = max(abs(right), abs(right - side + 1))
        found |= down * down + right * right < stones.spacing * stones.spacing
    return found
