"""Finds the sign of a sum of fractions in whole numbers, without rounding.

The sign of ``sum of w_i / q_i`` says which of two colours pulls harder at a cell. The w_i are the whole weights of
their stones, negative for the second colour; the q_i are the squared distances from the cell. Floating point almost
always decides this sign; where it cannot, this file does. In mirrored positions each stone has a twin of the other
colour, and each cell of a whole line is equally far from every stone and its twin. So terms with equal q are added
first, and usually their sum is 0. The remaining terms are brought to a common denominator. The numbers have digits of
base 2^31, so that a product of two digits and a carry fits a signed 64-bit word. A negative number is stored as its
two's complement, whose first bit is the sign.
"""

from __future__ import annotations

import numpy as np

from hinterland.jit import inlined, part

DIGIT_BITS = 31
DIGIT_MASK = (1 << DIGIT_BITS) - 1
LARGEST_SQUARE = 1 << 29
"""Squared distances must stay below this, or a digit could overflow."""
LARGEST_WEIGHT = 1 << 30
"""Sums of weights must stay below this, or a digit could overflow."""


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
    """Compute ``digits = digits * factor + other * other_factor`` in place; drop digits beyond the last one."""
    carry = 0
    for i in range(digits.size):
        total = digits[i] * factor + other[i] * other_factor + carry
        digits[i] = total & DIGIT_MASK
        carry = total >> DIGIT_BITS


@part(allocates=True)
def sign_of_sum(numerators: np.ndarray, squares: np.ndarray, count: int) -> int:
    """Return the sign (-1, 0, 1) of the sum of ``numerators[i] / squares[i]`` over the first ``count`` terms, exactly.

    ``numerators`` and ``squares`` are int64 and are not changed. Squares go from 1 to LARGEST_SQUARE. The absolute
    value of any sum of numerators must be below LARGEST_WEIGHT. The time grows with the square of ``count``.
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
