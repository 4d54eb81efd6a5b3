"""Computes exact areas and owner maps without visiting every cell.

The board is cut into tiles. A tile that one seat is sure to own (tile_bounds.py) is counted as a whole. Any other tile
is cut again into 8 x 8 tiles. If a tile has only 8 x 8 cells, they are decided one by one (cell_owner.py). Only tiles
on a frontier between owners are cut. So the work grows with the length of the frontiers, not with the area of the
board, and a position need not remember anything but its stones.
"""

from __future__ import annotations

import numpy as np

from hinterland.gravity.area.cell_owner import NOBODY, own_cells
from hinterland.gravity.area.stones import Stones
from hinterland.gravity.area.tile_bounds import (
    LANES,
    SMALLEST_TILE_SIDE,
    TERMS,
    TILES_PER_SIDE,
    UNSETTLED,
    cut_block,
    first_side,
    settle,
)
from hinterland.jit import cores, in_strips, inlined, kernel

ONE_CORE_SIDE = 400
"""Boards of up to this many cells a side are counted on one core; a second would save no time."""
NO_BOARD = np.empty((0, 0), dtype=np.int8)


def areas(stones: Stones) -> tuple[int, ...]:
    """Count the cells of each seat, exactly."""
    return _survey(stones, NO_BOARD)


def owners(stones: Stones) -> np.ndarray:
    """Return the owner of each cell: int8 (size, size), the seat or NOBODY."""
    board = np.full((stones.size, stones.size), NOBODY, dtype=np.int8)
    _survey(stones, board)
    return board


def _survey(stones: Stones, board: np.ndarray) -> tuple[int, ...]:
    """Count the cells of each seat, and write all owners to ``board`` unless it is empty; cores share large boards."""
    if stones.rows.size == 0:  # without any pull every tile would be cut down to its cells
        return (0,) * (stones.starts.size - 1)
    threads = 1 if stones.size <= ONE_CORE_SIDE else cores()
    if threads == 1:
        return tuple(survey_rows(stones, 0, stones.size, board).tolist())
    counts = in_strips(
        lambda _, first, end: survey_rows(stones, first, end, board), stones.size, -(-stones.size // threads), threads
    )
    return tuple(np.sum(counts, axis=0).tolist())


@inlined
def _list_cells(top: int, bottom: int, left: int, right: int, rows: np.ndarray, cols: np.ndarray) -> int:
    """Write the cells of a tile to ``rows`` and ``cols``, float64[LANES]; return their number."""
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


@kernel(allocates=True)
def survey_rows(stones: Stones, first_row: int, end: int, board: np.ndarray) -> np.ndarray:
    """Return each seat's number of cells in the rows from ``first_row`` to before ``end``: int64[players].

    ``board``: an empty array, or int8 (size, size), to which the owners of the cells in these rows are written.
    """
    players = stones.starts.size - 1
    size = stones.size
    counts = np.zeros(players, dtype=np.int64)
    corners = np.empty((4, LANES), dtype=np.int64)
    tiles = np.empty((5, LANES), dtype=np.float64)
    series = np.empty((players, TERMS, LANES), dtype=np.float64)
    own = np.empty(LANES, dtype=np.int64)
    cells = np.empty((2, LANES), dtype=np.float64)
    pulls = np.empty((players, LANES), dtype=np.float64)
    own_cell = np.empty(LANES, dtype=np.int64)
    blocks = np.zeros((8 * LANES, 3), dtype=np.int64)
    blocks[0, 0] = first_row
    blocks[0, 2] = first_side(size)
    waiting = 1
    while waiting > 0:
        waiting -= 1
        side = blocks[waiting, 2]
        count = cut_block(blocks[waiting, 0], blocks[waiting, 1], side, end, size, corners, tiles)
        settle(stones, tiles, count, series, own)
        for tile in range(count):
            top, bottom, left, right = corners[0, tile], corners[1, tile], corners[2, tile], corners[3, tile]
            if own[tile] != UNSETTLED:
                _record(board, counts, own[tile], top, bottom, left, right)
            elif side > SMALLEST_TILE_SIDE:
                blocks[waiting, 0] = top
                blocks[waiting, 1] = left
                blocks[waiting, 2] = side // TILES_PER_SIDE
                waiting += 1
            else:
                listed = _list_cells(top, bottom, left, right, cells[0], cells[1])
                own_cells(stones, cells[0], cells[1], listed, pulls, own_cell)
                for cell in range(listed):
                    if own_cell[cell] != NOBODY:
                        row = int(cells[0, cell])
                        col = int(cells[1, cell])
                        _record(board, counts, own_cell[cell], row, row + 1, col, col + 1)
    return counts
