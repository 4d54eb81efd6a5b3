"""Rewards of a finished game for learners."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hinterland.errors import UnknownName

Reward = Callable[[np.ndarray], np.ndarray]


def share(scores: np.ndarray) -> np.ndarray:
    """Return each seat's share of its game's scores less an even share: float64 (games, seats).

    In each game the rewards sum to 0; they go from -1/seats to 1 - 1/seats, and are 0 if all scores are 0. ``scores``:
    int64 (games, seats), not negative.
    """
    total = scores.sum(axis=1, keepdims=True)
    even = 1.0 / scores.shape[1]
    return np.where(total > 0, scores / np.maximum(total, 1) - even, 0.0)


def win(scores: np.ndarray) -> np.ndarray:
    """Return 1 for a seat that leads alone, 0 for seats that share the lead, else -1: float64 (games, seats)."""
    leads = scores == scores.max(axis=1, keepdims=True)
    alone = leads.sum(axis=1, keepdims=True) == 1
    return np.where(leads, alone, -1).astype(np.float64)


def worst_reward(name: str, players: int) -> float:
    """Return the least possible reward; a learner gets it for an illegal action."""
    return -1.0 if name == "win" else -1.0 / players


REWARDS: dict[str, Reward] = {"share": share, "win": win}


def find_reward(name: str) -> Reward:
    """Return a reward by name. Raises UnknownName, which lists them."""
    if name not in REWARDS:
        raise UnknownName("reward", name, REWARDS)
    return REWARDS[name]
