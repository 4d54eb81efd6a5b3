"""A group of discs as lanes of arrays, the octagons within them, and how their edges are entered; see discs.py."""

from __future__ import annotations

import numpy as np

from hinterland.jit import JIT_ON, inlined

ACROSS, DOWN, FALLING, RISING, UPRIGHT, FALLING_EDGE, RISING_EDGE = range(7)
"""Tables of differences. The first four hold chords along rows, columns and diagonals (falling: downwards to the
right; rising: downwards to the left), the others edges of octagons, which are still to be summed along rows."""
TABLES = 7
FALLING_LEFT, FALLING_TOP, RISING_RIGHT, RISING_TOP = range(4)
"""Lines behind the tables: differences of how many diagonal chords begin on the cells of an edge of the board."""
LANES = 64 if JIT_ON else 4
"""So many discs are entered together. Loops over fewer would be unrolled before they are vectorised; uncompiled, empty
lanes only cost time."""
FIELDS = 14
SQUARE, HALF, GIRTH, CAP, CORNER, CENTRE, ROOM, CUT = (LANES * i for i in (0, 1, 2, 3, 4, 5, 6, 10))
"""Where in a group, int32[FIELDS * LANES], these begin: squared radii; the octagons' a and a + b; how many chords the
caps over sides and those over corners have; indices of centres; and for each of four sides how many cells the board has
beyond the centre, and how far the disc reaches along the edge of the board just behind it, -1 where it does not."""
ABOVE, BELOW, LEFT, RIGHT = (LANES * i for i in range(4))
"""The sides: what is to be added to ROOM and to CUT."""
FLATNESS = 0.45
"""Half a side of the octagon, of the radius; the number of entries is least near the sine of 26.6 degrees."""


def new_tables(parts: int, size: int) -> np.ndarray:
    """Return empty tables for a board, int32 (parts, n): TABLES of (size + 1, size + 2) and four lines.

    A table has a row below the board and a column on its left and its right, for what lies just behind the edge. The
    last LANES places are for what is cut off.
    """
    return np.zeros((parts, TABLES * (size + 1) * (size + 2) + 4 * (size + 2) + LANES), dtype=np.int32)


@inlined
def root(square: np.int32) -> np.int32:
    """Return the greatest number whose square is at most ``square``, which is below 2^30; 0 for negative ones.

    Single precision is off by less than 0.01, so rounding gives the root or the next number.
    """
    near = np.int32(np.sqrt(np.float32(max(square, np.int32(0)))) + np.float32(0.5))
    return np.int32(near - np.int32(np.int32(near * near) > max(square, np.int32(0))))


@inlined
def set_lane(group: np.ndarray, lane: int, row: int, col: int, square: int, size: int) -> None:
    """Set a disc's centre, room and squared radius."""
    group[SQUARE + lane] = square
    group[CENTRE + lane] = row * (size + 2) + col + 1
    group[ROOM + ABOVE + lane] = row
    group[ROOM + BELOW + lane] = size - 1 - row
    group[ROOM + LEFT + lane] = col
    group[ROOM + RIGHT + lane] = size - 1 - col


@inlined
def shape(group: np.ndarray, count: int) -> None:
    """Work out from the squares of ``count`` discs, their centres and their room all that a group says."""
    for lane in range(LANES):
        square = group[SQUARE + lane]
        radius = root(square)
        flat = np.int32(np.float32(FLATNESS) * np.float32(radius))
        half = root(np.int32(square - np.int32(flat * flat)))
        group[HALF + lane] = half
        group[GIRTH + lane] = half + flat
        tall = max(group[ROOM + ABOVE + lane], group[ROOM + BELOW + lane])
        wide = max(group[ROOM + LEFT + lane], group[ROOM + RIGHT + lane])
        cap = np.int32(min(radius, max(tall, wide)) - half)
        corner = np.int32(min(root(np.int32(square + square)), np.int32(tall + wide)) - half - flat)
        group[CAP + lane] = cap if lane < count else np.int32(0)
        group[CORNER + lane] = corner if lane < count else np.int32(0)
    for side in range(4):
        for lane in range(LANES):
            beyond = np.int32(group[ROOM + side * LANES + lane] + 1)
            rest = np.int32(group[SQUARE + lane] - np.int32(beyond * beyond))
            group[CUT + side * LANES + lane] = root(rest) if rest >= np.int32(0) else np.int32(-1)


@inlined
def _aim(aims: np.ndarray, place: int, valid: bool, index: np.int32, spare: int) -> None:
    aims[place] = index if valid else np.int32(spare)


@inlined
def _aim_edges(group: np.ndarray, aims: np.ndarray, sign: int, size: int, spare: int) -> None:
    """Set ``aims``, int32[6 * LANES], to where the left (``sign`` -1) or right (1) edges of the octagons are entered.

    The first three times LANES are for the beginnings of straight pieces, the others for their ends.
    """
    width = size + 2
    area = (size + 1) * width
    upright = area * UPRIGHT
    side = LEFT if sign < 0 else RIGHT
    upper = area * (FALLING_EDGE if sign > 0 else RISING_EDGE)
    lower = area * (RISING_EDGE if sign > 0 else FALLING_EDGE)
    sideways, next_row = np.int32(sign), np.int32(width)
    falling, rising = np.int32(next_row + sideways), np.int32(next_row - sideways)
    for lane in range(LANES):
        half = group[HALF + lane]
        girth = group[GIRTH + lane]
        out = min(half, group[np.uint64(ROOM + side + lane)])
        straight = min(np.int32(girth - out), half)
        top = min(half, group[ROOM + ABOVE + lane])
        bottom = min(half, group[ROOM + BELOW + lane])
        start = np.int32(group[CENTRE + lane] + max(sign, 0))
        edge = np.int32(start + np.int32(sideways * girth))
        corner = np.int32(edge + upper)
        _aim(aims, lane, top > straight, np.int32(corner - np.int32(top * falling)), spare + lane)
        _aim(aims, 3 * LANES + lane, top > straight, np.int32(corner - np.int32(straight * falling)), spare + lane)
        corner = np.int32(start + upright + np.int32(sideways * out))
        aims[LANES + lane] = np.int32(corner - np.int32(min(top, straight) * next_row))
        aims[4 * LANES + lane] = np.int32(corner + np.int32(np.int32(min(bottom, straight) + 1) * next_row))
        corner = np.int32(edge + lower + rising)
        _aim(aims, 2 * LANES + lane, bottom > straight, np.int32(corner + np.int32(straight * rising)), spare + lane)
        _aim(aims, 5 * LANES + lane, bottom > straight, np.int32(corner + np.int32(bottom * rising)), spare + lane)


@inlined
def enter_edges(table: np.ndarray, group: np.ndarray, aims: np.ndarray, count: int, size: int) -> None:
    """Enter the left and the right edges of a group's octagons. ``aims``: int32[6 * LANES], overwritten."""
    for sign in (-1, 1):
        _aim_edges(group, aims, sign, size, table.size - LANES)
        for piece in range(3):
            for lane in range(count):
                table[np.uint64(aims[piece * LANES + lane])] -= sign
                table[np.uint64(aims[(piece + 3) * LANES + lane])] += sign
