"""An endgame table: the exact value of every position of four to six dots, looked up instead of searched.

There are 21 order types of so many dots, up to reflection, and at most 2^15 sets of lines on each. What is left of a
board of nine when its first cycle is closed is one of these. A type is solved when it is first met, from the positions
with most lines to those with fewest: a line that joins two trees leads to a set of lines that is a greater number, and
a cycle leaves three dots at most, whose value follows from counting.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from hinterland.dots.order_types.bitsets import count, cycle, lowest, members
from hinterland.dots.order_types.canonical import labellings
from hinterland.dots.solver.board_tables import BoardTables, line_number
from hinterland.dots.solver.transpositions import pair_number
from hinterland.jit import inlined, kernel

MOST = 6
"""The most dots of the table."""
LINES = MOST * (MOST - 1) // 2
TYPES = 21
CODES = 2**10
"""Order types by their codes, see ``_code``, of each number of dots."""
NOTHING = -1
LOST = -100
"""Less than any value."""


class EndgameTable(NamedTuple):
    """Values of positions by order type. Kernels fill it."""

    number: np.ndarray
    """int8 (7, CODES): the number of each order type by dots and code, NOTHING where it was not met."""
    values: np.ndarray
    """int8 (TYPES, 2^15): what the mover scores from here on less the other, by the lines between canonical labels."""
    used: np.ndarray
    """int64[1]: how many types were met."""


class SubsetTypes(NamedTuple):
    """The order types of sets of dots of one board. Kernels fill it."""

    number: np.ndarray
    """int8[2^n]: the number of a set's order type, NOTHING where it was not asked for."""
    labels: np.ndarray
    """int8 (2^n, n): the canonical label of each dot of a set."""


@cache
def endgame_table() -> EndgameTable:
    """Return the table of this process."""
    return EndgameTable(
        np.full((MOST + 1, CODES), NOTHING, dtype=np.int8),
        np.zeros((TYPES, 2**LINES), dtype=np.int8),
        np.zeros(1, dtype=np.int64),
    )


def new_subset_types(dots: int) -> SubsetTypes:
    """Return what is known of a board of so many dots before anything was asked."""
    return SubsetTypes(np.full(2**dots, NOTHING, dtype=np.int8), np.zeros((2**dots, dots), dtype=np.int8))


@inlined
def endgame_value(table: EndgameTable, types: SubsetTypes, tables: BoardTables, dots: int, lines: int) -> int:
    """Return the value of a position of at most six dots, to the mover, on a board whose lines fit a word."""
    size = count(dots)
    if size < 3:
        return 0
    if size == 3:
        return of_three(lines)
    if types.number[dots] == NOTHING:
        _meet(table, types, tables, dots)
    labels = types.labels[dots]
    drawn = 0
    while lines:
        line = lowest(lines)
        lines &= lines - 1
        drawn |= 1 << pair_number(labels[tables.ends[line, 0]], labels[tables.ends[line, 1]])
    return int(table.values[types.number[dots], drawn])


@inlined
def of_three(lines: int) -> int:
    """Return the value of three dots: who draws the last of their lines takes them."""
    return -3 if count(lines) == 1 else 3


@kernel(allocates=True)
def _meet(table: EndgameTable, types: SubsetTypes, tables: BoardTables, dots: int) -> None:
    """Find the order type of a set of dots, and solve it where it is new."""
    size = count(dots)
    labelled, senses = labellings(tables.sides, members(dots))
    for label in range(size):
        types.labels[dots, labelled[0, label]] = label
    code = _code(tables.sides, labelled[0], senses[0])
    if table.number[size, code] == NOTHING:
        table.number[size, code] = table.used[0]
        table.used[0] += 1
        _solve(table.values[table.number[size, code]], tables, labelled[0])
    types.number[dots] = table.number[size, code]


@inlined
def _code(sides: np.ndarray, labelled: np.ndarray, sense: int) -> int:
    """Return an order type as a number: the turns of three canonical labels, those with the first left out."""
    code = 0
    for i in range(1, labelled.size):
        for j in range(i + 1, labelled.size):
            for k in range(j + 1, labelled.size):
                code = 2 * code + (sides[labelled[i], labelled[j], labelled[k]] * sense > 0)
    return code


@kernel(allocates=True)
def _solve(values: np.ndarray, tables: BoardTables, labelled: np.ndarray) -> None:
    """Set the value of every set of lines that do not cross and close no cycle."""
    size = labelled.size
    ends = np.empty((size * (size - 1) // 2, 2), dtype=np.int64)
    for second in range(size):
        for first in range(second):
            ends[pair_number(first, second)] = first, second
    crossed = _crossings(tables, labelled, ends)
    joined = np.empty(size, dtype=np.int64)
    tree = np.empty(size, dtype=np.int64)
    for lines in range(2 ** len(ends) - 1, -1, -1):
        blocked = _lay_out(lines, ends, crossed, joined, tree)
        if blocked & lines:
            continue
        best = LOST
        for line in range(len(ends)):
            if (lines | blocked) >> line & 1:
                continue
            first, second = ends[line]
            if tree[first] >> second & 1:
                best = max(best, _closed(lines, ends, cycle(joined, tree[first], first, second)))
            else:
                best = max(best, -values[lines | 1 << line])
        values[lines] = best if best > LOST else 0


@kernel(allocates=True)
def _crossings(tables: BoardTables, labelled: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return the set of lines between canonical labels that cross each: int64[lines]."""
    numbers = np.empty(len(ends), dtype=np.int64)
    for line in range(len(ends)):
        a, b = labelled[ends[line, 0]], labelled[ends[line, 1]]
        numbers[line] = line_number(tables, min(a, b), max(a, b))
    crossed = np.zeros(len(ends), dtype=np.int64)
    for line in range(len(ends)):
        for other in range(len(ends)):
            crossed[line] |= (tables.crossed[numbers[line], 0] >> numbers[other] & 1) << other
    return crossed


@inlined
def _lay_out(lines: int, ends: np.ndarray, crossed: np.ndarray, joined: np.ndarray, tree: np.ndarray) -> int:
    """Work out trees; return the lines that are blocked by those drawn, all where those close a cycle."""
    for dot in range(joined.size):
        joined[dot] = 0
        tree[dot] = 1 << dot
    blocked = 0
    while lines:
        line = lowest(lines)
        lines &= lines - 1
        first, second = ends[line]
        whole = tree[first] | tree[second]
        if whole == tree[first]:
            return (1 << len(ends)) - 1
        joined[first] |= 1 << second
        joined[second] |= 1 << first
        blocked |= crossed[line]
        for dot in range(tree.size):
            if whole >> dot & 1:
                tree[dot] = whole
    return blocked


@inlined
def _closed(lines: int, ends: np.ndarray, gone: int) -> int:
    """Return what a cycle is worth that takes some of the dots."""
    size = count(gone)
    kept = 0
    for line in range(len(ends)):
        if lines >> line & 1 and not (gone >> ends[line, 0] | gone >> ends[line, 1]) & 1:
            kept |= 1 << line
    left = ends[len(ends) - 1, 1] + 1 - size
    return size - (of_three(kept) if left == 3 else 0)
