"""A mutable board for search: nothing is checked, and undo puts back exactly what was there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hinterland.gravity.rules import Position, Stone

__all__ = ["Scratch"]


class Scratch:
    """A stack of positions: a move pushes, an undo pops; areas come from the stones, so no sum is ever taken back."""

    def __init__(self, position: Position) -> None:
        self._positions = [position]

    @property
    def position(self) -> Position:
        """The position on the board now."""
        return self._positions[-1]

    @property
    def to_move(self) -> int | None:
        """The seat to move, None when the game is over."""
        return self.position.to_move

    @property
    def scores(self) -> tuple[int, ...]:
        """The area of each seat now."""
        return self.position.scores

    def play(self, move: Stone) -> None:
        """Place a stone that is known to be legal."""
        self._positions.append(self.position.play_unchecked(move))

    def undo(self) -> None:
        """Take the last stone back."""
        self._positions.pop()
