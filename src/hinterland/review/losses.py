"""The turns of a game, and what each lost against the best there was, by two measures.

By gain, where all that can be said of a position is what each move would bring at once: the loss is the greatest gain
that any move had, less that of the move played. By value, where a game can be solved: the loss is what best play was
worth to the mover before the move, less what it is worth with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from hinterland.contract import Game, Move, Position


class Turn(msgspec.Struct, frozen=True):
    """One move of a game."""

    number: int
    """Which move, from 1."""
    before: Position[Any, Any]
    """The position in which it was made."""
    after: Position[Any, Any]
    """The position that it made."""

    @property
    def seat(self) -> int:
        """Who moved."""
        return self.after.moves[-1][0]

    @property
    def move(self) -> Move:
        """The move."""
        move: Move = self.after.moves[-1][1]
        return move

    @property
    def gain(self) -> int:
        """What the mover's score rose by at once."""
        return self.after.scores[self.seat] - self.before.scores[self.seat]


def turns(position: Position[Any, Any]) -> list[Turn]:
    """Return the turns of a game in order of play; moves are not judged again. A turn that was lost is no move."""
    now = position.rules.start()
    found: list[Turn] = []
    for seat, what in position.history:
        before, now = now, now.happen_unchecked(seat, what)
        if not isinstance(what, str):
            found.append(Turn(len(found) + 1, before, now))
    return found


class Loss(msgspec.Struct, frozen=True):
    """What a move fell short by, and of what."""

    best: Move
    """A best move, the one played where it was as good."""
    best_gain: int
    """What that would have gained at once."""
    loss: int
    """What the move played fell short by."""


def by_gain(game: Game, turn: Turn) -> Loss:
    """Compare with the greatest gain among the moves that spend as much: in gravity, stones of the same weight."""
    best, best_gain = game.pictures.best(turn.before, turn.move.options)
    loss = best_gain - turn.gain
    return Loss(best if loss else turn.move, best_gain, loss)


def by_value(solve: Callable[[Any], dict[str, Any]]) -> Callable[[Turn], Loss | None]:
    """Return a function that compares with best play; it has to be asked about the last move first.

    ``solve``: see ``Game.analysis``. Where it does not find a position's value it is not asked about any before, which
    are harder; those moves, and all before which a seat had left, remain unknown: None.
    """
    known: dict[int, dict[str, Any]] = {}
    is_lost = False

    def look(position: Position[Any, Any]) -> dict[str, Any] | None:
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
        later, here = look(turn.after), look(turn.before)
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
