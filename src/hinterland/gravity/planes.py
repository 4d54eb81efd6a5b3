"""Observations for learners: planes with a number for each cell, from a seat's point of view.

Seats come in turn order, the observing seat first. All planes have the size of the board, so that a convolutional
network that was trained on one size can play on any other.
"""

from __future__ import annotations

import numpy as np

from hinterland.gravity.area.stones import Stones
from hinterland.gravity.rules import Position, Rules
from hinterland.jit import kernel


def name_planes(rules: Rules) -> tuple[str, ...]:
    """Name the planes: for each seat its stones, its cells and what it has left, and at the end the free cells."""
    kinds = ("stones", "cells", "stones left", *(["weight left"] if rules.weight is not None else []))
    seats = ("own", *(f"seat +{ahead}" for ahead in range(1, rules.players)))
    return (*(f"{seat}: {kind}" for seat in seats for kind in kinds), "free")


@kernel
def write(stones: Stones, seat: int, scale: float, left: np.ndarray, owner: np.ndarray, planes: np.ndarray) -> None:
    """Write all planes but the last, the free cells, from the view of a seat.

    ``scale``: the number by which a stone's weight is divided. ``left``: float64 (seats, 1 or 2), the share of its
    stones that each seat has left and, in a game with weights, the share of its weight. ``owner``: int8 (size, size).
    ``planes``: float32 (planes, size, size), written.
    """
    players, kinds = left.shape
    for ahead in range(players):
        other = (seat + ahead) % players
        first = ahead * (2 + kinds)
        planes[first] = 0.0
        for i in range(stones.starts[other], stones.starts[other + 1]):
            planes[first, int(stones.rows[i]), int(stones.cols[i])] = stones.weights[i] / scale
        for row in range(stones.size):
            for col in range(stones.size):
                planes[first + 1, row, col] = 1.0 if owner[row, col] == other else 0.0
        for kind in range(kinds):
            planes[first + 2 + kind] = left[other, kind]


def compute_planes(position: Position, seat: int) -> np.ndarray:
    """Return the planes from the view of a seat: float32 (planes, size, size)."""
    rules = position.rules
    planes = np.zeros((len(name_planes(rules)), rules.size, rules.size), dtype=np.float32)
    shares = [[position.stones_left(other) / rules.stones] for other in range(rules.players)]
    if rules.weight is not None:
        for other, share in enumerate(shares):
            share.append((position.weight_left(other) or 0) / rules.weight)
    write(position._stones, seat, float(rules.weight or 1), np.array(shares), position.owners, planes)
    if position.to_move is not None:
        free = position.legal_moves.mask()
        planes[-1] = (free[0] if isinstance(free, tuple) else free).reshape(rules.size, rules.size)
    return planes
