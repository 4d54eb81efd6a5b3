"""Finds out whether one seat owns a whole tile, and which seat.

Law "gravity". A pull is smooth away from stones. On a tile with centre c and half-diagonal r, Taylor's theorem gives
each seat's pull as a quadratic around c. The quadratic is off by at most ``4 w r^3 / (D - r)^5`` for each stone of
weight w at distance D from c, because the third derivative of 1/d^2 is at most 24 / d^5 in any direction. If the
leading seat's quadratic exceeds every other seat's on the whole tile by more than the errors of both together, the
leading seat owns every cell of the tile.

Law "nearest". Stone a pulls harder than stone b at x if ``a.w |x - b|^2 - b.w |x - a|^2 > 0``. The left side is a
quadratic in x; its value and its first and second derivatives at c bound its least value on the tile.

The innermost loops run over the tiles of a block, so that the compiler can take several tiles at a time.
"""

from __future__ import annotations

import math

import numpy as np

from hinterland.gravity.area.stones import Stones
from hinterland.jit import inlined

TILES_PER_SIDE = 8
"""Tiles a side of a block."""
LANES = TILES_PER_SIDE * TILES_PER_SIDE
"""Number of tiles in a block, and of cells in a smallest tile; they are computed together."""
SMALLEST_TILE_SIDE = 8
"""Cells a side of a smallest tile; an unsettled tile of this size is decided cell by cell."""
UNSETTLED = -2
"""Stands in place of the owner for a tile that no seat is sure to own."""
ROW, COL, HALF_HEIGHT, HALF_WIDTH, RADIUS = range(5)
"""The rows of a table of n tiles, float64 (5, n): row and column of the centre; half the height and half the width,
both from the first cell to the last; half the diagonal."""
ROUNDING_SHARE = 1e-10
"""Relative rounding error allowed for in a pull. True errors are far smaller, but a smaller allowance would hardly
settle more tiles."""
VALUE, SLOPE_ROW, SLOPE_COL, BEND_ROW, BEND_BOTH, BEND_COL, REMAINDER = range(7)
TERMS = 7
"""Number of terms of a seat's Taylor series: pull, two first and three second derivatives at the centre, and the
remainder divided by r^3."""
PULL, STONE_ROW, STONE_COL, WEIGHT, LEADS = range(5)
"""The rows of a table with the strongest stone at each tile's centre. LEADS is 0 if another seat's stone may be
stronger somewhere on the tile, else 1."""
LEAST_DISTANCE = 1e-3
"""Distance in cells that is assumed between a tile and a stone within it. So small a distance makes the remainder so
large that the tile stays unsettled."""


@inlined
def first_side(size: int) -> int:
    """Return the side of the tiles into which a board of this size is cut first."""
    side = SMALLEST_TILE_SIDE
    while side * TILES_PER_SIDE < size:
        side *= TILES_PER_SIDE
    return side


@inlined
def cut_block(top: int, left: int, side: int, end: int, size: int, corners: np.ndarray, tiles: np.ndarray) -> int:
    """Write the tiles of a block, as far as they lie on the board and above row ``end``; return their number.

    ``side``: cells a side of a tile. ``corners``: int64 (4, LANES): a tile's first row, the row after its last, its
    first column, the column after its last. ``tiles``: float64 (5, LANES), with the rows ROW to RADIUS.
    """
    count = 0
    for top_row in range(top, min(top + TILES_PER_SIDE * side, end), side):
        for left_col in range(left, min(left + TILES_PER_SIDE * side, size), side):
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
def _expand(stones: Stones, tiles: np.ndarray, count: int, series: np.ndarray) -> None:
    """Set ``series``, float64 (players, TERMS, >= count), to each seat's Taylor series around each tile's centre."""
    for seat in range(stones.starts.size - 1):
        series[seat, :, :count] = 0.0
        for i in range(stones.starts[seat], stones.starts[seat + 1]):
            row, col, weight = stones.rows[i], stones.cols[i], stones.weights[i]
            for tile in range(count):
                down = tiles[ROW, tile] - row
                right = tiles[COL, tile] - col
                square = max(down * down + right * right, 0.25)
                near = max(math.sqrt(square) - tiles[RADIUS, tile], LEAST_DISTANCE)
                inverse = 1.0 / square
                pull = weight * inverse
                slope = -2.0 * pull * inverse
                bend = -4.0 * slope * inverse
                near_square = near * near
                series[seat, VALUE, tile] += pull
                series[seat, SLOPE_ROW, tile] += slope * down
                series[seat, SLOPE_COL, tile] += slope * right
                series[seat, BEND_ROW, tile] += bend * down * down + slope
                series[seat, BEND_BOTH, tile] += bend * down * right
                series[seat, BEND_COL, tile] += bend * right * right + slope
                series[seat, REMAINDER, tile] += 4.0 * weight / (near * near_square * near_square)


@inlined
def _settle_gravity(stones: Stones, tiles: np.ndarray, count: int, series: np.ndarray, own: np.ndarray) -> None:
    _expand(stones, tiles, count, series)
    for tile in range(count):
        best = 0
        for seat in range(1, series.shape[0]):
            if series[seat, VALUE, tile] > series[best, VALUE, tile]:
                best = seat
        own[tile] = best
        first = series[best]
        high = tiles[HALF_HEIGHT, tile]
        wide = tiles[HALF_WIDTH, tile]
        cube = tiles[RADIUS, tile] ** 3
        for seat in range(series.shape[0]):
            if seat != best:
                other = series[seat]
                swing = high * abs(first[SLOPE_ROW, tile] - other[SLOPE_ROW, tile])
                swing += wide * abs(first[SLOPE_COL, tile] - other[SLOPE_COL, tile])
                swing += 0.5 * high * high * abs(first[BEND_ROW, tile] - other[BEND_ROW, tile])
                swing += high * wide * abs(first[BEND_BOTH, tile] - other[BEND_BOTH, tile])
                swing += 0.5 * wide * wide * abs(first[BEND_COL, tile] - other[BEND_COL, tile])
                swing += cube * (first[REMAINDER, tile] + other[REMAINDER, tile])
                if first[VALUE, tile] * (1.0 - ROUNDING_SHARE) - other[VALUE, tile] <= swing:
                    own[tile] = UNSETTLED


@inlined
def _settle_nearest(stones: Stones, tiles: np.ndarray, count: int, top: np.ndarray, own: np.ndarray) -> None:
    """Set ``own`` as ``settle`` does, by the law "nearest". ``top``: float64 (5, >= count), overwritten."""
    top[PULL, :count] = -1.0
    top[LEADS, :count] = 1.0
    for seat in range(stones.starts.size - 1):
        for i in range(stones.starts[seat], stones.starts[seat + 1]):
            row, col, weight = stones.rows[i], stones.cols[i], stones.weights[i]
            for tile in range(count):
                down = tiles[ROW, tile] - row
                right = tiles[COL, tile] - col
                pull = weight / max(down * down + right * right, 0.25)
                if pull > top[PULL, tile]:
                    top[PULL, tile] = pull
                    top[STONE_ROW, tile] = row
                    top[STONE_COL, tile] = col
                    top[WEIGHT, tile] = weight
                    own[tile] = seat
    for seat in range(stones.starts.size - 1):
        for i in range(stones.starts[seat], stones.starts[seat + 1]):
            row, col, weight = stones.rows[i], stones.cols[i], stones.weights[i]
            for tile in range(count):
                down = tiles[ROW, tile] - row
                right = tiles[COL, tile] - col
                own_down = tiles[ROW, tile] - top[STONE_ROW, tile]
                own_right = tiles[COL, tile] - top[STONE_COL, tile]
                best = top[WEIGHT, tile]
                lead = best * (down * down + right * right)
                lead -= weight * (own_down * own_down + own_right * own_right)
                swing = tiles[HALF_HEIGHT, tile] * abs(best * down - weight * own_down)
                swing += tiles[HALF_WIDTH, tile] * abs(best * right - weight * own_right)
                bend = abs(best - weight) * tiles[RADIUS, tile] * tiles[RADIUS, tile]
                if seat != own[tile] and lead * (1.0 - ROUNDING_SHARE) <= 2.0 * swing + bend:
                    top[LEADS, tile] = 0.0
    for tile in range(count):
        if top[PULL, tile] < 0.0 or top[LEADS, tile] == 0.0:
            own[tile] = UNSETTLED


@inlined
def settle(stones: Stones, tiles: np.ndarray, count: int, series: np.ndarray, own: np.ndarray) -> None:
    """Set ``own[:count]`` (int64) to the seat that owns each tile, or UNSETTLED. ``series`` is overwritten."""
    if stones.nearest:
        _settle_nearest(stones, tiles, count, series[0], own)
    else:
        _settle_gravity(stones, tiles, count, series, own)
