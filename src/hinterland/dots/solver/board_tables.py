"""A board as kernels want it: which lines cross, and which end on a dot, as sets in words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.dots.order_types.bitsets import WORD
from hinterland.dots.order_types.chirotopes import crossings, lines_of

__all__ = ["MOST", "MOST_LINES", "MOST_WORDS", "Ground", "ground_of", "words_of"]

MOST = 24
"""The most dots that the solver takes; sets of dots are kept in tables of 2 ** dots."""
MOST_LINES = MOST * (MOST - 1) // 2
MOST_WORDS = -(-MOST_LINES // WORD)


class Ground(NamedTuple):
    """What stays the same while one board is searched. Not to be changed."""

    dots: int
    """How many dots there are, n."""
    words: int
    """How many words a set of lines takes, W."""
    side: np.ndarray
    """int8 (n, n, n): the turn of any three dots."""
    ends: np.ndarray
    """int64 (lines, 2): the dots that each line joins."""
    crossed: np.ndarray
    """int64 (lines, W): the lines that cross each."""
    star: np.ndarray
    """int64 (n, W): the lines that end on each dot."""


def ground_of(side: np.ndarray) -> Ground:
    """Lay out the board with these sides."""
    dots = len(side)
    lines = lines_of(dots)
    words = -(-len(lines) // WORD)
    star = [sum(1 << line for line, ends in enumerate(lines) if dot in ends) for dot in range(dots)]
    return Ground(
        dots,
        words,
        side,
        np.array(lines, dtype=np.int64),
        np.array([words_of(crossed, words) for crossed in crossings(side)], dtype=np.int64),
        np.array([words_of(ending, words) for ending in star], dtype=np.int64),
    )


def words_of(lines: int, words: int) -> list[int]:
    """Spread a set of lines over words."""
    return [lines >> WORD * word & (1 << WORD) - 1 for word in range(words)]
