"""A mutable board for search: nothing is checked, and undo puts back exactly what was there."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from hinterland.contract.moves import Move

M = TypeVar("M", bound=Move)


class Scratch(Generic[M]):
    """A stack of positions: a move pushes, an undo pops.

    Positions are values, so no sum is ever taken back. A game whose kernels keep a board of their own has a subclass.
    """

    def __init__(self, position: Any) -> None:
        self._positions = [position]

    @property
    def position(self) -> Any:
        """The position on the board now."""
        return self._positions[-1]

    @property
    def to_move(self) -> int | None:
        """The seat to move, None when the game is over."""
        seat: int | None = self.position.to_move
        return seat

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores now, one a seat."""
        scores: tuple[int, ...] = self.position.scores
        return scores

    def play(self, move: M) -> None:
        """Make a legal move for the seat to move."""
        self._positions.append(self.position.play_unchecked(move))

    def undo(self) -> None:
        """Take the last move back."""
        self._positions.pop()
