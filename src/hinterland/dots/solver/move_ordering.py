"""Moves are put in order only as far as they are tried: mostly the first is the last."""

from __future__ import annotations

import numpy as np

from hinterland.jit import inlined

__all__ = ["best_to_front"]


@inlined
def best_to_front(plies: np.ndarray, ply: int, front: int, end: int) -> int:
    """Swap the greatest number of a row, from column ``front`` to before ``end``, with that at the front; return it."""
    best = front
    for place in range(front + 1, end):
        if plies[ply, place] > plies[ply, best]:
            best = place
    move = plies[ply, best]
    plies[ply, best] = plies[ply, front]
    plies[ply, front] = move
    return int(move)
