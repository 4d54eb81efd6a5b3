"""What a finished game was worth to each seat, as learners count it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hinterland.errors import UnknownName

Reward = Callable[[np.ndarray], np.ndarray]


def share(scores: np.ndarray) -> np.ndarray:
    """Return what each seat has of what all have, less an even share; 0 where none has any.

    So from -1/seats to 1 - 1/seats, and each row sums to 0. ``scores``: int64 (games, seats), none negative. Returns
    float64 of this shape.
    """
    total = scores.sum(axis=1, keepdims=True)
    even = 1.0 / scores.shape[1]
    return np.where(total > 0, scores / np.maximum(total, 1) - even, 0.0)


def win(scores: np.ndarray) -> np.ndarray:
    """Return 1 for who leads alone, 0 for those who share the lead, -1 for all others: float64 (games, seats)."""
    leads = scores == scores.max(axis=1, keepdims=True)
    alone = leads.sum(axis=1, keepdims=True) == 1
    return np.where(leads, alone, -1).astype(np.float64)


def forfeited(name: str, players: int) -> float:
    """Return the least that a game can be worth: what it is to a learner who tried what the rules forbid."""
    return -1.0 if name == "win" else -1.0 / players


REWARDS: dict[str, Reward] = {"share": share, "win": win}


def named(name: str) -> Reward:
    """Return a reward by name. Raises UnknownName, with those there are."""
    if name not in REWARDS:
        raise UnknownName("reward", name, REWARDS)
    return REWARDS[name]
