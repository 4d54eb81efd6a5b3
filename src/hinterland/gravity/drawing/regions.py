"""Pictures of gravity: regions in a light shade of their colour, stones in the full colour, numbered in order."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from hinterland.gravity.drawing.outlines import outlines
from hinterland.palette import GROUND, HEAT, NEUTRAL, hexed, ink_on, region, stone

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hinterland.gravity.rules import Position, Stone

RADIUS = 0.0125
"""Of a stone, as a share of the board's side."""
SHADES = 255
"""Of the heat map."""
SHARPER = 2
"""Pictures are drawn so many times larger and then reduced, which smooths every edge."""


def _wider(position: Position, weight: int) -> float:
    """Return how much wider than others a stone is drawn: by the root of its share of the weight."""
    most = position.rules.weight
    return 1.0 if most is None else 0.75 + min(weight * position.rules.stones / most, 4.0) ** 0.5 * 0.4


def _letters(radius: float, number: int) -> float:
    """Return the height of letters with which a number fits its stone."""
    return radius * (1.15 if number < 100 else 0.85)


def image(position: Position, pixels: int = 800) -> Image.Image:
    """Draw a position as a square RGB image."""
    side = pixels * SHARPER
    smooth = side < position.rules.size
    colours = np.array([region(seat) for seat in range(position.rules.players)] + [NEUTRAL], dtype=np.uint8)
    picture = Image.fromarray(colours[position.owners])
    picture = picture.resize((side, side), Image.Resampling.BOX if smooth else Image.Resampling.NEAREST)
    draw = ImageDraw.Draw(picture)
    scale = side / position.rules.size
    for number, (seat, placed) in enumerate(position.moves, start=1):
        radius = RADIUS * side * _wider(position, placed.weight)
        x, y = (placed.col + 0.5) * scale, (placed.row + 0.5) * scale
        ring = radius + side * 0.002
        draw.ellipse((x - ring, y - ring, x + ring, y + ring), fill=GROUND)
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=stone(seat))
        font = ImageFont.load_default(_letters(radius, number))
        draw.text((x, y), str(number), fill=ink_on(stone(seat)), font=font, anchor="mm")
    return picture.resize((pixels, pixels), Image.Resampling.LANCZOS)


def svg(position: Position) -> str:
    """Draw a position as an SVG document; one unit is one cell."""
    size = position.rules.size
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="800" height="800" role="img">',
        f"<title>{_caption(position)}</title>",
        f'<rect width="{size}" height="{size}" fill="{hexed(NEUTRAL)}"/>',
    ]
    owned = position.owners
    for seat in range(position.rules.players):
        loops = outlines(owned == seat, tolerance=size / 1400)
        path = "".join("M" + "L".join(f"{x:g} {y:g}" for x, y in loop) + "Z" for loop in loops)
        if path:
            parts.append(f'<path d="{path}" fill="{hexed(region(seat))}" fill-rule="evenodd"/>')
    for number, (seat, placed) in enumerate(position.moves, start=1):
        parts.append(_stone_svg(position, number, seat, placed))
    return "\n".join([*parts, "</svg>\n"])


def _stone_svg(position: Position, number: int, seat: int, placed: Stone) -> str:
    size = position.rules.size
    radius = RADIUS * size * _wider(position, placed.weight)
    x, y = placed.col + 0.5, placed.row + 0.5
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius:.4g}" fill="{hexed(stone(seat))}" '
        f'stroke="{hexed(GROUND)}" stroke-width="{size * 0.002:.4g}"/>'
        f'<text x="{x:g}" y="{y:g}" dy="0.36em" text-anchor="middle" font-family="system-ui, sans-serif" '
        f'font-size="{_letters(radius, number):.4g}" fill="{hexed(ink_on(stone(seat)))}">{number}</text>'
    )


def _caption(position: Position) -> str:
    areas = ", ".join(f"seat {seat}: {score:,} cells" for seat, score in enumerate(position.scores))
    return f"Gravity after {len(position.moves)} stones; {areas}"


def heat(position: Position, options: Mapping[str, int]) -> Image.Image:
    """Draw the reply map of the seat to move: RGBA, a pixel a cell, transparent where a stone may not go."""
    gains = position.reply_map(options.get("weight", 1))
    most = int(gains.max())
    least = int(gains.min(where=gains >= 0, initial=most))
    steps = (gains - least) * np.float32((SHADES - 1) / max(most - least, 1))
    shade = np.where(gains >= 0, steps, SHADES).astype(np.uint8)
    return Image.fromarray(_heat_colours()[shade].view(np.uint8).reshape(*gains.shape, 4))


@cache
def _heat_colours() -> np.ndarray:
    """Return the shades of the heat map and, last, no colour: RGBA as one uint32 each."""
    shades = np.linspace(0.0, 1.0, SHADES)
    stops = np.linspace(0.0, 1.0, len(HEAT))
    channels = [np.interp(shades, stops, [colour[i] for colour in HEAT]) for i in range(3)]
    colours = np.zeros((SHADES + 1, 4), dtype=np.uint8)
    colours[:SHADES] = np.stack([*channels, np.full(SHADES, 225)], axis=-1)
    return colours.view(np.uint32)[:, 0]


def best(position: Position, options: Mapping[str, int]) -> tuple[Stone, int]:
    """Return the stone that gains the seat to move the most, the first in reading order, and its gain.

    Its weight is the option ``weight``, else 1.
    """
    return position.best_reply(options.get("weight", 1))
