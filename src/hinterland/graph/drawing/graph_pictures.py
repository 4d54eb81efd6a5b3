"""Pictures of the game on graphs: regions as tinted cells, vertices sized by value, tokens in rings."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw

from hinterland.drawing.palette import GROUND, INK, NEUTRAL, RGB, mix, region, shade_heat, stone, to_hex
from hinterland.drawing.shapes import Canvas, Disc, Number, Polygon, per_mille, write_document, write_loops, write_shape
from hinterland.graph.drawing import drawing_data

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hinterland.graph.rules import Position, Rules, Token

SUPERSAMPLING = 3
HEAT_PIXELS = 1000
EDGE_WIDTH = 0.0012
"""Width of an edge. All sizes in this file are shares of the picture's side."""
RIM_WIDTH = 0.0015
"""Width of the ring in the background's colour that separates a vertex from its edges."""
MIN_TOKEN_RADIUS = 0.0135
"""Smallest radius of a token: its number must be readable."""
RING_WIDTH = 0.0028
"""Width of the ring around a token, and of the gap between the two."""
HEAT_RADIUS = 1.15
"""Radius of a vertex in the heat map, as a multiple of the largest vertex's radius."""
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
    """Return the font size at which a token's number fits into the token."""
    return radius * (1.25 if number < 100 else 0.9)


def _pieces(position: Position) -> Iterator[Disc | Number]:
    """Yield vertices without a token, then tokens in their rings."""
    rules = position.rules
    drawn, owners = rules.drawing, position.owners.tolist()
    names = rules.names or [""] * rules.vertices
    for vertex, ((x, y), radius) in enumerate(zip(drawn.places.tolist(), drawn.radii.tolist(), strict=True)):
        if vertex not in position.taken:
            yield Disc(x, y, radius, _vertex_colour(owners[vertex]), RIM_WIDTH, names[vertex])
    radius = _token_radius(rules)
    for number, (seat, token) in enumerate(position.moves, start=1):
        x, y = drawn.places[token.vertex].tolist()
        colour = stone(seat)
        yield Disc(x, y, radius + 2.5 * RING_WIDTH, GROUND)
        yield Disc(x, y, radius + 2 * RING_WIDTH, colour)
        yield Disc(x, y, radius + RING_WIDTH, GROUND)
        yield Disc(x, y, radius, colour)
        yield Number(x, y, number, _letters(radius, number), colour, names[token.vertex])


def _region_colour(owner: int) -> RGB:
    return region(owner) if owner >= 0 else UNOWNED_REGION


def image(position: Position, pixels: int = 800) -> Image.Image:
    """Draw a position as a square RGB image."""
    side = pixels * SUPERSAMPLING
    canvas = Canvas(pixels, pixels, SUPERSAMPLING)
    cells = zip(position.rules.drawing.cells, position.owners.tolist(), strict=True)
    canvas.paint((Polygon(cell, _region_colour(owner)) for cell, owner in cells), side)
    canvas.image.paste(INK, (0, 0), _edges(position.rules, side))
    canvas.paint(_pieces(position), side)
    return canvas.reduce()


@lru_cache(maxsize=2)
def _edges(rules: Rules, side: int) -> Image.Image:
    """Draw the edges as a mask, which is kept for all pictures of a film."""
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
    pieces = map(write_shape, _pieces(position))
    return write_document(_caption(position), [*_regions_svg(position), *_edges_svg(position.rules), *pieces])


def _regions_svg(position: Position) -> Iterator[str]:
    """Yield a path for each owner; the path's outline hides the seams between cells."""
    owners = position.owners
    for owner in np.unique(owners).tolist():
        colour = to_hex(_region_colour(owner))
        path = write_loops(position.rules.drawing.cells[vertex] for vertex in np.flatnonzero(owners == owner))
        yield f'<path d="{path}" fill="{colour}" stroke="{colour}" stroke-width="0.6" stroke-linejoin="round"/>'


def _edges_svg(rules: Rules) -> Iterator[str]:
    """Yield a path for all edges of each shade."""
    for stroke in rules.drawing.strokes:
        lines = rules.drawing.places[stroke.ends].reshape(-1, 4)
        path = "".join(f"M{per_mille(a)} {per_mille(b)}L{per_mille(c)} {per_mille(d)}" for a, b, c, d in lines.tolist())
        yield (
            f'<path d="{path}" fill="none" stroke="{to_hex(INK)}" stroke-width="{per_mille(EDGE_WIDTH)}" '
            f'stroke-opacity="{stroke.opacity:.3g}"/>'
        )


def _caption(position: Position) -> str:
    scores = ", ".join(f"seat {seat}: {score:,}" for seat, score in enumerate(position.scores))
    board = f"a graph of {position.rules.vertices:,} vertices"
    return f"Voronoi game on {board} after {len(position.moves)} tokens; {scores}"


def heat(position: Position, options: Mapping[str, int]) -> Image.Image:  # noqa: ARG001  (this game has no options)
    """Draw what the seat to move would gain by a token on each free vertex: a square RGBA image, transparent elsewhere.

    Raises IllegalMove when the game is over.
    """
    gains = position.gains()
    free = np.flatnonzero(gains >= 0)
    drawn = position.rules.drawing
    least, most = int(gains[free].min()), int(gains[free].max())
    share = (gains[free] - least) / max(most - least, 1)
    colours = np.rint(shade_heat(share)).astype(int).tolist()
    canvas = Canvas(HEAT_PIXELS, HEAT_PIXELS, SUPERSAMPLING, "RGBA")
    canvas.paint(
        (
            Disc(x, y, drawn.radius * HEAT_RADIUS, tuple(colour), RIM_WIDTH)
            for (x, y), colour in zip(drawn.places[free].tolist(), colours, strict=True)
        ),
        HEAT_PIXELS * SUPERSAMPLING,
    )
    return canvas.reduce()


def candidates(position: Position, count: int) -> list[tuple[Token, int]]:
    """Return the ``count`` tokens of greatest gain, and the gains; of equal gains the lower vertex comes first."""
    gains = position.gains()
    order = np.argsort(-gains, kind="stable")[:count]
    return [(position.move_type(int(vertex)), int(gains[vertex])) for vertex in order if gains[vertex] >= 0]


def best(position: Position, options: Mapping[str, int]) -> tuple[Token, int]:  # noqa: ARG001
    """Return the token of greatest gain for the seat to move (of equal gains the lowest vertex), and its gain.

    Raises IllegalMove when the game is over.
    """
    gains = position.gains()
    vertex = int(gains.argmax())
    return position.move_type(vertex), int(gains[vertex])


poster, poster_image = svg, image
"""A poster of this game has no more details than other pictures of the game."""
