"""What a whole board of up to nine dots is worth, and how many first moves keep that: a search for the atlas.

It asks what the solver asks (see null_window.py), with what a small board allows. When the first cycle is closed, at
most six dots are left, whose value is looked up (see endgame_table.py). So only sets of lines on the whole board are
searched; such a set fits a word, and so does all that is remembered of it: no two are ever taken for one. Before a
move is searched, the position after it is looked up, by its word alone; most moves need no more. And what follows from
the lines is worked out afresh for each position that is searched, as there are few.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from hinterland.dots.order_types.bitsets import count, cycle, lowest, touching
from hinterland.dots.solver.board_tables import BoardTables, Record, tables_of
from hinterland.dots.solver.endgame_table import (
    EndgameTable,
    SubsetTypes,
    endgame_table,
    endgame_value,
    new_subset_types,
    of_three,
)
from hinterland.dots.solver.plies import best_to_front
from hinterland.jit import inlined, kernel

MOST = 9
"""The most dots."""
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

HOPE, OPENED = 2**20, 2**8
"""What ranks a line that joins two trees: that it proved the last answer; that it leaves a cycle to the other."""
RANK_AT = 6
"""Where the rank of a move begins; its line is in the lowest bits."""

PLY = np.dtype((np.record, [
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
"""A position on the way from the root of a search: a set of lines on the whole board."""


def evaluate(sides: np.ndarray) -> tuple[int, int]:
    """Return the value of a board, and how many first moves keep it; ``sides``: int8 (n, n, n), n at most MOST."""
    dots = len(sides)
    value, best = _evaluate(
        tables_of(sides), endgame_table(), new_subset_types(dots), _table(ROOMS[dots == MOST]), np.zeros(dots, PLY)
    )
    return int(value), int(best)


@cache
def _table(room: int) -> np.ndarray:
    """Return the table of this process."""
    return np.zeros(room, dtype=np.int64)


@kernel
def _evaluate(
    tables: BoardTables, endgames: EndgameTable, types: SubsetTypes, known: np.ndarray, plies: np.ndarray
) -> tuple[int, int]:
    """Return the value and how many moves keep it; ``known``, int64, is overwritten."""
    known[:] = 0
    low, high, wanted = -tables.dots, tables.dots, 0
    while low < high:
        wanted = min(max(wanted, low + 1), high)
        bound = _prove(tables, endgames, types, known, plies, 0, wanted)
        if bound >= wanted:
            low = bound
        else:
            high = wanted = bound
    best = 0
    for line in range(len(tables.ends)):
        if _prove(tables, endgames, types, known, plies, 1 << line, 1 - low) < 1 - low:
            best += 1
    return low, best


@kernel
def _prove(
    tables: BoardTables, endgames: EndgameTable, types: SubsetTypes, known: np.ndarray, plies: np.ndarray, lines: int,
    wanted: int,
) -> int:  # fmt: skip
    """Answer whether a position is worth at least ``wanted`` by a bound: a lower one if so, else an upper one."""
    ply = 0
    answer = _enter(tables, endgames, types, known, plies[0], lines, wanted)
    while True:
        here = plies[ply]
        if answer == UNKNOWN:
            move = best_to_front(here)
            ply += 1
            answer = _enter(
                tables, endgames, types, known, plies[ply], here.lines | 1 << (move & NO_LINE), 1 - here.wanted
            )
            continue
        _remember(tables, known, here, answer)
        if ply == 0:
            return answer
        ply -= 1
        answer = _take(plies[ply], answer)


@inlined
def _take(here: Record, answer: int) -> int:
    """Take the answer to a move that joined two trees; return what it proves of this ply, or UNKNOWN."""
    here.best = max(here.best, -answer)
    if -answer >= here.wanted:
        here.proof = here.moves[here.tried] & NO_LINE
        return -answer
    here.tried += 1
    return int(here.best) if here.tried == here.listed else UNKNOWN


@kernel
def _enter(
    tables: BoardTables, endgames: EndgameTable, types: SubsetTypes, known: np.ndarray, here: Record, lines: int,
    wanted: int,
) -> int:  # fmt: skip
    """Look all moves up; return an answer that follows, or UNKNOWN, with the moves that are left to be searched."""
    here.lines = lines
    here.wanted = wanted
    here.best = UNKNOWN
    here.listed = 0
    here.tried = 0
    here.proof = NO_LINE
    legal = _settle(tables, here)
    rest = legal & here.within
    while rest:
        line = lowest(rest)
        rest &= rest - 1
        here.best = max(here.best, _closed(tables, endgames, types, here, line))
        if here.best >= wanted:
            here.proof = line
            return int(here.best)
    entry = _entry(known, lines)
    hint = entry >> LINE_AT & NO_LINE if entry else NO_LINE
    rest = legal & ~here.within
    while rest:
        line = lowest(rest)
        rest &= rest - 1
        least, most = _bounds(tables, known, lines | 1 << line)
        if -most >= wanted:
            here.proof = line
            return -most
        if -least < wanted:
            here.best = max(here.best, -least)
            continue
        free = legal & ~tables.crossed[line, 0]
        between = here.reach[tables.ends[line, 0]] & here.reach[tables.ends[line, 1]]
        rank = HOPE * (line == hint) - OPENED * (free & (here.within | between) != 0) - count(free)
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
    blocked = here.lines
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
def _closed(tables: BoardTables, endgames: EndgameTable, types: SubsetTypes, here: Record, line: int) -> int:
    """Return what a line is worth that closes a cycle."""
    first, second = tables.ends[line, 0], tables.ends[line, 1]
    gone = cycle(here.joined, here.tree[first], first, second)
    left = ((1 << tables.dots) - 1) & ~gone
    kept = here.lines & ~touching(tables.star, gone, 0)
    return count(gone) - endgame_value(endgames, types, tables, left, kept)


@inlined
def _bounds(tables: BoardTables, known: np.ndarray, lines: int) -> tuple[int, int]:
    """Return bounds on the value of a position, without a search."""
    if tables.dots == 3:
        value = of_three(lines)
        return value, value
    entry = _entry(known, lines)
    if entry == 0:
        return -tables.dots, tables.dots
    return (entry >> LEAST_AT & VALUE) - OFFSET, (entry & VALUE) - OFFSET


@inlined
def _place(known: np.ndarray, lines: int) -> int:
    """Return where in the table a position belongs; a division would take as long as all else."""
    return ((lines & LOW) * SPREAD_LOW ^ (lines >> HIGH_AT) * SPREAD_HIGH) >> SPREAD_AT & (known.size - 1)


@inlined
def _entry(known: np.ndarray, lines: int) -> int:
    """Return what is remembered of a position, 0 where nothing is."""
    entry = known[_place(known, lines)]
    return entry if entry >> POSITION_AT == lines else 0


@inlined
def _remember(tables: BoardTables, known: np.ndarray, here: Record, answer: int) -> None:
    """Enter an answer in the table."""
    least, most = _bounds(tables, known, here.lines)
    if answer >= here.wanted:
        least = max(least, answer)
    else:
        most = min(most, answer)
    bounds = (least + OFFSET) << LEAST_AT | most + OFFSET
    known[_place(known, here.lines)] = here.lines << POSITION_AT | here.proof << LINE_AT | bounds
