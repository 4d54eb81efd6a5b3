"""Pictures of the game on graphs: regions as tinted cells, vertices sized by value, tokens in rings."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from hinterland.graph.drawing import drawing_data
from hinterland.palette import GROUND, HEAT, INK, NEUTRAL, RGB, ink_on, mix, region, stone, to_hex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hinterland.graph.rules import Position, Rules, Token

SUPERSAMPLING = 3
"""Pictures are drawn this many times larger and then reduced, which smooths every edge."""
HEAT_PIXELS = 1000
EDGE_WIDTH = 0.0012
"""Width of an edge, as a share of the picture's side, like all sizes here."""
RIM_WIDTH = 0.0015
"""Width of the ground around a vertex, which separates it from its edges."""
MIN_TOKEN_RADIUS = 0.0135
"""Smallest radius of a token: its number must be readable."""
RING_WIDTH = 0.0028
"""Width of a token's ring, and of the ground inside it."""
HEAT_RADIUS = 1.15
"""Radius of a vertex in the heat map, as a share of the largest vertex."""
UNOWNED_REGION = mix(NEUTRAL, GROUND, 0.72)
UNOWNED_VERTEX: RGB = (150, 150, 154)


def lay_out(rules: Rules) -> drawing_data.DrawingData:
    """Compute ``Rules.drawing``."""
    return drawing_data.lay_out(rules)


def _vertex_colour(seat: int) -> RGB:
    return UNOWNED_VERTEX if seat < 0 else mix(stone(seat), GROUND, 0.22)


def _token_radius(rules: Rules) -> float:
    radius: float = rules.drawing.radius
    return max(radius * 1.1, MIN_TOKEN_RADIUS)


def _letters(radius: float, number: int) -> float:
    """Return the height of letters with which a number fits its token."""
    return radius * (1.25 if number < 100 else 0.9)


def _vertices(position: Position) -> Iterator[tuple[int, float, float, float, RGB]]:
    """Yield (vertex, x, y, radius, colour) of each vertex without a token."""
    drawn = position.rules.drawing
    owners = position.owners.tolist()
    for vertex, ((x, y), radius) in enumerate(zip(drawn.places.tolist(), drawn.radii.tolist(), strict=True)):
        if vertex not in position.taken:
            yield vertex, x, y, radius, _vertex_colour(owners[vertex])


def _tokens(position: Position) -> Iterator[tuple[float, float, RGB, int]]:
    """Yield (x, y, colour, number) of each token."""
    places = position.rules.drawing.places
    for number, (seat, token) in enumerate(position.moves, start=1):
        x, y = places[token.vertex].tolist()
        yield x, y, stone(seat), number


def _rings(radius: float, colour: RGB) -> Iterable[tuple[float, RGB]]:
    """Return (radius, colour) of the discs that make a token, the largest first."""
    return (
        (radius + 2.5 * RING_WIDTH, GROUND),
        (radius + 2 * RING_WIDTH, colour),
        (radius + RING_WIDTH, GROUND),
        (radius, colour),
    )


def image(position: Position, pixels: int = 800) -> Image.Image:
    """Draw a position as a square RGB image."""
    side = pixels * SUPERSAMPLING
    picture = Image.new("RGB", (side, side), GROUND)
    draw = ImageDraw.Draw(picture)
    for cell, owner in zip(position.rules.drawing.cells, position.owners.tolist(), strict=True):
        draw.polygon((cell * side).ravel().tolist(), fill=region(owner) if owner >= 0 else UNOWNED_REGION)
    picture.paste(INK, (0, 0), _edges(position.rules, side))
    for _, x, y, radius, colour in _vertices(position):
        _disc(draw, x * side, y * side, (radius + RIM_WIDTH) * side, GROUND)
        _disc(draw, x * side, y * side, radius * side, colour)
    radius = _token_radius(position.rules)
    for x, y, colour, number in _tokens(position):
        for reach, paint in _rings(radius, colour):
            _disc(draw, x * side, y * side, reach * side, paint)
        font = ImageFont.load_default(_letters(radius, number) * side)
        draw.text((x * side, y * side), str(number), fill=ink_on(colour), font=font, anchor="mm")
    return picture.reduce(SUPERSAMPLING)


def _disc(draw: ImageDraw.ImageDraw, x: float, y: float, radius: float, colour: tuple[int, ...]) -> None:
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)


@lru_cache(maxsize=2)
def _edges(rules: Rules, side: int) -> Image.Image:
    """Draw the edges as a mask, once for all pictures of a film."""
    mask = Image.new("L", (side, side))
    draw = ImageDraw.Draw(mask)
    width = max(1, round(EDGE_WIDTH * side))
    points = rules.drawing.places * side
    for stroke in rules.drawing.strokes:
        shade = round(stroke.opacity * 255)
        for line in points[stroke.ends].reshape(-1, 4).tolist():
            draw.line(line, fill=shade, width=width)
    return mask


def svg(position: Position) -> str:
    """Draw a position as an SVG document, 1000 units a side."""
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000" width="800" height="800" role="img">',
        f"<title>{_caption(position)}</title>",
        f'<rect width="1000" height="1000" fill="{to_hex(GROUND)}"/>',
        *_regions_svg(position),
        *_edges_svg(position.rules),
        *(
            f'<circle cx="{_unit(x)}" cy="{_unit(y)}" r="{_unit(radius + RIM_WIDTH / 2)}" fill="{to_hex(colour)}" '
            f'stroke="{to_hex(GROUND)}" stroke-width="{_unit(RIM_WIDTH)}"'
            + (f">{_title(position.rules, vertex)}</circle>" if position.rules.names else "/>")
            for vertex, x, y, radius, colour in _vertices(position)
        ),
    ]
    radius = _token_radius(position.rules)
    for (x, y, colour, number), (_, token) in zip(_tokens(position), position.moves, strict=True):
        parts += (
            f'<circle cx="{_unit(x)}" cy="{_unit(y)}" r="{_unit(reach)}" fill="{to_hex(paint)}"/>'
            for reach, paint in _rings(radius, colour)
        )
        parts.append(
            f'<text x="{_unit(x)}" y="{_unit(y)}" dy="0.36em" text-anchor="middle" '
            f'font-family="system-ui, sans-serif" font-size="{_unit(_letters(radius, number))}" '
            f'fill="{to_hex(ink_on(colour))}">{number}{_title(position.rules, token.vertex)}</text>'
        )
    return "\n".join([*parts, "</svg>\n"])


def _title(rules: Rules, vertex: int) -> str:
    """Return the name of a vertex as an SVG title, which browsers show as a tooltip; empty if it has none."""
    return f"<title>{escape(rules.names[vertex])}</title>" if rules.names else ""


def _unit(share: float) -> str:
    """Write a share of the side in SVG units."""
    return f"{share * 1000:.4g}"


def _regions_svg(position: Position) -> Iterator[str]:
    """Yield a path for each owner; its outline hides the seams between cells."""
    owners = position.owners
    for owner in np.unique(owners).tolist():
        colour = to_hex(region(owner) if owner >= 0 else UNOWNED_REGION)
        cells = (position.rules.drawing.cells[vertex] for vertex in np.flatnonzero(owners == owner))
        path = "".join("M" + "L".join(f"{_unit(x)} {_unit(y)}" for x, y in cell) + "Z" for cell in cells)
        yield f'<path d="{path}" fill="{colour}" stroke="{colour}" stroke-width="0.6" stroke-linejoin="round"/>'


def _edges_svg(rules: Rules) -> Iterator[str]:
    """Yield a path for each shade."""
    for stroke in rules.drawing.strokes:
        lines = rules.drawing.places[stroke.ends].reshape(-1, 4)
        path = "".join(f"M{_unit(a)} {_unit(b)}L{_unit(c)} {_unit(d)}" for a, b, c, d in lines.tolist())
        yield (
            f'<path d="{path}" fill="none" stroke="{to_hex(INK)}" stroke-width="{_unit(EDGE_WIDTH)}" '
            f'stroke-opacity="{stroke.opacity:.3g}"/>'
        )


def _caption(position: Position) -> str:
    scores = ", ".join(f"seat {seat}: {score:,}" for seat, score in enumerate(position.scores))
    board = f"a graph of {position.rules.vertices:,} vertices"
    return f"Voronoi game on {board} after {len(position.moves)} tokens; {scores}"


def heat(position: Position, options: Mapping[str, int]) -> Image.Image:  # noqa: ARG001  (this game has no options)
    """Draw what a token on each vertex would gain the seat to move: square, RGBA, transparent except for free vertices.

    Raises IllegalMove when the game is over.
    """
    gains = position.gains()
    free = np.flatnonzero(gains >= 0)
    drawn = position.rules.drawing
    least, most = int(gains[free].min()), int(gains[free].max())
    share = (gains[free] - least) / max(most - least, 1)
    steps = np.linspace(0.0, 1.0, len(HEAT))
    colours = np.stack([np.interp(share, steps, channel) for channel in np.transpose(HEAT)], axis=1)
    side = HEAT_PIXELS * SUPERSAMPLING
    picture = Image.new("RGBA", (side, side))
    draw = ImageDraw.Draw(picture)
    for (x, y), colour in zip((drawn.places[free] * side).tolist(), np.rint(colours).astype(int).tolist(), strict=True):
        _disc(draw, x, y, (drawn.radius * HEAT_RADIUS + RIM_WIDTH) * side, (*GROUND, 255))
        _disc(draw, x, y, drawn.radius * HEAT_RADIUS * side, (*colour, 255))
    return picture.reduce(SUPERSAMPLING)


def candidates(position: Position, count: int) -> list[tuple[Token, int]]:
    """Return the vertices with the greatest gains, in order of vertices among equals."""
    gains = position.gains()
    order = np.argsort(-gains, kind="stable")[:count]
    return [(position.move_type(int(vertex)), int(gains[vertex])) for vertex in order if gains[vertex] >= 0]


def best(position: Position, options: Mapping[str, int]) -> tuple[Token, int]:  # noqa: ARG001
    """Return the token with the greatest gain for the seat to move, the first among equals, and its gain.

    Raises IllegalMove when the game is over.
    """
    gains = position.gains()
    vertex = int(gains.argmax())
    return position.move_type(vertex), int(gains[vertex])


poster, poster_image = svg, image
"""A poster of this game shows nothing more than a picture."""
