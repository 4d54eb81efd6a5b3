"""Draws positions: as shapes in the unit square, and from these shapes as SVG and as images.

A line has the colour of the seat that drew it; a closed cycle is an area in the colour of the seat that closed it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from PIL import Image

from hinterland.dots.drawing.dot_places import Place, places_of
from hinterland.dots.order_types.forest import Forest
from hinterland.dots.rules import Position
from hinterland.dots.search.hints import best, candidates
from hinterland.drawing.palette import GROUND, INK, RGB, mix, shade_heat, stone
from hinterland.drawing.shapes import Canvas, Disc, Path, Polygon, Shape, write_document, write_shape

__all__ = ["best", "candidates", "heat", "image", "poster", "poster_image", "svg"]

LINE_WIDTH = 0.0062
"""Width of a line, as a share of the picture's side; all sizes here are such shares."""
OUTLINE_WIDTH = 0.0026
"""Width of the outline of a closed cycle."""
RIM_WIDTH = 0.0045
"""Width of the rim around shapes that lie over others; the rim has the colour of the background."""
MAX_RADIUS, MIN_RADIUS = 0.0165, 0.006
"""Largest and smallest radius of a dot."""
RADIUS_PER_SPACING = 0.085
"""Limit of a dot's radius, as a share of the mean spacing of the dots."""
RADIUS_PER_DISTANCE = 0.42
"""Limit of a dot's radius, as a share of the distance to the nearest dot."""
AREA_PALENESS, OUTLINE_PALENESS, RING_PALENESS = 0.74, 0.25, 0.25
"""Share of the background colour mixed into the colours of a closed cycle's area, its outline and the rings of its
dots."""


class ClosedCycle(NamedTuple):
    """A cycle that has been removed."""

    seat: int
    """The seat that closed it."""
    dots: tuple[int, ...]
    """The cycle's dots, in order along it; the line that closed it joins the first and the last dot."""


class DrawnGame(NamedTuple):
    """Everything drawn in a game that is still visible."""

    lines: dict[tuple[int, int], int]
    """Lines on the board in order of play, with the seats that drew them."""
    closed: list[ClosedCycle]
    """Closed cycles in order of play."""


def trace_game(position: Position) -> DrawnGame:
    """Replay the game to find which seat drew each line and closed each cycle."""
    segments = position.rules.segments
    forest = Forest.empty(segments)
    lines: dict[tuple[int, int], int] = {}
    closed = []
    for seat, line in position.moves:
        number = segments.number[line.a, line.b]
        if cycle := forest.path(number):
            closed.append(ClosedCycle(seat, cycle))
        forest = forest.after(number, seat)
        lines[line.a, line.b] = seat
        lines = {ends: drawer for ends, drawer in lines.items() if forest.lines >> segments.number[ends] & 1}
    return DrawnGame(lines, closed)


def shapes_of(position: Position) -> Iterator[Shape]:
    """Yield the shapes of a position from back to front."""
    places = places_of(position.rules)
    drawing = trace_game(position)
    latest = position.moves[-1][1].numbers if position.moves else None
    closing = None if latest is None or latest in drawing.lines else drawing.closed[-1]
    areas = [([places[dot] for dot in cycle.dots], stone(cycle.seat)) for cycle in drawing.closed]
    for corners, colour in sorted(areas, key=lambda area: -_size(area[0])):
        yield Polygon(corners, mix(colour, GROUND, AREA_PALENESS))
    for cycle, (corners, colour) in zip(drawing.closed, areas, strict=True):
        yield _outline(corners, colour, is_latest=cycle is closing)
    for ends, seat in drawing.lines.items():
        path = [places[dot] for dot in ends]
        if ends == latest:
            yield Path(path, INK, LINE_WIDTH * 1.5 + RIM_WIDTH)
            yield Path(path, GROUND, LINE_WIDTH * 1.5 + RIM_WIDTH / 2)
        yield Path(path, stone(seat), LINE_WIDTH * 1.5 if ends == latest else LINE_WIDTH)
    yield from _dots(position, places, drawing.closed)


def _outline(corners: list[Place], colour: RGB, *, is_latest: bool) -> Path:
    """Return the outline of a closed cycle; the latest cycle's outline is as wide as the latest line."""
    around = [*corners, corners[0], corners[1]]
    return (
        Path(around, colour, LINE_WIDTH * 1.5)
        if is_latest
        else Path(around, mix(colour, GROUND, OUTLINE_PALENESS), OUTLINE_WIDTH)
    )


def _dots(position: Position, places: list[Place], closed: list[ClosedCycle]) -> Iterator[Disc]:
    radii = _radii(places)
    for cycle in closed:
        for dot in cycle.dots:
            yield Disc(*places[dot], radii[dot] * 0.55, mix(stone(cycle.seat), GROUND, RING_PALENESS))
            yield Disc(*places[dot], radii[dot] * 0.55 - OUTLINE_WIDTH, GROUND)
    for dot in position.dots:
        yield Disc(*places[dot], radii[dot] + RIM_WIDTH, GROUND)
        yield Disc(*places[dot], radii[dot], INK)


def _radii(places: list[Place]) -> list[float]:
    """Return the radius of each dot; it is smaller if another dot is near."""
    most = min(MAX_RADIUS, RADIUS_PER_SPACING / math.sqrt(len(places)))
    nearest = [min(math.dist(place, other) for other in places if other != place) for place in places]
    return [min(most, max(RADIUS_PER_DISTANCE * distance, MIN_RADIUS)) for distance in nearest]


def _size(corners: list[Place]) -> float:
    """Return twice the area of a polygon."""
    return abs(sum(x * v - u * y for (x, y), (u, v) in zip(corners, [*corners[1:], corners[0]], strict=True)))


def svg(position: Position) -> str:
    """Draw a position as an SVG document, 1000 units a side. Raises RulesError if the dots have no coordinates."""
    return write_document(_caption(position), map(write_shape, shapes_of(position)))


def _caption(position: Position) -> str:
    scores = ", ".join(f"seat {seat}: {score}" for seat, score in enumerate(position.scores))
    return (
        f"Join the dots, {len(position.dots)} of {position.rules.dots} left after {len(position.moves)} lines; {scores}"
    )


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
"""A poster of this game shows the same as a picture."""
