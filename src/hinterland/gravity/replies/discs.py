"""Entering half a million discs as differences, in as few additions as it takes; ``reply_map.py`` sums them up.

Entered row by row, a disc of radius r takes an entry at both ends of each row: 4 r scattered additions. Most of it
can be had for less. Let b be 0.45 r and a the greatest whole number with ``a^2 + b^2 <= r^2``. The octagon ``|dy| <= a,
|dx| <= a, |dy| + |dx| <= a + b`` lies within the disc, and its sides run down the rows and the two diagonals only. So
its left and its right edge take six entries each, in tables of differences that are summed along the edge's direction
first and along the rows then (octagons.py). What is left are eight caps over the sides: chords along the rows (above
and below), the columns (left and right) and the diagonals, two entries each, in tables that are summed along the chord
(caps.py). That no cell is missed or counted twice rests on a being greatest: a cell of the disc with ``|dx| > a`` has
``|dx| + |dy| <= a + b``, hence no cell lies in two caps. Caps are low, so this comes to 1.4 r entries.

The board cuts most large discs. A chord's end that lies behind the edge of the board needs no entry; beginnings that do
would all be entered on the edge, side by side, and two entries enter them all. Chords shrink outwards, so it is always
the first chords of a cap that are cut, and a root says how many.

Discs are taken 32 at a time, the lanes of a group. Places are computed for all lanes at once, in floating point, which
is exact below 2^53; one root serves a chord of all four caps of a kind; and neighbours write to the same lines of
memory. Discs of a row reach over hundreds of rows of the tables, more than the second-level cache holds; so a band of
rows is entered strip by strip, where the discs of one row fall on what those of the row before have just fetched.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.gravity.replies.caps import CHORDS, enter_caps, enter_corners
from hinterland.gravity.replies.octagons import CENTRE, COL, FIELDS, LANES, SQUARE, enter_edges, shape
from hinterland.jit import inlined

STRIP = 64
"""So many columns of a band are entered together."""


class Lanes(NamedTuple):
    """Room for a group of discs. Kernels overwrite it."""

    group: np.ndarray
    """float64[FIELDS * LANES], see octagons.py."""
    aims: np.ndarray
    """int32[6 * LANES]."""
    chords: np.ndarray
    """int32[CHORDS * LANES], see caps.py."""
    ends: np.ndarray
    """int32 (chords, LANES)."""


@inlined
def _new_lanes(size: int) -> Lanes:
    return Lanes(
        np.zeros(FIELDS * LANES, dtype=np.float64),
        np.empty(6 * LANES, dtype=np.int32),
        np.empty(CHORDS * LANES, dtype=np.int32),
        np.empty((2 * size, LANES), dtype=np.int32),
    )


@inlined
def enter_band(table: np.ndarray, first: int, reaches: np.ndarray) -> int:
    """Enter the discs of all c with ``|c - (first + i, j)|^2 <= reaches[i, j]``; none where that is negative.

    Returns how many discs cover the board; they are not entered. ``table``: int32, one of octagons.new_tables;
    ``reaches``: int32 (rows, size).
    """
    rows, size = reaches.shape
    lanes = _new_lanes(size)
    everywhere = 0
    for col in range(0, size, STRIP):
        for i in range(rows):
            everywhere += _enter_run(table, first + i, col, min(col + STRIP, size), reaches[i], lanes)
    return everywhere


@inlined
def _enter_run(table: np.ndarray, row: int, col: int, end: int, reaches: np.ndarray, lanes: Lanes) -> int:
    """Enter the discs of a row from ``col`` to before ``end``; return how many cover the board."""
    size = reaches.size
    tall = max(row, size - 1 - row)
    group, _, chords, ends = lanes
    everywhere = 0
    while col < end:
        count = 0
        while col < end and count < LANES:
            square = int(reaches[col])
            wide = max(col, size - 1 - col)
            if square >= tall * tall + wide * wide:
                everywhere += 1
            elif square >= 0:
                group[COL + count] = col
                group[CENTRE + count] = row * (size + 2) + col + 1
                group[SQUARE + count] = square
                count += 1
            col += 1
        for lane in range(count, LANES):
            group[SQUARE + lane] = 0.0
        if count > 0:
            shape(group, count, float(tall), size)
            enter_edges(table, group, lanes.aims, count, row, size)
            enter_caps(table, group, chords, count, row, size, ends)
            enter_corners(table, group, chords, count, row, size, ends)
    return everywhere
