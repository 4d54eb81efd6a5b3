"""The pictures of Join the dots, as ``contract.Pictures``: images are drawn here, the rest in ``dots_svg``."""

from __future__ import annotations

from collections.abc import Mapping

from PIL import Image, ImageDraw

from hinterland.dots.drawing.dot_places import places_of
from hinterland.dots.drawing.dots_svg import LINE_WIDTH, OUTLINE_WIDTH, Shape, shapes_of, svg
from hinterland.dots.rules import Position
from hinterland.dots.search.hints import best, candidates
from hinterland.palette import GROUND, HEAT, RGB, mix

__all__ = ["best", "candidates", "heat", "image", "poster", "poster_image", "svg"]

SUPERSAMPLING = 3
"""Pictures are drawn this many times larger and then reduced, which smooths every edge."""
HEAT_PIXELS = 1000


def image(position: Position, pixels: int = 800) -> Image.Image:
    """Draw a position as a square RGB image. Raises RulesError for an order type without known coordinates."""
    side = pixels * SUPERSAMPLING
    picture = Image.new("RGB", (side, side), GROUND)
    draw = ImageDraw.Draw(picture)
    for shape in shapes_of(position):
        _paint(draw, shape, side)
    return picture.reduce(SUPERSAMPLING)


def _paint(draw: ImageDraw.ImageDraw, shape: Shape, side: int) -> None:
    points = [(x * side, y * side) for x, y in shape.points]
    if shape.radius:
        draw.circle(points[0], shape.radius * side, fill=shape.colour)
    elif shape.width:
        draw.line(points, fill=shape.colour, width=round(shape.width * side), joint="curve")
    else:
        draw.polygon(points, fill=shape.colour)


def heat(position: Position, options: Mapping[str, int]) -> Image.Image:  # noqa: ARG001  (this game has no options)
    """Draw every legal line in the colour of its gain: a square RGBA image, transparent except for the lines.

    Raises IllegalMove when the game is over, RulesError as ``image`` does.
    """
    _ = position.mover
    gains = {line: len(position.cycle(line)) for line in position.legal_moves}
    most = max(*gains.values(), 1)
    places = places_of(position.rules)
    side = HEAT_PIXELS * SUPERSAMPLING
    picture = Image.new("RGBA", (side, side))
    draw = ImageDraw.Draw(picture)
    for line, gain in sorted(gains.items(), key=lambda pair: pair[1]):
        width = LINE_WIDTH if gain else OUTLINE_WIDTH
        _paint(draw, Shape([places[line.a], places[line.b]], _heat_colour(gain / most), width), side)
    return picture.reduce(SUPERSAMPLING)


def _heat_colour(share: float) -> RGB:
    at = share * (len(HEAT) - 1)
    low = min(int(at), len(HEAT) - 2)
    return mix(HEAT[low], HEAT[low + 1], at - low)


poster, poster_image = svg, image
"""A poster of this game shows nothing more than a picture."""
