"""Shapes that are drawn alike in SVG documents and in images. Each drawing chooses its unit of length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Literal, NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from hinterland.drawing.palette import GROUND, INK, RGB, ink_on, to_hex

FAMILY = "system-ui, sans-serif"
Points = Sequence[tuple[float, float]] | np.ndarray


class Disc(NamedTuple):
    """A disc. If ``rim`` is above 0, a ring of this width in the background's colour surrounds the disc."""

    x: float
    y: float
    radius: float
    colour: RGB
    rim: float = 0.0
    title: str = ""
    """The text that browsers show as a tooltip."""


class Box(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float
    colour: RGB


class Polygon(NamedTuple):
    """A polygon."""

    points: Points
    colour: RGB


class Path(NamedTuple):
    """A line through points."""

    points: Points
    colour: RGB
    width: float


class Number(NamedTuple):
    """A number centred on (x, y), in white or INK, whichever is easier to read on the colour ``ground``."""

    x: float
    y: float
    number: int
    size: float
    ground: RGB
    title: str = ""


class Words(NamedTuple):
    """A line of text. ``Canvas`` does not paint it: letters are sharper if they are drawn at their final size."""

    x: float
    y: float
    """The base line."""
    text: str
    size: float
    """The font size: the height of a line, including room above and below the letters."""
    colour: RGB = INK
    anchor: Literal["start", "middle", "end"] = "start"
    """The part of the text that stands at ``x``."""


Shape = Disc | Box | Polygon | Path | Number | Words


class Canvas:
    """An image that is drawn ``supersampling`` times as large and then reduced, which smooths every edge."""

    def __init__(self, width: int, height: int, supersampling: int, mode: str = "RGB") -> None:
        self.supersampling = supersampling
        size = width * supersampling, height * supersampling
        self.image = Image.new(mode, size, GROUND if mode == "RGB" else 0)
        self.pen = ImageDraw.Draw(self.image)

    def paint(self, shapes: Iterable[Shape], scale: float = 1.0) -> None:
        """Paint shapes, each over the earlier ones. ``scale``: pixels of the large image per unit of the shapes."""
        pen = self.pen
        for shape in shapes:
            match shape:
                case Disc(x, y, radius, colour, rim):
                    if rim:
                        pen.circle((x * scale, y * scale), (radius + rim) * scale, GROUND)
                    pen.circle((x * scale, y * scale), radius * scale, colour)
                case Box(x, y, width, height, colour):
                    if width > 0:
                        pen.rectangle([round(edge * scale) for edge in (x, y, x + width, y + height)], colour)
                case Polygon(points, colour):
                    pen.polygon((np.asarray(points) * scale).ravel().tolist(), colour)
                case Path(points, colour, width):
                    corners = (np.asarray(points) * scale).ravel().tolist()
                    pen.line(corners, colour, round(width * scale), joint="curve")
                case Number(x, y, number, size, ground):
                    font = ImageFont.load_default(size * scale)
                    pen.text((x * scale, y * scale), str(number), ink_on(ground), font, "mm")

    def reduce(self) -> Image.Image:
        """Return the image at its final size; each pixel is the mean of the large image's pixels in its place."""
        return self.image.reduce(self.supersampling)

    def resample(self) -> Image.Image:
        """Return the image at its final size, a little sharper than ``reduce`` does."""
        width, height = self.image.size
        size = width // self.supersampling, height // self.supersampling
        return self.image.resize(size, Image.Resampling.LANCZOS)


def per_mille(share: float) -> str:
    """Write a length, given as a share of the side, for a document that is 1000 units wide."""
    return f"{share * 1000:.4g}"


def write_shape(shape: Shape, unit: Callable[[float], str] = per_mille) -> str:
    """Write a shape as an element of SVG. ``unit`` writes a length."""
    match shape:
        case Disc(x, y, radius, colour, rim, title):
            edge = f' stroke="{to_hex(GROUND)}" stroke-width="{unit(rim)}"' if rim else ""
            place = f'cx="{unit(x)}" cy="{unit(y)}" r="{unit(radius + rim / 2)}"'
            return f'<circle {place} fill="{to_hex(colour)}"{edge}' + (f">{_title(title)}</circle>" if title else "/>")
        case Box(x, y, width, height, colour):
            place = f'x="{unit(x)}" y="{unit(y)}" width="{unit(width)}" height="{unit(height)}"'
            return f'<rect {place} fill="{to_hex(colour)}"/>'
        case Polygon(points, colour):
            return f'<polygon points="{_write_points(points, unit)}" fill="{to_hex(colour)}"/>'
        case Path(points, colour, width):
            stroke = f'stroke="{to_hex(colour)}" stroke-width="{unit(width)}" stroke-linejoin="round"'
            return f'<polyline points="{_write_points(points, unit)}" fill="none" {stroke}/>'
        case Number(x, y, number, size, ground, title):
            return write_number(unit(x), unit(y), number, unit(size), ground, title)
        case Words(x, y, text, size, colour, anchor):
            place = f'x="{unit(x)}" y="{unit(y)}" font-size="{unit(size)}" text-anchor="{anchor}"'
            return f'<text {place} fill="{to_hex(colour)}">{escape(text)}</text>'


def write_number(x: str, y: str, number: int, size: str, ground: RGB, title: str = "") -> str:
    """Write a ``Number``; ``x``, ``y`` and ``size`` are lengths already written as text."""
    font = f'font-family="{FAMILY}" font-size="{size}" fill="{to_hex(ink_on(ground))}"'
    return f'<text x="{x}" y="{y}" dy="0.36em" text-anchor="middle" {font}>{number}{_title(title)}</text>'


def _title(title: str) -> str:
    return f"<title>{escape(title)}</title>" if title else ""


def _write_points(points: Points, unit: Callable[[float], str]) -> str:
    return " ".join(f"{unit(x)},{unit(y)}" for x, y in points)


def write_document(
    title: str,
    parts: Iterable[str],
    width: int | str = 1000,
    height: int | str = 1000,
    *,
    box: str = "",
    size: str = 'width="800" height="800"',
    font: str = "",
    ground: RGB = GROUND,
) -> str:
    """Write an SVG document: ``parts`` on a background.

    ``box``: the view box, if it is larger than the background.
    """
    box = box or f"0 0 {width} {height}"
    attributes = " ".join(filter(None, [f'viewBox="{box}"', size, 'role="img"', font]))
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="{to_hex(ground)}"/>',
        *parts,
        "</svg>\n",
    ])  # fmt: skip


def write_loops(loops: Iterable[Points], unit: Callable[[float], str] = per_mille) -> str:
    """Write closed polygons as the data of one SVG path."""
    return "".join("M" + "L".join(f"{unit(x)} {unit(y)}" for x, y in loop) + "Z" for loop in loops)
