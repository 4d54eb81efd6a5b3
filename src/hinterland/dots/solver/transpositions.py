"""The transposition table: bounds on the values of positions, under keys that forget how a board is labelled.

The value of what is still to come depends on the order type of the dots left and on the lines among them, and on
nothing else. So dots are relabelled canonically before a position is looked up (see canonical_forms.py), and its key
is the sum (exclusive or) of random numbers (Zobrist, 1970): one for the number of dots, one for each left turn, one for
each line. Positions of different boards that are the same to the game are the same here.

They are kept in a table of buckets of four; when one is full, the entry that took least work to find goes. An entry
compares 64 bits of one key and 32 of another, so that of 10**10 positions looked up, less than one in 10**8 searches
would take one for another.
"""

from __future__ import annotations

from math import comb

import numpy as np

from hinterland.dots.solver.board_tables import MOST
from hinterland.jit import inlined, kernel

OF_TURN = comb(MOST, 2)
OF_SIZE = OF_TURN + comb(MOST, 3)
ROWS = OF_SIZE + MOST + 1
ZOBRIST = np.random.PCG64(20171).random_raw(2 * ROWS).view(np.int64).reshape(ROWS, 2)
"""Random numbers, two a row: those of lines, by pair_number, then those OF_TURN and those OF_SIZE."""
BUCKET = 4
FEWEST = 2**14
"""Entries of a table to begin with."""
GROWTH = 4
STEP = 2**16
"""So many entries are moved at a time when a table grows: a hundredth of a second."""
ENTRY_BYTES = 16
OFFSET = 64
"""Bounds are kept as whole numbers from 1 on; zero is for what is not known."""

MOST_AT, MOVE_AT, WORK_AT, CHECK_AT = 7, 14, 23, 32
"""Where the parts of an entry's second word begin; the least value is in its lowest bits, the second key on top."""
VALUE, NO_MOVE, WORK = 2**7 - 1, 2**9 - 1, 2**6 - 1
"""Such a part where all of its bits are set."""


def new_transpositions(entries: int = FEWEST) -> np.ndarray:
    """Return an empty table, int64 (entries, 2); it is searched quickest as long as it fits the processor's caches."""
    return np.zeros((entries, 2), dtype=np.int64)


class Growth:
    """The move of a table's entries to a larger one, in steps: all at once takes most of a second for 256 MB.

    The table may be searched between steps; what is entered where entries were moved already is forgotten in the end.
    """

    def __init__(self, table: np.ndarray) -> None:
        """Make room; raises MemoryError where it is not there."""
        self.larger = new_transpositions(len(table) * GROWTH)
        self._table = table
        self._moved = 0

    def go_on(self) -> bool:
        """Move some entries more; return whether all are moved."""
        end = min(self._moved + STEP, len(self._table))
        _move(self._table, self._moved, end, self.larger)
        self._moved = end
        return end == len(self._table)


@kernel
def _move(table: np.ndarray, first: int, end: int, larger: np.ndarray) -> None:
    """Enter the entries of a table from ``first`` to before ``end``, whole buckets, in one that is larger."""
    for slot in range(first, end):
        if table[slot, 1]:
            place = table[slot, 0] & (larger.shape[0] - 1) & ~(BUCKET - 1)
            while larger[place, 1]:
                place += 1
            larger[place, 0] = table[slot, 0]
            larger[place, 1] = table[slot, 1]


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
def store(table: np.ndarray, key: int, check: int, least: int, most: int, move: int, work: int) -> int:
    """Enter bounds on a value and the move that proved them, NO_MOVE where none did; what was known stays.

    Return 1 where that took a free place, else 0.
    """
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
    taken = int(table[place, 1] == 0)
    table[place, 0] = key
    table[place, 1] = check >> CHECK_AT << CHECK_AT | work << WORK_AT | move << MOVE_AT | bounds
    return taken
