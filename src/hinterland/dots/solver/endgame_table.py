"""An endgame table: the exact value of every position of four to six dots, looked up instead of searched.

There are 21 order types of these sizes up to reflection, with at most 2^15 sets of lines each. When the first cycle on
a board of nine dots is closed, at most six dots are left, so that their position is in this table.

An order type is solved when it first occurs. A set of lines is a number, in which each line is a bit. The sets are
solved from the greatest number to the least, because a line that joins two trees leads to a greater number. A line that
closes a cycle leaves at most three dots, whose value follows from counting.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from hinterland.dots.order_types.bitsets import count, cycle, lowest, members
from hinterland.dots.order_types.canonical import find_labellings
from hinterland.dots.solver.board_tables import BoardTables, line_number
from hinterland.dots.solver.transpositions import pair_number
from hinterland.jit import inlined, kernel

MAX_DOTS = 6
"""Largest number of dots in the table."""
MAX_LINES = MAX_DOTS * (MAX_DOTS - 1) // 2
TYPE_COUNT = 21
"""Number of order types of four to six dots."""
CODE_COUNT = 2**10
"""Number of possible codes of order types, see ``_code``."""
UNSET = -1
BELOW_ALL_VALUES = -100


class EndgameTable(NamedTuple):
    """Values of positions by order type. Kernels fill it."""

    number: np.ndarray
    """int8 (7, CODE_COUNT): the number of the order type with this many dots and this code; UNSET if it has not
    occurred."""
    values: np.ndarray
    """int8 (TYPE_COUNT, 2^15): what the mover will still gain less what its opponent will, by the number of the order
    type and the set of lines between canonical labels."""
    used: np.ndarray
    """int64[1]: number of order types that have occurred."""


class SubsetTypes(NamedTuple):
    """The order types of the sets of dots of one board. Kernels fill it."""

    number: np.ndarray
    """int8[2^n]: the number of each set's order type; UNSET if the set has not occurred."""
    labels: np.ndarray
    """int8 (2^n, n): for each set, the canonical label of each of its dots."""


@cache
def endgame_table() -> EndgameTable:
    """Return the table of this process."""
    return EndgameTable(
        np.full((MAX_DOTS + 1, CODE_COUNT), UNSET, dtype=np.int8),
        np.zeros((TYPE_COUNT, 2**MAX_LINES), dtype=np.int8),
        np.zeros(1, dtype=np.int64),
    )


def new_subset_types(dots: int) -> SubsetTypes:
    """Return an empty table with a place for each set of dots of a board with ``dots`` dots; kernels fill it in."""
    return SubsetTypes(np.full(2**dots, UNSET, dtype=np.int8), np.zeros((2**dots, dots), dtype=np.int8))


@inlined
def endgame_value(table: EndgameTable, types: SubsetTypes, tables: BoardTables, dots: int, lines: int) -> int:
    """Return the value, for the mover, of a position with at most six dots, on a board whose lines fit a word."""
    size = count(dots)
    if size < 3:
        return 0
    if size == 3:
        return value_of_three(lines)
    if types.number[dots] == UNSET:
        _add_type(table, types, tables, dots)
    labels = types.labels[dots]
    drawn = 0
    while lines:
        line = lowest(lines)
        lines &= lines - 1
        drawn |= 1 << pair_number(labels[tables.ends[line, 0]], labels[tables.ends[line, 1]])
    return int(table.values[types.number[dots], drawn])


@inlined
def value_of_three(lines: int) -> int:
    """Return the value of a position of three dots: the seat that draws the third line between them takes them."""
    return -3 if count(lines) == 1 else 3


@kernel(allocates=True)
def _add_type(table: EndgameTable, types: SubsetTypes, tables: BoardTables, dots: int) -> None:
    """Find the order type of a set of dots, and solve it if it is new."""
    size = count(dots)
    labelled, senses = find_labellings(tables.sides, members(dots))
    for label in range(size):
        types.labels[dots, labelled[0, label]] = label
    code = _code(tables.sides, labelled[0], senses[0])
    if table.number[size, code] == UNSET:
        table.number[size, code] = table.used[0]
        table.used[0] += 1
        _solve(table.values[table.number[size, code]], tables, labelled[0])
    types.number[dots] = table.number[size, code]


@inlined
def _code(sides: np.ndarray, labelled: np.ndarray, sense: int) -> int:
    """Return the code of an order type: as bits, the turns of all triples of labels that do not include the first."""
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
        blocked = _derive_trees(lines, ends, crossed, joined, tree)
        if blocked & lines:
            continue
        best = BELOW_ALL_VALUES
        for line in range(len(ends)):
            if (lines | blocked) >> line & 1:
                continue
            first, second = ends[line]
            if tree[first] >> second & 1:
                best = max(best, _value_of_cycle(lines, ends, cycle(joined, tree[first], first, second)))
            else:
                best = max(best, -values[lines | 1 << line])
        values[lines] = best if best > BELOW_ALL_VALUES else 0


@kernel(allocates=True)
def _crossings(tables: BoardTables, labelled: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return for each line between canonical labels the set of lines that cross it: int64[lines]."""
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
def _derive_trees(lines: int, ends: np.ndarray, crossed: np.ndarray, joined: np.ndarray, tree: np.ndarray) -> int:
    """Write ``joined`` and ``tree``; return the lines that are crossed, or all lines if those drawn close a cycle."""
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
def _value_of_cycle(lines: int, ends: np.ndarray, gone: int) -> int:
    """Return the value of closing a cycle; ``gone``: the dots that it takes."""
    size = count(gone)
    kept = 0
    for line in range(len(ends)):
        if lines >> line & 1 and not (gone >> ends[line, 0] | gone >> ends[line, 1]) & 1:
            kept |= 1 << line
    left = ends[len(ends) - 1, 1] + 1 - size
    return size - (value_of_three(kept) if left == 3 else 0)
