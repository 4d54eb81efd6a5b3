"""Keeps a group of discs as lanes of arrays, fits octagons into them, and enters the octagons' edges; see discs.py."""

from __future__ import annotations

import numpy as np

from hinterland.jit import JIT_ON, inlined

SIDES, CORNERS = range(2)
"""The two parts of a disc, which are entered apart. SIDES: the caps above, below, left and right of the octagon, and
its upright edges. CORNERS: the four caps between them, and the slanting edges."""
ACROSS, DOWN, UPRIGHT = range(3)
"""Tables of differences for SIDES: chords along rows, chords along columns, upright edges."""
FALLING, RISING, FALLING_EDGE, RISING_EDGE = range(4)
"""Tables of differences for CORNERS: chords along the diagonals down to the right (FALLING) and down to the left
(RISING), and edges along the same diagonals."""
TABLES = (3, 4)
"""Number of tables of each part."""
FALLING_LEFT, FALLING_TOP, RISING_RIGHT, RISING_TOP = range(4)
"""Lines behind the tables of CORNERS, named by the direction of chords and by an edge of the board. A line is for the
chords that begin beyond this edge: it holds differences of how many begin on each cell of the edge."""
LANES = 128 if JIT_ON else 4
"""Discs that are entered together. Loops over fewer lanes would be unrolled before they are vectorised. In uncompiled
code, empty lanes only cost time."""
FIELDS = 14
SQUARE, HALF, DIAGONAL, CAP, CORNER, CENTRE, ROOM, CUT = (LANES * i for i in (0, 1, 2, 3, 4, 5, 6, 10))
"""Offsets of the fields of a group, int32[FIELDS * LANES]. SQUARE: squared radii. HALF: the octagons' a, which is the
greatest |dx| (discs.py). DIAGONAL: their a + b, the greatest |dx| + |dy|. CAP, CORNER: the numbers of chords of caps
over sides and over corners. CENTRE: indices of centres. ROOM: for each of four sides, the number of cells between the
centre and the edge of the board. CUT: for each side, how far the disc reaches along the line just beyond that edge; -1
if it does not reach the line."""
ABOVE, BELOW, LEFT, RIGHT = (LANES * i for i in range(4))
"""The sides, as offsets to add to ROOM and to CUT."""
CAP_HEIGHT_SHARE = 0.095
"""Height of caps over sides, as a share of the greatest radius of a group. Entries are fewest at 0.106; at 0.095 both
parts take equally long (docs/performance-log.md)."""


def new_tables(part: int, size: int) -> np.ndarray:
    """Return empty tables for a part of discs: int32[n].

    The array holds TABLES[part] tables (size + 1, size + 2) and, for CORNERS, four lines. A table has a row below the
    board, and a column on either side of it, for entries just beyond the edges. The last LANES numbers take the entries
    that are cut off.
    """
    lines = 4 if part == CORNERS else 0
    return np.zeros(TABLES[part] * (size + 1) * (size + 2) + lines * (size + 2) + LANES, dtype=np.int32)


@inlined
def root(square: np.int32) -> np.int32:
    """Return the square root of ``square``, which must be below 2^30, rounded down; 0 if ``square`` is negative.

    Single precision is off by less than 0.01, so rounding gives the result or the number after it.
    """
    near = np.int32(np.sqrt(np.float32(max(square, np.int32(0)))) + np.float32(0.5))
    return np.int32(near - np.int32(np.int32(near * near) > max(square, np.int32(0))))


@inlined
def set_lane(group: np.ndarray, lane: int, row: int, col: int, square: int) -> None:
    """Set a disc's squared radius and centre; ``shape`` computes the rest."""
    group[SQUARE + lane] = square
    group[ROOM + ABOVE + lane] = row
    group[ROOM + LEFT + lane] = col


@inlined
def _set_rooms(group: np.ndarray, size: int) -> np.int32:
    """Compute CENTRE and ROOM of all lanes, and write their radii to CAP for now; return the greatest radius."""
    most = np.int32(0)
    for lane in range(LANES):
        row, col = group[ROOM + ABOVE + lane], group[ROOM + LEFT + lane]
        group[CENTRE + lane] = np.int32(np.int32(row * np.int32(size + 2)) + np.int32(col + 1))
        group[ROOM + BELOW + lane] = np.int32(size - 1 - row)
        group[ROOM + RIGHT + lane] = np.int32(size - 1 - col)
        group[CAP + lane] = root(group[SQUARE + lane])
        most = max(most, group[CAP + lane])
    return most


@inlined
def shape(group: np.ndarray, count: int, size: int) -> None:
    """Compute all fields of a group of ``count`` discs whose lanes are set; see discs.py for the octagons.

    All caps over sides have the same height, but a is always at least 3/4 of the radius; this keeps b at most a.
    """
    height = np.int32(CAP_HEIGHT_SHARE * _set_rooms(group, size))
    for lane in range(LANES):
        square = group[SQUARE + lane]
        radius = group[CAP + lane]
        half = max(np.int32(radius - height), np.int32(np.int32(3 * radius + 3) >> np.int32(2)))
        flat = root(np.int32(square - np.int32(half * half)))
        group[HALF + lane] = half
        group[DIAGONAL + lane] = half + flat
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
def _straight(group: np.ndarray, lane: int, side: int) -> tuple[np.int32, np.int32]:
    """Return how far the left or right edge is from the centre, and half the length of its upright piece."""
    half = group[HALF + lane]
    out = min(half, group[np.uint64(ROOM + side + lane)])
    return out, min(np.int32(group[DIAGONAL + lane] - out), half)


@inlined
def _aim_upright(group: np.ndarray, aims: np.ndarray, sign: int, size: int) -> None:
    """Set ``aims`` to the ends of upright edges, on the left (``sign`` = -1) or on the right (``sign`` = 1).

    The indices where edges begin come first; those where edges end follow from 2 * LANES on.
    """
    side = LEFT if sign < 0 else RIGHT
    first = np.int32((size + 1) * (size + 2) * UPRIGHT + max(sign, 0))
    sideways, next_row = np.int32(sign), np.int32(size + 2)
    for lane in range(LANES):
        out, straight = _straight(group, lane, side)
        edge = np.int32(np.int32(group[CENTRE + lane] + first) + np.int32(sideways * out))
        above, below = min(group[ROOM + ABOVE + lane], straight), min(group[ROOM + BELOW + lane], straight)
        aims[lane] = np.int32(edge - np.int32(above * next_row))
        aims[2 * LANES + lane] = np.int32(edge + np.int32(np.int32(below + 1) * next_row))


@inlined
def _aim_slanting(group: np.ndarray, aims: np.ndarray, sign: int, size: int, spare: int) -> None:
    """Set ``aims`` to the ends of slanting edges on one side; ``sign`` as for ``_aim_upright``.

    ``aims`` gets four runs of LANES indices: where upper edges begin, where lower edges begin, where upper edges end,
    where lower edges end.
    """
    area = (size + 1) * (size + 2)
    side = LEFT if sign < 0 else RIGHT
    upper = np.int32(area * (FALLING_EDGE if sign > 0 else RISING_EDGE))
    lower = np.int32(area * (RISING_EDGE if sign > 0 else FALLING_EDGE))
    sideways, next_row = np.int32(sign), np.int32(size + 2)
    falling, rising = np.int32(next_row + sideways), np.int32(next_row - sideways)
    for lane in range(LANES):
        half = group[HALF + lane]
        _, straight = _straight(group, lane, side)
        top, bottom = min(half, group[ROOM + ABOVE + lane]), min(half, group[ROOM + BELOW + lane])
        edge = np.int32(group[CENTRE + lane] + np.int32(max(sign, 0)) + np.int32(sideways * group[DIAGONAL + lane]))
        corner = np.int32(edge + upper)
        _aim(aims, lane, top > straight, np.int32(corner - np.int32(top * falling)), spare + lane)
        _aim(aims, 2 * LANES + lane, top > straight, np.int32(corner - np.int32(straight * falling)), spare + lane)
        corner = np.int32(edge + lower + rising)
        _aim(aims, LANES + lane, bottom > straight, np.int32(corner + np.int32(straight * rising)), spare + lane)
        _aim(aims, 3 * LANES + lane, bottom > straight, np.int32(corner + np.int32(bottom * rising)), spare + lane)


@inlined
def _enter_edges(table: np.ndarray, aims: np.ndarray, first: int, count: int, sign: int) -> None:
    for lane in range(first, first + count):
        table[np.uint64(aims[lane])] -= sign
        table[np.uint64(aims[2 * LANES + lane])] += sign


@inlined
def enter_upright_edges(table: np.ndarray, group: np.ndarray, aims: np.ndarray, count: int, size: int) -> None:
    """Enter the upright edges of a group's octagons. ``table``: for SIDES; ``aims``: int32[4 * LANES], overwritten."""
    for sign in (-1, 1):
        _aim_upright(group, aims, sign, size)
        _enter_edges(table, aims, 0, count, sign)


@inlined
def enter_slanting_edges(table: np.ndarray, group: np.ndarray, aims: np.ndarray, count: int, size: int) -> None:
    """Enter the slanting edges of a group's octagons. ``table``: for CORNERS; ``aims``: overwritten."""
    for sign in (-1, 1):
        _aim_slanting(group, aims, sign, size, table.size - LANES)
        _enter_edges(table, aims, 0, count, sign)
        _enter_edges(table, aims, LANES, count, sign)
