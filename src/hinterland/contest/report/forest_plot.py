"""Layout of ratings and their intervals along a line, in per cent of its length."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from hinterland.drawing.charts import choose_step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.contest.report.contest_view import RatingRow

MAX_TICKS = 6


class Whisker(msgspec.Struct, frozen=True):
    """One rating on the line."""

    player: int
    """Number in the plan."""
    at: float
    """Place of the estimate."""
    low: float
    """Place of the interval's lower end."""
    high: float
    """Place of the interval's upper end."""
    value: str
    """Estimate in words."""
    between: str
    """Interval in words."""


class ForestPlot(msgspec.Struct, frozen=True):
    """All ratings, and the ticks of the line."""

    whiskers: tuple[Whisker, ...]
    """Ratings, the strongest first."""
    ticks: tuple[tuple[float, str], ...]
    """Places and labels of ticks."""


def make_forest_plot(rows: Sequence[RatingRow]) -> ForestPlot:
    """Lay out ratings; the line begins and ends with a round number."""
    if not rows:
        return ForestPlot((), ())
    low, high = min(row.low for row in rows), max(row.high for row in rows)
    step = choose_step(((high - low) or 1.0) / MAX_TICKS)
    first, last = math.floor(low / step), max(math.ceil(high / step), math.floor(low / step) + 1)
    start, length = first * step, (last - first) * step

    def at(value: float) -> float:
        return round(100 * (value - start) / length, 2)

    ticks = tuple((at(number * step), _format_elo(number * step)) for number in range(first, last + 1))
    return ForestPlot(tuple(_make_whisker(row, at(row.value), at(row.low), at(row.high)) for row in rows), ticks)


def _make_whisker(row: RatingRow, at: float, low: float, high: float) -> Whisker:
    between = f"{_format_elo(row.low)} to {_format_elo(row.high)}"
    return Whisker(row.player, at, low, high, _format_elo(row.value), between)


def _format_elo(value: float) -> str:
    return f"{round(value):,}".replace("-", "−")
