"""The sign of a sum of fractions, in whole numbers only.

Whether a cell belongs to one colour or another is the sign of ``sum of w_i / q_i``, where the w_i are whole weights
(negative for the rival) and the q_i squared distances. Floating point almost always decides this sign; where it cannot,
this file does. Mirror positions have whole lines of exact ties, on which every stone has a twin at the same distance.
So terms with equal q are added first, and usually their sum is 0. The remaining terms are brought over their common
denominator in numbers of base 2^31 (so that a product of two digits and a carry fits a signed 64-bit word, compiled or
not). A negative number is its two's complement, whose first bit is the sign.
"""

from __future__ import annotations

import numpy as np

from hinterland.jit import inlined, part

DIGIT_BITS = 31
DIGIT_MASK = (1 << DIGIT_BITS) - 1
LARGEST_SQUARE = 1 << 29
"""Squared distances stay below this, or a digit could overflow."""
LARGEST_WEIGHT = 1 << 30
"""Sums of weights stay below this, for the same reason."""


@inlined
def _gather(numerators: np.ndarray, squares: np.ndarray, count: int, tops: np.ndarray, bottoms: np.ndarray) -> int:
    """Add terms with equal squares; write sums other than 0 as ``tops`` over ``bottoms``, and return their number."""
    kept = 0
    for i in range(count):
        place = 0
        while place < kept and bottoms[place] != squares[i]:
            place += 1
        if place == kept:
            bottoms[place] = squares[i]
            tops[place] = 0
            kept += 1
        tops[place] += numerators[i]
        if tops[place] == 0:
            kept -= 1
            tops[place] = tops[kept]
            bottoms[place] = bottoms[kept]
    return kept


@inlined
def _scale_and_add(digits: np.ndarray, factor: int, other: np.ndarray, other_factor: int) -> None:
    """``digits = digits * factor + other * other_factor`` in place; digits beyond the last one are dropped."""
    carry = 0
    for i in range(digits.size):
        total = digits[i] * factor + other[i] * other_factor + carry
        digits[i] = total & DIGIT_MASK
        carry = total >> DIGIT_BITS


@part(allocates=True)
def sign_of_sum(numerators: np.ndarray, squares: np.ndarray, count: int) -> int:
    """Return the sign (-1, 0, 1) of the sum of ``numerators[i] / squares[i]`` over the first ``count`` terms, exactly.

    Both arrays are int64 and are not changed. Squares go from 1 to LARGEST_SQUARE. The absolute value of any sum of
    numerators must be below LARGEST_WEIGHT. The time grows with the square of ``count``.
    """
    tops = np.empty(count, dtype=np.int64)
    bottoms = np.empty(count, dtype=np.int64)
    kept = _gather(numerators, squares, count, tops, bottoms)
    total = np.zeros(kept + 2, dtype=np.int64)
    denominator = np.zeros(kept + 2, dtype=np.int64)
    denominator[0] = 1
    for i in range(kept):
        _scale_and_add(total, bottoms[i], denominator, tops[i])
        _scale_and_add(denominator, bottoms[i], denominator, 0)
    if total[-1] >> (DIGIT_BITS - 1):
        return -1
    return int(total.any())
