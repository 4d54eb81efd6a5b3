"""Sets of small numbers in the bits of whole numbers, for kernels.

Sets of lines are spread over words of WORD bits, so that a word is never negative and plain Python agrees with the
compiler. Both loops below are known to the compiler, which makes a single instruction of each.
"""

from __future__ import annotations

from hinterland.jit import inlined

__all__ = ["WORD", "count", "lowest"]

WORD = 60


@inlined
def count(bits: int) -> int:
    """Return how many members a set has."""
    members = 0
    while bits:
        bits &= bits - 1
        members += 1
    return members


@inlined
def lowest(bits: int) -> int:
    """Return the least member of a set that has one."""
    return count((bits & -bits) - 1)
