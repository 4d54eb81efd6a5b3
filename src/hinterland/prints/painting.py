"""Sheets as images."""

from __future__ import annotations

from PIL import Image, ImageDraw

from hinterland.palette import GROUND
from hinterland.prints.lettering import choose_font, font
from hinterland.prints.sheet import Board, Box, Disc, Sheet, Words

ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}
SUPERSAMPLING = 2
"""Shapes are drawn this many times larger and then reduced, which smooths their edges. Letters and boards are not."""


def paint(sheet: Sheet, pixels: int, *, is_poster: bool = False) -> Image.Image:
    """Draw a sheet ``pixels`` wide; ``is_poster``: with the board's details for large prints."""
    scale = pixels / sheet.width
    picture = _shapes(sheet, pixels, round(sheet.height * scale))
    _paste_board(picture, sheet, sheet.board, scale, is_poster=is_poster)
    pen = ImageDraw.Draw(picture)
    for mark in sheet.marks:
        if isinstance(mark, Words):
            text, face = choose_font(mark.text)
            letters = font(face, max(round(mark.size * scale), 1))
            pen.text((mark.x * scale, mark.y * scale), text, mark.colour, letters, ANCHORS[mark.anchor])
    return picture


def _shapes(sheet: Sheet, width: int, height: int) -> Image.Image:
    fine = Image.new("RGB", (width * SUPERSAMPLING, height * SUPERSAMPLING), GROUND)
    pen = ImageDraw.Draw(fine)
    scale = width * SUPERSAMPLING / sheet.width
    for mark in sheet.marks:
        if isinstance(mark, Box) and mark.width > 0:
            corners = mark.x, mark.y, mark.x + mark.width, mark.y + mark.height
            pen.rectangle([round(corner * scale) for corner in corners], mark.colour)
        elif isinstance(mark, Disc):
            pen.circle((mark.x * scale, mark.y * scale), mark.radius * scale, mark.colour)
    return fine.reduce(SUPERSAMPLING)


def _paste_board(picture: Image.Image, sheet: Sheet, board: Board, scale: float, *, is_poster: bool) -> None:
    pictures, side = sheet.scene.game.pictures, round(board.side * scale)
    draw = pictures.poster_image if is_poster else pictures.image
    picture.paste(draw(sheet.scene.position, side).convert("RGB"), (round(board.x * scale), round(board.y * scale)))
