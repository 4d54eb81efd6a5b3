"""A puzzle as a value and as a line of JSON, and how hard it is."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from hinterland.contract import Game, Move, Position, PuzzleKind
from hinterland.errors import UnknownName

LEAST, MISSED, MISSES = 600, 1000, 800
"""Of a rating: what every puzzle has, what one has that all levels miss, what one has that is full of near misses."""


class Puzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One puzzle of a game."""

    options: dict[str, Any]
    """What ``Rules.from_options`` makes its rules from."""
    history: tuple[tuple[int, ...], ...]
    """The numbers of the moves that led to its position, in order of play."""
    goal: str
    """What is asked for: one of the game's ``PuzzleKind.goals``."""
    best: tuple[int, ...]
    """The numbers of the best move."""
    worth: int
    """What it is worth."""
    needed: int
    """A move that is worth so much answers the puzzle."""
    elsewhere: int
    """The most that a move is worth which is not near the best one."""
    moves: int
    """How many legal moves there are."""
    near_misses: int
    """How many of them are elsewhere and short of the best by no more than twice the margin."""
    found: int
    """How many of the game's levels found it …"""
    asked: int
    """… of how many that were asked."""

    @property
    def rating(self) -> int:
        """How hard it is: 600, up to 1000 for levels that miss it, up to 800 for near misses, by their logarithm."""
        missed = 1 - self.found / self.asked
        misses = math.log(1 + self.near_misses) / math.log(1 + self.moves)
        return round(LEAST + MISSED * missed + MISSES * misses)

    def position(self, game: Game) -> Position[Any, Any]:
        """Return its position, which is checked move by move. Raises a HinterlandError for one that cannot be."""
        position: Position[Any, Any] = game.rules.from_options(self.options).start()
        for numbers in self.history:
            position = position.play(game.move.from_numbers(numbers))
        return position


class Judgement(msgspec.Struct, frozen=True):
    """What is said of an answer."""

    right: bool
    """Whether it is good enough."""
    worth: int
    """What the move is worth."""
    loss: int
    """What it falls short of the best by."""
    share: float | None
    """What it is worth in parts of the best; None where worths are differences, of which there are no parts."""


def kind_of(game: Game) -> PuzzleKind:
    """Return how puzzles of a game are made and judged. Raises UnknownName for a game without any."""
    if game.puzzles is None:
        raise UnknownName("game with puzzles", game.name, ())
    return game.puzzles


def judged(puzzle: Puzzle, game: Game, position: Position[Any, Any], move: Move) -> Judgement:
    """Judge an answer to a puzzle exactly. Raises IllegalMove for a move that the rules refuse."""
    position.check(move)
    worth = kind_of(game).worth(position, move)
    loss = puzzle.worth - worth
    share = worth / puzzle.worth if kind_of(game).is_gain else None
    return Judgement(worth >= puzzle.needed, worth, loss, share)
