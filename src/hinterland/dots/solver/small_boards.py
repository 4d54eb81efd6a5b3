"""What a whole board of up to nine dots is worth, and how many first moves keep that: a search for the atlas.

It asks what the solver asks (see null_window.py), with what a small board allows. A position, dots and lines, fits a
word, and so does all that is remembered of it: no two are ever taken for one. Before a move is searched, the position
after it is looked up, by its word alone; most moves need no more. And what follows from dots and lines is worked out
afresh for each position that is searched, as there are few lines.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from hinterland.dots.order_types.bitsets import count, cycle, lowest, touching
from hinterland.dots.solver.board_tables import BoardTables, Record, tables_of
from hinterland.dots.solver.plies import best_to_front
from hinterland.jit import inlined, kernel

MOST = 9
"""The most dots; their 36 lines and they themselves are 45 bits of a word."""
LINES_OF_MOST = 36
ROOMS = (2**15, 2**18)
"""How many positions are remembered, for up to 8 dots and for 9: few enough for the second-level cache to hold most."""
LOW, HIGH_AT = 2**31 - 1, 22
SPREAD_LOW, SPREAD_HIGH, SPREAD_AT = 0x9E3779B1, 0x2545F491, 30
"""Positions are spread over the table by products of their lower and their upper bits, which stay below 2^63."""
POSITION_AT, LINE_AT, LEAST_AT = 16, 10, 5
"""Where the parts of a word of the table begin; the greatest value is in its lowest bits."""
NO_LINE, VALUE = 2**6 - 1, 2**5 - 1
"""A line and a value where all of their bits are set."""
OFFSET = MOST
UNKNOWN = -100

HOPE, CYCLE, OPENED = 2**20, 2**16, 2**8
"""What ranks a move: that it proved the last answer; each dot that it takes; that it leaves a cycle to the other."""
RANK_AT = 6
"""Where the rank of a move begins; its line is in the lowest bits."""

PLY = np.dtype((np.record, [
    ("present", np.int64),  # the dots there
    ("lines", np.int64),
    ("within", np.int64),  # the lines that join two dots of a tree
    ("wanted", np.int64),  # the question
    ("best", np.int64),  # the most that a move tried so far may be worth
    ("listed", np.int64),  # how many moves there are
    ("tried", np.int64),  # and how many were tried
    ("proof", np.int64),  # the line that proved the answer
    ("joined", np.int64, (MOST,)),  # for each dot: the dots that a line joins to it
    ("tree", np.int64, (MOST,)),  # the dots of the tree it is in
    ("reach", np.int64, (MOST,)),  # the lines that end on a dot of its tree
    ("moves", np.int64, (LINES_OF_MOST,)),
]))  # fmt: skip
"""A position on the way from the root of a search."""


def evaluate(sides: np.ndarray) -> tuple[int, int]:
    """Return the value of a board, and how many first moves keep it; ``sides``: int8 (n, n, n), n at most MOST."""
    value, best = _evaluate(tables_of(sides), _table(ROOMS[len(sides) == MOST]), np.zeros(2 * len(sides), PLY))
    return int(value), int(best)


@cache
def _table(room: int) -> np.ndarray:
    """Return the table of this process."""
    return np.zeros(room, dtype=np.int64)


@kernel
def _evaluate(tables: BoardTables, known: np.ndarray, plies: np.ndarray) -> tuple[int, int]:
    """Return the value and how many moves keep it; ``known``, int64, is overwritten."""
    known[:] = 0
    present = (1 << tables.dots) - 1
    low, high, wanted = -tables.dots, tables.dots, 0
    while low < high:
        wanted = min(max(wanted, low + 1), high)
        bound = _prove(tables, known, plies, present, 0, wanted)
        if bound >= wanted:
            low = bound
        else:
            high = wanted = bound
    best = 0
    for line in range(len(tables.ends)):
        if _prove(tables, known, plies, present, 1 << line, 1 - low) < 1 - low:
            best += 1
    return low, best


@kernel
def _prove(tables: BoardTables, known: np.ndarray, plies: np.ndarray, present: int, lines: int, wanted: int) -> int:
    """Answer whether a position is worth at least ``wanted`` by a bound: a lower one if so, else an upper one."""
    ply = 0
    answer = _enter(tables, known, plies[0], present, lines, wanted)
    while True:
        here = plies[ply]
        if answer == UNKNOWN:
            move = best_to_front(here)
            left, kept = _after(tables, here, move & NO_LINE)
            gain = count(here.present & ~left)
            ply += 1
            answer = _enter(tables, known, plies[ply], left, kept, gain - here.wanted + 1)
            continue
        _remember(known, here, answer)
        if ply == 0:
            return answer
        ply -= 1
        answer = _take(plies[ply], here.present, answer)


@inlined
def _take(here: Record, left: int, answer: int) -> int:
    """Take the answer to a move after which some dots are left; return what it proves of this ply, or UNKNOWN."""
    value = count(here.present & ~left) - answer
    here.best = max(here.best, value)
    if value >= here.wanted:
        here.proof = here.moves[here.tried] & NO_LINE
        return value
    here.tried += 1
    return int(here.best) if here.tried == here.listed else UNKNOWN


@kernel
def _enter(tables: BoardTables, known: np.ndarray, here: Record, present: int, lines: int, wanted: int) -> int:
    """Look all moves up; return an answer that follows, or UNKNOWN, with the moves that are left to be searched."""
    here.present = present
    here.lines = lines
    here.wanted = wanted
    here.best = UNKNOWN
    here.listed = 0
    here.tried = 0
    here.proof = NO_LINE
    legal = _settle(tables, here)
    entry = _entry(known, _key(present, lines))
    hint = entry >> LINE_AT & NO_LINE if entry else NO_LINE
    for some in (legal & here.within, legal & ~here.within):
        rest = some
        while rest:
            line = lowest(rest)
            rest &= rest - 1
            left, kept = _after(tables, here, line)
            gain = count(present & ~left)
            least, most = _bounds(known, left, kept)
            if gain - most >= wanted:
                here.proof = line
                return gain - most
            if gain - least < wanted:
                here.best = max(here.best, gain - least)
                continue
            rank = HOPE * (line == hint) + CYCLE * gain
            if gain == 0:
                free = legal & ~tables.crossed[line, 0]
                between = here.reach[tables.ends[line, 0]] & here.reach[tables.ends[line, 1]]
                rank -= OPENED * (free & (here.within | between) != 0) + count(free)
            here.moves[here.listed] = rank << RANK_AT | line
            here.listed += 1
    return UNKNOWN if here.listed else int(here.best)


@inlined
def _settle(tables: BoardTables, here: Record) -> int:
    """Work out trees, and the lines that join two dots of one; return the lines that may be drawn."""
    for dot in range(tables.dots):
        here.joined[dot] = 0
        here.tree[dot] = 1 << dot
        here.reach[dot] = tables.star[dot, 0]
    blocked = here.lines | touching(tables.star, ~here.present & ((1 << tables.dots) - 1), 0)
    here.within = 0
    rest = here.lines
    while rest:
        line = lowest(rest)
        rest &= rest - 1
        first, second = tables.ends[line, 0], tables.ends[line, 1]
        here.joined[first] |= 1 << second
        here.joined[second] |= 1 << first
        blocked |= tables.crossed[line, 0]
        here.within |= here.reach[first] & here.reach[second]
        tree = here.tree[first] | here.tree[second]
        reach = here.reach[first] | here.reach[second]
        dots = tree
        while dots:
            dot = lowest(dots)
            dots &= dots - 1
            here.tree[dot] = tree
            here.reach[dot] = reach
    return int(((1 << len(tables.ends)) - 1) & ~blocked)


@inlined
def _after(tables: BoardTables, here: Record, line: int) -> tuple[int, int]:
    """Return the dots and lines that are there after a move."""
    if not here.within >> line & 1:
        return here.present, here.lines | 1 << line
    first, second = tables.ends[line, 0], tables.ends[line, 1]
    gone = cycle(here.joined, here.tree[first], first, second)
    return here.present & ~gone, here.lines & ~touching(tables.star, gone, 0)


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
def _place(known: np.ndarray, key: int) -> int:
    """Return where in the table a position belongs; a division would take as long as all else."""
    return ((key & LOW) * SPREAD_LOW ^ (key >> HIGH_AT) * SPREAD_HIGH) >> SPREAD_AT & (known.size - 1)


@inlined
def _entry(known: np.ndarray, key: int) -> int:
    """Return what is remembered of a position, 0 where nothing is."""
    entry = known[_place(known, key)]
    return entry if entry >> POSITION_AT == key else 0


@inlined
def _remember(known: np.ndarray, here: Record, answer: int) -> None:
    """Enter an answer in the table."""
    least, most = _bounds(known, here.present, here.lines)
    if answer >= here.wanted:
        least = max(least, answer)
    else:
        most = min(most, answer)
    key = _key(here.present, here.lines)
    bounds = (least + OFFSET) << LEAST_AT | most + OFFSET
    known[_place(known, key)] = key << POSITION_AT | here.proof << LINE_AT | bounds
