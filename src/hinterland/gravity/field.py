"""Who owns what: exact areas and owner maps, without visiting every cell.

The board is cut into tiles. A tile that one seat is sure to own (tiles.py) is counted whole; any other is cut
again, 8 x 8, and tiles of 8 x 8 cells are looked at cell by cell (cells.py). Only tiles on a frontier are cut,
so the work grows with the length of the frontiers and not with the area of the board, and a position needs to
remember nothing but its stones.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hinterland.gravity.cells import NOBODY, own_cells
from hinterland.gravity.tiles import (
    COL,
    HALF_HEIGHT,
    HALF_WIDTH,
    RADIUS,
    ROW,
    UNSETTLED,
    settle_gravity,
    settle_nearest,
)
from hinterland.jit import cores, inlined, kernel, side_by_side

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hinterland.gravity.rules import Stone

__all__ = ["NOBODY", "Stones", "areas", "owners", "stones_of"]

CUT = 8
LANES = CUT * CUT
LEAF = 8
"""A block is CUT x CUT tiles; unsettled ones of side LEAF are looked at cell by cell, in as many lanes."""
SMALL = 400
"""Boards of at most this size are not worth waking a second core for."""
NO_BOARD = np.empty((0, 0), dtype=np.int8)


class Stones(NamedTuple):
    """The stones of a position as kernels want them, sorted by seat.

    ``table``: float64 (3, n): rows, columns, weights, all whole. Seat s has the columns ``starts[s]`` to
    ``starts[s + 1]`` (``starts``: int64[players + 1]).
    """

    table: np.ndarray
    starts: np.ndarray


def stones_of(moves: Iterable[tuple[int, Stone]], players: int) -> Stones:
    """Lay (seat, stone) pairs out in arrays."""
    rows = sorted((seat, stone.row, stone.col, stone.weight) for seat, stone in moves)
    table = np.array(rows, dtype=np.float64).reshape(-1, 4)
    starts = np.searchsorted(table[:, 0], np.arange(players + 1)).astype(np.int64)
    return Stones(np.ascontiguousarray(table[:, 1:].T), starts)


def areas(stones: Stones, size: int, *, nearest: bool) -> tuple[int, ...]:
    """Count the cells of each seat on a board of size x size, exactly."""
    return _survey(stones, size, nearest, NO_BOARD)


def owners(stones: Stones, size: int, *, nearest: bool) -> np.ndarray:
    """Return the owner of each cell: int8 (size, size), the seat or NOBODY."""
    board = np.full((size, size), NOBODY, dtype=np.int8)
    _survey(stones, size, nearest, board)
    return board


def _survey(stones: Stones, size: int, nearest: bool, board: np.ndarray) -> tuple[int, ...]:
    """Count the cells of each seat, and fill in ``board`` unless it is empty; cores share large boards."""
    if stones.table.size == 0:  # nobody pulls: every tile would be cut down to its cells
        return (0,) * (stones.starts.size - 1)
    parts = 1 if size <= SMALL else cores()
    edges = [size * part // parts for part in range(parts + 1)]

    def count(part: int) -> np.ndarray:
        return _survey_rows(stones.table, stones.starts, edges[part], edges[part + 1], size, nearest, board)

    return tuple(np.sum(side_by_side(count, parts), axis=0).tolist())


@inlined
def _first_side(size: int) -> int:
    side = LEAF
    while side * CUT < size:
        side *= CUT
    return side


@inlined
def _cut(top: int, left: int, side: int, end: int, size: int, corners: np.ndarray, tiles: np.ndarray) -> int:
    """Lay out the CUT x CUT tiles of a block as far as they lie above row ``end`` and on the board; return how many.

    ``corners``: int64 (4, LANES): first and last row and column, the last exclusive. ``tiles``: float64 (5,
    LANES), see tiles.ROW.
    """
    count = 0
    for top_row in range(top, min(top + CUT * side, end), side):
        for left_col in range(left, min(left + CUT * side, size), side):
            corners[0, count] = top_row
            corners[1, count] = min(top_row + side, end)
            corners[2, count] = left_col
            corners[3, count] = min(left_col + side, size)
            high = 0.5 * (corners[1, count] - 1 - top_row)
            wide = 0.5 * (corners[3, count] - 1 - left_col)
            tiles[ROW, count] = top_row + high
            tiles[COL, count] = left_col + wide
            tiles[HALF_HEIGHT, count] = high
            tiles[HALF_WIDTH, count] = wide
            tiles[RADIUS, count] = math.sqrt(high * high + wide * wide)
            count += 1
    return count


@inlined
def _list_cells(top: int, bottom: int, left: int, right: int, rows: np.ndarray, cols: np.ndarray) -> int:
    """Write the cells of a tile to ``rows`` and ``cols``, float64[LANES]; return how many."""
    count = 0
    for row in range(top, bottom):
        for col in range(left, right):
            rows[count] = row
            cols[count] = col
            count += 1
    return count


@inlined
def _record(board: np.ndarray, counts: np.ndarray, seat: int, top: int, bottom: int, left: int, right: int) -> None:
    counts[seat] += (bottom - top) * (right - left)
    if board.size > 0:
        board[top:bottom, left:right] = seat


@kernel
def _survey_rows(
    stones: np.ndarray, starts: np.ndarray, first_row: int, end: int, size: int, nearest: bool, board: np.ndarray
) -> np.ndarray:
    """Count the cells of each seat in the rows from ``first_row`` to before ``end``, int64[players].

    Fills in these rows of ``board``, int8 (size, size), unless it is empty.
    """
    players = starts.size - 1
    counts = np.zeros(players, dtype=np.int64)
    corners = np.empty((4, LANES), dtype=np.int64)
    tiles = np.empty((5, LANES), dtype=np.float64)
    series = np.empty((players, 7, LANES), dtype=np.float64)
    own = np.empty(LANES, dtype=np.int64)
    cells = np.empty((2, LANES), dtype=np.float64)
    pulls = np.empty((players, LANES), dtype=np.float64)
    own_cell = np.empty(LANES, dtype=np.int64)
    blocks = np.zeros((8 * LANES, 3), dtype=np.int64)
    blocks[0, 0] = first_row
    blocks[0, 2] = _first_side(size)
    waiting = 1
    while waiting > 0:
        waiting -= 1
        side = blocks[waiting, 2]
        count = _cut(blocks[waiting, 0], blocks[waiting, 1], side, end, size, corners, tiles)
        if nearest:
            settle_nearest(stones, starts, tiles, count, series[0], own)
        else:
            settle_gravity(stones, starts, tiles, count, series, own)
        for tile in range(count):
            top, bottom, left, right = corners[0, tile], corners[1, tile], corners[2, tile], corners[3, tile]
            if own[tile] != UNSETTLED:
                _record(board, counts, own[tile], top, bottom, left, right)
            elif side > LEAF:
                blocks[waiting, 0] = top
                blocks[waiting, 1] = left
                blocks[waiting, 2] = side // CUT
                waiting += 1
            else:
                listed = _list_cells(top, bottom, left, right, cells[0], cells[1])
                own_cells(stones, starts, cells[0], cells[1], listed, nearest, pulls, own_cell)
                for cell in range(listed):
                    if own_cell[cell] != NOBODY:
                        row = int(cells[0, cell])
                        col = int(cells[1, cell])
                        _record(board, counts, own_cell[cell], row, row + 1, col, col + 1)
    return counts
