"""Finds the best cell without the gains of all others: branch and bound over blocks of cells.

A cell x with reach k (capture_radius.py) is taken by a stone on c if ``|x - c|^2 <= k``. Let d be the distance of x
from the nearest cell of a block. If a stone somewhere in the block takes x, then ``d^2 <= k``. So the number of cells x
with ``d^2 <= k`` is at least the gain of the block's best cell. A block is dropped when this bound is below the gain of
some cell that was counted exactly. The other blocks are cut in four, until blocks are single cells, whose bounds are
their exact gains. The blocks of the best cells are never dropped, for their bounds are at least the greatest gain, and
no counted gain is greater. So all cells of greatest gain are counted, and the first of them in reading order is the
first maximum of the reply map.

The search goes depth first, into the part of the greatest bound, so that a good gain is known early; threads share the
best gain so far. The bound of a part begins as the bound of its block, and falls as the part's tiles (block_counts.py)
are counted. Once the bound is too low, counting stops. If gains are so even that many thousands of blocks remain, the
reply map is quicker and is used instead.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.gravity.area.stones import NewStone, Stones
from hinterland.gravity.replies.block_counts import (
    NUMBER,
    TILE,
    CandidateBlock,
    Fields,
    Listing,
    bound_by_fields,
    count_cells,
    lay_out_fields,
    new_listing,
    squares_from,
    survey,
    survey_part,
)
from hinterland.gravity.replies.reply_map import reply_map, threads_for
from hinterland.gravity.spacing import first_free, forbids
from hinterland.jit import in_strips, inlined, kernel

FIRST_LEVEL = 6
"""The first blocks have 2 ** 6 rows and columns."""
BLOCKS_PER_STRIP = 2
"""First blocks that a thread takes at a time."""
MOST_BLOCKS_PER_ROW = 16
"""Number of blocks that a thread bounds, for each row of the board, before the reply map is used instead."""


class CellSearch(NamedTuple):
    """The arrays of one thread's search, and its result. Kernels overwrite it."""

    fields: Fields
    squares: np.ndarray
    """int32 (levels, n): for blocks of each level, the result of ``squares_from``."""
    listing: Listing
    """The lists of doubtful tiles. List 0 is for a first block. Each level has four more lists, for the four parts of a
    block. Blocks of one level share these lists, because all parts of a block are finished before the next block of its
    level is cut."""
    stack: np.ndarray
    """int64 (n, 7): the fields of the blocks that wait to be cut; the last one is cut first."""
    most: np.ndarray
    """int64[1], shared by all threads: a gain that some cell reaches. If two threads write at once, the lesser gain may
    stay. In that case fewer blocks are dropped, but no block wrongly."""
    found: np.ndarray
    """int64[4]: gain, row and column of the best cell, and the number of blocks that may still be bounded."""


GAIN, ROW, COL, BLOCKS_LEFT = range(4)


def find_best_cell(new: NewStone) -> tuple[int, int, int]:
    """Return (row, col, gain) of the cell on which a stone gains its seat the most.

    This cell is the first maximum of ``reply_map`` in reading order. There must be a cell on which a stone may go.
    """
    stones, size = new.stones, new.stones.size
    fields, everywhere = lay_out_fields(new)
    if not fields.summary[NUMBER].any():
        return (*divmod(int(first_free(stones)), size), everywhere)
    searches = _new_searches(fields, size)
    blocks = _first_blocks(searches, stones)
    in_strips(
        lambda i, first, end: _search(stones, searches[i], blocks[first:end]),
        len(blocks), BLOCKS_PER_STRIP, len(searches),
    )  # fmt: skip
    if min(search.found[BLOCKS_LEFT] for search in searches) <= 0:
        gains = reply_map(new)
        row, col = divmod(int(gains.argmax()), size)
        return row, col, int(gains[row, col])
    loss, row, col = min((-search.found[GAIN], search.found[ROW], search.found[COL]) for search in searches)
    return int(row), int(col), everywhere - int(loss)


def _new_searches(fields: Fields, size: int) -> list[CellSearch]:
    """Return one search for each thread."""
    squares = np.stack([squares_from(1 << level, size) for level in range(FIRST_LEVEL + 1)])
    most = np.array([-1])

    def prepare() -> CellSearch:
        stack = np.empty((4 * FIRST_LEVEL + 1, len(CandidateBlock._fields)), dtype=np.int64)
        found = np.array([-1, size, size, MOST_BLOCKS_PER_ROW * size])
        return CellSearch(fields, squares, new_listing(fields, 4 * FIRST_LEVEL + 1), stack, most, found)

    return [prepare() for _ in range(threads_for(size))]


def _first_blocks(searches: list[CellSearch], stones: Stones) -> np.ndarray:
    """Return the blocks of FIRST_LEVEL, int64 (n, 3): row, column and a bound.

    The greatest bounds stand at both ends of the list, because threads take blocks from both ends.
    """
    corners = np.arange(0, stones.size, 1 << FIRST_LEVEL)
    blocks = np.stack(np.meshgrid(corners, corners, [0], indexing="ij"), axis=-1).reshape(-1, 3)
    _bound(stones, searches[0], blocks)
    blocks = blocks[np.argsort(-blocks[:, 2], kind="stable")]
    return np.concatenate([blocks[::2], blocks[1::2][::-1]])


@kernel
def _bound(stones: Stones, search: CellSearch, blocks: np.ndarray) -> None:
    """Set the bounds of first blocks by counting whole fields; -1 if one stone forbids all cells of a block."""
    side = 1 << (search.squares.shape[0] - 1)
    for i in range(len(blocks)):
        row, col = blocks[i, 0], blocks[i, 1]
        blocks[i, 2] = -1 if forbids(stones, row, col, side) else bound_by_fields(search.fields, row, col, side)


@kernel
def _search(stones: Stones, search: CellSearch, blocks: np.ndarray) -> None:
    """Search first blocks for the best cell."""
    level = search.squares.shape[0] - 1
    for i in range(len(blocks)):
        row, col = blocks[i, 0], blocks[i, 1]
        if search.found[BLOCKS_LEFT] > 0 and blocks[i, 2] >= max(search.most[0], 0):
            doubtful, bound = survey(search.fields, row, col, 1 << level, search.listing)
            _put(search.stack, 0, CandidateBlock(row, col, level, 0, doubtful, 0, bound))
            waiting = 1
            while waiting > 0 and search.found[BLOCKS_LEFT] > 0:
                block = _take(search.stack, waiting - 1)
                waiting -= 1
                if block.bound >= search.most[0]:
                    waiting = _cut(stones, search, block, waiting)


@inlined
def _cut(stones: Stones, search: CellSearch, block: CandidateBlock, waiting: int) -> int:
    """Cut a block in four and put the parts that may hold the best cell on the stack; return the stack's new length."""
    level, end = block.level - 1, waiting
    for part in range(4):
        row, col = block.row + (part // 2 << level), block.col + (part % 2 << level)
        if max(row, col) < stones.size and not forbids(stones, row, col, 1 << level):
            search.found[BLOCKS_LEFT] -= 1
            bounded = _bound_part(search, block, part, row, col)
            if bounded.bound >= 0 and level == 0:
                _note_cell(search, bounded)
            elif bounded.bound >= 0:
                end += 1
                _put_in_order(search.stack, waiting, end, bounded)
    return end


@inlined
def _bound_part(search: CellSearch, block: CandidateBlock, part: int, row: int, col: int) -> CandidateBlock:
    """Return one of the four parts of a block, with its bound.

    A part as large as a tile, or larger, gets a list of its own doubtful tiles; a smaller part uses its block's list.
    """
    level, listed, doubtful, counted, bound = block.level - 1, block.listed, block.doubtful, block.counted, block.bound
    own = 1 + 4 * level + part
    if 1 << level >= TILE:
        uncut = CandidateBlock(row, col, level, listed, doubtful, counted, bound)
        doubtful, bound = survey_part(search.fields, uncut, search.listing, own)
        listed = counted = own
    uncounted = CandidateBlock(row, col, level, listed, doubtful, counted, bound)
    bound = count_cells(search.fields, uncounted, search.squares[level], search.listing, own, search.most[0])
    return CandidateBlock(row, col, level, listed, doubtful, own, bound)


@inlined
def _note_cell(search: CellSearch, cell: CandidateBlock) -> None:
    """Note a cell if it is better than the best one so far, or as good and earlier in reading order."""
    found = search.found
    if cell.bound > found[GAIN] or (
        cell.bound == found[GAIN] and (cell.row < found[ROW] or (cell.row == found[ROW] and cell.col < found[COL]))
    ):
        found[GAIN], found[ROW], found[COL] = cell.bound, cell.row, cell.col
        search.most[0] = max(search.most[0], cell.bound)


@inlined
def _put_in_order(stack: np.ndarray, first: int, end: int, block: CandidateBlock) -> None:
    """Insert a block into the stack, from ``first`` to before ``end``, so that bounds rise from entry to entry."""
    place = end - 1
    while place > first and stack[place - 1, -1] > block.bound:
        _put(stack, place, _take(stack, place - 1))
        place -= 1
    _put(stack, place, block)


@inlined
def _put(stack: np.ndarray, place: int, block: CandidateBlock) -> None:
    entry = stack[place]
    entry[0], entry[1], entry[2], entry[3] = block.row, block.col, block.level, block.listed
    entry[4], entry[5], entry[6] = block.doubtful, block.counted, block.bound


@inlined
def _take(stack: np.ndarray, place: int) -> CandidateBlock:
    entry = stack[place]
    return CandidateBlock(entry[0], entry[1], entry[2], entry[3], entry[4], entry[5], entry[6])
