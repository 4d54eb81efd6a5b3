"""The value of a whole board of up to nine dots, and the number of first moves that keep it: a search for the atlas.

The search asks the same questions as the solver (see null_window.py), but makes use of the small size of the board.
When the first cycle is closed, at most six dots are left, whose value is looked up (see endgame_table.py). So only sets
of lines on the whole board are searched. One word holds such a set together with all that is stored about it, so no two
positions are ever confused. Before a move is searched, the position after it is looked up in the table; most moves then
need no search. Trees (sets of dots that lines join) are computed anew for each searched position, since few positions
are searched.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from hinterland.dots.order_types.bitsets import count, cycle, lowest, touching
from hinterland.dots.solver.board_tables import BoardTables, NumpyRecord, tables_of
from hinterland.dots.solver.endgame_table import (
    EndgameTable,
    SubsetTypes,
    endgame_table,
    endgame_value,
    new_subset_types,
    value_of_three,
)
from hinterland.dots.solver.plies import move_best_to_front
from hinterland.jit import inlined, kernel

MAX_DOTS = 9
"""Largest number of dots."""
MAX_LINES = 36
TABLE_SIZES = (2**15, 2**18)
"""Number of positions in the table, for boards of up to 8 dots and for boards of 9: the table mostly fits the
processor's second-level cache."""
LOW_MASK, HIGH_SHIFT = 2**31 - 1, 22
SPREAD_LOW, SPREAD_HIGH, SPREAD_SHIFT = 0x9E3779B1, 0x2545F491, 30
"""Positions are hashed by multiplying their lower and their upper bits by these factors, then shifting; the products
stay below 2^63."""
POSITION_SHIFT, LINE_SHIFT, LEAST_SHIFT = 16, 10, 5
"""Bits at which the parts of a table entry begin: the position, the line that proved the last answer, the least value.
The greatest value is in the lowest bits."""
NO_LINE, VALUE_MASK = 2**6 - 1, 2**5 - 1
"""NO_LINE: a line's number with all bits set, which stands for no line. VALUE_MASK: a mask for the bits of a value."""
OFFSET = MAX_DOTS
"""Added to values, so that entries hold whole numbers from 0 on."""
UNKNOWN = -100

HINT_RANK, OPENED_RANK = 2**20, 2**8
"""Parts of the rank of a line that joins two trees: the first is added if the line proved the last answer, the second
is subtracted if the opponent could then close a cycle."""
RANK_SHIFT = 6
"""Bit at which the rank of a packed move begins; the lowest bits hold its line."""

PLY = np.dtype((np.record, [
    ("lines", np.int64),
    ("within", np.int64),  # lines that join two dots of a tree
    ("wanted", np.int64),  # the question: is the value at least this?
    ("best", np.int64),  # the greatest value that a move tried so far may have
    ("listed", np.int64),  # number of moves listed
    ("tried", np.int64),  # number of moves tried
    ("proof", np.int64),  # the line that proved the answer
    ("joined", np.int64, (MAX_DOTS,)),  # for each dot: the dots joined to it
    ("tree", np.int64, (MAX_DOTS,)),  # for each dot: the dots of its tree
    ("reach", np.int64, (MAX_DOTS,)),  # for each dot: the lines that end on a dot of its tree
    ("moves", np.int64, (MAX_LINES,)),
]))  # fmt: skip
"""A position on the way from the root of a search: a set of lines on the whole board."""


def evaluate(sides: np.ndarray) -> tuple[int, int]:
    """Return the value of a board of up to MAX_DOTS dots, and how many first moves keep it.

    ``sides``: int8 (n, n, n); at [i, j, k] 1 if dots i, j, k turn left, -1 if they turn right, 0 if two are the same.
    """
    dots = len(sides)
    value, best = _evaluate(
        tables_of(sides),
        endgame_table(),
        new_subset_types(dots),
        _table(TABLE_SIZES[dots == MAX_DOTS]),
        np.zeros(dots, PLY),
    )
    return int(value), int(best)


@cache
def _table(room: int) -> np.ndarray:
    """Return this process's table with ``room`` entries."""
    return np.zeros(room, dtype=np.int64)


@kernel
def _evaluate(
    tables: BoardTables, endgames: EndgameTable, types: SubsetTypes, known: np.ndarray, plies: np.ndarray
) -> tuple[int, int]:
    """Return the value, and how many moves keep it; ``known``: the table, int64[entries], which is overwritten."""
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
    """Find out whether a position is worth at least ``wanted``; return a lower bound if so, else an upper bound."""
    ply = 0
    answer = _start_ply(tables, endgames, types, known, plies[0], lines, wanted)
    while True:
        here = plies[ply]
        if answer == UNKNOWN:
            move = move_best_to_front(here)
            ply += 1
            answer = _start_ply(
                tables, endgames, types, known, plies[ply], here.lines | 1 << (move & NO_LINE), 1 - here.wanted
            )
            continue
        _store_answer(tables, known, here, answer)
        if ply == 0:
            return answer
        ply -= 1
        answer = _apply_answer(plies[ply], answer)


@inlined
def _apply_answer(here: NumpyRecord, answer: int) -> int:
    """Apply the answer about the move being tried; return the answer that it proves for this ply, or UNKNOWN."""
    here.best = max(here.best, -answer)
    if -answer >= here.wanted:
        here.proof = here.moves[here.tried] & NO_LINE
        return -answer
    here.tried += 1
    return int(here.best) if here.tried == here.listed else UNKNOWN


@kernel
def _start_ply(
    tables: BoardTables, endgames: EndgameTable, types: SubsetTypes, known: np.ndarray, here: NumpyRecord, lines: int,
    wanted: int,
) -> int:  # fmt: skip
    """Look up the positions after all moves; return the answer, or UNKNOWN if moves are left to search."""
    here.lines = lines
    here.wanted = wanted
    here.best = UNKNOWN
    here.listed = 0
    here.tried = 0
    here.proof = NO_LINE
    legal = _derive_ply(tables, here)
    rest = legal & here.within
    while rest:
        line = lowest(rest)
        rest &= rest - 1
        here.best = max(here.best, _value_of_cycle(tables, endgames, types, here, line))
        if here.best >= wanted:
            here.proof = line
            return int(here.best)
    entry = _find_entry(known, lines)
    hint = entry >> LINE_SHIFT & NO_LINE if entry else NO_LINE
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
        rank = HINT_RANK * (line == hint) - OPENED_RANK * (free & (here.within | between) != 0) - count(free)
        here.moves[here.listed] = rank << RANK_SHIFT | line
        here.listed += 1
    return UNKNOWN if here.listed else int(here.best)


@inlined
def _derive_ply(tables: BoardTables, here: NumpyRecord) -> int:
    """Derive the trees, and ``within``, from the drawn lines; return the lines that may be drawn."""
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
def _value_of_cycle(
    tables: BoardTables, endgames: EndgameTable, types: SubsetTypes, here: NumpyRecord, line: int
) -> int:
    """Return the value of a line that closes a cycle."""
    first, second = tables.ends[line, 0], tables.ends[line, 1]
    gone = cycle(here.joined, here.tree[first], first, second)
    left = ((1 << tables.dots) - 1) & ~gone
    kept = here.lines & ~touching(tables.star, gone, 0)
    return count(gone) - endgame_value(endgames, types, tables, left, kept)


@inlined
def _bounds(tables: BoardTables, known: np.ndarray, lines: int) -> tuple[int, int]:
    """Return bounds on the value of a position, by counting or from the table."""
    if tables.dots == 3:
        value = value_of_three(lines)
        return value, value
    entry = _find_entry(known, lines)
    if entry == 0:
        return -tables.dots, tables.dots
    return (entry >> LEAST_SHIFT & VALUE_MASK) - OFFSET, (entry & VALUE_MASK) - OFFSET


@inlined
def _slot_of(known: np.ndarray, lines: int) -> int:
    """Return the slot of a position in the table; the hash needs no division, which would be slow."""
    return ((lines & LOW_MASK) * SPREAD_LOW ^ (lines >> HIGH_SHIFT) * SPREAD_HIGH) >> SPREAD_SHIFT & (known.size - 1)


@inlined
def _find_entry(known: np.ndarray, lines: int) -> int:
    """Return the entry of a position; 0 if there is none."""
    entry = known[_slot_of(known, lines)]
    return entry if entry >> POSITION_SHIFT == lines else 0


@inlined
def _store_answer(tables: BoardTables, known: np.ndarray, here: NumpyRecord, answer: int) -> None:
    """Store an answer about a position in the table."""
    least, most = _bounds(tables, known, here.lines)
    if answer >= here.wanted:
        least = max(least, answer)
    else:
        most = min(most, answer)
    bounds = (least + OFFSET) << LEAST_SHIFT | most + OFFSET
    known[_slot_of(known, here.lines)] = here.lines << POSITION_SHIFT | here.proof << LINE_SHIFT | bounds
