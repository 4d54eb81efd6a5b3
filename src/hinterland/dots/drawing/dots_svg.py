"""A position as an SVG document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland.dots.drawing.dots_shapes import shapes_of
from hinterland.palette import GROUND, hexed

if TYPE_CHECKING:
    from hinterland.dots.drawing.dots_shapes import Shape
    from hinterland.dots.rules import Position

__all__ = ["svg"]


def svg(position: Position) -> str:
    """Draw a position as an SVG document, 1000 units a side. Raises RulesError where no places are known for dots."""
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000" width="800" height="800" role="img">',
            f"<title>{_caption(position)}</title>",
            f'<rect width="1000" height="1000" fill="{hexed(GROUND)}"/>',
            *map(_written, shapes_of(position)),
            "</svg>\n",
        ]
    )


def _written(shape: Shape) -> str:
    colour = hexed(shape.colour)
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
