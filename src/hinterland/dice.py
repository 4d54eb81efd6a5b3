"""Random numbers that are the same on every machine and with every version of NumPy.

NumPy promises that the bits of PCG64 stay the same, but not the numbers that its generators make of them. ``Dice``
therefore makes numbers from these bits itself, by exact operations.
"""

from __future__ import annotations

import numpy as np

from hinterland.contract.numbers import as_int
from hinterland.errors import RulesError, quote


class Dice:
    """A source of random numbers with a seed. Raises RulesError unless the seed is a whole number below 2**128."""

    def __init__(self, seed: int) -> None:
        number = as_int(seed)
        if type(number) is not int or not 0 <= number < 2**128:
            raise RulesError(f"seed must be a whole number from 0 on, not {quote(seed)}")
        self._bits = np.random.PCG64(number)

    def shares(self, count: int) -> np.ndarray:
        """Draw ``count`` numbers, uniform in [0, 1) and multiples of 2**-52: float64[count]."""
        return (self._bits.random_raw(count) >> np.uint64(12)).astype(np.float64) * 2.0**-52

    def below(self, bound: int, count: int) -> np.ndarray:
        """Draw ``count`` whole numbers from 0 to ``bound`` - 1: int64[count].

        The probabilities of two numbers differ by at most ``bound`` parts in 2**32.
        """
        high = self._bits.random_raw(count) >> np.uint64(32)
        return ((high * np.uint64(bound)) >> np.uint64(32)).astype(np.int64)

    def share(self) -> float:
        """Draw one number in [0, 1), as ``shares`` does."""
        return int(self._bits.random_raw() >> 12) * 2.0**-52

    def place(self) -> tuple[float, float]:
        """Draw a point of the unit square."""
        return self.share(), self.share()
