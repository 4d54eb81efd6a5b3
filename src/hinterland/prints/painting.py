"""Sheets as images and as SVG documents."""

from __future__ import annotations

from PIL import Image, ImageDraw

from hinterland.drawing.shapes import FAMILY, Canvas, Words, write_document, write_shape
from hinterland.prints.lettering import choose_font, font
from hinterland.prints.sheet import Sheet

ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}
SUPERSAMPLING = 2
BOARD_UNITS = 800
"""Width and height of the SVG documents that games draw."""


def paint(sheet: Sheet, pixels: int, *, is_poster: bool = False) -> Image.Image:
    """Draw a sheet ``pixels`` wide; ``is_poster``: with the board's details for large prints."""
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
    """Write a sheet ``wide_mm`` millimetres wide, with the board's details for large prints."""
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
