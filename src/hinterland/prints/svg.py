"""Sheets as SVG documents."""

from __future__ import annotations

from html import escape

from hinterland.palette import GROUND, to_hex
from hinterland.prints.sheet import Box, Disc, Sheet, Words

FAMILY = "system-ui, sans-serif"
BOARD_UNITS = 800
"""Width and height of the documents that games draw."""


def write_svg(sheet: Sheet, wide_mm: float) -> str:
    """Write a sheet ``wide_mm`` millimetres wide, with the board's details for large prints."""
    width, height, high_mm = f"{sheet.width:g}", f"{sheet.height:g}", sheet.height * wide_mm / sheet.width
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{wide_mm:g}mm" '
        f'height="{high_mm:.4g}mm" role="img" font-family="{FAMILY}">',
        f"<title>{escape(sheet.scene.heading)}</title>",
        f'<rect width="{width}" height="{height}" fill="{to_hex(GROUND)}"/>',
        _board(sheet),
        *map(_mark, sheet.marks),
        "</svg>\n",
    ])  # fmt: skip


def _board(sheet: Sheet) -> str:
    """Return the board's document, nested in this one."""
    board = sheet.board
    place = f'x="{board.x:g}" y="{board.y:g}" width="{board.side:g}" height="{board.side:g}"'
    document = sheet.scene.game.pictures.poster(sheet.scene.position).rstrip()
    return f'<svg {place} viewBox="0 0 {BOARD_UNITS} {BOARD_UNITS}">{document}</svg>'


def _mark(mark: Words | Box | Disc) -> str:
    colour = to_hex(mark.colour)
    if isinstance(mark, Words):
        place = f'x="{mark.x:g}" y="{mark.y:g}" font-size="{mark.size:g}" text-anchor="{mark.anchor}"'
        return f'<text {place} fill="{colour}">{escape(mark.text)}</text>'
    if isinstance(mark, Disc):
        return f'<circle cx="{mark.x:g}" cy="{mark.y:g}" r="{mark.radius:g}" fill="{colour}"/>'
    return f'<rect x="{mark.x:g}" y="{mark.y:g}" width="{mark.width:g}" height="{mark.height:g}" fill="{colour}"/>'
