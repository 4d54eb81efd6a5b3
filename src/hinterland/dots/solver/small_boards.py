"""What a whole board of up to nine dots is worth, and how many first moves keep that: a search for the atlas.

It asks what the solver asks (see null_window.py), with what a small board allows. A position, dots and lines, fits a
word, and so does all that is remembered of it: no two are ever taken for one. Before a move is searched, the position
after it is looked up, by its word alone; most moves need no more. And what follows from dots and lines is worked out
afresh for each position that is searched, as there are few lines.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from hinterland.dots.order_types.bitsets import count, lowest
from hinterland.dots.order_types.forest_kernels import cycle, touching
from hinterland.dots.solver.board_tables import BoardTables, tables_of
from hinterland.dots.solver.plies import best_to_front
from hinterland.jit import inlined, kernel

__all__ = ["MOST", "evaluate"]

MOST = 9
"""The most dots; their 36 lines and they themselves are 45 bits of a word."""
LINES_OF_MOST = 36
ROOMS = (32_749, 2_097_143)
"""How many positions are remembered, for up to 8 dots and for 9: primes, by which positions are spread."""
POSITION_AT, LINE_AT, LEAST_AT = 16, 10, 5
"""Where the parts of a word of the table begin; the greatest value is in its lowest bits."""
NO_LINE, VALUE = 2**6 - 1, 2**5 - 1
"""A line and a value where all of their bits are set."""
OFFSET = MOST
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
"""Moves: the line in the lowest bits, its rank above."""
RANK_AT = 6
COLUMNS = MOVE + LINES_OF_MOST


def evaluate(sides: np.ndarray) -> tuple[int, int]:
    """Return the value of a board, and how many first moves keep it; ``sides``: int8 (n, n, n), n at most MOST."""
    value, best = _evaluate(tables_of(sides), _table(ROOMS[len(sides) == MOST]))
    return int(value), int(best)


@cache
def _table(room: int) -> np.ndarray:
    """Return the table of this process."""
    return np.zeros(room, dtype=np.int64)


@kernel
def _evaluate(tables: BoardTables, known: np.ndarray) -> tuple[int, int]:
    """Return the value and how many moves keep it; ``known``, int64, is overwritten."""
    known[:] = 0
    dots = tables.dots
    plies = np.zeros((2 * dots, COLUMNS), dtype=np.int64)
    present = (1 << dots) - 1
    low, high, wanted = -dots, dots, 0
    while low < high:
        wanted = min(max(wanted, low + 1), high)
        bound = _prove(tables, known, plies, present, 0, wanted)
        if bound >= wanted:
            low = bound
            wanted = bound + 1
        else:
            high = bound
            wanted = bound
    best = 0
    for line in range(tables.ends.shape[0]):
        if _prove(tables, known, plies, present, 1 << line, 1 - low) < 1 - low:
            best += 1
    return low, best


@kernel
def _prove(tables: BoardTables, known: np.ndarray, plies: np.ndarray, present: int, lines: int, wanted: int) -> int:
    """Answer whether a position is worth at least ``wanted`` by a bound: a lower one if so, else an upper one."""
    _ask(plies, 0, present, lines, wanted)
    ply = 0
    answer = _enter(tables, known, plies, ply)
    while True:
        if answer == UNKNOWN:
            move = best_to_front(plies, ply, MOVE + plies[ply, TRIED], MOVE + plies[ply, MOVES])
            left, kept = _after(tables, plies, ply, move & NO_LINE, plies[ply, WITHIN])
            gain = count(plies[ply, PRESENT] & ~left)
            _ask(plies, ply + 1, left, kept, gain - plies[ply, WANTED] + 1)
            ply += 1
            answer = _enter(tables, known, plies, ply)
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
        plies[ply, LINE] = plies[ply, MOVE + plies[ply, TRIED]] & NO_LINE
        return value
    plies[ply, TRIED] += 1
    return plies[ply, BEST] if plies[ply, TRIED] == plies[ply, MOVES] else UNKNOWN


@kernel
def _enter(tables: BoardTables, known: np.ndarray, plies: np.ndarray, ply: int) -> int:
    """Look all moves up; return an answer that follows, or UNKNOWN, with the moves that are left to be searched."""
    legal, within = _settle(tables, plies, ply)
    entry = _entry(known, _key(plies[ply, PRESENT], plies[ply, LINES]))
    hint = entry >> LINE_AT & NO_LINE if entry else NO_LINE
    listed = 0
    for some in (legal & within, legal & ~within):
        rest = some
        while rest:
            line = lowest(rest)
            rest &= rest - 1
            left, kept = _after(tables, plies, ply, line, within)
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
                free = legal & ~tables.crossed[line, 0]
                between = plies[ply, REACH + tables.ends[line, 0]] & plies[ply, REACH + tables.ends[line, 1]]
                rank -= OPENED * (free & (within | between) != 0) + count(free)
            plies[ply, MOVE + listed] = rank << RANK_AT | line
            listed += 1
    plies[ply, WITHIN] = within
    plies[ply, MOVES] = listed
    return UNKNOWN if listed else plies[ply, BEST]


@inlined
def _settle(tables: BoardTables, plies: np.ndarray, ply: int) -> tuple[int, int]:
    """Work out trees; return the lines that may be drawn, and those that join two dots of a tree."""
    for dot in range(tables.dots):
        plies[ply, JOINED + dot] = 0
        plies[ply, TREE + dot] = 1 << dot
        plies[ply, REACH + dot] = tables.star[dot, 0]
    blocked = plies[ply, LINES] | touching(tables.star, ~plies[ply, PRESENT] & ((1 << tables.dots) - 1), 0)
    within = 0
    rest = plies[ply, LINES]
    while rest:
        line = lowest(rest)
        rest &= rest - 1
        first, second = tables.ends[line, 0], tables.ends[line, 1]
        plies[ply, JOINED + first] |= 1 << second
        plies[ply, JOINED + second] |= 1 << first
        blocked |= tables.crossed[line, 0]
        within |= plies[ply, REACH + first] & plies[ply, REACH + second]
        tree = plies[ply, TREE + first] | plies[ply, TREE + second]
        reach = plies[ply, REACH + first] | plies[ply, REACH + second]
        dots = tree
        while dots:
            dot = lowest(dots)
            dots &= dots - 1
            plies[ply, TREE + dot] = tree
            plies[ply, REACH + dot] = reach
    return ((1 << tables.ends.shape[0]) - 1) & ~blocked, within


@inlined
def _after(tables: BoardTables, plies: np.ndarray, ply: int, line: int, within: int) -> tuple[int, int]:
    """Return the dots and lines that are there after a move."""
    if not within >> line & 1:
        return plies[ply, PRESENT], plies[ply, LINES] | 1 << line
    first, second = tables.ends[line, 0], tables.ends[line, 1]
    gone = cycle(plies, ply, JOINED, plies[ply, TREE + first], first, second)
    return plies[ply, PRESENT] & ~gone, plies[ply, LINES] & ~touching(tables.star, gone, 0)


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
    return (entry >> LEAST_AT & VALUE) - OFFSET, (entry & VALUE) - OFFSET


@inlined
def _key(present: int, lines: int) -> int:
    """Return a position as a number."""
    return present << LINES_OF_MOST | lines


@inlined
def _entry(known: np.ndarray, key: int) -> int:
    """Return what is remembered of a position, 0 where nothing is."""
    entry = known[key % known.size]
    return entry if entry >> POSITION_AT == key else 0


@inlined
def _remember(known: np.ndarray, plies: np.ndarray, ply: int, answer: int) -> None:
    """Enter an answer in the table."""
    least, most = _bounds(known, plies[ply, PRESENT], plies[ply, LINES])
    if answer >= plies[ply, WANTED]:
        least = max(least, answer)
    else:
        most = min(most, answer)
    key = _key(plies[ply, PRESENT], plies[ply, LINES])
    bounds = (least + OFFSET) << LEAST_AT | most + OFFSET
    known[key % known.size] = key << POSITION_AT | plies[ply, LINE] << LINE_AT | bounds
