"""A game as its turns: each move with the positions before and after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from hinterland.contract import Move, Position

if TYPE_CHECKING:
    from collections.abc import Iterable

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


def turns(position: Position[Any, Any], left: Iterable[tuple[int, int]] = ()) -> list[Turn]:
    """Return the turns of a game in order of play; moves are not judged again.

    ``position``: the last one. ``left``: (seat, moves made before) of each that left. A turn that was lost is no move.
    """
    left = tuple(left)
    found: list[Turn] = []
    for plies in range(len(position.moves)):
        withdrawn = tuple(seat for seat, at in left if at <= plies)
        skipped = tuple(turn for turn in position.skipped if turn[0] <= plies)
        kept = found[-1].after if found else None
        if kept is None or (kept.withdrawn, kept.skipped) != (withdrawn, skipped):
            kept = type(position)(position.rules, position.moves[:plies], withdrawn, skipped)
        found.append(Turn(plies + 1, kept, kept.play_unchecked(position.moves[plies][1])))
    return found
