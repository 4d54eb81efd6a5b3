"""A puzzle, which is one line of JSON, and its rating."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from hinterland.contract import Game, Move, Position, PuzzleKind
from hinterland.errors import UnknownName

LEAST_RATING = 600
"""Rating of a puzzle that all levels solve and that has no near misses."""
MISSED_RATING = 1000
"""Rating added for a puzzle that all levels miss."""
NEAR_MISSES_RATING = 800
"""Rating added for a puzzle in which every other move is a near miss."""


class Puzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One puzzle of a game."""

    options: dict[str, Any]
    """Its rules, for ``Rules.from_options``."""
    history: tuple[tuple[int, ...], ...]
    """The numbers of the moves that led to its position, in order of play."""
    goal: str
    """One of the game's ``PuzzleKind.goals``."""
    best: tuple[int, ...]
    """The numbers of the best move."""
    worth: int
    """The worth of the best move."""
    needed: int
    """The least worth of a move that answers the puzzle."""
    elsewhere: int
    """The greatest worth of a move that is not near the best move."""
    moves: int
    """Number of legal moves."""
    near_misses: int
    """Number of legal moves that are not near the best move, but worth less by at most twice the margin."""
    found: int
    """Number of the game's levels that solved the puzzle."""
    asked: int
    """Number of the game's levels that tried to solve the puzzle."""

    @property
    def rating(self) -> int:
        """Difficulty: 600, plus up to 1000 for levels that fail, plus up to 800 by the logarithm of near misses."""
        missed = 1 - self.found / self.asked
        misses = math.log(1 + self.near_misses) / math.log(1 + self.moves)
        return round(LEAST_RATING + MISSED_RATING * missed + NEAR_MISSES_RATING * misses)

    def position(self, game: Game) -> Position[Any, Any]:
        """Return the puzzle's position, checking every move.

        Raises a HinterlandError if rules or a move are refused.
        """
        position: Position[Any, Any] = game.rules.from_options(self.options).start()
        for numbers in self.history:
            position = position.play(game.move.from_numbers(numbers))
        return position


class Judgement(msgspec.Struct, frozen=True):
    """The judgement of an answer."""

    right: bool
    """Whether it answers the puzzle."""
    worth: int
    """The worth of the move."""
    loss: int
    """Worth of the best move less the worth of this move."""
    share: float | None
    """Worth of this move divided by the worth of the best move; None if worths are differences of scores."""


def kind_of(game: Game) -> PuzzleKind:
    """Return how a game's puzzles are made and judged. Raises UnknownName for a game without puzzles."""
    if game.puzzles is None:
        raise UnknownName("game with puzzles", game.name, ())
    return game.puzzles


def judge_move(puzzle: Puzzle, game: Game, position: Position[Any, Any], move: Move) -> Judgement:
    """Judge an answer to a puzzle exactly. Raises IllegalMove for a move that the rules refuse."""
    position.check(move)
    worth = kind_of(game).worth(position, move)
    loss = puzzle.worth - worth
    share = worth / puzzle.worth if kind_of(game).is_gain else None
    return Judgement(worth >= puzzle.needed, worth, loss, share)
