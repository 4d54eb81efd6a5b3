"""Enters the discs of a reply map (reply_map.py) as differences; prefix_sums.py sums these up.

A disc of radius r that is entered row by row takes an entry at both ends of each row: 4 r scattered additions. This
file needs fewer. Let a be a whole number near 0.9 r, and b the greatest whole number with ``a^2 + b^2 <= r^2``. The
octagon ``|dy| <= a, |dx| <= a, |dy| + |dx| <= a + b`` lies within the disc. The octagon's left edge and its right edge
each have three pieces, which go straight down or along a diagonal. So each edge takes six entries in tables of
differences, which are summed first along the pieces, then along the rows (octagons.py). What remains of the disc are
eight caps, one over each side of the octagon. Caps consist of chords: along the rows (above and below the octagon),
along the columns (on its left and right) or along the diagonals. A chord takes two entries, in tables that are summed
along the chord (caps.py). Caps are low, so a disc takes 1.4 r entries in all.

Each cell of the disc outside the octagon lies in exactly one cap. Proof: Such a cell breaks one of the octagon's three
conditions, so it lies in a cap. The number b is the greatest of its kind, so (a, b + 1) lies outside the disc. Let t be
a whole number from 1 to b + 1. Then (a + t, b - t + 1) lies outside, too: its squared distance is greater by
``2 (a - b) t + 2 t (t - 1)``, which is not negative because b is at most a (octagons.py). So a cell of the disc with
``|dx| = a + t`` has ``|dy| <= b - t``. Hence each cell of the disc with ``|dx| > a`` has ``|dx| + |dy| <= a + b`` and
``|dy| < b <= a``. So a cell of the cap on the left or on the right lies in no other cap. The same holds, with dx and dy
exchanged, for the caps above and below. A cell in two of the four caps along the diagonals would have ``|dx| > a + b``
or ``|dy| > a + b``, which no cell of the disc has.

The board cuts most large discs. A chord that ends beyond the edge of the board needs no entry for its end. Chords that
begin beyond the edge would all be entered on the edge, side by side, so two entries are enough for all of them. Chords
get shorter outwards, so the chords that are cut are the first of a cap; a square root says how many.

Discs are entered in groups of 128, each in a lane: the discs of a tile of 8 x 16 cells, or of more cells if some have
no disc. Neighbouring discs have about equally many chords. Neighbouring lanes have discs of different rows, so that
they rarely change the same number one after the other; the second addition would have to wait for the first. Indices
are computed for all lanes at once, in whole numbers of 32 bits; one square root serves a chord in all four caps over
sides, or over corners. The discs of a row change hundreds of rows of the tables, more than the second-level cache
holds. So a band of rows is entered strip by strip: then discs change what the discs before have just brought into the
cache. And discs are entered in two parts, sides and corners: while a core enters one part, it needs only the tables of
that part.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.gravity.replies.caps import CHORDS, enter_caps, enter_corners
from hinterland.gravity.replies.octagons import (
    FIELDS,
    LANES,
    SIDES,
    SQUARE,
    enter_slanting_edges,
    enter_upright_edges,
    set_lane,
    shape,
)
from hinterland.jit import inlined, kernel

STRIP_COLS = 32
"""Columns of a band that are entered together."""
TILE_ROWS = 8
"""Rows of a strip that are entered together, column by column."""


class Lanes(NamedTuple):
    """Room for a group of discs. Kernels overwrite it."""

    group: np.ndarray
    """int32[FIELDS * LANES], see octagons.py."""
    aims: np.ndarray
    """int32[4 * LANES]."""
    chords: np.ndarray
    """int32[CHORDS * LANES], see caps.py."""
    ends: np.ndarray
    """int32 (chords, LANES)."""


@inlined(allocates=True)
def _new_lanes(size: int) -> Lanes:
    return Lanes(
        np.zeros(FIELDS * LANES, dtype=np.int32),
        np.empty(4 * LANES, dtype=np.int32),
        np.empty(CHORDS * LANES, dtype=np.int32),
        np.empty((2 * size, LANES), dtype=np.int32),
    )


@kernel(allocates=True)
def enter_band(table: np.ndarray, part: int, first: int, reaches: np.ndarray) -> None:
    """Enter a part of the discs of a band; disc (i, j) is all cells c with ``|c - (first + i, j)|^2 <= reaches[i, j]``.

    ``part``: SIDES or CORNERS. ``table``: int32[n], from ``octagons.new_tables`` for this part. ``reaches``: int32
    (rows, size), negative where there is no disc. No disc may cover the whole board.
    """
    rows, size = reaches.shape
    lanes = _new_lanes(size)
    count = 0
    for strip in range(0, size, STRIP_COLS):
        for top in range(0, rows, TILE_ROWS):
            for col in range(strip, min(strip + STRIP_COLS, size)):
                for i in range(top, min(top + TILE_ROWS, rows)):
                    if reaches[i, col] >= 0:
                        set_lane(lanes.group, count, first + i, col, reaches[i, col])
                        count += 1
                    if count == LANES:
                        _enter_group(table, part, lanes, count, size)
                        count = 0
    _enter_group(table, part, lanes, count, size)


@inlined
def _enter_group(table: np.ndarray, part: int, lanes: Lanes, count: int, size: int) -> None:
    """Enter a part of the discs in the first ``count`` lanes."""
    if count > 0:
        for lane in range(count, LANES):
            lanes.group[SQUARE + lane] = 0
        shape(lanes.group, count, size)
        if part == SIDES:
            enter_upright_edges(table, lanes.group, lanes.aims, count, size)
            enter_caps(table, lanes.group, lanes.chords, count, size, lanes.ends)
        else:
            enter_slanting_edges(table, lanes.group, lanes.aims, count, size)
            enter_corners(table, lanes.group, lanes.chords, count, size, lanes.ends)
