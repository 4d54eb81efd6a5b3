"""Random numbers for kernels: the "minimal standard" generator of Park and Miller (1993). Its state is an argument."""

from __future__ import annotations

import numpy as np

from hinterland.jit import inlined

MODULUS, MULTIPLIER = 2**31 - 1, 48271
"""Constants of the generator. All products fit a signed 64-bit word."""


def seed_of(rng: np.random.Generator) -> np.ndarray:
    """Draw an initial state, int64[1]."""
    return rng.integers(1, MODULUS, 1, dtype=np.int64)


@inlined
def below(seed: np.ndarray, bound: int) -> int:
    """Draw a whole number from 0 to ``bound`` - 1; ``seed``: the state, int64[1], which is advanced."""
    seed[0] = seed[0] * MULTIPLIER % MODULUS
    return int(seed[0] * bound // MODULUS)
