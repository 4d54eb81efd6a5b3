"""The best cell alone, without the gains of all others: branch and bound over blocks of cells, coarse to fine.

A cell x of reach k is taken from c where ``|x - c|^2 <= k``. Let d be the distance of x from a block of candidates,
that is from its nearest cell: whatever is taken from any cell of the block has ``d^2 <= k``, so the cells x for which
that holds are at least as many as the block's best cell gains. A block is dropped when this bound is below the gain of
some cell that was counted exactly; the others are cut in four, until blocks are single cells and bounds are gains. The
best cells' blocks are never dropped, for their bounds are at least the greatest gain, and no counted gain is greater;
so all cells of greatest gain are left at the end, and the first of them in reading order is the first maximum of the
reply map.

Where the board is so even that thousands of blocks remain, the reply map is quicker, and decides.
"""

from __future__ import annotations

import numpy as np

from hinterland.gravity.area.stones import NewStone, Stones
from hinterland.gravity.replies.block_counts import NUMBER, Fields, count_takeable, lay_out_fields
from hinterland.gravity.replies.reply_map import reply_map
from hinterland.gravity.spacing import first_free, forbidden

FIRST_SIDE = 32
SAMPLES = 12
"""Blocks of a level, those of the greatest bounds, in which a cell is counted exactly."""
MOST_BLOCKS = 8000
"""With more blocks than these on a level, the reply map is quicker."""


def best_cell(new: NewStone) -> tuple[int, int, int]:
    """Return the cell on which a stone gains its seat the most, (row, col, gain).

    It is the first maximum of ``reply_map`` in reading order. There must be a cell on which a stone may go.
    """
    size = new.stones.size
    fields, everywhere = lay_out_fields(new)
    if not fields.summary[NUMBER].any():
        return (*divmod(int(first_free(new.stones)), size), everywhere)
    side = FIRST_SIDE
    corners = np.arange(0, size, side)
    blocks = np.stack(np.meshgrid(corners, corners, indexing="ij"), axis=-1).reshape(-1, 2)
    best = -1
    while True:
        blocks = blocks[~forbidden(new.stones, blocks, side)]
        if len(blocks) > MOST_BLOCKS:
            gains = reply_map(new)
            row, col = divmod(int(gains.argmax()), size)
            return row, col, int(gains[row, col])
        bounds = count_takeable(fields, blocks, side, size)
        if side == 1:
            row, col = min(map(tuple, blocks[bounds == bounds.max()].tolist()))
            return row, col, int(bounds.max()) + everywhere
        best = max(best, _best_sample(fields, new.stones, blocks[np.argsort(-bounds, kind="stable")[:SAMPLES]], side))
        side //= 2
        kept = blocks[bounds >= best]
        blocks = (kept[:, None, :] + np.array([(0, 0), (0, side), (side, 0), (side, side)])).reshape(-1, 2)
        blocks = blocks[(blocks < size).all(axis=1)]


def _best_sample(fields: Fields, stones: Stones, blocks: np.ndarray, side: int) -> int:
    """Return the greatest gain of a few cells of these blocks, one or none of each."""
    middles = np.minimum(blocks + side // 2, stones.size - 1)
    free = ~forbidden(stones, middles, 1)
    chosen = [*middles[free]]
    inner = np.stack(np.meshgrid(np.arange(side), np.arange(side), indexing="ij"), axis=-1).reshape(-1, 2)
    for block in blocks[~free]:
        cells = block + inner
        cells = cells[(cells < stones.size).all(axis=1)]
        chosen.extend(cells[~forbidden(stones, cells, 1)][:1])
    return int(count_takeable(fields, np.array(chosen), 1, stones.size).max()) if chosen else -1
