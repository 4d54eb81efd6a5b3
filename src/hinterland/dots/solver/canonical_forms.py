"""Canonical numbers for the dots of a board, so that boards of one order type look the same.

From a corner of the hull all other dots lie within a half-plane, so they have an order around it. That numbers the
dots, once for each corner and each sense of rotation; the numbering whose turns, written one after the other, come
out greatest is the canonical one. Where several do, the board is symmetric, and all of them are kept: a position is
then looked up under the least of its keys. On a circle of n dots there are 2n, and any subset of its dots is a circle
again.

Numberings are worked out for a set of dots when it is first met, and kept by the set.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.dots.order_types.bitsets import count, lowest
from hinterland.dots.solver.board_tables import Ground
from hinterland.dots.solver.transpositions import COUNT, ENDING, TURN, Memory
from hinterland.jit import inlined, kernel

__all__ = ["CELL", "FIRST", "KEY", "SIZE", "Labels", "label", "new_labels", "record_of"]

FIRST, SIZE, KEY, _, CELL = range(5)
"""The columns of ``Labels.records``; there are two keys."""
MOST_SETS = 2**18
ROOM = 2**20
"""How many sets of dots and how many numberings are kept at a time."""


class Labels(NamedTuple):
    """Numberings of sets of dots. Kernels overwrite the arrays."""

    record: np.ndarray
    """int32[2 ** n]: for each set of dots its record and 1, or 0."""
    numbers: np.ndarray
    """uint8 (room, n): canonical numbers of dots, one numbering a row."""
    records: np.ndarray
    """int64 (records, 5): FIRST row, SIZE in rows, both keys of the order type, its first CELL among the endings."""
    used: np.ndarray
    """int64[2]: how many records and how many rows are in use."""


def new_labels(dots: int) -> Labels:
    """Return a store that is empty."""
    sets = min(2**dots, MOST_SETS)
    room = min(2**dots * 2 * dots, ROOM)
    return Labels(
        np.zeros(2**dots, dtype=np.int32),
        np.zeros((room, dots), dtype=np.uint8),
        np.zeros((sets, 5), dtype=np.int64),
        np.zeros(2, dtype=np.int64),
    )


@inlined
def record_of(ground: Ground, labels: Labels, memory: Memory, dots: int) -> int:
    """Return the record of a set of at least three dots."""
    record = labels.record[dots] - 1
    return record if record >= 0 else label(ground, labels, memory, dots)


@kernel
def label(ground: Ground, labels: Labels, memory: Memory, dots: int) -> int:
    """Work out the record of a set of dots; when there is no room for it, all others are forgotten first."""
    size = count(dots)
    if labels.used[0] == labels.records.shape[0] or labels.used[1] + 2 * size > labels.numbers.shape[0]:
        labels.record[:] = 0
        labels.used[:] = 0
    record = labels.used[0]
    first = labels.used[1]
    present = _members(dots, size)
    order = np.zeros(size, dtype=np.int64)
    best = np.zeros(size * (size - 1) * (size - 2) // 6, dtype=np.int8)
    tried = np.zeros_like(best)
    rows = 0
    for corner in present:
        for sense in (1, -1):
            if not _around(ground.side, present, corner, sense, order):
                continue
            _write_turns(ground.side, order, sense, tried)
            better = 1 if rows == 0 else _compared(tried, best)
            if better > 0:
                rows = 0
                best[:] = tried
            if better >= 0:
                for number in range(size):
                    labels.numbers[first + rows, order[number]] = number
                rows += 1
    labels.records[record, FIRST] = first
    labels.records[record, SIZE] = rows
    labels.used[0] = record + 1
    labels.used[1] = first + rows
    labels.record[dots] = record + 1
    _name(labels, memory, record, size, best)
    return int(record)


@inlined
def _members(dots: int, size: int) -> np.ndarray:
    present = np.empty(size, dtype=np.int64)
    for place in range(size):
        present[place] = lowest(dots)
        dots &= dots - 1
    return present


@inlined
def _around(side: np.ndarray, present: np.ndarray, corner: int, sense: int, order: np.ndarray) -> bool:
    """Order the dots around a corner of the hull; return False where this is none."""
    seen = 0
    order[0] = corner
    for dot in present:
        if dot == corner:
            continue
        before = 1
        for other in present:
            if side[corner, dot, other] * sense < 0:
                before += 1
        if seen >> before & 1:
            return False
        seen |= 1 << before
        order[before] = dot
    return True


@inlined
def _write_turns(side: np.ndarray, order: np.ndarray, sense: int, turns: np.ndarray) -> None:
    """Write down the turns of all triples in an order of the dots."""
    turn = 0
    for i in range(order.size):
        for j in range(i + 1, order.size):
            for k in range(j + 1, order.size):
                turns[turn] = side[order[i], order[j], order[k]] * sense
                turn += 1


@inlined
def _compared(tried: np.ndarray, best: np.ndarray) -> int:
    """Return 1, 0 or -1: whether the first comes after the second, is the same, or comes before."""
    for turn in range(best.size):
        if tried[turn] != best[turn]:
            return 1 if tried[turn] > best[turn] else -1
    return 0


@inlined
def _name(labels: Labels, memory: Memory, record: int, size: int, turns: np.ndarray) -> None:
    """Give a record the keys of its order type, and its cells where it has few dots."""
    for half in range(2):
        key = memory.drawn[COUNT + size, half]
        for turn in range(turns.size):
            if turns[turn] > 0:
                key ^= memory.drawn[TURN + turn, half]
        labels.records[record, KEY + half] = key
    if size <= ENDING:
        labels.records[record, CELL] = _cell_of(memory.types, labels.records[record, KEY], size)


@inlined
def _cell_of(types: np.ndarray, key: int, size: int) -> int:
    """Return the first cell of an order type of few dots; a new one takes as many as there are sets of lines."""
    known = types[-1, 0]
    for number in range(known):
        if types[number, 0] == key:
            return int(types[number, 1])
    cell = types[-1, 1]
    types[known, 0] = key
    types[known, 1] = cell
    types[-1, 0] = known + 1
    types[-1, 1] = cell + (1 << (size * (size - 1) // 2))
    return int(cell)
