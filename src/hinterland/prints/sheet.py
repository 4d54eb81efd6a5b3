"""The layout of a sheet: words, boxes, discs and one board, in units that each layout chooses."""

from __future__ import annotations

from typing import Any

import msgspec

from hinterland.contract import Game, Position
from hinterland.drawing.shapes import Shape


class Scene(msgspec.Struct, frozen=True):
    """A position to be shown, and the words that go with it."""

    game: Game
    position: Position[Any, Any]
    names: tuple[str, ...]
    """Names of the players, in the order of the seats."""
    title: str = ""
    """The heading; if empty, the game's title."""
    plies: int | None = None
    """Number of moves of the whole game, if the position is from its middle."""

    @property
    def heading(self) -> str:
        return self.title or self.game.title

    @property
    def moment(self) -> str:
        """The moment of the game in words."""
        moves = len(self.position.moves)
        if self.plies is not None and moves < self.plies:
            return f"move {moves} of {self.plies}"
        made = f"{moves} move{'' if moves == 1 else 's'}"
        return f"after {made}" if self.position.to_move is not None else f"over after {made}"


class Board(msgspec.Struct, frozen=True):
    """The square in which the board is drawn."""

    x: float
    y: float
    side: float


class Sheet(msgspec.Struct, frozen=True):
    """Everything on a sheet, in the order of drawing."""

    scene: Scene
    width: float
    height: float
    board: Board
    marks: tuple[Shape, ...]
