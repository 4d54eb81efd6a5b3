"""How many cells can be taken from some cell of a block: a bound on what each of its cells gains, exact for one cell.

A count does not visit all cells. The board is laid out in fields of tiles. Of most fields the least and the greatest
reach tell, with the distances of their nearest and farthest cells from the block, that all is counted, or nothing; of
the others each tile is asked the same; the rest are doubtful, along the rim of what is taken, and only they are looked
at cell by cell. Certain is what holds for each cell of a block; so it holds for its parts, and of them only the block's
doubtful tiles are asked. All of it is done in whole numbers of 32 bits, as many to a vector as it holds.
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
STRETCH = 32
"""After every so many tiles it is asked whether the others can still matter."""


class Fields(NamedTuple):
    """The cells that can be taken, in fields of tiles, row by row; cells taken from everywhere are not in them."""

    reaches: np.ndarray
    """int32 (n * TILES, CELLS): the reach of each cell, -1 where it cannot be taken."""
    tiles: np.ndarray
    """int32 (5, n * TILES): of the cells of each tile that can be taken the least and the greatest reach, and how many
    they are; row and column of its first cell."""
    summary: np.ndarray
    """int32 (5, n): the same of each field."""


LEAST, GREATEST, NUMBER, ROW, COL = range(5)
"""The rows of both tables."""


def lay_out_fields(new: NewStone) -> tuple[Fields, int]:
    """Return the cells that can be taken, and how many are taken from everywhere."""
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
    """Return how far, squared, lines are from a block of ``side`` lines, int32; entry ``size`` is that of its first."""
    line = np.arange(-size, size + TILE * ACROSS)
    return np.maximum(np.maximum(line - (side - 1), -line), 0).astype(np.int32) ** 2


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
        fields.tiles[ROW, tile] = (band * DOWN + tile % TILES // ACROSS) * TILE
        fields.tiles[COL, tile] = (tile // TILES % across * ACROSS + tile % ACROSS) * TILE
    return everywhere


@inlined
def _sum_up(fields: Fields, tile: int) -> None:
    """Set the least and the greatest reach of a tile's cells, and how many they are."""
    least, greatest, number = np.int32(EVERYWHERE), np.int32(-1), np.int32(0)
    for cell in range(CELLS):
        reach = fields.reaches[tile, cell]
        least = min(least, reach if reach >= 0 else np.int32(EVERYWHERE))
        greatest = max(greatest, reach)
        number = np.int32(number + (reach >= 0))
    fields.tiles[LEAST, tile], fields.tiles[GREATEST, tile], fields.tiles[NUMBER, tile] = least, greatest, number


class CandidateBlock(NamedTuple):
    """A block of candidates and what is known of it."""

    row: int
    col: int
    level: int
    """It has 2 ** level rows and columns, the first of them ``row`` and ``col``."""
    listed: int
    """Which list holds its doubtful tiles."""
    doubtful: int
    """How many they are."""
    counted: int
    """Which list holds how many of their cells can be taken."""
    bound: int
    """More cells than these cannot be taken from any of its own; -1 where that is too few to matter."""


class Listing(NamedTuple):
    """Room to list the doubtful tiles of several blocks. Kernels overwrite it."""

    flags: np.ndarray
    """uint8: which are doubtful, of all fields, or of the tiles of one."""
    fields: np.ndarray
    """int32: the doubtful fields."""
    tiles: np.ndarray
    """int32 (lists, n): the doubtful tiles."""
    counts: np.ndarray
    """int32 (lists, n): how many of their cells can be taken, at most."""


def new_listing(fields: Fields, lists: int) -> Listing:
    """Return room for so many lists of doubtful tiles."""
    number, tiles = fields.summary.shape[1], fields.tiles.shape[1]
    flags = np.empty(max(number, TILES), dtype=np.uint8)
    return Listing(flags, np.empty(number, np.int32), *np.empty((2, lists, tiles), dtype=np.int32))


@inlined
def bound_by_fields(fields: Fields, row: int, col: int, side: int) -> int:
    """Count the cells of all fields of which one may be taken from a block of side x side cells, at (row, col)."""
    summary = fields.summary
    count = np.int32(0)
    for field in range(summary.shape[1]):
        top, left = np.int32(summary[ROW, field] - row), np.int32(summary[COL, field] - col)
        near = _nearest(top, left, TILE * DOWN, TILE * ACROSS, np.int32(side - 1))
        count = np.int32(count + (summary[NUMBER, field] if near <= summary[GREATEST, field] else np.int32(0)))
    return int(count)


@inlined
def survey(fields: Fields, row: int, col: int, side: int, listing: Listing) -> tuple[int, int]:
    """Make the doubtful tiles of a block of side x side cells list 0, with all of their cells counted.

    Return how many tiles are doubtful, and how many cells can be taken from the block, theirs included.
    """
    flags, doubtful, tiles = listing.flags, listing.fields, listing.tiles[0]
    last = np.int32(side - 1)
    count = np.int32(0)
    for field in range(fields.summary.shape[1]):
        sure, flags[field] = _ask(fields.summary, field, row, col, TILE * DOWN, TILE * ACROSS, last)
        count = np.int32(count + sure)
    found = 0
    for i in range(list_flagged(flags, fields.summary.shape[1], 0, doubtful, 0)):
        first = doubtful[i] * TILES
        for tile in range(TILES):
            sure, flags[tile] = _ask(fields.tiles, first + tile, row, col, TILE, TILE, last)
            count = np.int32(count + sure)
        found = list_flagged(flags, TILES, first, tiles, found)
    for i in range(found):
        listing.counts[0, i] = fields.tiles[NUMBER, tiles[i]]
        count = np.int32(count + listing.counts[0, i])
    return found, int(count)


@inlined
def survey_part(fields: Fields, part: CandidateBlock, listing: Listing, target: int) -> tuple[int, int]:
    """List in ``target`` which of the tiles that ``part`` has from the block it was cut from are doubtful for itself.

    Return how many they are, and its bound when the cells of those are gone that are beyond reach.
    """
    tiles, counts = listing.tiles, listing.counts
    last = np.int32((1 << part.level) - 1)
    lost, found = np.int32(0), 0
    for i in range(part.doubtful):
        tile, count = tiles[part.listed, np.uint64(i)], counts[part.counted, np.uint64(i)]
        sure, flag = _ask(fields.tiles, tile, part.row, part.col, TILE, TILE, last)
        tiles[target, np.uint64(found)] = tile
        counts[target, np.uint64(found)] = count
        lost = np.int32(lost + (np.int32(0) if sure > 0 or flag else count))
        found += int(flag)
    return found, part.bound - int(lost)


@inlined
def count_cells(
    fields: Fields, block: CandidateBlock, squares: np.ndarray, listing: Listing, target: int, least: int
) -> int:
    """Count the cells of a block's doubtful tiles that can be taken from it, by its ``squares_from``, into ``target``.

    Return its bound with these counts in the place of those it has; -1 as soon as that is below ``least``, and
    the counts are not complete then.
    """
    size = (squares.size - TILE * ACROSS) // 2
    tiles, before, counts = listing.tiles[block.listed], listing.counts[block.counted], listing.counts[target]
    bound = block.bound
    for first in range(0, block.doubtful, STRETCH):
        if bound < least:
            break
        for i in range(first, min(first + STRETCH, block.doubtful)):
            tile = np.uint64(tiles[np.uint64(i)])
            down, across = size + fields.tiles[ROW, tile] - block.row, size + fields.tiles[COL, tile] - block.col
            count = _count_tile(fields.reaches[tile], squares[down:], squares[across:])
            bound -= before[np.uint64(i)] - count
            counts[np.uint64(i)] = count
    return bound if bound >= least else -1


@inlined
def _count_tile(reaches: np.ndarray, downs: np.ndarray, acrosses: np.ndarray) -> np.int32:
    """Count the cells of a tile whose reach is not below the sum of the squares of their row and column.

    The rows lie within: the compiler unrolls them, and counts in all columns of a row at a time.
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
    """List, behind those found, which of so many flags are set, from ``first`` on; return how many are found now.

    It takes no branch, which could not be predicted, but writes one entry too many: there must be room for it.
    """
    for i in range(count):
        listed[np.uint64(found)] = np.int32(first + i)
        found += int(flags[i])
    return found


@inlined
def _ask(
    table: np.ndarray, index: int, row: int, col: int, tall: int, wide: int, last: np.int32
) -> tuple[np.int32, np.uint8]:
    """Return how many cells of a field, or tile, are taken from a block for certain, and whether it is doubtful.

    The block has ``last`` + 1 rows and columns, the field tall x wide cells.
    """
    top, left = np.int32(table[ROW, index] - row), np.int32(table[COL, index] - col)
    near = _nearest(top, left, tall, wide, last)
    far = _farthest(top, left, tall, wide, last)
    least = table[LEAST, index]
    sure = table[NUMBER, index] if far <= least else np.int32(0)
    return sure, np.uint8((far > least) & (near <= table[GREATEST, index]))


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
    """Return how far, squared, a cell of such a rectangle may be from one of the block."""
    low = max(np.int32(top + down - 1), np.int32(last - top))
    wide = max(np.int32(left + across - 1), np.int32(last - left))
    return np.int32(np.int32(low * low) + np.int32(wide * wide))
