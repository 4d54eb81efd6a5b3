"""Random numbers for kernels, with the generator's state as an argument: Park and Miller's minimal one of 1993."""

from __future__ import annotations

import numpy as np

from hinterland.jit import inlined

MODULUS, MULTIPLIER = 2**31 - 1, 48271
"""All products are small."""


def seed_of(rng: np.random.Generator) -> np.ndarray:
    """Draw the state of a kernel's generator: int64[1]."""
    return rng.integers(1, MODULUS, 1, dtype=np.int64)


@inlined
def below(seed: np.ndarray, bound: int) -> int:
    """Draw a whole number from 0 to bound - 1."""
    seed[0] = seed[0] * MULTIPLIER % MODULUS
    return int(seed[0] * bound // MODULUS)
