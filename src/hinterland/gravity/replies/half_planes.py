"""Computes the reply map against a single stone, where every gain is the number of cells in a half-plane.

Summing discs (reply_map.py) is slowest in the second ply of a game, where all discs are large. But a new stone p takes
a cell x from the only stone s, of the same weight, if x is nearer to p than to s, that is if ``2 (p - s) x > |p|^2 -
|s|^2``. So the gain of p is the number of whole points beyond the perpendicular bisector. In row y the number of such
points is a quotient ``(a y + b) // m``, with whole numbers a, b and m that depend on p. Such quotients are summed up in
as many steps as Euclid's algorithm takes for a and m (Graham, Knuth, Patashnik 1994, section 3.5).
"""

from __future__ import annotations

import numpy as np

from hinterland.gravity.area.stones import NewStone, Stones
from hinterland.jit import inlined, kernel


def can_count(new: NewStone) -> bool:
    """Say whether there is a single stone, which is a rival's and weighs as much as the new one."""
    stones = new.stones
    is_alone = stones.rows.size == 1 and stones.starts[new.seat] == stones.starts[new.seat + 1]
    return bool(is_alone and stones.weights[0] == new.weight)


@kernel
def count_nearer(stones: Stones, first: int, end: int, gains: np.ndarray) -> None:
    """Set the gain of each cell to the number of cells that are nearer to it than to the only stone.

    Sets the rows from ``first`` to before ``end`` of ``gains``, int32 (size, size).
    """
    size = stones.size
    stone_row, stone_col = int(stones.rows[0]), int(stones.cols[0])
    for row in range(first, end):
        for col in range(size):
            down = row - stone_row
            right = col - stone_col
            offset = row * row + col * col - stone_row * stone_row - stone_col * stone_col
            if abs(right) >= abs(down):
                gains[row, col] = _count_beyond(right, down, offset, size)
            else:
                gains[row, col] = _count_beyond(down, right, offset, size)


@inlined
def _count_beyond(ahead: int, aside: int, offset: int, size: int) -> int:
    """Count the pairs of whole x and y from 0 to before ``size`` with ``2 ahead x + 2 aside y > offset``.

    ``|ahead|`` must be at least ``|aside|``. The board is reflected so that neither ``ahead`` nor ``aside`` is
    negative. Then each line of equal y has ``(aside y + base) // ahead`` such points, but at least 0 and at most
    ``size``.
    """
    if ahead == 0:
        return 0
    offset -= 2 * (size - 1) * (min(ahead, 0) + min(aside, 0))
    ahead = abs(ahead)
    aside = abs(aside)
    base = (2 * ahead * size - offset - 1) // 2
    if aside == 0:
        return size * max(min(base // ahead, size), 0)
    some = max(min(-((base - ahead) // aside), size), 0)
    every = max(min(-((base - ahead * size) // aside), size), 0)
    return size * (size - every) + _sum_quotients(every - some, aside, aside * some + base, ahead)


@inlined
def _sum_quotients(count: int, slope: int, base: int, divisor: int) -> int:
    """Sum ``(slope i + base) // divisor`` over i from 0 to before ``count``; no argument may be negative."""
    total = 0
    while count > 0:
        whole = slope // divisor
        slope -= whole * divisor
        total += whole * (count * (count - 1) // 2)
        whole = base // divisor
        base -= whole * divisor
        total += whole * count
        last = slope * count + base
        count = last // divisor
        base = last - count * divisor
        slope, divisor = divisor, slope
    return total
