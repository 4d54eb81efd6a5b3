"""What is put where on a sheet: words, boxes, discs and one board, in units that its layout chooses."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from hinterland.contract import Game, Position
from hinterland.palette import INK, RGB


class Scene(msgspec.Struct, frozen=True):
    """A position to be shown, and what is said of it."""

    game: Game
    """What is played."""
    position: Position[Any, Any]
    """How it stands."""
    names: tuple[str, ...]
    """Who plays, in the order of the seats."""
    title: str = ""
    """What stands above; without it the game's own."""
    plies: int | None = None
    """How many moves the whole game has, where this may be one of its middle."""

    @property
    def heading(self) -> str:
        """What stands above."""
        return self.title or self.game.title

    @property
    def moment(self) -> str:
        """Which moment of the game it is, in words."""
        moves = len(self.position.moves)
        if self.plies is not None and moves < self.plies:
            return f"move {moves} of {self.plies}"
        made = f"{moves} move{'' if moves == 1 else 's'}"
        return f"after {made}" if self.position.to_move is not None else f"over after {made}"


class Words(msgspec.Struct, frozen=True):
    """A line of letters."""

    x: float
    y: float
    """Where its base line is."""
    text: str
    size: float
    """How high it is, with room above and below."""
    colour: RGB = INK
    anchor: Literal["start", "middle", "end"] = "start"
    """Which part of it is at ``x``."""


class Box(msgspec.Struct, frozen=True):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float
    colour: RGB


class Disc(msgspec.Struct, frozen=True):
    """A disc."""

    x: float
    y: float
    radius: float
    colour: RGB


class Board(msgspec.Struct, frozen=True):
    """Where the board goes, a square."""

    x: float
    y: float
    side: float


class Sheet(msgspec.Struct, frozen=True):
    """Everything on a sheet, from the ground up."""

    scene: Scene
    width: float
    height: float
    board: Board
    marks: tuple[Words | Box | Disc, ...]
