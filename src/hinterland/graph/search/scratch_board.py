"""A mutable board for search, for use in kernels: nothing is checked, and undo restores exactly the earlier state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland import contract
from hinterland.graph.distances.board import Board

if TYPE_CHECKING:
    from hinterland.graph.rules import Position, Token


class ScratchBoard(contract.Scratch["Token"]):
    """A stack of positions, used only for moves and turns, and one board that follows it."""

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self.board = Board(position.rules, position.moves)
        """Distances and owners now. Callers that count turns themselves may use its ``place`` and ``undo``."""

    @property
    def scores(self) -> tuple[int, ...]:
        return self.board.scores

    def play(self, move: Token) -> None:
        """Place a token that is known to be legal."""
        seat = self.to_move
        assert seat is not None
        self.board.place(move.vertex, seat)
        super().play(move)

    def undo(self) -> None:
        super().undo()
        self.board.undo()
