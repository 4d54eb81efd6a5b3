"""Describes a sheet, which is one board and other shapes, and draws it as an image or as SVG.

Lengths on a sheet have no fixed unit: each module that lays out a sheet (poster.py, frames.py) chooses its own.
"""

from __future__ import annotations

from typing import Any

import msgspec
from PIL import Image, ImageDraw

from hinterland.contract import Game, Position
from hinterland.drawing.shapes import FAMILY, Canvas, Shape, Words, write_document, write_shape
from hinterland.prints.lettering import choose_font, font


class Scene(msgspec.Struct, frozen=True):
    """A position to be shown, and the words that go with it."""

    game: Game
    position: Position[Any, Any]
    names: tuple[str, ...]
    """Names of the players, in the order of the seats."""
    title: str = ""
    """The heading; if empty, the game's title."""
    plies: int | None = None
    """Number of moves of the whole game, if the position is not the game's last."""

    @property
    def heading(self) -> str:
        return self.title or self.game.title

    @property
    def moment(self) -> str:
        """Which moment of the game the position shows, in words."""
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
    """A sheet: its size, the place of the board, and the other shapes in the order of drawing."""

    scene: Scene
    width: float
    height: float
    board: Board
    marks: tuple[Shape, ...]


ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}
SUPERSAMPLING = 2
BOARD_UNITS = 800
"""Width and height of the SVG documents that games draw."""


def paint(sheet: Sheet, pixels: int, *, is_poster: bool = False) -> Image.Image:
    """Draw a sheet as an image ``pixels`` wide; ``is_poster``: draw the board with more details, for large prints."""
    scale = pixels / sheet.width
    canvas = Canvas(pixels, round(sheet.height * scale), SUPERSAMPLING)
    canvas.paint(sheet.marks, pixels * SUPERSAMPLING / sheet.width)
    picture = canvas.reduce()
    board, pictures = sheet.board, sheet.scene.game.pictures
    draw = pictures.poster_image if is_poster else pictures.image
    drawn = draw(sheet.scene.position, round(board.side * scale))
    picture.paste(drawn.convert("RGB"), (round(board.x * scale), round(board.y * scale)))
    pen = ImageDraw.Draw(picture)
    for mark in sheet.marks:
        if isinstance(mark, Words):
            text, face = choose_font(mark.text)
            letters = font(face, max(round(mark.size * scale), 1))
            pen.text((mark.x * scale, mark.y * scale), text, mark.colour, letters, ANCHORS[mark.anchor])
    return picture


def write_svg(sheet: Sheet, wide_mm: float) -> str:
    """Write a sheet as SVG, ``wide_mm`` millimetres wide; draw the board with more details, for large prints."""
    board, unit = sheet.board, "{:g}".format
    place = f'x="{board.x:g}" y="{board.y:g}" width="{board.side:g}" height="{board.side:g}"'
    document = sheet.scene.game.pictures.poster(sheet.scene.position).rstrip()
    return write_document(
        sheet.scene.heading,
        [
            f'<svg {place} viewBox="0 0 {BOARD_UNITS} {BOARD_UNITS}">{document}</svg>',
            *(write_shape(mark, unit) for mark in sheet.marks),
        ],
        unit(sheet.width),
        unit(sheet.height),
        size=f'width="{wide_mm:g}mm" height="{sheet.height * wide_mm / sheet.width:.4g}mm"',
        font=f'font-family="{FAMILY}"',
    )
