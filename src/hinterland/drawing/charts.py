"""Draws axes of charts, and charts of estimates with their intervals (forest plots)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from hinterland.drawing.shapes import FAMILY, write_document

MAX_TICKS = 6


def choose_step(least: float) -> float:
    """Return the smallest round number that is at least ``least``: 1, 2 or 5, times a power of ten."""
    power: float = 10 ** math.floor(math.log10(least))
    return next(step * power for step in (1, 2, 5, 10, 20) if step * power >= least)


class Axis(NamedTuple):
    """An axis that begins and ends with a round number. Places on the axis are in per cent of its length."""

    start: float
    length: float
    ticks: tuple[tuple[float, str], ...]
    """Places and labels."""

    def place(self, value: float) -> float:
        """Return where on the axis a value lies, in per cent of the axis's length."""
        return round(100 * (value - self.start) / self.length, 2)


def make_axis(values: Sequence[float]) -> Axis:
    """Make an axis that covers all values; without values it has no ticks."""
    if not values:
        return Axis(0.0, 1.0, ())
    low, high = min(values), max(values)
    step = choose_step(((high - low) or 1.0) / MAX_TICKS)
    first, last = math.floor(low / step), max(math.ceil(high / step), math.floor(low / step) + 1)
    axis = Axis(first * step, (last - first) * step, ())
    rounds = [number * step for number in range(first, last + 1)]
    return axis._replace(ticks=tuple((axis.place(value), write_value(value)) for value in rounds))


def write_value(value: float) -> str:
    """Write a value as a whole number."""
    return f"{round(value):,}".replace("-", "−")


class IntervalChart(NamedTuple):
    """A forest plot as an SVG document: below an axis a row for each estimate, with its name on the left."""

    rows: int
    left: int
    """Pixels from the left edge to the axis; ``right``, ``top`` and ``bottom`` are margins in pixels, too."""
    right: int
    top: int
    bottom: int
    row_height: int
    overhang: int
    """Pixels by which the vertical lines of the grid begin above the first row and end below the last."""
    ink: str
    grid: str
    width: int = 760

    def x(self, share: float) -> float:
        """Return the x of a place on the axis: ``share`` is 0 at the axis's start and 1 at its end."""
        return round(self.left + share * (self.width - self.left - self.right), 1)

    def y(self, row: int) -> int:
        """Return the y of the middle of a row."""
        return self.top + self.row_height * row + self.row_height // 2

    def write_name(self, row: int, name: str) -> str:
        """Write the name of a row; ``name`` must be escaped already."""
        return f'<text x="{self.left - 14}" y="{self.y(row) + 4}" text-anchor="end" fill="{self.ink}">{name}</text>'

    def write_interval(self, y: int, places: Iterable[float], colour: str) -> str:
        """Draw an interval as a line at height ``y``; ``places``, from 0 to 1, are its ends on the axis."""
        low, high = map(self.x, places)
        ends = f'x1="{low}" y1="{y}" x2="{high}" y2="{y}"'
        return f'<line {ends} stroke="{colour}" stroke-width="2"/>'

    def write(
        self,
        title: str,
        legend: str,
        ticks: Iterable[tuple[float, str]],
        parts: Iterable[str],
        marks: Iterable[str] = (),
        legend_y: int = 18,
    ) -> str:
        """Write the document.

        ``legend`` is the text at the top right. Each of ``ticks`` is (place on the axis from 0 to 1, label). ``parts``:
        the elements of the rows. ``marks``: elements at the top that explain the symbols in the rows.
        """
        place = f'x="{self.width - self.right}" y="{legend_y}" text-anchor="end"'
        head = [*marks, f'<text {place} fill="{self.ink}">{legend}</text>']
        height = self.top + self.row_height * self.rows + self.bottom
        font = f'font-family="{FAMILY}" font-size="13"'
        return write_document(title, [*head, *self._axis(ticks), *parts], self.width, height, size="", font=font)

    def _axis(self, ticks: Iterable[tuple[float, str]]) -> Iterator[str]:
        above, below = self.top - self.overhang, self.top + self.row_height * self.rows + self.overhang
        for share, words in ticks:
            x = self.x(share)
            yield f'<line x1="{x}" y1="{above}" x2="{x}" y2="{below}" stroke="{self.grid}"/>'
            yield f'<text x="{x}" y="{above - 6}" text-anchor="middle" fill="{self.ink}">{words}</text>'
