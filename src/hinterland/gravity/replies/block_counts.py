"""How many cells can be taken from some cell of a block: a bound on what each of its cells gains, exact for one cell.

A count does not visit all cells. The board is laid out in fields of tiles. Of most fields the least and the greatest
reach tell, with the distances of their nearest and farthest cells from the block, that all is counted, or nothing; of
the others each tile is asked the same; only the rest, along the rim of what is taken, is looked at cell by cell. All of
it is done in whole numbers of 32 bits, sixteen to a vector: numba would add two of them up to 64, and counts are cut
back each time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.gravity.area.stones import NewStone
from hinterland.gravity.replies.capture_radius import EVERYWHERE, find_reaches, leave_out_covering, new_scratch
from hinterland.gravity.replies.reply_map import threads_for
from hinterland.jit import in_strips, inlined, kernel

TILE = 8
CELLS = TILE * TILE
DOWN, ACROSS = 4, 8
"""So many tiles of a field lie one below the other, and side by side."""
TILES = DOWN * ACROSS


class Fields(NamedTuple):
    """The cells that can be taken, in fields of tiles, row by row; cells taken from everywhere are not in them."""

    reaches: np.ndarray
    """int32 (n * TILES, CELLS): the reach of each cell, -1 where it cannot be taken."""
    tiles: np.ndarray
    """int32 (3, n * TILES): of the cells of a tile that can be taken the least and the greatest reach, and how many."""
    summary: np.ndarray
    """int32 (5, n): the same of each field, and row and column of its first cell."""


LEAST, GREATEST, NUMBER, ROW, COL = range(5)
"""The rows of a summary; the first three are those of tiles."""


def lay_out_fields(new: NewStone) -> tuple[Fields, int]:
    """Return the cells that can be taken, and how many are taken from everywhere."""
    size = new.stones.size
    down, across = -(-size // (TILE * DOWN)), -(-size // (TILE * ACROSS))
    count = down * across
    fields = Fields(
        np.full((count * TILES, CELLS), -1, dtype=np.int32),
        np.empty((3, count * TILES), dtype=np.int32),
        np.empty((5, count), dtype=np.int32),
    )
    everywhere = in_strips(lambda _, band, __: _lay_band(new, band, across, fields), down, 1, threads_for(size))
    least, greatest, numbers = fields.tiles.reshape(3, count, TILES)
    fields.summary[: NUMBER + 1] = least.min(axis=1), greatest.max(axis=1), numbers.sum(axis=1)
    fields.summary[ROW], fields.summary[COL] = np.divmod(np.arange(count), across)
    fields.summary[ROW] *= TILE * DOWN
    fields.summary[COL] *= TILE * ACROSS
    return fields, sum(everywhere)


def count_takeable(fields: Fields, blocks: np.ndarray, side: int, size: int) -> np.ndarray:
    """Bound the gains of blocks of side x side cells, without the cells taken from everywhere; exact for side 1."""
    threads = threads_for(size)
    blocks = np.ascontiguousarray(blocks)

    def count(_: int, first: int, end: int) -> np.ndarray:
        return _count_blocks(fields, blocks[first:end], side)

    return np.concatenate(in_strips(count, len(blocks), -(-len(blocks) // threads), threads))


@kernel(allocates=True)
def _lay_band(new: NewStone, band: int, across: int, fields: Fields) -> int:
    """Lay out a band of fields; return how many of its cells are taken from everywhere."""
    size = new.stones.size
    scratch = new_scratch(size)
    everywhere = 0
    for row in range(band * TILE * DOWN, min((band + 1) * TILE * DOWN, size)):
        find_reaches(new, row, scratch)
        everywhere += leave_out_covering(row, scratch.reaches)
        for first in range(0, size, TILE):
            field = band * across + first // (TILE * ACROSS)
            tile = field * TILES + row // TILE % DOWN * ACROSS + first // TILE % ACROSS
            line = fields.reaches[tile, row % TILE * TILE : row % TILE * TILE + TILE]
            for col in range(first, min(first + TILE, size)):
                line[np.uint64(col - first)] = scratch.reaches[np.uint64(col)]
    for tile in range(band * across * TILES, (band + 1) * across * TILES):
        _sum_up(fields, tile)
    return everywhere


@inlined
def _sum_up(fields: Fields, tile: int) -> None:
    """Set what is said of a tile."""
    least, greatest, number = np.int32(EVERYWHERE), np.int32(-1), np.int32(0)
    for cell in range(CELLS):
        reach = fields.reaches[tile, cell]
        least = min(least, reach if reach >= 0 else np.int32(EVERYWHERE))
        greatest = max(greatest, reach)
        number = np.int32(number + (reach >= 0))
    fields.tiles[LEAST, tile], fields.tiles[GREATEST, tile], fields.tiles[NUMBER, tile] = least, greatest, number


@inlined(allocates=True)
def _places(down: int, across: int, apart: int) -> np.ndarray:
    """Return the rows and columns of tiles in a field, or of cells in a tile, int32 (2, n)."""
    places = np.empty((2, down * across), dtype=np.int32)
    for place in range(down * across):
        places[0, place] = place // across * apart
        places[1, place] = place % across * apart
    return places


@kernel(allocates=True)
def _count_blocks(fields: Fields, blocks: np.ndarray, side: int) -> np.ndarray:
    """Count, for each block of side x side cells, the cells that can be taken from any of its own."""
    summary = fields.summary
    places, cells = _places(DOWN, ACROSS, TILE), _places(TILE, TILE, 1)
    flags = np.empty(max(summary.shape[1], TILES), dtype=np.uint8)
    doubtful, listed = np.empty(summary.shape[1], dtype=np.int32), np.empty(TILES, dtype=np.int32)
    counts = np.zeros(blocks.shape[0], dtype=np.int64)
    last = np.int32(side - 1)
    for block in range(blocks.shape[0]):
        row, col = np.int32(blocks[block, 0]), np.int32(blocks[block, 1])
        count = np.int32(0)
        for field in range(summary.shape[1]):
            top, left = np.int32(summary[ROW, field] - row), np.int32(summary[COL, field] - col)
            near = _nearest(top, left, TILE * DOWN, TILE * ACROSS, last)
            far = _farthest(top, left, TILE * DOWN, TILE * ACROSS, last)
            count = np.int32(count + (summary[NUMBER, field] if far <= summary[LEAST, field] else np.int32(0)))
            flags[field] = (far > summary[LEAST, field]) & (near <= summary[GREATEST, field])
        for i in range(_list_flagged(flags, summary.shape[1], doubtful)):
            field = doubtful[i]
            top, left = np.int32(summary[ROW, field] - row), np.int32(summary[COL, field] - col)
            count = np.int32(count + _count_field(fields, places, cells, flags, listed, field, top, left, last))
        counts[block] = count
    return counts


@inlined
def _list_flagged(flags: np.ndarray, count: int, listed: np.ndarray) -> int:
    """List which of the first ``count`` flags are set, without a branch that nobody foresees; return how many."""
    found = 0
    for i in range(count):
        listed[np.uint64(found)] = np.int32(i)
        found += flags[i]
    return found


@inlined
def _nearest(top: np.int32, left: np.int32, down: int, across: int, last: np.int32) -> np.int32:
    """Return how near, squared, a rectangle and a block come to one another.

    The rectangle is ``down`` x ``across`` cells, at (top, left) from the block's first cell.
    """
    low = max(np.int32(top - last), np.int32(1 - down - top), np.int32(0))
    wide = max(np.int32(left - last), np.int32(1 - across - left), np.int32(0))
    return np.int32(np.int32(low * low) + np.int32(wide * wide))


@inlined
def _farthest(top: np.int32, left: np.int32, down: int, across: int, last: np.int32) -> np.int32:
    """Return how far, squared, that cell of such a rectangle is from a block which is the farthest from it."""
    low = max(np.int32(top + down - 1 - last), np.int32(-top), np.int32(0))
    wide = max(np.int32(left + across - 1 - last), np.int32(-left), np.int32(0))
    return np.int32(np.int32(low * low) + np.int32(wide * wide))


@inlined
def _count_field(
    fields: Fields, places: np.ndarray, cells: np.ndarray, flags: np.ndarray, listed: np.ndarray,
    field: int, top: np.int32, left: np.int32, last: np.int32,
) -> np.int32:  # fmt: skip
    """Count the cells of a field whose first one lies at (top, left) from that of a block."""
    tiles = fields.tiles
    count = np.int32(0)
    for tile in range(TILES):
        index = np.uint64(field * TILES + tile)
        down, right = np.int32(places[0, tile] + top), np.int32(places[1, tile] + left)
        far = _farthest(down, right, TILE, TILE, last)
        near = _nearest(down, right, TILE, TILE, last)
        count = np.int32(count + (tiles[NUMBER, index] if far <= tiles[LEAST, index] else np.int32(0)))
        flags[tile] = (far > tiles[LEAST, index]) & (near <= tiles[GREATEST, index])
    for i in range(_list_flagged(flags, TILES, listed)):
        tile = listed[i]
        down, right = np.int32(places[0, tile] + top), np.int32(places[1, tile] + left)
        reaches = fields.reaches[np.uint64(field * TILES + tile)]
        count = np.int32(count + _count_tile(reaches, cells, down, right, last))
    return count


@inlined
def _count_tile(reaches: np.ndarray, cells: np.ndarray, top: np.int32, left: np.int32, last: np.int32) -> np.int32:
    """Count the cells of a tile whose first one lies at (top, left) from that of a block."""
    count = np.int32(0)
    if _beside(top, last) and _beside(left, last):
        top = np.int32(top - last) if top > 0 else top
        left = np.int32(left - last) if left > 0 else left
        for cell in range(CELLS):
            low, wide = np.int32(cells[0, cell] + top), np.int32(cells[1, cell] + left)
            count = np.int32(count + (np.int32(np.int32(low * low) + np.int32(wide * wide)) <= reaches[cell]))
    else:
        for cell in range(CELLS):
            square = _nearest(np.int32(cells[0, cell] + top), np.int32(cells[1, cell] + left), 1, 1, last)
            count = np.int32(count + (square <= reaches[cell]))
    return count


@inlined
def _beside(start: np.int32, last: np.int32) -> bool:
    """Say whether no row, or column, of a tile is one of a block's: then all are on one side of it."""
    return bool(start > last or start <= -TILE)
