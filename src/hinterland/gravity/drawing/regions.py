"""Pictures of gravity: regions in a light shade of their colour, stones in the full colour, numbered in order."""

from __future__ import annotations

from functools import cache
from math import ceil
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw

from hinterland.drawing.palette import GROUND, NEUTRAL, RGB, mix, region, shade_heat, stone, to_hex
from hinterland.drawing.shapes import Canvas, Disc, Number, write_document, write_loops, write_number
from hinterland.gravity.drawing.outlines import contours, outlines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hinterland.gravity.rules import Position, Stone

CANDIDATES_PER_SIDE = 8
"""Two cells that ``candidates`` returns lie at least side / 8 apart."""
STONE_RADIUS = 0.0125
"""Radius of a stone without weights, as a share of the board's side."""
WIDEST_SCALE = 0.75 + 4.0**0.5 * 0.4
"""Radius of the heaviest stone, as a multiple of STONE_RADIUS."""
RIM_WIDTH = 0.002
"""Width of the rim around a stone, in the colour of the ground, as a share of the side."""
CONTOUR_WIDTH = 0.0011
"""Width of a contour, as a share of the side."""
CONTOUR_LIGHTNESS = 0.2
"""Share of a region's shade in the colour of its contours; the rest is the full colour of its stones."""
HEAT_SHADES = 255
"""Shades of the heat map."""
SUPERSAMPLING = 2
COORDINATE = "{:.6g}".format


def _stone_scale(position: Position, weight: int) -> float:
    """Return a stone's radius as a multiple of STONE_RADIUS: it grows with the root of the stone's weight."""
    most = position.rules.weight
    return 1.0 if most is None else 0.75 + min(weight * position.rules.stones / most, 4.0) ** 0.5 * 0.4


def _margin(position: Position) -> float:
    """Return by how much stones at the edge stick out beyond the cells, as a share of the board's side."""
    widest = 1.0 if position.rules.weight is None else WIDEST_SCALE
    return max(STONE_RADIUS * widest + 2 * RIM_WIDTH - 0.5 / position.rules.size, 0.0)


def margin_pixels(position: Position, pixels: int) -> int:
    """Return the width of the margin around the cells in an image of ``pixels`` pixels a side."""
    return ceil(pixels * (1 - 1 / (1 + 2 * _margin(position))) / 2)


def _font_size(radius: float, number: int) -> float:
    """Return the font size at which a number fits its stone."""
    return radius * (1.15 if number < 100 else 0.85)


def image(position: Position, pixels: int = 800) -> Image.Image:
    """Draw a position as a square RGB image: the cells, and a margin in which stones at the edge are whole."""
    return _image(position, pixels, has_contours=False)


def poster_image(position: Position, pixels: int) -> Image.Image:
    """Draw a position with the contours of its pulls."""
    return _image(position, pixels, has_contours=True)


def _image(position: Position, pixels: int, *, has_contours: bool) -> Image.Image:
    whole = pixels * SUPERSAMPLING
    margin = margin_pixels(position, whole)
    side = whole - 2 * margin
    canvas = Canvas(pixels, pixels, SUPERSAMPLING)
    canvas.image.paste(_cells(position, side, region), (margin, margin))
    if has_contours:
        canvas.image.paste(_cells(position, side, _contour_colour), (margin, margin), _contour_mask(position, side))
    scale = side / position.rules.size
    for number, (seat, placed) in enumerate(position.moves, start=1):
        radius = STONE_RADIUS * side * _stone_scale(position, placed.weight)
        x, y = margin + (placed.col + 0.5) * scale, margin + (placed.row + 0.5) * scale
        disc = Disc(x, y, radius, stone(seat), side * RIM_WIDTH)
        canvas.paint([disc, Number(x, y, number, _font_size(radius, number), stone(seat))])
    return canvas.resample()


def _cells(position: Position, side: int, colour: Callable[[int], RGB]) -> Image.Image:
    """Draw every cell in the colour that ``colour`` returns for its owner; cells of nobody are neutral."""
    colours = [*map(colour, range(position.rules.players)), NEUTRAL]
    cells = Image.fromarray(np.array(colours, dtype=np.uint8)[position.owners])
    resampling = Image.Resampling.BOX if side < position.rules.size else Image.Resampling.NEAREST
    return cells.resize((side, side), resampling)


def _contour_mask(position: Position, side: int) -> Image.Image:
    mask = Image.new("L", (side, side))
    draw = ImageDraw.Draw(mask)
    for loop in contours(position):
        closed = np.vstack([loop, loop[:2]]) * (side / position.rules.size)
        draw.line(closed.ravel().tolist(), fill=255, width=max(1, round(CONTOUR_WIDTH * side)), joint="curve")
    return mask


def svg(position: Position) -> str:
    """Draw a position as an SVG document; one unit is one cell. Stones at the edge are whole."""
    return _svg(position, has_contours=False)


def poster(position: Position) -> str:
    """Draw a position with the contours of its pulls."""
    return _svg(position, has_contours=True)


def _svg(position: Position, *, has_contours: bool) -> str:
    size = position.rules.size
    low = 0 - _margin(position) * size
    side = size - 2 * low
    box = f"{low:.4g} {low:.4g} {side:.6g} {side:.6g}"
    parts = []
    if has_contours:
        width = position.rules.size * CONTOUR_WIDTH
        lines = write_loops(contours(position), COORDINATE)
        parts.append(f'<defs><path id="contours" d="{lines}" fill="none" stroke-width="{width:.4g}"/></defs>')
    owned = position.owners
    for seat in range(position.rules.players):
        path = write_loops(outlines(owned == seat, tolerance=size / 1400), COORDINATE)
        if path:
            parts.append(f'<path d="{path}" fill="{to_hex(region(seat))}" fill-rule="evenodd"/>')
        if path and has_contours:
            parts.append(_contours_svg(seat, path))
    for number, (seat, placed) in enumerate(position.moves, start=1):
        parts.append(_stone_svg(position, number, seat, placed))
    return write_document(_caption(position), parts, size, size, box=box, ground=NEUTRAL)


def _contours_svg(seat: int, path: str) -> str:
    """Write the contours in the colour of a seat, clipped to its region."""
    return (
        f'<clipPath id="region-{seat}"><path d="{path}" clip-rule="evenodd"/></clipPath>'
        f'<use href="#contours" clip-path="url(#region-{seat})" stroke="{to_hex(_contour_colour(seat))}"/>'
    )


def _contour_colour(seat: int) -> RGB:
    return mix(stone(seat), region(seat), CONTOUR_LIGHTNESS)


def _stone_svg(position: Position, number: int, seat: int, placed: Stone) -> str:
    size = position.rules.size
    radius = STONE_RADIUS * size * _stone_scale(position, placed.weight)
    x, y = placed.col + 0.5, placed.row + 0.5
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius:.4g}" fill="{to_hex(stone(seat))}" '
        f'stroke="{to_hex(GROUND)}" stroke-width="{size * RIM_WIDTH:.4g}"/>'
    ) + write_number(f"{x:g}", f"{y:g}", number, f"{_font_size(radius, number):.4g}", stone(seat))


def _caption(position: Position) -> str:
    areas = ", ".join(f"seat {seat}: {score:,} cells" for seat, score in enumerate(position.scores))
    return f"Gravity after {len(position.moves)} stones; {areas}"


def heat(position: Position, options: Mapping[str, int]) -> Image.Image:
    """Draw the reply map of the seat to move: RGBA, a pixel a cell, transparent where a stone may not go.

    The image's ``info`` says what the first and the last shade mean: the ``least`` and the ``most`` that a stone would
    gain.
    """
    gains = position.reply_map(options.get("weight", 1))
    most = int(gains.max())
    least = int(gains.min(where=gains >= 0, initial=most))
    steps = (gains - least) * np.float32((HEAT_SHADES - 1) / max(most - least, 1))
    shade = np.where(gains >= 0, steps, HEAT_SHADES).astype(np.uint8)
    picture = Image.fromarray(_heat_colours()[shade].view(np.uint8).reshape(*gains.shape, 4))
    picture.info = {"least": str(least), "most": str(most)}
    return picture


@cache
def _heat_colours() -> np.ndarray:
    """Return the shades of the heat map, and as the last entry full transparency: uint32[n], each an RGBA value."""
    colours = np.zeros((HEAT_SHADES + 1, 4), dtype=np.uint8)
    colours[:HEAT_SHADES, :3] = shade_heat(np.linspace(0.0, 1.0, HEAT_SHADES))
    colours[:HEAT_SHADES, 3] = 225
    return colours.view(np.uint32)[:, 0]


def candidates(position: Position, count: int) -> list[tuple[Stone, int]]:
    """Return the best stones of weight 1 and their gains, best first, none of them near a better one."""
    gains = position.reply_map().copy()
    apart = max(position.rules.spacing, position.rules.size // CANDIDATES_PER_SIDE)
    found: list[tuple[Stone, int]] = []
    while len(found) < count and (gain := int(gains.max())) >= 0:
        row, col = (int(place) for place in np.unravel_index(gains.argmax(), gains.shape))
        found.append((position.move_type(row, col), gain))
        rows, cols = np.ogrid[: len(gains), : len(gains)]
        gains[(rows - row) ** 2 + (cols - col) ** 2 < apart**2] = -1
    return found


def best(position: Position, options: Mapping[str, int]) -> tuple[Stone, int]:
    """Return the stone that gains the seat to move the most, and its gain; of equal stones, the first in reading order.

    The stone's weight is the option ``weight``, or 1 without this option.
    """
    return position.best_reply(options.get("weight", 1))
