"""What a game provides so that code that does not know the game can make puzzles by search and judge them exactly.

A puzzle asks for one move. The *worth* of a move is a whole number that is known exactly. In some games it is what the
move gains if it is the last of the game; in others it is the mover's gain less the opponent's, from this move on, under
best play. The answer is a best move or a move near it; each game defines what is near. Every legal move that is not
near the best one is called *elsewhere*, and is worth less by at least a margin.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Self

import msgspec
import numpy as np

from hinterland.contract.moves import Move
from hinterland.contract.position import Position


class PuzzleDraft(msgspec.Struct, frozen=True):
    """A position that may become a puzzle."""

    options: dict[str, Any]
    """The options with which ``Rules.from_options`` makes the position's rules."""
    position: Position[Any, Any]
    """The position. The game is not over; no seat has left or lost a turn."""


class Reckoning(msgspec.Struct, frozen=True):
    """What the moves of a position are worth."""

    best: Move
    """A move of the greatest worth."""
    worth: int
    """The worth of ``best``."""
    elsewhere: int
    """The greatest worth of a legal move that is not near the best one."""
    moves: int
    """Number of legal moves."""
    near_misses: int
    """Number of legal moves that are not near the best one, but worth less by at most twice the margin."""
    margin: int
    """The least difference between the worth of the best move and ``elsewhere`` that a puzzle requires."""

    @classmethod
    def of(cls, worths: np.ndarray, near: np.ndarray, best: Move, margin: int) -> Self:
        """Make a reckoning from the worths of all legal moves, int64[n].

        ``near``, bool[n]: whether each legal move is near ``best``.
        """
        worth = int(worths.max())
        others = worths[~near]
        return cls(
            best=best,
            worth=worth,
            elsewhere=int(others.max()),
            moves=len(worths),
            near_misses=int((others >= worth - 2 * margin).sum()),
            margin=margin,
        )


class Goal(msgspec.Struct, frozen=True):
    """What a puzzle asks for."""

    title: str
    """The goal in a few words."""
    task: str
    """The goal in a sentence."""


class PuzzleKind(msgspec.Struct, frozen=True):
    """How a game's puzzles are made and judged."""

    goals: Mapping[str, Goal]
    """Goals of puzzles, each under a one-word key."""
    unit: str
    """What the worth of a move counts, in the plural."""
    is_gain: bool
    """Whether worths are gains, so that one can be stated as a percentage of another; if not, worths are differences of
    scores."""
    draw: Callable[[np.random.Generator], PuzzleDraft | None]
    """Draw a position that may become a puzzle; None if the attempt failed."""
    reckon: Callable[[Any], Reckoning]
    """Compute exactly what the moves of a position are worth."""
    needed: Callable[[Any, Reckoning], tuple[str, int]]
    """Return the key of the goal to set for a position, and the least worth of a move that reaches this goal."""
    worth: Callable[[Any, Any], int]
    """Return exactly what one legal move of a position is worth; this takes little time."""
