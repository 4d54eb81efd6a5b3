"""How the caps over the sides of octagons are entered, chord by chord; see discs.py.

Discs of a group differ in how many chords their caps have. A loop over the chords of one disc after the other would
be mispredicted at each end, which costs more than the entries; so the chords' numbers run in the outer loop, the discs
in the inner one, and what a disc does not have is left out.
"""

from __future__ import annotations

import math

import numpy as np

from hinterland.gravity.replies import octagons
from hinterland.gravity.replies.octagons import LANES, TABLES, behind
from hinterland.jit import inlined

CHORDS = 5
PLUS, MINUS, FROM, FROM_MINUS, STOP = (LANES * i for i in range(CHORDS))
"""Where in ``chords``, int32[CHORDS * LANES], these begin: where the first chord's +1 and -1 would go, were it a point;
the first chords whose beginning and whose end are on the board; how many chords there are."""


@inlined
def _enter_chords(
    table: np.ndarray, chords: np.ndarray, plus_step: int, minus_step: int, stride: int, ends: np.ndarray
) -> None:
    """Enter a cap of each lane.

    From chord to chord the places move on by the steps, and ``ends`` times ``stride`` moves them apart.
    """
    first = stop = all_first = all_stop = chords[STOP]
    all_first = 0
    for lane in range(LANES):
        first = min(first, chords[FROM + lane], chords[FROM_MINUS + lane])
        stop = max(stop, chords[STOP + lane])
        all_first = max(all_first, chords[FROM + lane], chords[FROM_MINUS + lane])
        all_stop = min(all_stop, chords[STOP + lane])
    for step in range(first, stop):
        plus = plus_step * step
        minus = minus_step * step
        if all_first <= step < all_stop:
            for lane in range(LANES):
                apart = ends[step, lane] * stride
                table[np.uint64(chords[PLUS + lane] + plus - apart)] += 1
                table[np.uint64(chords[MINUS + lane] + minus + apart)] -= 1
        else:
            for lane in range(LANES):
                if step < chords[STOP + lane]:
                    apart = ends[step, lane] * stride
                    if step >= chords[FROM + lane]:
                        table[np.uint64(chords[PLUS + lane] + plus - apart)] += 1
                    if step >= chords[FROM_MINUS + lane]:
                        table[np.uint64(chords[MINUS + lane] + minus + apart)] -= 1


@inlined
def _set_chords(chords: np.ndarray, lane: int, plus: float, minus: float, cut: float, cut_minus: float) -> None:
    """Set all but STOP, which is there, and ends the cuts."""
    stop = float(chords[STOP + lane])
    chords[PLUS + lane] = np.int32(plus)
    chords[MINUS + lane] = np.int32(minus)
    chords[FROM + lane] = np.int32(max(min(cut, stop), 0.0))
    chords[FROM_MINUS + lane] = np.int32(max(min(cut_minus, stop), 0.0))


@inlined
def _aim_flat(group: np.ndarray, chords: np.ndarray, sign: float, room: float, size: int) -> None:
    """Set ``chords`` for the caps above (``sign`` -1) or below (1), where the board has ``room`` rows."""
    for lane in range(LANES):
        half = group[octagons.HALF + lane]
        middle = group[octagons.CENTRE + lane] + sign * (size + 2.0) * (half + 1.0)
        chords[STOP + lane] = np.int32(max(min(group[octagons.CAP + lane], room - half), 0.0))
        cut = group[octagons.CUT_LEFT + lane] - half
        _set_chords(chords, lane, middle, middle + 1.0, cut, group[octagons.CUT_RIGHT + lane] - half)


@inlined
def _aim_upright(group: np.ndarray, chords: np.ndarray, sign: float, above: float, below: float, size: int) -> None:
    """Set ``chords`` for the caps to the left (``sign`` -1) or to the right (1)."""
    for lane in range(LANES):
        half = group[octagons.HALF + lane]
        square = group[octagons.SQUARE + lane]
        middle = group[octagons.CENTRE + lane] + sign * (half + 1.0)
        room = group[octagons.COL + lane] if sign < 0.0 else size - 1.0 - group[octagons.COL + lane]
        chords[STOP + lane] = np.int32(max(min(group[octagons.CAP + lane], room - half), 0.0))
        cut = behind(square, above) - half
        _set_chords(chords, lane, middle, middle + (size + 2.0), cut, behind(square, below) - half)


@inlined
def _most(group: np.ndarray, field: int) -> int:
    most = 0.0
    for lane in range(LANES):
        most = max(most, group[field + lane])
    return int(most)


@inlined
def _half_chords(group: np.ndarray, steps: int, ends: np.ndarray) -> None:
    """Set ``ends[step, lane]`` to half the length of the chords over sides, without their middle."""
    for step in range(steps):
        for lane in range(LANES):
            out = group[octagons.HALF + lane] + (1.0 + step)
            ends[step, lane] = np.int32(math.sqrt(max(group[octagons.SQUARE + lane] - out * out, 0.0)))


@inlined
def enter_caps(
    table: np.ndarray, group: np.ndarray, chords: np.ndarray, count: int, row: int, size: int, ends: np.ndarray
) -> None:
    """Enter the caps above, below, left and right of a group's octagons. ``chords`` and ``ends`` are overwritten."""
    width = size + 2
    area = (size + 1) * width
    upright = table[octagons.UPRIGHT * area :]
    _half_chords(group, _most(group, octagons.CAP), ends)
    for sign in (-1, 1):
        _aim_flat(group, chords, float(sign), float(row if sign < 0 else size - 1 - row), size)
        for lane in range(count):
            cut = chords[FROM + lane]
            if cut > 0:
                edge = chords[PLUS + lane] - int(group[octagons.COL + lane])
                upright[edge + (0 if sign > 0 else (1 - cut) * width)] += 1
                upright[edge + (cut if sign > 0 else 1) * width] -= 1
        _enter_chords(table[octagons.ACROSS * area :], chords, sign * width, sign * width, 1, ends)
        _aim_upright(group, chords, float(sign), float(row), float(size - 1 - row), size)
        for lane in range(count):
            cut = chords[FROM + lane]
            if cut > 0:
                edge = chords[PLUS + lane] - row * width
                upright[edge + (0 if sign > 0 else 1 - cut)] += 1
                upright[edge + (cut if sign > 0 else 1)] -= 1
        _enter_chords(table[octagons.DOWN * area :], chords, sign, sign, width, ends)


@inlined
def _aim_corner(group: np.ndarray, chords: np.ndarray, down: float, right: float, rows: float, size: int) -> None:
    """Set ``chords`` for the caps over the corner ``down`` and ``right``, as steps of the index, of ``rows`` rows."""
    for lane in range(LANES):
        square = group[octagons.SQUARE + lane]
        girth = group[octagons.GIRTH + lane]
        cols = size - 1.0 - group[octagons.COL + lane] if right > 0.0 else group[octagons.COL + lane]
        room = min(rows, cols)
        rest = square - room * room
        last = max(2.0 * room, room + np.floor(math.sqrt(max(rest, 0.0))))
        last = min(rows + cols, last if rest >= 0.0 else rows + cols)
        chords[STOP + lane] = np.int32(max(min(group[octagons.CORNER + lane], last - girth), 0.0))
        side = group[octagons.CUT_RIGHT + lane] if right > 0.0 else group[octagons.CUT_LEFT + lane]
        side_cut = side + cols + 1.0 - girth if side >= 0.0 else 0.0
        end = behind(square, rows)
        end_cut = end + rows + 1.0 - girth if end >= 0.0 else 0.0
        flat = group[octagons.CENTRE + lane] + (girth + 1.0) * right
        steep = group[octagons.CENTRE + lane] + (girth + 1.0) * down
        if down > 0.0:
            _set_chords(chords, lane, flat, steep + (down - right), side_cut, end_cut)
        else:
            _set_chords(chords, lane, steep, flat - (down - right), end_cut, side_cut)


@inlined
def _diagonal_chords(group: np.ndarray, steps: int, ends: np.ndarray) -> None:
    """Set ``ends[step, lane]`` to the lesser of |dy| and |dx| at the ends of the chords over corners."""
    for step in range(steps):
        for lane in range(LANES):
            total = group[octagons.GIRTH + lane] + (1.0 + step)
            spread = np.floor(math.sqrt(max(2.0 * group[octagons.SQUARE + lane] - total * total, 0.0)))
            ends[step, lane] = np.int32(np.ceil(0.5 * (total - spread)))


@inlined
def enter_corners(
    table: np.ndarray, group: np.ndarray, chords: np.ndarray, count: int, row: int, size: int, ends: np.ndarray
) -> None:
    """Enter the caps over the corners of a group's octagons. ``chords`` and ``ends`` are overwritten."""
    width = size + 2
    area = (size + 1) * width
    _diagonal_chords(group, _most(group, octagons.CORNER), ends)
    for corner in range(4):
        lower = corner < 2
        right = 1 if corner % 2 == 0 else -1
        down = width if lower else -width
        rising = lower == (right > 0)
        rows = size - 1 - row if lower else row
        side = octagons.RISING_RIGHT if rising else octagons.FALLING_LEFT
        top = octagons.RISING_TOP if rising else octagons.FALLING_TOP
        rim = side if lower else top
        starts = table[TABLES * area + rim * width :]
        _aim_corner(group, chords, float(down), float(right), float(rows), size)
        for lane in range(count):
            cut = chords[FROM + lane]
            if cut > 0:
                girth = int(group[octagons.GIRTH + lane])
                col = int(group[octagons.COL + lane])
                if lower:
                    first = row + girth + 1 - (size - 1 - col if right > 0 else col)
                else:
                    first = col + 1 + right * (girth + 1 - rows) - (0 if right > 0 else cut - 1)
                starts[first] += 1
                starts[first + cut] -= 1
        lines = table[(octagons.RISING if rising else octagons.FALLING) * area :]
        if lower:
            _enter_chords(lines, chords, right, down, right - down, ends)
        else:
            _enter_chords(lines, chords, down, right, down - right, ends)
