"""A mutable board for search: nothing is checked, and undo puts back exactly what was there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland.graph.board import Board

if TYPE_CHECKING:
    from hinterland.graph.rules import Position, Token

__all__ = ["Scratch"]


class Scratch:
    """A stack of positions, of which only moves and turns are looked at, and one board that follows them."""

    def __init__(self, position: Position) -> None:
        self._positions = [position]
        self.board = Board(position.rules, position.moves)
        """Distances and owners now; ``place`` and ``undo`` of it are for those who keep turns themselves."""

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
        """The score of each seat now."""
        return self.board.scores

    def play(self, move: Token) -> None:
        """Place a token that is known to be legal."""
        seat = self.position.to_move
        assert seat is not None
        self.board.place(move.vertex, seat)
        self._positions.append(self.position.play_unchecked(move))

    def undo(self) -> None:
        """Take the last token back."""
        self._positions.pop()
        self.board.undo()
