"""Who may still place what."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.gravity.rules import Position
from hinterland.jit import inlined


class Turns(NamedTuple):
    """What the seats may still place."""

    seat: int
    """The seat to move."""
    stones: np.ndarray
    """int64[players]: no more than there is weight for."""
    weights: np.ndarray
    """int64[players]: as many as stones in a game without weights."""

    @property
    def plies(self) -> int:
        """How many stones may still be placed, all in all."""
        return int(self.stones.sum())


def turns_of(position: Position) -> Turns:
    """Return who may still place what in a position."""
    seats = range(position.rules.players)
    stones = [0 if seat in position.withdrawn else position.stones_left(seat) for seat in seats]
    weights = [position.weight_left(seat) for seat in seats]
    weighed = [left if weight is None else weight for left, weight in zip(stones, weights, strict=True)]
    left = np.array(weighed, dtype=np.int64)
    return Turns(position.to_move or 0, np.minimum(np.array(stones, dtype=np.int64), left), left)


@inlined
def next_seat(seat: int, stones: np.ndarray, weights: np.ndarray) -> int:
    """Return the next seat with something to place, -1 when there is none."""
    players = stones.size
    for turn in range(1, players + 1):
        other = (seat + turn) % players
        if stones[other] > 0 and weights[other] > 0:
            return other
    return -1
