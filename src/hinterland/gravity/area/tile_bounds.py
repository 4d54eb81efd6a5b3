"""Settling many cells at once: which seat, if any, owns the whole of a tile.

Law "gravity". Pull is smooth away from stones. On a tile with centre c and half-diagonal r, Taylor's theorem
gives each seat's pull as a quadratic around c, off by at most ``4 w r^3 / (D - r)^5`` for each stone at
distance D, because the third derivative of 1/d^2 is at most 24 / d^5 in any direction. Where the leading seat's
quadratic keeps ahead of every other's over the tile by more than both remainders, it owns every cell of it.

Law "nearest". Stone a beats stone b at x where ``a.w |x - b|^2 - b.w |x - a|^2 > 0``: a quadratic in x, whose
least value on the tile is bounded by its value, slope and bend at c.

All loops run over the tiles of a block innermost, so that the compiler can take several tiles at a time.
"""

from __future__ import annotations

import math

import numpy as np

from hinterland.jit import inlined

__all__ = ["COL", "HALF_HEIGHT", "HALF_WIDTH", "RADIUS", "ROW", "UNSETTLED", "settle_gravity", "settle_nearest"]

UNSETTLED = -2
ROW, COL, HALF_HEIGHT, HALF_WIDTH, RADIUS = range(5)
"""The rows of a table of tiles, float64 (5, n): centre, half-extents between outermost cells, half-diagonal."""
SLACK = 1e-10
"""Far above the rounding error of these sums, far below what settling a closer call would win."""
TOO_NEAR = 1e-3
"""Distance given to a stone within the tile: the remainder becomes so large that nothing is settled."""


@inlined
def _expand(stones: np.ndarray, starts: np.ndarray, tiles: np.ndarray, count: int, series: np.ndarray) -> None:
    """Set ``series``, float64 (players, 7, >= count), to value, slopes r c, bends rr rc cc, remainder / r^3."""
    for seat in range(starts.size - 1):
        series[seat, :, :count] = 0.0
        for i in range(starts[seat], starts[seat + 1]):
            for tile in range(count):
                down = tiles[ROW, tile] - stones[0, i]
                right = tiles[COL, tile] - stones[1, i]
                square = max(down * down + right * right, 0.25)
                near = max(math.sqrt(square) - tiles[RADIUS, tile], TOO_NEAR)
                inverse = 1.0 / square
                pull = stones[2, i] * inverse
                slope = -2.0 * pull * inverse
                bend = -4.0 * slope * inverse
                near_square = near * near
                series[seat, 0, tile] += pull
                series[seat, 1, tile] += slope * down
                series[seat, 2, tile] += slope * right
                series[seat, 3, tile] += bend * down * down + slope
                series[seat, 4, tile] += bend * down * right
                series[seat, 5, tile] += bend * right * right + slope
                series[seat, 6, tile] += 4.0 * stones[2, i] / (near * near_square * near_square)


@inlined
def settle_gravity(
    stones: np.ndarray, starts: np.ndarray, tiles: np.ndarray, count: int, series: np.ndarray, own: np.ndarray
) -> None:
    """Set ``own[:count]`` (int64) to the seat that owns each tile, or UNSETTLED. ``series`` is overwritten."""
    _expand(stones, starts, tiles, count, series)
    for tile in range(count):
        first = 0
        for seat in range(1, series.shape[0]):
            if series[seat, 0, tile] > series[first, 0, tile]:
                first = seat
        own[tile] = first
        high = tiles[HALF_HEIGHT, tile]
        wide = tiles[HALF_WIDTH, tile]
        cube = tiles[RADIUS, tile] ** 3
        for seat in range(series.shape[0]):
            if seat != first:
                doubt = high * abs(series[first, 1, tile] - series[seat, 1, tile])
                doubt += wide * abs(series[first, 2, tile] - series[seat, 2, tile])
                doubt += 0.5 * high * high * abs(series[first, 3, tile] - series[seat, 3, tile])
                doubt += high * wide * abs(series[first, 4, tile] - series[seat, 4, tile])
                doubt += 0.5 * wide * wide * abs(series[first, 5, tile] - series[seat, 5, tile])
                doubt += cube * (series[first, 6, tile] + series[seat, 6, tile])
                if series[first, 0, tile] * (1.0 - SLACK) - series[seat, 0, tile] <= doubt:
                    own[tile] = UNSETTLED


@inlined
def _strongest(
    stones: np.ndarray, starts: np.ndarray, tiles: np.ndarray, count: int, top: np.ndarray, own: np.ndarray
) -> None:
    """Set ``top`` to pull, row, column, weight of the strongest stone at each centre, ``own`` to its seat.

    ``top``: float64 (4, >= count); ``own``: int64.
    """
    top[0, :count] = -1.0
    for seat in range(starts.size - 1):
        for i in range(starts[seat], starts[seat + 1]):
            for tile in range(count):
                down = tiles[ROW, tile] - stones[0, i]
                right = tiles[COL, tile] - stones[1, i]
                pull = stones[2, i] / max(down * down + right * right, 0.25)
                if pull > top[0, tile]:
                    top[0, tile] = pull
                    top[1, tile] = stones[0, i]
                    top[2, tile] = stones[1, i]
                    top[3, tile] = stones[2, i]
                    own[tile] = seat


@inlined
def settle_nearest(
    stones: np.ndarray, starts: np.ndarray, tiles: np.ndarray, count: int, top: np.ndarray, own: np.ndarray
) -> None:
    """Set ``own[:count]`` (int64) to the seat that owns each tile, or UNSETTLED.

    ``top``: float64 (5, >= count), overwritten.
    """
    _strongest(stones, starts, tiles, count, top, own)
    top[4, :count] = 1.0
    for seat in range(starts.size - 1):
        for i in range(starts[seat], starts[seat + 1]):
            weight = stones[2, i]
            for tile in range(count):
                down = tiles[ROW, tile] - stones[0, i]
                right = tiles[COL, tile] - stones[1, i]
                own_down = tiles[ROW, tile] - top[1, tile]
                own_right = tiles[COL, tile] - top[2, tile]
                best = top[3, tile]
                lead = best * (down * down + right * right)
                lead -= weight * (own_down * own_down + own_right * own_right)
                swing = tiles[HALF_HEIGHT, tile] * abs(best * down - weight * own_down)
                swing += tiles[HALF_WIDTH, tile] * abs(best * right - weight * own_right)
                bend = abs(best - weight) * tiles[RADIUS, tile] * tiles[RADIUS, tile]
                if seat != own[tile] and lead * (1.0 - SLACK) <= 2.0 * swing + bend:
                    top[4, tile] = 0.0
    for tile in range(count):
        if top[0, tile] < 0.0 or top[4, tile] == 0.0:
            own[tile] = UNSETTLED
