"""What a game provides so that code that does not know the game can make puzzles by search and judge them exactly.

A puzzle asks for one move. A move's worth is a whole number and known exactly: what it gains if it is the last move of
the game, or the game's value after it under best play. The answer is a best move or a move near it. Every legal move
elsewhere is worth less by at least a margin.
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
    """The options from which ``Rules.from_options`` makes its rules."""
    position: Position[Any, Any]
    """The position. A seat is to move; no seat has left or lost a turn."""


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
    """Number of moves elsewhere that are worse than the best by at most twice the margin."""
    margin: int
    """Every move elsewhere must be worse than the best one by at least this."""

    @classmethod
    def of(cls, worths: np.ndarray, near: np.ndarray, best: Move, margin: int) -> Self:
        """Compute it from ``worths``, int64[n], of all legal moves; ``near``, bool[n], says which are near ``best``."""
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
    """Whether worths are gains, so that one can be stated as a share of another. If not, they are differences of
    scores."""
    draw: Callable[[np.random.Generator], PuzzleDraft | None]
    """Draw a position that may become a puzzle; None if the attempt failed."""
    reckon: Callable[[Any], Reckoning]
    """Compute exactly what the moves of a position are worth."""
    needed: Callable[[Any, Reckoning], tuple[str, int]]
    """Return the goal to set for a position, a key of ``goals``, and the least worth that reaches it."""
    worth: Callable[[Any, Any], int]
    """Return exactly what one legal move of a position is worth; this is cheap."""
