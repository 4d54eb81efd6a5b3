"""The transposition table: bounds on the values of positions, under keys that do not depend on a board's labels.

The value of the rest of a game depends on the order type of the dots left and on the lines among them, and on nothing
else. So dots are relabelled canonically before a position is looked up (see canonical_forms.py). The key of a position
is the sum (exclusive or) of random numbers (Zobrist, 1970): one for the number of dots, one for each left turn, one for
each line. So equivalent positions of different boards share one entry.

Entries are stored in buckets of four; when a bucket is full, the entry that took the least work is replaced. An entry
is two words. The first is the key. The second holds bounds, a move, the work, and 32 bits of a second key, which must
agree, too. So in 10**8 searches that look up 10**10 positions each, less than one confusion of two positions is
expected.
"""

from __future__ import annotations

from math import comb

import numpy as np

from hinterland.dots.solver.board_tables import MAX_DOTS
from hinterland.jit import inlined, kernel

TURN_ROW = comb(MAX_DOTS, 2)
SIZE_ROW = TURN_ROW + comb(MAX_DOTS, 3)
ZOBRIST_ROWS = SIZE_ROW + MAX_DOTS + 1
ZOBRIST = np.random.PCG64(20171).random_raw(2 * ZOBRIST_ROWS).view(np.int64).reshape(ZOBRIST_ROWS, 2)
"""Random numbers, a row of two for each line (by ``pair_number``), from TURN_ROW on for each left turn, from SIZE_ROW
on for each number of dots. The first of a row is for the key, the second for the second key."""
BUCKET = 4
INITIAL_ENTRIES = 2**14
"""Size of a new table."""
GROWTH_FACTOR = 4
STEP_ENTRIES = 2**16
"""Number of entries moved in one step when a table grows, which takes a hundredth of a second."""
ENTRY_BYTES = 16
OFFSET = 64
"""Added to bounds, so that they are stored as whole numbers from 1 on; zero means unknown."""
MOST_SHIFT, MOVE_SHIFT, WORK_SHIFT, CHECK_SHIFT = 7, 14, 23, 32
"""Bits at which the parts of an entry's second word begin: the greatest value, the move, the work, the second key. The
least value is in the lowest bits."""
VALUE_MASK, NO_MOVE, WORK_MASK = 2**7 - 1, 2**9 - 1, 2**6 - 1
"""Parts with all bits set."""


def new_transpositions(entries: int = INITIAL_ENTRIES) -> np.ndarray:
    """Return an empty table, int64 (entries, 2); it is fastest while it fits the processor's caches."""
    return np.zeros((entries, 2), dtype=np.int64)


class Growth:
    """Moves the entries of a table to a larger one in steps. Moving 256 MB at once would take most of a second.

    The table may be used between steps. Entries that are added between steps to the part already moved are lost.
    """

    def __init__(self, table: np.ndarray) -> None:
        """Allocate the larger table; raises MemoryError."""
        self.larger = new_transpositions(len(table) * GROWTH_FACTOR)
        self._table = table
        self._moved = 0

    def move_step(self) -> bool:
        """Move some more entries; return whether all are moved."""
        end = min(self._moved + STEP_ENTRIES, len(self._table))
        _move_entries(self._table, self._moved, end, self.larger)
        self._moved = end
        return end == len(self._table)


class GrowingTable:
    """A transposition table that grows before it is full, as far as ``memory_mb`` allows."""

    def __init__(self, memory_mb: int) -> None:
        self.transpositions = new_transpositions()
        self._megabytes = memory_mb
        self._stored = 0
        self._growth: Growth | None = None

    def count_stored(self, stored: int, *, in_steps: bool) -> None:
        """Count entries added to the table, and let the table grow if it is more than half full.

        ``in_steps``: grow by one step in each call, so that the caller can look at the time in between; otherwise grow
        at once.
        """
        self._stored += stored
        if self._growth is None and self._stored > len(self.transpositions) // 2:
            self._growth = self._begin_growth()
        while self._growth is not None:
            if self._growth.move_step():
                self.transpositions, self._growth = self._growth.larger, None
            elif in_steps:
                break

    def _begin_growth(self) -> Growth | None:
        """Begin to move the table to a larger one, if allowed; if the machine lacks the memory, do not try again."""
        if len(self.transpositions) * GROWTH_FACTOR * ENTRY_BYTES > self._megabytes * 2**20:
            return None
        try:
            return Growth(self.transpositions)
        except MemoryError:
            self._megabytes = 0
            return None


@kernel
def _move_entries(table: np.ndarray, first: int, end: int, larger: np.ndarray) -> None:
    """Copy the entries ``first`` … ``end`` - 1 of a table, which are whole buckets, to a larger table."""
    for slot in range(first, end):
        if table[slot, 1]:
            place = table[slot, 0] & (larger.shape[0] - 1) & ~(BUCKET - 1)
            while larger[place, 1]:
                place += 1
            larger[place, 0] = table[slot, 0]
            larger[place, 1] = table[slot, 1]


@inlined
def pair_number(first: int, second: int) -> int:
    """Return the number of a pair of dots, which does not depend on how many dots there are."""
    least = int(min(first, second))
    most = int(max(first, second))
    return most * (most - 1) // 2 + least


@inlined
def probe(table: np.ndarray, key: int, check: int) -> int:
    """Return the second word of a position's entry; 0 if there is none."""
    bucket = key & (table.shape[0] - 1) & ~(BUCKET - 1)
    for slot in range(bucket, bucket + BUCKET):
        if table[slot, 0] == key and (table[slot, 1] ^ check) >> CHECK_SHIFT == 0:
            return int(table[slot, 1])
    return 0


@inlined
def bounds_in(entry: int) -> tuple[int, int]:
    """Return the least and the greatest possible value, from an entry's second word."""
    return (entry & VALUE_MASK) - OFFSET, (entry >> MOST_SHIFT & VALUE_MASK) - OFFSET


@inlined
def move_in(entry: int) -> int:
    """Return the move, as a pair_number, from an entry's second word; NO_MOVE if there is none."""
    return entry >> MOVE_SHIFT & NO_MOVE


@inlined
def store(table: np.ndarray, key: int, check: int, least: int, most: int, move: int, work: int) -> int:
    """Store bounds on a value and the move that proved them, or NO_MOVE; better bounds stored earlier are kept.

    Return 1 if the entry filled a free slot, else 0.
    """
    bucket = key & (table.shape[0] - 1) & ~(BUCKET - 1)
    place = bucket
    cheapest = WORK_MASK + 1
    for slot in range(bucket, bucket + BUCKET):
        entry = table[slot, 1]
        if table[slot, 0] == key and (entry ^ check) >> CHECK_SHIFT == 0:
            place = slot
            known_least, known_most = bounds_in(entry)
            least = max(least, known_least)
            most = min(most, known_most)
            move = move_in(entry) if move == NO_MOVE else move
            break
        if entry >> WORK_SHIFT & WORK_MASK < cheapest:
            cheapest = entry >> WORK_SHIFT & WORK_MASK
            place = slot
    bounds = (most + OFFSET) << MOST_SHIFT | (least + OFFSET)
    taken = int(table[place, 1] == 0)
    table[place, 0] = key
    table[place, 1] = check >> CHECK_SHIFT << CHECK_SHIFT | work << WORK_SHIFT | move << MOVE_SHIFT | bounds
    return taken
