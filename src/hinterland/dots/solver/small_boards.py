"""What a whole board of up to nine dots is worth, and how many first moves keep that: a search for the atlas.

It asks what the solver asks (see proof.py), with what a small board allows. A position, dots and lines, fits a word,
and so does all that is remembered of it: no two are ever taken for one. Before a move is searched, the position after
it is looked up, by its word alone; most moves need no more. And what follows from dots and lines is worked out afresh
for each position that is searched, as there are few lines.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from hinterland.dots.order_types import chirotopes as order
from hinterland.dots.order_types.bitsets import count, lowest
from hinterland.jit import inlined, kernel

__all__ = ["MOST", "appraise"]

MOST = 9
"""The most dots; their 36 lines and they themselves are 45 bits of a word."""
LINES_OF_MOST = 36
ROOMS = (32_749, 2_097_143)
"""How many positions are remembered, for up to 8 dots and for 9: primes, by which positions are spread."""
KEY, HINT, LEAST = 16, 10, 5
"""In a word of the table, from the lowest bit: greatest value 5, least value 5, line that proved it 6, the position."""
OFFSET = MOST
NO_LINE = 63
UNKNOWN = -100

HOPE, CYCLE, OPENED = 2**20, 2**16, 2**8
"""What ranks a move: that it proved the last answer; each dot that it takes; that it leaves a cycle to the other."""

PRESENT, LINES, WITHIN, WANTED, BEST, MOVES, TRIED, LINE = range(8)
"""Columns of a ply: dots; lines; those that join two dots of a tree; the question; the most that a move tried so far
may be worth; how many moves there are, and were tried; the line that proved the answer."""
JOINED = 8
"""From here for each dot: the dots that a line joins to it."""
TREE = JOINED + MOST
"""The dots of the tree it is in."""
REACH = TREE + MOST
"""The lines that end on a dot of its tree."""
MOVE = REACH + MOST
"""Moves: the line in the lowest 6 bits, its rank above."""
COLUMNS = MOVE + LINES_OF_MOST


def appraise(side: np.ndarray) -> tuple[int, int]:
    """Return the value of a board, and how many first moves keep it; ``side``: int8 (n, n, n), n at most MOST."""
    dots = len(side)
    lines = order.lines_of(dots)
    star = [sum(1 << line for line, ends in enumerate(lines) if dot in ends) for dot in range(dots)]
    crossed = np.array(order.crossings(side), dtype=np.int64)
    known = _table(ROOMS[dots == MOST])
    value, best = _appraise(np.array(lines, dtype=np.int64), crossed, np.array(star, dtype=np.int64), known)
    return int(value), int(best)


@cache
def _table(room: int) -> np.ndarray:
    """Return the table of this process."""
    return np.zeros(room, dtype=np.int64)


@kernel
def _appraise(ends: np.ndarray, crossed: np.ndarray, star: np.ndarray, known: np.ndarray) -> tuple[int, int]:
    """Return the value and how many moves keep it; ``known``, int64, is overwritten."""
    known[:] = 0
    dots = star.size
    plies = np.zeros((2 * dots, COLUMNS), dtype=np.int64)
    present = (1 << dots) - 1
    low, high, wanted = -dots, dots, 0
    while low < high:
        wanted = min(max(wanted, low + 1), high)
        bound = _prove(ends, crossed, star, known, plies, present, 0, wanted)
        if bound >= wanted:
            low = bound
            wanted = bound + 1
        else:
            high = bound
            wanted = bound
    best = 0
    for line in range(crossed.size):
        if _prove(ends, crossed, star, known, plies, present, 1 << line, 1 - low) < 1 - low:
            best += 1
    return low, best


@kernel
def _prove(
    ends: np.ndarray,
    crossed: np.ndarray,
    star: np.ndarray,
    known: np.ndarray,
    plies: np.ndarray,
    present: int,
    lines: int,
    wanted: int,
) -> int:
    """Answer whether a position is worth at least ``wanted`` by a bound: a lower one if so, else an upper one."""
    _ask(plies, 0, present, lines, wanted)
    ply = 0
    answer = _enter(ends, crossed, star, known, plies, ply)
    while True:
        if answer == UNKNOWN:
            move = _next_move(plies, ply)
            left, kept = _after(ends, star, plies, ply, move & 63, plies[ply, WITHIN])
            gain = count(plies[ply, PRESENT] & ~left)
            _ask(plies, ply + 1, left, kept, gain - plies[ply, WANTED] + 1)
            ply += 1
            answer = _enter(ends, crossed, star, known, plies, ply)
            continue
        _remember(known, plies, ply, answer)
        if ply == 0:
            return answer
        ply -= 1
        answer = _take(plies, ply, answer)


@inlined
def _ask(plies: np.ndarray, ply: int, present: int, lines: int, wanted: int) -> None:
    """Put a question to a ply."""
    plies[ply, PRESENT] = present
    plies[ply, LINES] = lines
    plies[ply, WANTED] = wanted
    plies[ply, BEST] = UNKNOWN
    plies[ply, MOVES] = 0
    plies[ply, TRIED] = 0
    plies[ply, LINE] = NO_LINE


@inlined
def _take(plies: np.ndarray, ply: int, answer: int) -> int:
    """Take the answer to a move; return what it proves of this ply, or UNKNOWN."""
    value = count(plies[ply, PRESENT] & ~plies[ply + 1, PRESENT]) - answer
    plies[ply, BEST] = max(plies[ply, BEST], value)
    if value >= plies[ply, WANTED]:
        plies[ply, LINE] = plies[ply, MOVE + plies[ply, TRIED]] & 63
        return value
    plies[ply, TRIED] += 1
    return plies[ply, BEST] if plies[ply, TRIED] == plies[ply, MOVES] else UNKNOWN


@inlined
def _next_move(plies: np.ndarray, ply: int) -> int:
    """Bring the move of greatest rank to the front of those that were not tried, and return it."""
    front = MOVE + plies[ply, TRIED]
    best = front
    for place in range(front + 1, MOVE + plies[ply, MOVES]):
        if plies[ply, place] > plies[ply, best]:
            best = place
    move = plies[ply, best]
    plies[ply, best] = plies[ply, front]
    plies[ply, front] = move
    return int(move)


@kernel
def _enter(
    ends: np.ndarray, crossed: np.ndarray, star: np.ndarray, known: np.ndarray, plies: np.ndarray, ply: int
) -> int:
    """Look all moves up; return an answer that follows, or UNKNOWN, with the moves that are left to be searched."""
    legal, within = _settle(ends, crossed, star, plies, ply)
    entry = _entry(known, _key(plies[ply, PRESENT], plies[ply, LINES]))
    hint = entry >> HINT & 63 if entry else NO_LINE
    listed = 0
    for some in (legal & within, legal & ~within):
        rest = some
        while rest:
            line = lowest(rest)
            rest &= rest - 1
            left, kept = _after(ends, star, plies, ply, line, within)
            gain = count(plies[ply, PRESENT] & ~left)
            least, most = _bounds(known, left, kept)
            if gain - most >= plies[ply, WANTED]:
                plies[ply, LINE] = line
                return gain - most
            if gain - least < plies[ply, WANTED]:
                plies[ply, BEST] = max(plies[ply, BEST], gain - least)
                continue
            rank = HOPE * (line == hint) + CYCLE * gain
            if gain == 0:
                free = legal & ~crossed[line]
                between = plies[ply, REACH + ends[line, 0]] & plies[ply, REACH + ends[line, 1]]
                rank -= OPENED * (free & (within | between) != 0) + count(free)
            plies[ply, MOVE + listed] = rank << 6 | line
            listed += 1
    plies[ply, WITHIN] = within
    plies[ply, MOVES] = listed
    return UNKNOWN if listed else plies[ply, BEST]


@inlined
def _settle(ends: np.ndarray, crossed: np.ndarray, star: np.ndarray, plies: np.ndarray, ply: int) -> tuple[int, int]:
    """Work out trees; return the lines that may be drawn, and those that join two dots of a tree."""
    for dot in range(star.size):
        plies[ply, JOINED + dot] = 0
        plies[ply, TREE + dot] = 1 << dot
        plies[ply, REACH + dot] = star[dot]
    blocked = plies[ply, LINES] | _touching(star, ~plies[ply, PRESENT] & ((1 << star.size) - 1))
    within = 0
    rest = plies[ply, LINES]
    while rest:
        line = lowest(rest)
        rest &= rest - 1
        first, second = ends[line, 0], ends[line, 1]
        plies[ply, JOINED + first] |= 1 << second
        plies[ply, JOINED + second] |= 1 << first
        blocked |= crossed[line]
        within |= plies[ply, REACH + first] & plies[ply, REACH + second]
        tree = plies[ply, TREE + first] | plies[ply, TREE + second]
        reach = plies[ply, REACH + first] | plies[ply, REACH + second]
        dots = tree
        while dots:
            dot = lowest(dots)
            dots &= dots - 1
            plies[ply, TREE + dot] = tree
            plies[ply, REACH + dot] = reach
    return ((1 << crossed.size) - 1) & ~blocked, within


@inlined
def _after(ends: np.ndarray, star: np.ndarray, plies: np.ndarray, ply: int, line: int, within: int) -> tuple[int, int]:
    """Return the dots and lines that are there after a move."""
    if not within >> line & 1:
        return plies[ply, PRESENT], plies[ply, LINES] | 1 << line
    first, second = ends[line, 0], ends[line, 1]
    cycle = plies[ply, TREE + first]
    kept = 1 << first | 1 << second
    cut = True
    while cut:
        cut = False
        rest = cycle & ~kept
        while rest:
            dot = lowest(rest)
            rest &= rest - 1
            near = plies[ply, JOINED + dot] & cycle
            if near & (near - 1) == 0:
                cycle ^= 1 << dot
                cut = True
    return plies[ply, PRESENT] & ~cycle, plies[ply, LINES] & ~_touching(star, cycle)


@inlined
def _touching(star: np.ndarray, dots: int) -> int:
    """Return the lines that end on one of some dots."""
    lines = 0
    while dots:
        lines |= star[lowest(dots)]
        dots &= dots - 1
    return lines


@inlined
def _bounds(known: np.ndarray, present: int, lines: int) -> tuple[int, int]:
    """Return bounds on the value of a position, without a search."""
    dots = count(present)
    if dots < 3:
        return 0, 0
    if dots == 3:
        value = -3 if count(lines) == 1 else 3
        return value, value
    entry = _entry(known, _key(present, lines))
    if entry == 0:
        return -dots, dots
    return (entry >> LEAST & 31) - OFFSET, (entry & 31) - OFFSET


@inlined
def _key(present: int, lines: int) -> int:
    """Return a position as a number."""
    return present << LINES_OF_MOST | lines


@inlined
def _entry(known: np.ndarray, key: int) -> int:
    """Return what is remembered of a position, 0 where nothing is."""
    entry = known[key % known.size]
    return entry if entry >> KEY == key else 0


@inlined
def _remember(known: np.ndarray, plies: np.ndarray, ply: int, answer: int) -> None:
    """Enter an answer in the table."""
    least, most = _bounds(known, plies[ply, PRESENT], plies[ply, LINES])
    if answer >= plies[ply, WANTED]:
        least = max(least, answer)
    else:
        most = min(most, answer)
    key = _key(plies[ply, PRESENT], plies[ply, LINES])
    known[key % known.size] = key << KEY | plies[ply, LINE] << HINT | (least + OFFSET) << LEAST | most + OFFSET
