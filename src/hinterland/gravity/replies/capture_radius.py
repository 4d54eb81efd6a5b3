"""Finds the capture radius: how near a new stone must be to take a cell, as an exact whole number.

Let m be the mover's own pull on a cell x, and T the greatest pull of any other seat. A new stone of weight w on c makes
x the mover's exactly if ``m + w / |x - c|^2 > T``, that is ``|x - c|^2 < w / (T - m)``. Squared distances are whole
numbers, so what matters is the *reach* of x: the greatest whole number below that quotient. The reach is -1 if x cannot
be gained (it is the mover's already, or lies under a stone), and EVERYWHERE if a new stone anywhere on the board takes
x (for example if T = m).

Under the law "nearest" only each seat's strongest stone counts: the condition is ``|x - c|^2 < w / T``, unless m > T
already.

Quotients are often whole numbers (always against a single stone of the same weight), and next to a whole number a
rounding error changes the reach. So floating point only gives bounds on the quotient; if a whole number k lies between
the bounds, ``w / k + m > T`` is decided in whole numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.gravity.area.cell_owner import add_pulls, list_terms, rounding_share, square_to
from hinterland.gravity.area.exact_sums import sign_of_sum
from hinterland.gravity.area.stones import NewStone
from hinterland.jit import inlined, part

EVERYWHERE = 1 << 30
"""Greater than any squared distance on a board."""
LEAST_LEAD = 1e-300
"""Used instead of a lead T - m of 0 or less, so that quotients stay finite; every true lead is greater."""


class RowScratch(NamedTuple):
    """Room for a row of the board. Kernels overwrite it."""

    cols: np.ndarray
    """float64[size]: 0, 1, 2 …"""
    rows: np.ndarray
    """float64[size]: the number of the row, the same in all columns."""
    pulls: np.ndarray
    """float64 (3, size)."""
    reaches: np.ndarray
    """int32[size]: the reach of every cell."""
    above: np.ndarray
    """int32[size]: for every cell, the greatest reach that floating point leaves possible."""


OWN, RIVAL, OTHER = range(3)
"""The rows of ``RowScratch.pulls``: pulls of the mover, of the strongest rival on each cell, of the seat that is being
added."""


@inlined(allocates=True)
def new_scratch(size: int) -> RowScratch:
    """Return room for a row."""
    cols = np.arange(size).astype(np.float64)
    return RowScratch(cols, np.empty(size), np.empty((3, size)), np.empty(size, np.int32), np.empty(size, np.int32))


@inlined(allocates=True)
def _takes(new: NewStone, square: int, row: int, col: int) -> bool:
    """Say exactly whether the mover owns a cell with a new stone at squared distance ``square``; 0: no new stone."""
    count = new.stones.rows.size + 1
    numerators = np.empty(count, dtype=np.int64)
    squares = np.empty(count, dtype=np.int64)
    for other in range(new.stones.starts.size - 1):
        if other != new.seat:
            terms = list_terms(new.stones, new.seat, other, row, col, numerators, squares)
            if square > 0:
                numerators[terms] = new.weight
                squares[terms] = square
                terms += 1
            if sign_of_sum(numerators, squares, terms) <= 0:
                return False
    return True


@inlined
def _reach_exactly(new: NewStone, low: int, high: int, row: int, col: int) -> int:
    """Return the reach of a cell without a stone, by bisection, if it is known to be from ``low`` to ``high``."""
    if low < 0 and _takes(new, 0, row, col):
        return -1
    low = max(low, 0)
    while low < high:
        middle = (low + high + 1) // 2
        if _takes(new, middle, row, col):
            low = middle
        else:
            high = middle - 1
    return low


@inlined
def _bracket(weight: int, own: float, rival: float, error: float, farthest: int) -> tuple[np.int32, np.int32]:
    """Return the least and the greatest reach that a cell can have, given pulls that are off by at most ``error``.

    The code has no branches, so that the compiler can take several cells at a time.
    """
    lead = rival - own
    most = float(farthest + 1)
    below = np.int32(np.ceil(min(weight / max(lead + error, LEAST_LEAD) * (1.0 - 1e-15), most)) - 1.0)
    above = np.int32(np.ceil(min(weight / max(lead - error, LEAST_LEAD) * (1.0 + 1e-15), most)) - 1.0)
    return (
        np.int32(-1) if lead <= error else below,
        np.int32(-1) if lead < -error else (np.int32(farthest) if lead <= error else above),
    )


@inlined
def _reach_of_one(weight: int, square: int, rival: int, farthest: int) -> int:
    """Return the greatest k with ``weight / k > rival / square``: the reach against a single stone."""
    reach = (weight * square - 1) // rival
    return EVERYWHERE if reach >= farthest else reach


@inlined
def _find_nearest(new: NewStone, row: int, farthest: int, reaches: np.ndarray) -> None:
    """Set the reaches of a row's cells without stones under the law "nearest", by cross-multiplication."""
    rows, cols, weights = new.stones.rows, new.stones.cols, new.stones.weights
    first, last = new.stones.starts[new.seat], new.stones.starts[new.seat + 1]
    for col in range(reaches.size):
        own_weight = rival = 0
        own_square = rival_square = 1
        for i in range(rows.size):
            weight = int(weights[i])
            square = (row - int(rows[i])) ** 2 + (col - int(cols[i])) ** 2
            if first <= i < last:
                if weight * own_square > own_weight * square:
                    own_weight = weight
                    own_square = square
            elif weight * rival_square > rival * square:
                rival = weight
                rival_square = square
        if own_weight * rival_square > rival * own_square:
            reaches[col] = -1
        else:
            reaches[col] = EVERYWHERE if rival == 0 else _reach_of_one(new.weight, rival_square, rival, farthest)


@inlined
def _sum_pulls(new: NewStone, row: int, scratch: RowScratch) -> None:
    """Set ``scratch.pulls`` to the pulls of the mover and its strongest rival on every cell of a row."""
    scratch.rows[:] = row
    scratch.pulls[RIVAL] = 0.0
    size = scratch.cols.size
    for seat in range(new.stones.starts.size - 1):
        pulls = scratch.pulls[OWN if seat == new.seat else OTHER]
        add_pulls(new.stones, seat, scratch.rows, scratch.cols, size, pulls)
        if seat != new.seat:
            for col in range(size):
                scratch.pulls[RIVAL, col] = max(scratch.pulls[RIVAL, col], pulls[col])


@inlined
def _find_by_pulls(new: NewStone, row: int, farthest: int, scratch: RowScratch) -> None:
    """Set the reaches of a row's cells without stones under the law "gravity"."""
    _sum_pulls(new, row, scratch)
    pulls, reaches, above, weight = scratch.pulls, scratch.reaches, scratch.above, new.weight
    share = rounding_share(new.stones.rows.size)
    unclear = 0
    for col in range(reaches.size):
        own, rival = pulls[OWN, col], pulls[RIVAL, col]
        least, most = _bracket(weight, own, rival, share * (own + rival), farthest)
        untouched = own + rival == 0.0
        reaches[col] = np.int32(EVERYWHERE) if untouched or least >= farthest else least
        above[col] = np.int32(EVERYWHERE) if untouched else most
        unclear += reaches[col] < above[col]
    if unclear > 0:
        for col in range(reaches.size):
            if reaches[col] < above[col]:
                reach = _reach_exactly(new, int(reaches[col]), int(above[col]), row, col)
                reaches[col] = EVERYWHERE if reach >= farthest else reach


@part
def find_reaches(new: NewStone, row: int, scratch: RowScratch) -> None:
    """Set ``scratch.reaches`` to the reach of every cell of a row."""
    stones = new.stones
    reaches = scratch.reaches
    farthest = 2 * (stones.size - 1) ** 2
    if stones.nearest:
        _find_nearest(new, row, farthest, reaches)
    elif stones.rows.size == 1 and stones.starts[new.seat] == stones.starts[new.seat + 1]:
        for col in range(stones.size):
            reaches[col] = _reach_of_one(new.weight, square_to(stones, 0, row, col), int(stones.weights[0]), farthest)
    else:
        _find_by_pulls(new, row, farthest, scratch)
    for i in range(stones.rows.size):
        if int(stones.rows[i]) == row:
            reaches[int(stones.cols[i])] = -1


@inlined
def leave_out_covering(row: int, reaches: np.ndarray) -> int:
    """Set to -1 the reaches of a row's cells that a stone anywhere on the board takes; return their number."""
    size = reaches.size
    tall = max(row, size - 1 - row)
    found = 0
    for col in range(size):
        wide = max(col, size - 1 - col)
        covers = reaches[col] >= tall * tall + wide * wide
        found += covers
        reaches[col] = np.int32(-1) if covers else reaches[col]
    return found
