"""The transposition table: bounds on the values of positions, under keys that forget how a board is labelled.

The value of what is still to come depends on the order type of the dots left and on the lines among them, and on
nothing else. So dots are relabelled canonically before a position is looked up (see canonical_forms.py), and its key
is the sum (exclusive or) of random numbers (Zobrist, 1970): one for the number of dots, one for each left turn, one for
each line. Positions of different boards that are the same to the game are the same here.

Positions of at most ENDGAME dots have a cell each for their bounds; there are 22 order types of so few. All others
share a table of buckets of four; when one is full, the entry that took least work to find goes. An entry compares 64
bits of one key and 32 of another, so that of 10**10 positions looked up, less than one in 10**8 searches would take
one for another.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from hinterland.dots.solver.board_tables import MOST
from hinterland.jit import inlined, kernel

__all__ = [
    "ENDGAME",
    "NO_MOVE",
    "OFFSET",
    "OF_SIZE",
    "OF_TURN",
    "Transpositions",
    "bounds_in",
    "grown",
    "move_in",
    "new_transpositions",
    "pair_number",
    "probe",
    "store",
]

ENDGAME = 6
CELLS = 2**15 * 16 + 2**10 * 3 + 2**6 * 2 + 2**3
TYPES = 32
OF_TURN = comb(MOST, 2)
OF_SIZE = OF_TURN + comb(MOST, 3)
BUCKET = 4
FEWEST = 2**14
"""Entries of a table to begin with."""
GROWTH = 4
ENTRY_BYTES = 16
OFFSET = 64
"""Bounds are kept as whole numbers from 1 on; zero is for what is not known."""
SEED = 20171

MOST_AT, MOVE_AT, WORK_AT, CHECK_AT = 7, 14, 23, 32
"""Where the parts of an entry's second word begin; the least value is in its lowest bits."""
VALUE, NO_MOVE, WORK = 2**7 - 1, 2**9 - 1, 2**6 - 1
"""Such a part where all of its bits are set."""


class Transpositions(NamedTuple):
    """Kernels overwrite table, endgames and types."""

    table: np.ndarray
    """int64 (entries, 2): a key; from the lowest bit: least value 7, greatest value 7, move 9, work 6, another 32."""
    endgames: np.ndarray
    """int8 (CELLS, 2): least and greatest value of positions of few dots."""
    types: np.ndarray
    """int64 (TYPES, 2): the key of each order type of few dots, and its first cell; last, how many are in use."""
    zobrist: np.ndarray
    """int64 (…, 2): random numbers; those of lines, by pair_number, then those OF_TURN and those OF_SIZE."""


def new_transpositions() -> Transpositions:
    """Return what is empty, with a small table; it is searched quickest as long as it fits the processor's caches."""
    rows = OF_SIZE + MOST + 1
    return Transpositions(
        np.zeros((FEWEST, 2), dtype=np.int64),
        np.zeros((CELLS, 2), dtype=np.int8),
        np.zeros((TYPES, 2), dtype=np.int64),
        np.random.PCG64(SEED).random_raw(2 * rows).view(np.int64).reshape(rows, 2),
    )


def grown(transpositions: Transpositions, megabytes: int) -> Transpositions:
    """Return the same with a larger table, or itself where that would take more than so many megabytes.

    Raises MemoryError where they are not there.
    """
    entries = len(transpositions.table) * GROWTH
    if entries * ENTRY_BYTES > megabytes * 2**20:
        return transpositions
    table = np.zeros((entries, 2), dtype=np.int64)
    _move(transpositions.table, table)
    return transpositions._replace(table=table)


@kernel
def _move(table: np.ndarray, larger: np.ndarray) -> None:
    """Enter all of a table in an empty one that is larger."""
    for slot in range(table.shape[0]):
        if table[slot, 1]:
            place = table[slot, 0] & (larger.shape[0] - 1) & ~(BUCKET - 1)
            while larger[place, 1]:
                place += 1
            larger[place] = table[slot]


@inlined
def pair_number(first: int, second: int) -> int:
    """Return the number of a pair of dots; those of the first few dots come first."""
    least = int(min(first, second))
    most = int(max(first, second))
    return most * (most - 1) // 2 + least


@inlined
def probe(table: np.ndarray, key: int, check: int) -> int:
    """Return the second word of a position's entry, 0 where there is none."""
    bucket = key & (table.shape[0] - 1) & ~(BUCKET - 1)
    for slot in range(bucket, bucket + BUCKET):
        if table[slot, 0] == key and (table[slot, 1] ^ check) >> CHECK_AT == 0:
            return int(table[slot, 1])
    return 0


@inlined
def bounds_in(entry: int) -> tuple[int, int]:
    """Return the least and the greatest value that an entry's second word holds."""
    return (entry & VALUE) - OFFSET, (entry >> MOST_AT & VALUE) - OFFSET


@inlined
def move_in(entry: int) -> int:
    """Return the move that an entry's second word holds, NO_MOVE where it holds none."""
    return entry >> MOVE_AT & NO_MOVE


@inlined
def store(table: np.ndarray, key: int, check: int, least: int, most: int, move: int, work: int) -> None:
    """Enter bounds on a value and the move that proved them, NO_MOVE where none did; what was known stays."""
    bucket = key & (table.shape[0] - 1) & ~(BUCKET - 1)
    place = bucket
    cheapest = WORK + 1
    for slot in range(bucket, bucket + BUCKET):
        entry = table[slot, 1]
        if table[slot, 0] == key and (entry ^ check) >> CHECK_AT == 0:
            place = slot
            known_least, known_most = bounds_in(entry)
            least = max(least, known_least)
            most = min(most, known_most)
            move = move_in(entry) if move == NO_MOVE else move
            break
        if entry >> WORK_AT & WORK < cheapest:
            cheapest = entry >> WORK_AT & WORK
            place = slot
    bounds = (most + OFFSET) << MOST_AT | (least + OFFSET)
    table[place, 0] = key
    table[place, 1] = check >> CHECK_AT << CHECK_AT | work << WORK_AT | move << MOVE_AT | bounds
