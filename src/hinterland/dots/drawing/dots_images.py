"""The pictures of Join the dots, as ``contract.Pictures``: images are drawn here, the rest in ``dots_svg``."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PIL import Image

from hinterland.dots.drawing.dot_places import places_of
from hinterland.dots.drawing.dots_svg import LINE_WIDTH, OUTLINE_WIDTH, shapes_of, svg
from hinterland.dots.rules import Position
from hinterland.dots.search.hints import best, candidates
from hinterland.drawing.shapes import Canvas, Path
from hinterland.palette import shade_heat

__all__ = ["best", "candidates", "heat", "image", "poster", "poster_image", "svg"]

SUPERSAMPLING = 3
HEAT_PIXELS = 1000


def image(position: Position, pixels: int = 800) -> Image.Image:
    """Draw a position as a square RGB image. Raises RulesError for an order type without known coordinates."""
    canvas = Canvas(pixels, pixels, SUPERSAMPLING)
    canvas.paint(shapes_of(position), pixels * SUPERSAMPLING)
    return canvas.reduce()


def heat(position: Position, options: Mapping[str, int]) -> Image.Image:  # noqa: ARG001  (this game has no options)
    """Draw every legal line in the colour of its gain: a square RGBA image, transparent except for the lines.

    Raises IllegalMove when the game is over, RulesError as ``image`` does.
    """
    _ = position.mover
    gains = {line: len(position.cycle(line)) for line in position.legal_moves}
    most = max(*gains.values(), 1)
    places = places_of(position.rules)
    canvas = Canvas(HEAT_PIXELS, HEAT_PIXELS, SUPERSAMPLING, "RGBA")
    for line, gain in sorted(gains.items(), key=lambda pair: pair[1]):
        colour = tuple(np.rint(shade_heat(np.array(gain / most))).astype(int).tolist())
        path = Path([places[line.a], places[line.b]], colour, LINE_WIDTH if gain else OUTLINE_WIDTH)
        canvas.paint([path], HEAT_PIXELS * SUPERSAMPLING)
    return canvas.reduce()


poster, poster_image = svg, image
"""A poster of this game shows nothing more than a picture."""
