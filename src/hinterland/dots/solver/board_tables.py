"""A board as kernels want it: which lines cross, and which end on a dot, as sets in words."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from hinterland.dots.order_types.bitsets import WORD
from hinterland.dots.order_types.segments import segments_of
from hinterland.jit import inlined

MOST = 24
"""The most dots that the solver takes; sets of dots are kept in tables of 2 ** dots."""
MOST_LINES = MOST * (MOST - 1) // 2
MOST_WORDS = -(-MOST_LINES // WORD)

Record: TypeAlias = Any
"""A ``numpy.record``, of whose fields a type checker knows nothing."""


class BoardTables(NamedTuple):
    """What stays the same while one board is searched. Not to be changed."""

    dots: int
    """How many dots there are, n."""
    words: int
    """How many words a set of lines takes, W."""
    sides: np.ndarray
    """int8 (n, n, n): the turn of any three dots."""
    ends: np.ndarray
    """int64 (lines, 2): the dots that each line joins."""
    crossed: np.ndarray
    """int64 (lines, W): the lines that cross each."""
    star: np.ndarray
    """int64 (n, W): the lines that end on each dot."""


def tables_of(sides: np.ndarray) -> BoardTables:
    """Lay out the board with these turns."""
    segments = segments_of(sides)
    words = -(-len(segments.ends) // WORD)
    return BoardTables(
        len(sides),
        words,
        sides,
        np.array(segments.ends, dtype=np.int64),
        np.array([words_of(crossed, words) for crossed in segments.crossed], dtype=np.int64),
        np.array([words_of(ending, words) for ending in segments.star], dtype=np.int64),
    )


@inlined
def line_number(tables: BoardTables, first: int, second: int) -> int:
    """Return the number of the line between two dots, first < second."""
    return first * (2 * tables.dots - first - 1) // 2 + second - first - 1


def words_of(lines: int, words: int) -> list[int]:
    """Spread a set of lines over words."""
    return [lines >> WORD * word & (1 << WORD) - 1 for word in range(words)]
