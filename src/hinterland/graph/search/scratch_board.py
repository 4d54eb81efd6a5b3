"""A mutable board for search, on which kernels can work: nothing is checked, and undo puts back what was there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland import contract
from hinterland.graph.distances.board import Board

if TYPE_CHECKING:
    from hinterland.graph.rules import Position, Token


class ScratchBoard(contract.Scratch["Token"]):
    """A stack of positions, of which only moves and turns are looked at, and one board that follows them."""

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self.board = Board(position.rules, position.moves)
        """Distances and owners now; ``place`` and ``undo`` of it are for those who keep turns themselves."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each seat now."""
        return self.board.scores

    def play(self, move: Token) -> None:
        """Place a token that is known to be legal."""
        seat = self.to_move
        assert seat is not None
        self.board.place(move.vertex, seat)
        super().play(move)

    def undo(self) -> None:
        """Take the last token back."""
        super().undo()
        self.board.undo()
