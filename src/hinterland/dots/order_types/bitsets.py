"""Sets of dots and of lines as bits of whole numbers, for kernels.

A set of lines is spread over words of WORD bits. So no word is negative, and helpers return the same in plain Python as
compiled. The compiler makes a single instruction of the loop of ``count``, which ``lowest`` calls.
"""

from __future__ import annotations

import numpy as np

from hinterland.jit import inlined

WORD = 60


@inlined
def count(bits: int) -> int:
    """Return the number of members of a set."""
    members = 0
    while bits:
        bits &= bits - 1
        members += 1
    return members


@inlined
def lowest(bits: int) -> int:
    """Return the smallest member of a set that is not empty."""
    return count((bits & -bits) - 1)


@inlined(allocates=True)
def members(bits: int) -> np.ndarray:
    """Return the members of a set in ascending order: int64[members]."""
    found = np.empty(count(bits), dtype=np.int64)
    for place in range(found.size):
        found[place] = lowest(bits)
        bits &= bits - 1
    return found


@inlined
def cycle(joined: np.ndarray, tree: int, first: int, second: int) -> int:
    """Return the dots on the path between two dots of a tree, by pruning all other leaves until none is left.

    ``joined``: int64[n], for each dot the set of dots joined to it.
    """
    kept = 1 << first | 1 << second
    pruned = True
    while pruned:
        pruned = False
        rest = tree & ~kept
        while rest:
            dot = lowest(rest)
            rest &= rest - 1
            near = joined[dot] & tree
            if near & (near - 1) == 0:
                tree ^= 1 << dot
                pruned = True
    return int(tree)


@inlined
def touching(star: np.ndarray, dots: int, word: int) -> int:
    """Return word number ``word`` of the set of lines that end on any of ``dots``.

    ``star``: int64 (n, words), the lines that end on each dot.
    """
    lines = 0
    while dots:
        lines |= star[lowest(dots), word]
        dots &= dots - 1
    return lines
