"""Where a stone may still go: outside the discs of radius ``spacing`` around the stones on the board."""

from __future__ import annotations

import math

import numpy as np

from hinterland.jit import inlined, kernel

__all__ = ["count_free", "first_free", "forbid", "forbidden", "free_in_row", "reach"]


@inlined
def reach(square: int) -> int:
    """Return the greatest whole h with h * h <= square, which is not negative."""
    return int(math.sqrt(float(square)))


@inlined
def _skip(stones: np.ndarray, row: int, col: int, spacing: int) -> int:
    """Return the first column from ``col`` on that no stone forbids in this row; it may be off the board."""
    moved = True
    while moved:
        moved = False
        for i in range(stones.shape[1]):
            down = row - int(stones[0, i])
            room = spacing * spacing - 1 - down * down
            if room >= 0:
                half = reach(room)
                stone_col = int(stones[1, i])
                if stone_col - half <= col <= stone_col + half:
                    col = stone_col + half + 1
                    moved = True
    return col


@kernel
def first_free(stones: np.ndarray, size: int, spacing: int) -> int:
    """Return row * size + col of the first free cell, -1 where there is none. ``stones``: see field.Stones."""
    for row in range(size):
        col = _skip(stones, row, 0, spacing)
        if col < size:
            return row * size + col
    return -1


@kernel
def forbid(stones: np.ndarray, spacing: int, board: np.ndarray) -> None:
    """Write -1 to every cell of ``board``, int32 (size, size), on which a stone may not go."""
    size = board.shape[0]
    for i in range(stones.shape[1]):
        stone_row = int(stones[0, i])
        stone_col = int(stones[1, i])
        for row in range(max(stone_row - spacing + 1, 0), min(stone_row + spacing, size)):
            half = reach(spacing * spacing - 1 - (row - stone_row) ** 2)
            board[row, max(stone_col - half, 0) : min(stone_col + half + 1, size)] = -1


@kernel
def _list_free(stones: np.ndarray, row: int, size: int, spacing: int, cols: np.ndarray) -> int:
    """Write the free columns of a row to ``cols``, int64[size]; return how many there are."""
    count = 0
    col = _skip(stones, row, 0, spacing)
    while col < size:
        cols[count] = col
        count += 1
        col = _skip(stones, row, col + 1, spacing)
    return count


@kernel
def _count_free(stones: np.ndarray, size: int, spacing: int, cols: np.ndarray) -> int:
    total = 0
    for row in range(size):
        total += _list_free(stones, row, size, spacing, cols)
    return total


def count_free(stones: np.ndarray, size: int, spacing: int) -> int:
    """Count the free cells."""
    return int(_count_free(stones, size, spacing, np.empty(size, dtype=np.int64)))


def free_in_row(stones: np.ndarray, row: int, size: int, spacing: int) -> np.ndarray:
    """Return the free columns of a row in order, int64."""
    cols = np.empty(size, dtype=np.int64)
    return cols[: _list_free(stones, row, size, spacing, cols)]


def forbidden(stones: np.ndarray, spacing: int, blocks: np.ndarray, side: int) -> np.ndarray:
    """Say of blocks of side x side cells whether one stone forbids all of it. ``blocks``: int64 (n, 2), first cells."""
    result = np.zeros(len(blocks), dtype=np.bool_)
    _mark_forbidden(stones, spacing, blocks, side, result)
    return result


@kernel
def _mark_forbidden(stones: np.ndarray, spacing: int, blocks: np.ndarray, side: int, result: np.ndarray) -> None:
    for block in range(blocks.shape[0]):
        for i in range(stones.shape[1]):
            down = int(stones[0, i]) - blocks[block, 0]
            right = int(stones[1, i]) - blocks[block, 1]
            down = max(abs(down), abs(down - side + 1))
            right = max(abs(right), abs(right - side + 1))
            if down * down + right * right < spacing * spacing:
                result[block] = True
