"""What a learner sees of a board of dots: planes with a number for each pair of dots, from a seat's point of view."""

from __future__ import annotations

import numpy as np

from hinterland.dots.rules import Position, Rules

NAMES = ("drawn", "legal", "both dots are there", "dots it would win", "own: dots won", "seat +1: dots won")


def name_planes(_: Rules) -> tuple[str, ...]:
    """Name the planes, which are the same for all rules."""
    return NAMES


def compute_planes(position: Position, seat: int) -> np.ndarray:
    """Return the planes as a seat sees them: float32 (planes, pairs of dots).

    Numbers of dots are given as shares of all dots.
    """
    forest = position.forest
    ends = np.array(forest.segments.ends)
    dots = position.rules.dots
    planes = np.zeros((len(NAMES), len(ends)), dtype=np.float32)
    number = position.rules.number_of
    planes[0, [number(line) for line in position.lines]] = 1.0
    there = np.zeros(dots, dtype=np.bool_)
    there[list(position.dots)] = True
    planes[2] = there[ends].all(axis=1)
    if position.to_move is not None:
        planes[1] = position.legal_moves.mask()
        for line in position.legal_moves:
            planes[3, number(line)] = len(position.cycle(line)) / dots
    planes[4], planes[5] = (position.scores[who] / dots for who in (seat, 1 - seat))
    return planes
