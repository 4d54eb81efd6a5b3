"""A picture of the gain of every move, drawn over the board, for notebooks."""

from __future__ import annotations

from typing import Any

from PIL import Image

from hinterland import catalog
from hinterland.contract import Position
from hinterland.drawing.figures import make_figure, make_picture
from hinterland.errors import IllegalMove, RulesError, quote

PIXELS = 480


class HeatMap:
    """The heat map of a position: the gain of each move for the seat to move.

    ``options``: those of a move, such as a stone's weight.

    Raises IllegalMove for a finished game, RulesError if ``position`` is no position.
    """

    def __init__(self, position: Position[Any, Any], **options: int) -> None:
        if not isinstance(position, Position):
            raise RulesError(f"a heat map needs a position, not {quote(position)}")
        if position.to_move is None:
            raise IllegalMove("game_over", "the game is over, no move can gain anything")
        self.position = position
        self.options = options

    def image(self, pixels: int = PIXELS) -> Image.Image:
        """Return the board with the map over it, as a square picture with sides of ``pixels`` pixels."""
        pictures = catalog.game(self.position.rules.game).pictures
        board = pictures.image(self.position, pixels).convert("RGBA")
        heat = pictures.heat(self.position, self.options).convert("RGBA").resize(board.size)
        return Image.alpha_composite(board, heat).convert("RGB")

    def _repr_html_(self) -> str:
        move, gain = catalog.game(self.position.rules.game).pictures.best(self.position, self.options)
        best = f"best for seat {self.position.to_move}: {self.position.rules.told(move)}, which gains {gain:,}"
        return make_figure(make_picture(self.image(), "what each move would gain"), best)
