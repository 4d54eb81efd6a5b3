"""What a move lost against the best there was, by two measures.

By gain, where all that can be said of a position is what each move would bring at once: the loss is the greatest gain
that any move had, less that of the move played. By value, where a game can be solved: the loss is what best play was
worth to the mover before the move, less what it is worth with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable

    from hinterland.contract import Game, Move, Position
    from hinterland.review.turns import Turn

__all__ = ["Weight", "by_gain", "by_value"]


class Weight(msgspec.Struct, frozen=True):
    """What is known of a move."""

    best: Move
    """A best move, the one played where it was as good."""
    best_gain: int
    """What that would have gained at once."""
    loss: int
    """What the move played fell short by."""


def by_gain(game: Game, turn: Turn) -> Weight:
    """Compare with the greatest gain among the moves that spend as much: in gravity, stones of the same weight."""
    best, best_gain = game.pictures.best(turn.before, _spent(turn.move))
    loss = best_gain - turn.gain
    return Weight(best if loss else turn.move, best_gain, loss)


def _spent(move: Move) -> dict[str, int]:
    """Return what a move has besides its place: its fields that may be left out."""
    fields = msgspec.structs.fields(move)
    return {field.name: getattr(move, field.name) for field in fields if not field.required}


def by_value(solve: Callable[[Any], dict[str, Any]]) -> Callable[[Turn], Weight | None]:
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

    def weigh(turn: Turn) -> Weight | None:
        later, here = look(turn.after), look(turn.before)
        if later is None or here is None:
            return None
        to_come = later["value"] if turn.after.to_move == turn.seat else -later["value"]
        loss = here["value"] - turn.gain - to_come
        if loss == 0:
            return Weight(turn.move, turn.gain, 0)
        best = type(turn.move).from_numbers(here["best"][0])
        best_gain = turn.before.play_unchecked(best).scores[turn.seat] - turn.before.scores[turn.seat]
        return Weight(best, best_gain, loss)

    return weigh
