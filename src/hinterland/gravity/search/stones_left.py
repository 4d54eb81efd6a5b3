"""The stones and the weight that each seat may still place, as arrays for kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.gravity.rules import Position
from hinterland.jit import inlined


class Turns(NamedTuple):
    """The seat to move, and what all seats may still place."""

    seat: int
    """The seat to move."""
    stones: np.ndarray
    """int64[players]: stones that each seat may still place, at most one for each unit of weight that it has left."""
    weights: np.ndarray
    """int64[players]: weight that each seat may still place; in a game without weights, 1 for each stone."""

    @property
    def plies(self) -> int:
        """Number of stones that may still be placed."""
        return int(self.stones.sum())


def turns_of(position: Position) -> Turns:
    """Return what the seats of a position may still place; nothing for a seat that has left."""
    seats = range(position.rules.players)
    stones = [0 if seat in position.withdrawn else position.stones_left(seat) for seat in seats]
    weights = [position.weight_left(seat) for seat in seats]
    weighed = [left if weight is None else weight for left, weight in zip(stones, weights, strict=True)]
    left = np.array(weighed, dtype=np.int64)
    return Turns(position.to_move or 0, np.minimum(np.array(stones, dtype=np.int64), left), left)


@inlined
def next_seat(seat: int, stones: np.ndarray, weights: np.ndarray) -> int:
    """Return the next seat after ``seat`` that has something to place, -1 if there is none."""
    players = stones.size
    for turn in range(1, players + 1):
        other = (seat + turn) % players
        if stones[other] > 0 and weights[other] > 0:
            return other
    return -1
