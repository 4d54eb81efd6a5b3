"""A board as kernels need it. A set of lines is spread over several words, see ``order_types/bitsets.py``."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from hinterland.dots.order_types.bitsets import WORD
from hinterland.dots.order_types.segments import segments_of
from hinterland.jit import inlined

MAX_DOTS = 24
"""Largest number of dots that the solver takes; some tables have an entry for each of 2 ** dots sets of dots."""
MAX_LINES = MAX_DOTS * (MAX_DOTS - 1) // 2
MAX_WORDS = -(-MAX_LINES // WORD)

NumpyRecord: TypeAlias = Any
"""A ``numpy.record``, whose fields a type checker does not know."""


class BoardTables(NamedTuple):
    """The constant data of one board during a search. Do not change it."""

    dots: int
    """Number of dots, n."""
    words: int
    """Number of words over which a set of lines is spread, W."""
    sides: np.ndarray
    """int8 (n, n, n): the turn of any three dots, see ``chirotopes.sides``."""
    ends: np.ndarray
    """int64 (lines, 2): the dots that each line joins."""
    crossed: np.ndarray
    """int64 (lines, W): the lines that cross each line."""
    star: np.ndarray
    """int64 (n, W): the lines that end on each dot."""


def tables_of(sides: np.ndarray) -> BoardTables:
    """Build the tables of a board; ``sides``: the turns of its dots."""
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
    """Split a set of lines into this many words."""
    return [lines >> WORD * word & (1 << WORD) - 1 for word in range(words)]
