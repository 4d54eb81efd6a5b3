"""The reply map against a single stone, where every gain is a half-plane of cells.

The map of discs (reply_map.py) is slowest in the second ply of a game, where all discs are large: a new stone p takes a
cell x from the only stone s, of the same weight, if x is nearer to p, that is if ``2 (p - s) x > |p|^2 - |s|^2``. So a
gain is a count of whole points beyond the perpendicular bisector, which needs no disc. Row by row their number is a
quotient ``(a y + b) // m``, and such quotients are summed up in as many steps as the highest common factor of a and m
takes, in the manner of Euclid's algorithm (Graham, Knuth, Patashnik 1994, section 3.5).
"""

from __future__ import annotations

import numpy as np

from hinterland.gravity.area.stones import NewStone, Stones
from hinterland.jit import inlined, kernel


def can_count(new: NewStone) -> bool:
    """Say whether the only stone is a rival's and weighs as much as the new one."""
    stones = new.stones
    is_alone = stones.rows.size == 1 and stones.starts[new.seat] == stones.starts[new.seat + 1]
    return bool(is_alone and stones.weights[0] == new.weight)


@kernel
def count_nearer(stones: Stones, first: int, end: int, gains: np.ndarray) -> None:
    """Set rows of ``gains`` to the number of cells that are nearer to each cell than to the only stone.

    The rows go from ``first`` to before ``end``. ``gains``: int32 (size, size).
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
    """Count the whole x and y from 0 to before ``size`` with ``2 ahead x + 2 aside y > offset``.

    ``|ahead|`` must be at least ``|aside|``. Once the board is reflected so that both are positive, each line of equal
    y holds ``(2 aside y + base) // (2 ahead)`` such points, but at least 0 and at most ``size``.
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
    """Sum ``(slope i + base) // divisor`` over i from 0 to before ``count``; nothing may be negative."""
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
