"""A game as its turns: each move with the positions before and after it."""

from __future__ import annotations

from typing import Any

import msgspec

from hinterland.contract import Move, Position

__all__ = ["Turn", "turns"]


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
