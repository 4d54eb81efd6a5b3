"""Enters the caps over the sides of octagons, chord by chord; see discs.py.

Discs of a group differ in how many chords their caps have. If a loop ran over the chords of each disc, a processor
would mispredict each end of the loop, which costs more than the entries. So the outer loop runs over the chords, first
to last, and the inner one over the discs. A chord that a disc does not have is entered at a spare index behind the
tables. The indices of a chord's ends are computed for all lanes at once. Indices are int32, like all numbers from which
they are computed, because sixteen of these fit a vector of 512 bits. Indices are read two at a time, as one uint64.
"""

from __future__ import annotations

import numpy as np

from hinterland.gravity.replies import octagons
from hinterland.gravity.replies.octagons import ABOVE, BELOW, CORNERS, CUT, LANES, LEFT, RIGHT, ROOM, TABLES, root
from hinterland.jit import inlined, part

CHORDS = 7
PLUS, MINUS, FROM, FROM_MINUS, STOP, BEGIN, END = (LANES * i for i in range(CHORDS))
"""Offsets of the fields of ``chords``, int32[CHORDS * LANES]. A chord is entered as +1 where it begins and -1 behind
its end. PLUS, MINUS: the indices of both for the first chord, as if it had only its middle. FROM: the first chord that
begins on the board. FROM_MINUS: the first chord that ends on the board. STOP: the number of chords. BEGIN, END: the
indices of +1 and -1 for the chord that is being entered."""
FIRST_PLACE_MASK, SECOND_PLACE_SHIFT = np.uint64(0xFFFFFFFF), np.uint64(32)
"""Mask and shift that take the two indices from a pair: the first is its low 32 bits, the second its high 32 bits."""


@inlined
def _aim_all(chords: np.ndarray, plus: int, minus: int, apart: np.ndarray, stride: int) -> None:
    """Set BEGIN and END for a chord that every lane has. ``apart``: int32[LANES], half its length."""
    for lane in range(LANES):
        out = np.int32(apart[lane] * stride)
        chords[BEGIN + lane] = np.int32(chords[PLUS + lane] + plus - out)
        chords[END + lane] = np.int32(chords[MINUS + lane] + minus + out)


@inlined
def _aim_some(chords: np.ndarray, step: int, plus: int, minus: int, apart: np.ndarray, stride: int, spare: int) -> None:
    """Set BEGIN and END for a chord that some lanes have only in part or not at all."""
    for lane in range(LANES):
        out = np.int32(apart[lane] * stride)
        begin = np.int32(chords[PLUS + lane] + plus - out)
        end = np.int32(chords[MINUS + lane] + minus + out)
        nowhere = np.int32(spare + lane)
        before = step < chords[STOP + lane]
        chords[BEGIN + lane] = begin if before and step >= chords[FROM + lane] else nowhere
        chords[END + lane] = end if before and step >= chords[FROM_MINUS + lane] else nowhere


@part
def _enter_chords(
    table: np.ndarray, chords: np.ndarray, plus_step: int, minus_step: int, stride: int, ends: np.ndarray
) -> None:
    """Enter a cap of each lane.

    From chord to chord, the index of +1 grows by ``plus_step`` and the index of -1 by ``minus_step``. Then the two
    indices move apart, each by ``ends`` times ``stride``.
    """
    pairs = chords.view(np.uint64)
    first = stop = all_stop = chords[STOP]
    all_first = np.int32(0)
    for lane in range(LANES):
        first = min(first, chords[FROM + lane], chords[FROM_MINUS + lane])
        stop = max(stop, chords[STOP + lane])
        all_first = max(all_first, chords[FROM + lane], chords[FROM_MINUS + lane])
        all_stop = min(all_stop, chords[STOP + lane])
    for step in range(first, stop):
        if all_first <= step < all_stop:
            _aim_all(chords, plus_step * step, minus_step * step, ends[step], stride)
        else:
            spare = table.size - LANES
            _aim_some(chords, step, plus_step * step, minus_step * step, ends[step], stride, spare)
        for pair in range(LANES // 2):
            begin, end = pairs[BEGIN // 2 + pair], pairs[END // 2 + pair]
            table[begin & FIRST_PLACE_MASK] += 1
            table[end & FIRST_PLACE_MASK] -= 1
            table[begin >> SECOND_PLACE_SHIFT] += 1
            table[end >> SECOND_PLACE_SHIFT] -= 1


@inlined
def _set_chords(
    chords: np.ndarray, lane: int, plus: np.int32, minus: np.int32, cut: np.int32, cut_minus: np.int32
) -> None:
    """Set PLUS and MINUS, and set FROM and FROM_MINUS to the cuts, at most STOP, which must be set before."""
    stop = chords[STOP + lane]
    chords[PLUS + lane] = plus
    chords[MINUS + lane] = minus
    chords[FROM + lane] = max(min(cut, stop), np.int32(0))
    chords[FROM_MINUS + lane] = max(min(cut_minus, stop), np.int32(0))


@inlined
def _most(group: np.ndarray, field: int) -> int:
    most = group[field]
    for lane in range(LANES):
        most = max(most, group[field + lane])
    return int(most)


@inlined
def _half_chords(group: np.ndarray, steps: int, ends: np.ndarray) -> None:
    """Set ``ends[step, lane]`` to half the length, without the middle, of a lane's chord ``step`` over a side."""
    for step in range(steps):
        for lane in range(LANES):
            out = np.int32(group[octagons.HALF + lane] + 1 + step)
            ends[step, lane] = root(np.int32(group[octagons.SQUARE + lane] - np.int32(out * out)))


@inlined
def _aim_side(
    group: np.ndarray, chords: np.ndarray, side: int, outward: int, along: int, first: int, last: int
) -> None:
    """Set ``chords`` for the caps of all lanes over one side.

    ``outward``: the index step from chord to chord. ``along``: the index step along a chord. ``first``, ``last``: the
    sides of the board towards which chords begin and end.
    """
    to_next, on = np.int32(outward), np.int32(along)
    for lane in range(LANES):
        half = group[octagons.HALF + lane]
        middle = np.int32(group[octagons.CENTRE + lane] + np.int32(to_next * np.int32(half + 1)))
        room = np.int32(group[np.uint64(ROOM + side + lane)] - half)
        chords[STOP + lane] = max(min(group[octagons.CAP + lane], room), np.int32(0))
        cut = np.int32(group[np.uint64(CUT + first + lane)] - half)
        cut_minus = np.int32(group[np.uint64(CUT + last + lane)] - half)
        _set_chords(chords, lane, middle, np.int32(middle + on), cut, cut_minus)


@inlined
def _enter_side(
    table: np.ndarray, group: np.ndarray, chords: np.ndarray, count: int, side: int, size: int, ends: np.ndarray
) -> None:
    """Enter the caps over a side of a group's octagons.

    Chords that begin beyond the board's edge lie side by side along it, so they are entered as one edge in the table
    UPRIGHT.
    """
    width = size + 2
    area = (size + 1) * width
    flat = side in (ABOVE, BELOW)
    first, last = (LEFT, RIGHT) if flat else (ABOVE, BELOW)
    along, across = (1, width) if flat else (width, 1)
    outward = across if side in (BELOW, RIGHT) else -across
    upright = table[octagons.UPRIGHT * area :]
    _aim_side(group, chords, side, outward, along, first, last)
    for lane in range(count):
        cut = chords[FROM + lane]
        if cut > 0:
            edge = chords[PLUS + lane] - along * group[ROOM + first + lane]
            upright[edge + (0 if outward > 0 else (1 - cut) * across)] += 1
            upright[edge + (cut if outward > 0 else 1) * across] -= 1
    lines = table[(octagons.ACROSS if flat else octagons.DOWN) * area :]
    _enter_chords(lines, chords, outward, outward, along, ends)


@inlined
def enter_caps(
    table: np.ndarray, group: np.ndarray, chords: np.ndarray, count: int, size: int, ends: np.ndarray
) -> None:
    """Enter the caps over all sides of a group's octagons. ``table``: for SIDES; ``chords``, ``ends``: overwritten."""
    _half_chords(group, _most(group, octagons.CAP), ends)
    _enter_side(table, group, chords, count, ABOVE, size, ends)
    _enter_side(table, group, chords, count, LEFT, size, ends)
    _enter_side(table, group, chords, count, BELOW, size, ends)
    _enter_side(table, group, chords, count, RIGHT, size, ends)


@inlined
def _diagonal_chords(group: np.ndarray, steps: int, ends: np.ndarray) -> None:
    """Set ``ends[step, lane]`` to the lesser of |dy| and |dx| at the ends of a lane's chord ``step`` over a corner."""
    for step in range(steps):
        for lane in range(LANES):
            total = np.int32(group[octagons.DIAGONAL + lane] + 1 + step)
            square = np.int32(2 * group[octagons.SQUARE + lane])
            spread = root(np.int32(square - np.int32(total * total)))
            ends[step, lane] = np.int32(total - spread + 1) >> np.int32(1)


@inlined
def _aim_corner(group: np.ndarray, chords: np.ndarray, down: int, right: int) -> None:
    """Set ``chords`` for the caps of all lanes over one corner.

    ``down``, ``right``: the index steps of one row and one column towards this corner.
    """
    upper, side = (BELOW if down > 0 else ABOVE), (RIGHT if right > 0 else LEFT)
    downwards, sideways = np.int32(down), np.int32(right)
    turn = np.int32(downwards - sideways)
    for lane in range(LANES):
        square = group[octagons.SQUARE + lane]
        past = np.int32(group[octagons.DIAGONAL + lane] + 1)
        rows = group[np.uint64(ROOM + upper + lane)]
        cols = group[np.uint64(ROOM + side + lane)]
        room = min(rows, cols)
        both = np.int32(rows + cols)
        rest = np.int32(square - np.int32(room * room))
        last = min(both, max(np.int32(2 * room), np.int32(room + root(rest))))
        last = last if rest >= np.int32(0) else both
        chords[STOP + lane] = max(min(group[octagons.CORNER + lane], np.int32(last - past + 1)), np.int32(0))
        along_side, along_end = group[np.uint64(CUT + side + lane)], group[np.uint64(CUT + upper + lane)]
        side_cut = np.int32(along_side + cols + 2 - past) if along_side >= np.int32(0) else np.int32(0)
        end_cut = np.int32(along_end + rows + 2 - past) if along_end >= np.int32(0) else np.int32(0)
        flat = np.int32(group[octagons.CENTRE + lane] + np.int32(past * sideways))
        steep = np.int32(group[octagons.CENTRE + lane] + np.int32(past * downwards))
        if down > 0:
            _set_chords(chords, lane, flat, np.int32(steep + turn), side_cut, end_cut)
        else:
            _set_chords(chords, lane, steep, np.int32(flat - turn), end_cut, side_cut)


@inlined
def _enter_rim(group: np.ndarray, chords: np.ndarray, count: int, down: int, right: int, starts: np.ndarray) -> None:
    """Enter the chords that begin beyond an edge of the board as differences along the edge.

    ``starts``: int32[size + 2], differences of how many chords begin on each cell of the edge.
    """
    for lane in range(count):
        cut = chords[FROM + lane]
        if cut > 0:
            past = group[octagons.DIAGONAL + lane] + 1
            row, col = group[ROOM + ABOVE + lane], group[ROOM + LEFT + lane]
            if down > 0:
                first = row + past - group[ROOM + (RIGHT if right > 0 else LEFT) + lane]
            else:
                first = col + 1 + right * (past - row) - (0 if right > 0 else cut - 1)
            starts[first] += 1
            starts[first + cut] -= 1


@inlined
def enter_corners(
    table: np.ndarray, group: np.ndarray, chords: np.ndarray, count: int, size: int, ends: np.ndarray
) -> None:
    """Enter the caps over the corners of a group's octagons. ``table``: for CORNERS; see ``enter_caps``."""
    width = size + 2
    area = (size + 1) * width
    _diagonal_chords(group, _most(group, octagons.CORNER), ends)
    for corner in range(4):
        lower = corner < 2
        right = 1 if corner % 2 == 0 else -1
        down = width if lower else -width
        rising = lower == (right > 0)
        side = octagons.RISING_RIGHT if rising else octagons.FALLING_LEFT
        top = octagons.RISING_TOP if rising else octagons.FALLING_TOP
        rim = TABLES[CORNERS] * area + (side if lower else top) * width
        _aim_corner(group, chords, down, right)
        _enter_rim(group, chords, count, down, right, table[rim : rim + width])
        lines = table[(octagons.RISING if rising else octagons.FALLING) * area :]
        if lower:
            _enter_chords(lines, chords, right, down, right - down, ends)
        else:
            _enter_chords(lines, chords, down, right, down - right, ends)
