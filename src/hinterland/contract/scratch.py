"""A mutable board for search: nothing is checked, and undo restores exactly the earlier state."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from hinterland.contract.moves import Move

M = TypeVar("M", bound=Move)


class Scratch(Generic[M]):
    """A stack of positions: a move pushes one, an undo pops it.

    Positions are values, so undo never subtracts from a sum. A game with a board of its own in kernels has a subclass.
    """

    def __init__(self, position: Any) -> None:
        self._positions = [position]

    @property
    def position(self) -> Any:
        """The current position."""
        return self._positions[-1]

    @property
    def to_move(self) -> int | None:
        """The seat to move, None when the game is over."""
        seat: int | None = self.position.to_move
        return seat

    @property
    def scores(self) -> tuple[int, ...]:
        """The current score of each seat."""
        scores: tuple[int, ...] = self.position.scores
        return scores

    def play(self, move: M) -> None:
        """Make a legal move for the seat to move."""
        self._positions.append(self.position.play_unchecked(move))

    def undo(self) -> None:
        """Take the last move back."""
        self._positions.pop()
