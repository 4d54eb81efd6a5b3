"""A group of discs as lanes of arrays, the octagons within them, and how their edges are entered; see discs.py."""

from __future__ import annotations

import math

import numpy as np

from hinterland.jit import JIT_ON, inlined

ACROSS, DOWN, FALLING, RISING, UPRIGHT, FALLING_EDGE, RISING_EDGE = range(7)
"""Tables of differences. The first four hold chords along rows, columns and diagonals (falling: downwards to the
right; rising: downwards to the left), the others edges of octagons, which are still to be summed along rows."""
TABLES = 7
FALLING_LEFT, FALLING_TOP, RISING_RIGHT, RISING_TOP = range(4)
"""Lines behind the tables: differences of how many diagonal chords begin on the cells of an edge of the board."""
LANES = 32 if JIT_ON else 4
"""So many discs are entered together. Loops over fewer would be unrolled before they are vectorised; uncompiled, empty
lanes only cost time."""
FIELDS = 9
COL, CENTRE, SQUARE, HALF, GIRTH, CAP, CORNER, CUT_LEFT, CUT_RIGHT = (LANES * i for i in range(FIELDS))
"""Where in a group, float64[FIELDS * LANES], these begin: columns; indices of centres; squared radii; the octagons' a
and a + b; how many chords the caps over sides and those over corners have; how far up and down the discs reach just
behind the left and the right edge of the board, -1 where they do not."""
FLATNESS = 0.45
"""Half a side of the octagon, of the radius; the number of entries is least near the sine of 26.6 degrees."""


def new_tables(parts: int, size: int) -> np.ndarray:
    """Return empty tables for a board, int32 (parts, n): TABLES of (size + 1, size + 2) and four lines.

    A table has a row below the board and a column on its left and its right, for what lies just behind the edge. The
    last LANES places are for what is cut off.
    """
    return np.zeros((parts, TABLES * (size + 1) * (size + 2) + 4 * (size + 2) + LANES), dtype=np.int32)


@inlined
def behind(square: float, room: float) -> float:
    """Return how far a disc reaches along an edge of the board ``room`` away, just behind it; -1 where it does not."""
    rest = square - (room + 1.0) * (room + 1.0)
    along = np.floor(math.sqrt(max(rest, 0.0)))
    return along if rest >= 0.0 else -1.0


@inlined
def shape(group: np.ndarray, count: int, tall: float, size: int) -> None:
    """Work out all of a group but COL, CENTRE and SQUARE. ``tall``: the rows on the longer side of its row."""
    for lane in range(LANES):
        square = group[SQUARE + lane]
        before = group[COL + lane]
        after = size - 1.0 - before
        flat = np.floor(FLATNESS * math.sqrt(square))
        half = np.floor(math.sqrt(square - flat * flat))
        group[HALF + lane] = half
        group[GIRTH + lane] = half + flat
        cap = min(np.floor(math.sqrt(square)), max(tall, before, after)) - half
        corner = min(np.floor(math.sqrt(2.0 * square)), tall + max(before, after)) - half - flat
        group[CAP + lane] = cap if lane < count else 0.0
        group[CORNER + lane] = corner if lane < count else 0.0
        group[CUT_LEFT + lane] = behind(square, before)
        group[CUT_RIGHT + lane] = behind(square, after)


@inlined
def _aim(aims: np.ndarray, place: int, valid: bool, index: float, spare: float) -> None:
    aims[place] = np.int32(index if valid else spare)


@inlined
def _aim_edges(
    group: np.ndarray, aims: np.ndarray, side: float, above: float, below: float, size: int, spare: float
) -> None:
    """Set ``aims``, int32[6 * LANES], to where the left (``side`` -1) or right (1) edges of the octagons are entered.

    The first three times LANES are for the beginnings of straight pieces, the others for their ends.
    """
    width = size + 2.0
    area = (size + 1.0) * width
    upper = area * (FALLING_EDGE if side > 0.0 else RISING_EDGE)
    lower = area * (RISING_EDGE if side > 0.0 else FALLING_EDGE)
    for lane in range(LANES):
        half = group[HALF + lane]
        girth = group[GIRTH + lane]
        room = group[COL + lane] if side < 0.0 else size - 1.0 - group[COL + lane]
        out = min(half, room)
        straight = min(girth - out, half)
        top = min(half, above)
        bottom = min(half, below)
        start = group[CENTRE + lane] + max(side, 0.0)
        corner = start + upper + side * girth
        _aim(aims, lane, top > straight, corner - top * (width + side), spare + lane)
        _aim(aims, 3 * LANES + lane, top > straight, corner - straight * (width + side), spare + lane)
        corner = start + area * UPRIGHT + side * out
        aims[LANES + lane] = np.int32(corner - min(top, straight) * width)
        aims[4 * LANES + lane] = np.int32(corner + (min(bottom, straight) + 1.0) * width)
        corner = start + lower + side * girth + (width - side)
        _aim(aims, 2 * LANES + lane, bottom > straight, corner + straight * (width - side), spare + lane)
        _aim(aims, 5 * LANES + lane, bottom > straight, corner + bottom * (width - side), spare + lane)


@inlined
def enter_edges(table: np.ndarray, group: np.ndarray, aims: np.ndarray, count: int, row: int, size: int) -> None:
    """Enter the left and the right edges of a group's octagons. ``aims``: int32[6 * LANES], overwritten."""
    spare = float(table.size - LANES)
    for side in (-1, 1):
        _aim_edges(group, aims, float(side), float(row), float(size - 1 - row), size, spare)
        for piece in range(3):
            for lane in range(count):
                table[np.uint64(aims[piece * LANES + lane])] -= side
                table[np.uint64(aims[(piece + 3) * LANES + lane])] += side
