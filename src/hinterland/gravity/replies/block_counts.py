"""Counts the cells that a stone somewhere in a block can take: a bound on the gain of every cell of the block.

For a block of one cell the bound is exact. A count does not visit all cells. The board is laid out in fields, each of
several tiles. Two tests decide most fields. The reach of a cell is the greatest squared distance from which the stone
takes it (capture_radius.py). Reaches are compared with the squared distances between cells of a field and of the block.
All cells of the field count if its least reach is at least the greatest of these distances. None counts if its greatest
reach is less than the least of these distances. In the other fields each tile is tested in the same way. The remaining
tiles are doubtful: they lie along the rim of the area that can be taken, and only they are counted cell by cell. A tile
that is decided for a block is decided for the parts of the block, so that a part tests only the block's doubtful tiles.
All numbers are whole and have 32 bits, so that many fit a vector.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.gravity.area.stones import NewStone
from hinterland.gravity.replies.capture_radius import EVERYWHERE, find_reaches, leave_out_covering, new_scratch
from hinterland.gravity.replies.reply_map import threads_for
from hinterland.jit import in_strips, inlined, kernel

TILE = 8
"""Cells a side of a tile."""
CELLS = TILE * TILE
"""Cells of a tile."""
DOWN, ACROSS = 4, 8
"""Rows and columns of tiles in a field."""
TILES = DOWN * ACROSS
"""Tiles of a field."""
TILES_PER_CHECK = 32
"""Number of tiles that are counted before the bound is checked again."""


class Fields(NamedTuple):
    """The cells that a new stone can take, by fields and tiles; without the cells that it takes from everywhere."""

    reaches: np.ndarray
    """int32 (n * TILES, CELLS): the reach of each cell, -1 where it cannot be taken."""
    tiles: np.ndarray
    """int32 (5, n * TILES): a column for each tile, with the rows LEAST to COL."""
    summary: np.ndarray
    """int32 (5, n): a column for each field, with the same rows."""


LEAST, GREATEST, NUMBER, ROW, COL = range(5)
"""The rows of ``tiles`` and ``summary``: the least and the greatest reach of the cells that can be taken, the number of
these cells, and the row and column of the first cell of the tile or field."""


def lay_out_fields(new: NewStone) -> tuple[Fields, int]:
    """Return the cells that the new stone can take, and the number of cells that it takes from everywhere."""
    size = new.stones.size
    down, across = -(-size // (TILE * DOWN)), -(-size // (TILE * ACROSS))
    count = down * across
    fields = Fields(
        np.full((count * TILES, CELLS), -1, dtype=np.int32),
        np.empty((5, count * TILES), dtype=np.int32),
        np.empty((5, count), dtype=np.int32),
    )
    everywhere = in_strips(lambda _, band, __: _lay_band(new, band, across, fields), down, 1, threads_for(size))
    least, greatest, numbers, rows, cols = fields.tiles.reshape(5, count, TILES)
    fields.summary[:] = least.min(axis=1), greatest.max(axis=1), numbers.sum(axis=1), rows[:, 0], cols[:, 0]
    return fields, sum(everywhere)


def squares_from(side: int, size: int) -> np.ndarray:
    """Return the squared distance of each row (or column) from a block of ``side`` rows: int32[n].

    The entry for the block's first row is number ``size``.
    """
    line = np.arange(-size, size + TILE * ACROSS)
    return np.maximum(np.maximum(line - (side - 1), -line), 0).astype(np.int32) ** 2


@kernel(allocates=True)
def _lay_band(new: NewStone, band: int, across: int, fields: Fields) -> int:
    """Lay out a row of fields; return the number of its cells that are taken from everywhere."""
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
        fields.tiles[ROW, tile] = (band * DOWN + tile % TILES // ACROSS) * TILE
        fields.tiles[COL, tile] = (tile // TILES % across * ACROSS + tile % ACROSS) * TILE
    return everywhere


@inlined
def _sum_up(fields: Fields, tile: int) -> None:
    """Set LEAST, GREATEST and NUMBER of a tile."""
    least, greatest, number = np.int32(EVERYWHERE), np.int32(-1), np.int32(0)
    for cell in range(CELLS):
        reach = fields.reaches[tile, cell]
        least = min(least, reach if reach >= 0 else np.int32(EVERYWHERE))
        greatest = max(greatest, reach)
        number = np.int32(number + (reach >= 0))
    fields.tiles[LEAST, tile], fields.tiles[GREATEST, tile], fields.tiles[NUMBER, tile] = least, greatest, number


class CandidateBlock(NamedTuple):
    """A block of cells where the new stone may go, and a bound on what it gains there."""

    row: int
    col: int
    level: int
    """The block has 2 ** level rows and columns; its first cell is (``row``, ``col``)."""
    listed: int
    """Which list of ``Listing.tiles`` holds the block's doubtful tiles."""
    doubtful: int
    """Number of the block's doubtful tiles."""
    counted: int
    """Which list of ``Listing.counts`` holds the counts of the doubtful tiles."""
    bound: int
    """No stone in the block takes more cells than this; -1 if that is too few to matter."""


class Listing(NamedTuple):
    """Room to list the doubtful tiles of several blocks. Kernels overwrite it."""

    flags: np.ndarray
    """uint8[n]: 1 for each doubtful field, or for each doubtful tile of one field."""
    fields: np.ndarray
    """int32[n]: the doubtful fields."""
    tiles: np.ndarray
    """int32 (lists, n): the doubtful tiles."""
    counts: np.ndarray
    """int32 (lists, n): for each doubtful tile, the most of its cells that stones in the block can take."""


def new_listing(fields: Fields, lists: int) -> Listing:
    """Return room for ``lists`` lists of doubtful tiles."""
    number, tiles = fields.summary.shape[1], fields.tiles.shape[1]
    flags = np.empty(max(number, TILES), dtype=np.uint8)
    return Listing(flags, np.empty(number, np.int32), *np.empty((2, lists, tiles), dtype=np.int32))


@inlined
def bound_by_fields(fields: Fields, row: int, col: int, side: int) -> int:
    """Count all cells of the fields from which a stone in a block of side x side cells may take at least one cell."""
    summary = fields.summary
    count = np.int32(0)
    for field in range(summary.shape[1]):
        top, left = np.int32(summary[ROW, field] - row), np.int32(summary[COL, field] - col)
        near = _nearest(top, left, TILE * DOWN, TILE * ACROSS, np.int32(side - 1))
        count = np.int32(count + (summary[NUMBER, field] if near <= summary[GREATEST, field] else np.int32(0)))
    return int(count)


@inlined
def survey(fields: Fields, row: int, col: int, side: int, listing: Listing) -> tuple[int, int]:
    """Store the doubtful tiles of a block of side x side cells as list 0 of ``listing``.

    All cells of doubtful tiles are counted as if they could be taken. Return the number of doubtful tiles, and the
    number of cells that stones in the block can take, with all cells of doubtful tiles.
    """
    flags, doubtful, tiles = listing.flags, listing.fields, listing.tiles[0]
    last = np.int32(side - 1)
    count = np.int32(0)
    for field in range(fields.summary.shape[1]):
        sure, flags[field] = _test(fields.summary, field, row, col, TILE * DOWN, TILE * ACROSS, last)
        count = np.int32(count + sure)
    found = 0
    for i in range(list_flagged(flags, fields.summary.shape[1], 0, doubtful, 0)):
        first = doubtful[i] * TILES
        for tile in range(TILES):
            sure, flags[tile] = _test(fields.tiles, first + tile, row, col, TILE, TILE, last)
            count = np.int32(count + sure)
        found = list_flagged(flags, TILES, first, tiles, found)
    for i in range(found):
        listing.counts[0, i] = fields.tiles[NUMBER, tiles[i]]
        count = np.int32(count + listing.counts[0, i])
    return found, int(count)


@inlined
def survey_part(fields: Fields, part: CandidateBlock, listing: Listing, target: int) -> tuple[int, int]:
    """Store in list ``target`` those doubtful tiles of a block that are doubtful for its part ``part``, too.

    Return their number, and the part's bound without the cells of tiles that are too far away for the part.
    """
    tiles, counts = listing.tiles, listing.counts
    last = np.int32((1 << part.level) - 1)
    lost, found = np.int32(0), 0
    for i in range(part.doubtful):
        tile, count = tiles[part.listed, np.uint64(i)], counts[part.counted, np.uint64(i)]
        sure, flag = _test(fields.tiles, tile, part.row, part.col, TILE, TILE, last)
        tiles[target, np.uint64(found)] = tile
        counts[target, np.uint64(found)] = count
        lost = np.int32(lost + (np.int32(0) if sure > 0 or flag else count))
        found += int(flag)
    return found, part.bound - int(lost)


@inlined
def count_cells(
    fields: Fields, block: CandidateBlock, squares: np.ndarray, listing: Listing, target: int, least: int
) -> int:
    """Write to list ``target`` how many cells of each of a block's doubtful tiles stones in the block can take.

    Return the block's bound, recomputed with the new counts. Once it falls below ``least``, counting stops, -1 is
    returned, and ``target`` is only partly filled. ``squares``: the result of ``squares_from`` for the block.
    """
    size = (squares.size - TILE * ACROSS) // 2
    tiles, before, counts = listing.tiles[block.listed], listing.counts[block.counted], listing.counts[target]
    bound = block.bound
    for first in range(0, block.doubtful, TILES_PER_CHECK):
        if bound < least:
            break
        for i in range(first, min(first + TILES_PER_CHECK, block.doubtful)):
            tile = np.uint64(tiles[np.uint64(i)])
            down, across = size + fields.tiles[ROW, tile] - block.row, size + fields.tiles[COL, tile] - block.col
            count = _count_tile(fields.reaches[tile], squares[down:], squares[across:])
            bound -= before[np.uint64(i)] - count
            counts[np.uint64(i)] = count
    return bound if bound >= least else -1


@inlined
def _count_tile(reaches: np.ndarray, downs: np.ndarray, acrosses: np.ndarray) -> np.int32:
    """Count the cells of a tile whose reach is at least their squared distance from the block.

    The squared distance is the sum of an entry of ``downs`` and one of ``acrosses``. The inner loop runs over rows: the
    compiler unrolls it, and counts in all columns at a time.
    """
    count = np.int32(0)
    for col in range(TILE):
        taken = np.int32(0)
        for row in range(TILE):
            square = np.int32(downs[np.uint64(row)] + acrosses[np.uint64(col)])
            taken = np.int32(taken + (square <= reaches[np.uint64(row * TILE + col)]))
        count = np.int32(count + taken)
    return count


@inlined
def list_flagged(flags: np.ndarray, count: int, first: int, listed: np.ndarray, found: int) -> int:
    """Append ``first`` + i to the ``found`` entries of ``listed`` for each flag i that is set; return the new length.

    The loop has no branch, because no processor could predict one. So the loop writes one number too many, for which
    ``listed`` must have room.
    """
    for i in range(count):
        listed[np.uint64(found)] = np.int32(first + i)
        found += int(flags[i])
    return found


@inlined
def _test(
    table: np.ndarray, index: int, row: int, col: int, tall: int, wide: int, last: np.int32
) -> tuple[np.int32, np.uint8]:
    """Return how many cells of a field, or tile, a stone in a block is sure to take, and whether the field is doubtful.

    The field is column ``index`` of ``table`` and has tall x wide cells. The block has ``last`` + 1 rows and columns,
    and its first cell is (row, col).
    """
    top, left = np.int32(table[ROW, index] - row), np.int32(table[COL, index] - col)
    near = _nearest(top, left, tall, wide, last)
    far = _farthest(top, left, tall, wide, last)
    least = table[LEAST, index]
    sure = table[NUMBER, index] if far <= least else np.int32(0)
    return sure, np.uint8((far > least) & (near <= table[GREATEST, index]))


@inlined
def _nearest(top: np.int32, left: np.int32, down: int, across: int, last: np.int32) -> np.int32:
    """Return the square of the least distance between a cell of a rectangle and one of a block.

    The rectangle is ``down`` x ``across`` cells, at (top, left) from the block's first cell.
    """
    low = max(np.int32(top - last), np.int32(1 - down - top), np.int32(0))
    wide = max(np.int32(left - last), np.int32(1 - across - left), np.int32(0))
    return np.int32(np.int32(low * low) + np.int32(wide * wide))


@inlined
def _farthest(top: np.int32, left: np.int32, down: int, across: int, last: np.int32) -> np.int32:
    """Return the square of the greatest distance between a cell of a rectangle and one of a block; see ``_nearest``."""
    low = max(np.int32(top + down - 1), np.int32(last - top))
    wide = max(np.int32(left + across - 1), np.int32(last - left))
    return np.int32(np.int32(low * low) + np.int32(wide * wide))
