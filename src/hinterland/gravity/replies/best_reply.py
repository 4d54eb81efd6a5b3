"""The best cell alone, without the gains of all others: branch and bound over blocks of cells, coarse to fine.

A cell x of reach k is taken from c where ``|x - c| <= r`` with r the root of k. Let h be the distance from the middle
m of a block of candidates to its outermost cells. By the triangle inequality whatever is taken from any cell of the
block has ``|x - m| <= r + h``: the cells x for which that holds are at least as many as the block's best cell gains. A
block is dropped when this bound is below the gain of some cell that was counted exactly; the others are cut in four,
until blocks are single cells, h is 0 and bounds are gains. The best cells' blocks are never dropped, for their bounds
are at least the greatest gain, and no counted gain is greater; so all cells of greatest gain are left at the end, and
the first of them in reading order is the first maximum of the reply map.

A count does not visit all cells. The board is laid out in tiles; a tile's least and greatest r say of most tiles that
all of it is within, or nothing; only the rest, along the line where ``|x - m| = r + h``, is looked at cell by cell.
What is decided of whole tiles may be computed in single precision, since it keeps MARGIN from the line. Cells are
compared in whole numbers, distances doubled, because a block's middle may lie between cells; bounds are rounded up.

Where the board is so even that thousands of blocks remain, the reply map is quicker, and decides.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hinterland.gravity.area.stones import NewStone, Stones
from hinterland.gravity.replies.capture_radius import find_reaches, new_scratch
from hinterland.gravity.replies.reply_map import reply_map, threads_for
from hinterland.gravity.spacing import first_free, forbidden
from hinterland.jit import in_strips, kernel

TILE = 16
CELLS = TILE * TILE
FIRST_SIDE = 32
SAMPLES = 12
"""Blocks of a level, those of the greatest bounds, in which a cell is counted exactly."""
MOST_BLOCKS = 8000
"""With more blocks than these on a level, the reply map is quicker."""
MARGIN = 0.01
"""Cells; far above the rounding error of single precision on any board."""


class Tiles(NamedTuple):
    """The cells that can be taken, in tiles of TILE x TILE, row by row; cells taken from everywhere are not in them."""

    reaches: np.ndarray
    """int32 (n, CELLS): four times the reach of each cell, negative where it cannot be taken."""
    summary: np.ndarray
    """float32 (4, n): row and column of the first cell, least and greatest radius."""
    numbers: np.ndarray
    """int32[n]: how many cells can be taken."""


ROW, COL, LEAST, GREATEST = range(4)
"""The rows of a summary."""


def best_cell(new: NewStone) -> tuple[int, int, int]:
    """Return the cell on which a stone gains its seat the most, (row, col, gain).

    It is the first maximum of ``reply_map`` in reading order. There must be a cell on which a stone may go.
    """
    size = new.stones.size
    tiles, everywhere = _lay_out(new)
    if not tiles.numbers.any():
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
        bounds = _count(tiles, blocks, side, size)
        if side == 1:
            row, col = min(map(tuple, blocks[bounds == bounds.max()].tolist()))
            return row, col, int(bounds.max()) + everywhere
        best = max(best, _best_sample(tiles, new.stones, blocks[np.argsort(-bounds, kind="stable")[:SAMPLES]], side))
        side //= 2
        kept = blocks[bounds >= best]
        blocks = (kept[:, None, :] + np.array([(0, 0), (0, side), (side, 0), (side, side)])).reshape(-1, 2)
        blocks = blocks[(blocks < size).all(axis=1)]


def _best_sample(tiles: Tiles, stones: Stones, blocks: np.ndarray, side: int) -> int:
    """Return the greatest gain of a few cells of these blocks, one or none of each."""
    inner = np.stack(np.meshgrid(np.arange(side), np.arange(side), indexing="ij"), axis=-1).reshape(-1, 2)
    inner = inner[np.argsort(((inner - side // 2) ** 2).sum(axis=1), kind="stable")]
    chosen = []
    for block in blocks:
        cells = block + inner
        cells = cells[(cells < stones.size).all(axis=1)]
        free = cells[~forbidden(stones, cells, 1)]
        chosen.extend(free[:1])
    return int(_count(tiles, np.array(chosen), 1, stones.size).max()) if chosen else -1


def _lay_out(new: NewStone) -> tuple[Tiles, int]:
    """Return the cells that can be taken, and how many are taken from everywhere."""
    size = new.stones.size
    across = -(-size // TILE)
    tiles = Tiles(
        np.full((across * across, CELLS), -1, dtype=np.int32),
        np.zeros((4, across * across), dtype=np.float32),
        np.zeros(across * across, dtype=np.int32),
    )
    everywhere = in_strips(lambda _, band, __: _lay_band(new, band, tiles), across, 1, threads_for(size))
    return tiles, sum(everywhere)


def _count(tiles: Tiles, blocks: np.ndarray, side: int, size: int) -> np.ndarray:
    """Bound the gains of blocks of side x side cells, without the cells taken from everywhere; exact for side 1."""
    threads = threads_for(size)
    blocks = np.ascontiguousarray(blocks)
    limits = tiles

    def widen(_: int, first: int, end: int) -> None:
        _widen(tiles.reaches[first:end], (side - 1) * math.sqrt(2.0), limits.reaches[first:end])

    def count(_: int, first: int, end: int) -> np.ndarray:
        return _count_blocks(limits, blocks[first:end], side)

    if side > 1:
        limits = tiles._replace(reaches=np.empty_like(tiles.reaches))
        in_strips(widen, len(limits.reaches), -(-len(limits.reaches) // threads), threads)
    return np.concatenate(in_strips(count, len(blocks), -(-len(blocks) // threads), threads))


@kernel(allocates=True)
def _lay_band(new: NewStone, band: int, tiles: Tiles) -> int:
    """Lay out a band of tiles; return how many of its cells are taken from everywhere."""
    size = new.stones.size
    summary = tiles.summary
    across = (size + TILE - 1) // TILE
    scratch = new_scratch(size)
    summary[ROW, band * across : (band + 1) * across] = band * TILE
    summary[LEAST, band * across : (band + 1) * across] = 1e9
    everywhere = 0
    for row in range(band * TILE, min((band + 1) * TILE, size)):
        find_reaches(new, row, scratch)
        tall = max(row, size - 1 - row)
        for col in range(size):
            wide = max(col, size - 1 - col)
            reach = int(scratch.reaches[col])
            if reach >= tall * tall + wide * wide:
                everywhere += 1
            elif reach >= 0:
                tile = band * across + col // TILE
                cell = (row % TILE) * TILE + col % TILE
                radius = math.sqrt(float(reach))
                tiles.reaches[tile, cell] = 4 * reach
                summary[LEAST, tile] = min(summary[LEAST, tile], np.float32(radius))
                summary[GREATEST, tile] = max(summary[GREATEST, tile], np.float32(radius))
                tiles.numbers[tile] += 1
    for tile in range(across):
        summary[COL, band * across + tile] = tile * TILE
    return everywhere


@kernel
def _widen(squares: np.ndarray, spread: float, limits: np.ndarray) -> None:
    """Set ``limits`` to the squares of the roots of ``squares`` and ``spread`` more, rounded up; -1 for negative ones.

    Both int32 (n, CELLS).
    """
    for tile in range(squares.shape[0]):
        for cell in range(CELLS):
            square = float(squares[tile, cell])
            far = math.sqrt(max(square, 0.0)) + spread
            limits[tile, cell] = np.int32(far * far + 1.0 if square >= 0.0 else -1.0)


@kernel(allocates=True)
def _count_blocks(limits: Tiles, blocks: np.ndarray, side: int) -> np.ndarray:
    """Count, for each block, the cells whose distance from its middle, doubled and squared, is within their limits.

    ``limits``: tiles, ``reaches`` being the limits.
    """
    squares, summary, numbers = limits.reaches, limits.summary, limits.numbers
    tiles = numbers.size
    half = np.float32(0.5 * (side - 1))
    spread = np.float32(half * math.sqrt(2.0))
    middle = np.float32(0.5 * (TILE - 1))
    diagonal = np.float32(middle * math.sqrt(2.0))
    inner = np.empty(tiles, dtype=np.float32)
    outer = np.empty(tiles, dtype=np.float32)
    for tile in range(tiles):
        near = summary[LEAST, tile] + spread - diagonal - np.float32(MARGIN)
        far = summary[GREATEST, tile] + spread + diagonal + np.float32(MARGIN)
        inner[tile] = near * near if near > np.float32(0.0) else np.float32(-1.0)
        outer[tile] = far * far
    doubtful = np.empty(tiles, dtype=np.uint8)
    cell_rows = np.empty(CELLS, dtype=np.int32)
    cell_cols = np.empty(CELLS, dtype=np.int32)
    for cell in range(CELLS):
        cell_rows[cell] = 2 * (cell // TILE)
        cell_cols[cell] = 2 * (cell % TILE)
    counts = np.zeros(blocks.shape[0], dtype=np.int64)
    for block in range(blocks.shape[0]):
        row = np.float32(blocks[block, 0]) + half - middle
        col = np.float32(blocks[block, 1]) + half - middle
        count = 0
        for tile in range(tiles):
            down = summary[ROW, tile] - row
            right = summary[COL, tile] - col
            square = down * down + right * right
            count += numbers[tile] if square <= inner[tile] else 0
            doubtful[tile] = (square > inner[tile]) & (square <= outer[tile])
        twice_row = 2 * blocks[block, 0] + side - 1
        twice_col = 2 * blocks[block, 1] + side - 1
        for tile in range(tiles):
            if doubtful[tile]:
                top = np.int32(2 * int(summary[ROW, tile]) - twice_row)
                left = np.int32(2 * int(summary[COL, tile]) - twice_col)
                for cell in range(CELLS):
                    low = np.int32(cell_rows[cell] + top)
                    wide = np.int32(cell_cols[cell] + left)
                    count += np.int32(np.int32(low * low) + np.int32(wide * wide)) <= squares[tile, cell]
        counts[block] = count
    return counts
