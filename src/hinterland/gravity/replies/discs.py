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
memory, which so stay in the first-level cache.
"""

from __future__ import annotations

import numpy as np

from hinterland.gravity.replies.caps import CHORDS, enter_caps, enter_corners
from hinterland.gravity.replies.octagons import CENTRE, COL, FIELDS, LANES, SQUARE, enter_edges, shape
from hinterland.jit import inlined


@inlined
def enter_row(table: np.ndarray, row: int, size: int, reaches: np.ndarray) -> int:
    """Enter the discs of all c with ``|c - (row, col)|^2 <= reaches[col]``; none where that is negative.

    Returns how many discs cover the board; they are not entered. ``table``: int32, one of octagons.new_tables;
    ``reaches``: int32[size].
    """
    tall = max(row, size - 1 - row)
    everywhere = 0
    group = np.zeros(FIELDS * LANES, dtype=np.float64)
    aims = np.empty(6 * LANES, dtype=np.int32)
    chords = np.empty(CHORDS * LANES, dtype=np.int32)
    ends = np.empty((2 * size, LANES), dtype=np.int32)
    col = 0
    while col < size:
        count = 0
        while col < size and count < LANES:
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
            enter_edges(table, group, aims, count, row, size)
            enter_caps(table, group, chords, count, row, size, ends)
            enter_corners(table, group, chords, count, row, size, ends)
    return everywhere
