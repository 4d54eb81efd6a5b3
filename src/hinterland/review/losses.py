"""The turns of a game, and what each move lost against the best one, by one of two measures.

By gain, where a position only tells what each move would gain at once: the loss is the greatest gain of any move less
the gain of the move played. By value, where a game can be solved: the loss is what best play was worth to the mover
before the move, less what it is worth after it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from hinterland.contract import Game, Move, Position


class Turn(msgspec.Struct, frozen=True):
    """One move of a game."""

    number: int
    """The number of the move, from 1."""
    before: Position[Any, Any]
    """The position before the move."""
    after: Position[Any, Any]
    """The position after the move."""

    @property
    def seat(self) -> int:
        return self.after.moves[-1][0]

    @property
    def move(self) -> Move:
        move: Move = self.after.moves[-1][1]
        return move

    @property
    def gain(self) -> int:
        """The immediate change of the mover's score."""
        return self.after.scores[self.seat] - self.before.scores[self.seat]


def turns(position: Position[Any, Any]) -> list[Turn]:
    """Return the turns of a game in order of play, without judging the moves again. A lost turn is not included."""
    now = position.rules.start()
    found: list[Turn] = []
    for seat, what in position.history:
        before, now = now, now.happen_unchecked(seat, what)
        if not isinstance(what, str):
            found.append(Turn(len(found) + 1, before, now))
    return found


class Loss(msgspec.Struct, frozen=True):
    """The loss of a move, and the move it is compared with."""

    best: Move
    """A best move; the one played if it was as good."""
    best_gain: int
    """The immediate gain of that best move."""
    loss: int
    """How much less the move played was worth."""


def measure_by_gain(game: Game, turn: Turn) -> Loss:
    """Compare with the greatest gain among the moves with the same options: in gravity, stones of the same weight."""
    best, best_gain = game.pictures.best(turn.before, turn.move.options)
    loss = best_gain - turn.gain
    return Loss(best if loss else turn.move, best_gain, loss)


def measure_by_value(solve: Callable[[Any], dict[str, Any]]) -> Callable[[Turn], Loss | None]:
    """Return a function that compares a turn with best play. Call it for the last turn first.

    ``solve``: see ``Game.analysis``. Once it does not find a position's value, it is not asked about earlier positions,
    which are harder. The loss of those moves is unknown (None), as is that of moves after a seat has left.
    """
    known: dict[int, dict[str, Any]] = {}
    is_lost = False

    def solve_once(position: Position[Any, Any]) -> dict[str, Any] | None:
        nonlocal is_lost
        if position.to_move is None:
            return {"value": 0}
        if is_lost or position.withdrawn:
            return None
        key = len(position.history)
        found = known[key] = known.get(key) or solve(position)
        is_lost = found["value"] is None
        return None if is_lost else found

    def loss_of(turn: Turn) -> Loss | None:
        later, here = solve_once(turn.after), solve_once(turn.before)
        if later is None or here is None:
            return None
        to_come = later["value"] if turn.after.to_move == turn.seat else -later["value"]
        loss = here["value"] - turn.gain - to_come
        if loss == 0:
            return Loss(turn.move, turn.gain, 0)
        best = type(turn.move).from_numbers(here["best"][0])
        best_gain = turn.before.play_unchecked(best).scores[turn.seat] - turn.before.scores[turn.seat]
        return Loss(best, best_gain, loss)

    return loss_of
