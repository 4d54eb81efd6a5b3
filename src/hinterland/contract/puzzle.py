"""What a game gives so that puzzles can be made of it by search, and judged exactly, by who does not know the game.

A puzzle asks for one move. What a move is worth is a whole number and exactly known: what it gains where it is the last
of the game, or what it leads to under best play. The answer is a best move and what lies near it; every legal move
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
    """A position that may make a puzzle."""

    options: dict[str, Any]
    """What ``Rules.from_options`` makes its rules from."""
    position: Position[Any, Any]
    """The position, in which somebody is to move and nobody has left or lost a turn."""


class Reckoning(msgspec.Struct, frozen=True):
    """What the moves of a position are worth."""

    best: Move
    """A move of the greatest worth."""
    worth: int
    """What it is worth."""
    elsewhere: int
    """The most that a legal move is worth which is not near the best one."""
    moves: int
    """How many legal moves there are."""
    near_misses: int
    """How many of them are elsewhere and fall short of the best by no more than twice the margin."""
    margin: int
    """By how much every move elsewhere has to fall short."""

    @classmethod
    def of(cls, worths: np.ndarray, near: np.ndarray, best: Move, margin: int) -> Self:
        """Reckon with the worth of each legal move, int64[n], and whether it is near the best one: bool[n]."""
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
    """In a few words."""
    task: str
    """In a sentence."""


class PuzzleKind(msgspec.Struct, frozen=True):
    """How a game's puzzles are made and judged."""

    goals: Mapping[str, Goal]
    """What puzzles ask for, each by a word."""
    unit: str
    """What the worth of a move counts, in the plural."""
    is_gain: bool
    """Whether worths are what moves gain, so that one can be told as a share of another; else they are differences."""
    draw: Callable[[np.random.Generator], PuzzleDraft | None]
    """Draw a position that may make a puzzle; None where that came to nothing."""
    reckon: Callable[[Any], Reckoning]
    """Return what the moves of a position are worth, exactly."""
    needed: Callable[[Any, Reckoning], tuple[str, int]]
    """Return what to ask for in a position, one of ``goals``, and the least worth that answers it."""
    worth: Callable[[Any, Any], int]
    """Return what one legal move of a position is worth, exactly: a cheap question."""
