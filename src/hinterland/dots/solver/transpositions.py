"""What the search remembers: bounds on the values of positions, under keys that forget how a board is numbered.

The value of what is still to come depends on the order type of the dots left and on the lines among them, and on
nothing else. So dots are renumbered canonically before a position is looked up (see labels.py), and its key is the
sum (exclusive or) of random numbers: one for the number of dots, one for each left turn, one for each line. Positions
of different boards that are the same to the game are the same here.

Positions of at most ENDING dots have a cell each for their bounds; there are 22 order types of so few. All others
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
    "COUNT",
    "ENDING",
    "NO_MOVE",
    "OFFSET",
    "TURN",
    "Memory",
    "grown",
    "keep",
    "look_up",
    "new_memory",
    "pair_number",
]

ENDING = 6
CELLS = 2**15 * 16 + 2**10 * 3 + 2**6 * 2 + 2**3
TYPES = 32
TURN = comb(MOST, 2)
COUNT = TURN + comb(MOST, 3)
NO_MOVE = 511
BUCKET = 4
FEWEST = 2**14
"""Entries of a table to begin with."""
GROWTH = 4
ENTRY_BYTES = 16
OFFSET = 64
"""Bounds are kept as whole numbers from 1 on; zero is for what is not known."""
SEED = 20171


class Memory(NamedTuple):
    """Kernels overwrite table, endings and types."""

    table: np.ndarray
    """int64 (entries, 2): a key; from the lowest bit: least value 7, greatest value 7, move 9, work 6, another 32."""
    endings: np.ndarray
    """int8 (CELLS, 2): least and greatest value of positions of few dots."""
    types: np.ndarray
    """int64 (TYPES, 2): the key of each order type of few dots, and its first cell; last, how many are in use."""
    drawn: np.ndarray
    """int64 (…, 2): random numbers; those of lines, by pair_number, then those of TURN and those of COUNT."""


def new_memory() -> Memory:
    """Return an empty memory with a small table; it is searched quickest as long as it fits the processor's caches."""
    rows = COUNT + MOST + 1
    return Memory(
        np.zeros((FEWEST, 2), dtype=np.int64),
        np.zeros((CELLS, 2), dtype=np.int8),
        np.zeros((TYPES, 2), dtype=np.int64),
        np.random.PCG64(SEED).random_raw(2 * rows).view(np.int64).reshape(rows, 2),
    )


def grown(memory: Memory, megabytes: int) -> Memory:
    """Return the same memory with a larger table, or itself where that would take more than so many megabytes.

    Raises MemoryError where they are not there.
    """
    entries = len(memory.table) * GROWTH
    if entries * ENTRY_BYTES > megabytes * 2**20:
        return memory
    table = np.zeros((entries, 2), dtype=np.int64)
    _move(memory.table, table)
    return memory._replace(table=table)


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
def look_up(table: np.ndarray, key: int, check: int) -> int:
    """Return the second word of a position's entry, 0 where there is none."""
    bucket = key & (table.shape[0] - 1) & ~(BUCKET - 1)
    for slot in range(bucket, bucket + BUCKET):
        if table[slot, 0] == key and (table[slot, 1] ^ check) >> 32 == 0:
            return int(table[slot, 1])
    return 0


@inlined
def keep(table: np.ndarray, key: int, check: int, least: int, most: int, move: int, work: int) -> None:
    """Enter bounds on a value and the move that proved them, NO_MOVE where none did; what was known stays."""
    bucket = key & (table.shape[0] - 1) & ~(BUCKET - 1)
    place = bucket
    cheapest = 64
    for slot in range(bucket, bucket + BUCKET):
        entry = table[slot, 1]
        if table[slot, 0] == key and (entry ^ check) >> 32 == 0:
            place = slot
            least = max(least, (entry & 127) - OFFSET)
            most = min(most, (entry >> 7 & 127) - OFFSET)
            move = entry >> 14 & 511 if move == NO_MOVE else move
            break
        if entry >> 23 & 63 < cheapest:
            cheapest = entry >> 23 & 63
            place = slot
    table[place, 0] = key
    table[place, 1] = check >> 32 << 32 | work << 23 | move << 14 | (most + OFFSET) << 7 | (least + OFFSET)
