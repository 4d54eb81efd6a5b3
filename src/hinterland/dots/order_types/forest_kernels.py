"""Forests of lines in kernels: the cycle that a line closes, and the lines that go with some dots.

Dots are bits. Kernels keep what is known of a position in one array, because a kernel that is given an array is given
seven numbers; so they tell in which row, and from which column on, it is said of each dot which dots are joined to it.
"""

from __future__ import annotations

import numpy as np

from hinterland.dots.order_types.bitsets import lowest
from hinterland.jit import inlined

__all__ = ["cycle", "touching"]


@inlined
def cycle(table: np.ndarray, row: int, joined: int, tree: int, first: int, second: int) -> int:
    """Return the dots on the way between two dots of a tree: what is left when all other leaves are pruned.

    ``table``: int64 (…, …), in whose row from column ``joined`` on stand for each dot those that a line joins to it.
    """
    kept = 1 << first | 1 << second
    pruned = True
    while pruned:
        pruned = False
        rest = tree & ~kept
        while rest:
            dot = lowest(rest)
            rest &= rest - 1
            near = table[row, joined + dot] & tree
            if near & (near - 1) == 0:
                tree ^= 1 << dot
                pruned = True
    return int(tree)


@inlined
def touching(star: np.ndarray, dots: int, word: int) -> int:
    """Return the lines that end on one of some dots, in one word; ``star``: int64 (n, words)."""
    lines = 0
    while dots:
        lines |= star[lowest(dots), word]
        dots &= dots - 1
    return lines
