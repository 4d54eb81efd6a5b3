"""Random numbers that are the same on every machine and under every version of NumPy.

NumPy promises that of the bits of PCG64, not of what its generators make of them; so that is done here, in whole
numbers and exact steps.
"""

from __future__ import annotations

import numpy as np

from hinterland.contract.numbers import whole
from hinterland.errors import RulesError, quote


class Dice:
    """A seeded source. Raises RulesError for a seed that is not a whole number from 0 on."""

    def __init__(self, seed: int) -> None:
        number = whole(seed)
        if type(number) is not int or not 0 <= number < 2**128:
            raise RulesError(f"seed must be a whole number from 0 on, not {quote(seed)}")
        self._bits = np.random.PCG64(number)

    def shares(self, count: int) -> np.ndarray:
        """Draw multiples of 2**-52, uniform in [0, 1): float64[count]."""
        return (self._bits.random_raw(count) >> np.uint64(12)).astype(np.float64) * 2.0**-52

    def below(self, bound: int, count: int) -> np.ndarray:
        """Draw whole numbers, uniform in 0 .. bound - 1 but for one part in 2**32 / bound: int64[count]."""
        high = self._bits.random_raw(count) >> np.uint64(32)
        return ((high * np.uint64(bound)) >> np.uint64(32)).astype(np.int64)

    def share(self) -> float:
        """Draw one such multiple of 2**-52."""
        return int(self._bits.random_raw() >> 12) * 2.0**-52

    def place(self) -> tuple[float, float]:
        """Draw a point of the unit square."""
        return self.share(), self.share()
