"""What was drawn in a game as shapes in the unit square, from the ground up, and these written as SVG.

Lines have the colour of who drew them, closed cycles are areas of who closed them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from hinterland.dots.drawing.dot_places import Place, places_of
from hinterland.dots.order_types.forest import Forest
from hinterland.palette import GROUND, INK, RGB, mix, stone, to_hex

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hinterland.dots.rules import Position

LINE = 0.0062
"""The width of a line, as a share of the picture's side; so are all sizes here."""
OUTLINE = 0.0026
"""The width of the outline of a closed cycle."""
RIM = 0.0045
"""The ground around what is drawn over others."""
LARGEST, ROOMY, APART, LEAST = 0.0165, 0.085, 0.42, 0.006
"""The radius of a dot: the largest, that in mean spacings, that in distances from the next dot, and the least."""
AREA, EARLIER, RING = 0.74, 0.25, 0.25
"""How much ground is mixed into the area of a cycle, its outline and the rings of its dots."""


class Shape(NamedTuple):
    """A polygon; a path, where it has a width; or a disc, where it has a radius."""

    points: Sequence[Place]
    """Its corners, or the centre of a disc."""
    colour: RGB
    """What it is painted with."""
    width: float = 0.0
    """Of the path."""
    radius: float = 0.0
    """Of the disc."""


class ClosedCycle(NamedTuple):
    """A cycle that is gone."""

    seat: int
    """Who closed it."""
    dots: tuple[int, ...]
    """Its dots as they follow one another around it; the line that closed it joins the first and the last."""


class DrawnGame(NamedTuple):
    """All that was ever drawn in a game, as far as it is to be seen."""

    lines: dict[tuple[int, int], int]
    """The lines still there, in order of play, with the seats that drew them."""
    closed: list[ClosedCycle]
    """In order of play."""


def drawn_game(position: Position) -> DrawnGame:
    """Go through the game and keep who drew what, and who closed which cycle."""
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
    """Yield what is to be seen of a position, the lowest first."""
    places = places_of(position.rules)
    drawing = drawn_game(position)
    latest = position.moves[-1][1].numbers if position.moves else None
    closing = None if latest is None or latest in drawing.lines else drawing.closed[-1]
    areas = [([places[dot] for dot in cycle.dots], stone(cycle.seat)) for cycle in drawing.closed]
    for corners, colour in sorted(areas, key=lambda area: -_size(area[0])):
        yield Shape(corners, mix(colour, GROUND, AREA))
    for cycle, (corners, colour) in zip(drawing.closed, areas, strict=True):
        yield _outline(corners, colour, is_latest=cycle is closing)
    for ends, seat in drawing.lines.items():
        path = [places[dot] for dot in ends]
        if ends == latest:
            yield Shape(path, INK, LINE * 1.5 + RIM)
            yield Shape(path, GROUND, LINE * 1.5 + RIM / 2)
        yield Shape(path, stone(seat), LINE * 1.5 if ends == latest else LINE)
    yield from _dots(position, places, drawing.closed)


def _outline(corners: list[Place], colour: RGB, *, is_latest: bool) -> Shape:
    """Return the outline of a closed cycle; that of the latest is as strong as a line."""
    around = [*corners, corners[0], corners[1]]
    return Shape(around, colour, LINE * 1.5) if is_latest else Shape(around, mix(colour, GROUND, EARLIER), OUTLINE)


def _dots(position: Position, places: list[Place], closed: list[ClosedCycle]) -> Iterator[Shape]:
    radii = _radii(places)
    for cycle in closed:
        for dot in cycle.dots:
            yield Shape([places[dot]], mix(stone(cycle.seat), GROUND, RING), radius=radii[dot] * 0.55)
            yield Shape([places[dot]], GROUND, radius=radii[dot] * 0.55 - OUTLINE)
    for dot in position.dots:
        yield Shape([places[dot]], GROUND, radius=radii[dot] + RIM)
        yield Shape([places[dot]], INK, radius=radii[dot])


def _radii(places: list[Place]) -> list[float]:
    """Return the radius of each dot, smaller where another is near."""
    most = min(LARGEST, ROOMY / math.sqrt(len(places)))
    nearest = [min(math.dist(place, other) for other in places if other != place) for place in places]
    return [min(most, max(APART * apart, LEAST)) for apart in nearest]


def _size(corners: list[Place]) -> float:
    """Return twice the area of a polygon."""
    return abs(sum(x * v - u * y for (x, y), (u, v) in zip(corners, [*corners[1:], corners[0]], strict=True)))


def svg(position: Position) -> str:
    """Draw a position as an SVG document, 1000 units a side. Raises RulesError where no places are known for dots."""
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000" width="800" height="800" role="img">',
            f"<title>{_caption(position)}</title>",
            f'<rect width="1000" height="1000" fill="{to_hex(GROUND)}"/>',
            *map(_written, shapes_of(position)),
            "</svg>\n",
        ]
    )


def _written(shape: Shape) -> str:
    colour = to_hex(shape.colour)
    if shape.radius:
        x, y = map(_unit, shape.points[0])
        return f'<circle cx="{x}" cy="{y}" r="{_unit(shape.radius)}" fill="{colour}"/>'
    points = " ".join(f"{_unit(x)},{_unit(y)}" for x, y in shape.points)
    if not shape.width:
        return f'<polygon points="{points}" fill="{colour}"/>'
    return (
        f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{_unit(shape.width)}" '
        f'stroke-linejoin="round"/>'
    )


def _unit(share: float) -> str:
    """Write a share of the side in units of the SVG."""
    return f"{share * 1000:.4g}"


def _caption(position: Position) -> str:
    scores = ", ".join(f"seat {seat}: {score}" for seat, score in enumerate(position.scores))
    return (
        f"Join the dots, {len(position.dots)} of {position.rules.dots} left after {len(position.moves)} lines; {scores}"
    )
