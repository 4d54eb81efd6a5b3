"""Layout of ratings and their intervals along a line, in per cent of its length."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from hinterland.drawing.charts import Axis, make_axis, write_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.contest.report.contest_view import RatingRow


class Whisker(msgspec.Struct, frozen=True):
    """One rating on the line."""

    player: int
    """The player's number in the plan."""
    at: float
    """Position of the estimate on the line, in per cent."""
    low: float
    """Position of the interval's lower end, in per cent."""
    high: float
    """Position of the interval's upper end, in per cent."""
    value: str
    """Estimate in words."""
    between: str
    """Interval in words."""


class ForestPlot(msgspec.Struct, frozen=True):
    """All ratings, and the ticks of the line."""

    whiskers: tuple[Whisker, ...]
    """Ratings, the strongest first."""
    ticks: tuple[tuple[float, str], ...]
    """Position, in per cent, and label of each tick."""


def make_forest_plot(rows: Sequence[RatingRow]) -> ForestPlot:
    """Lay out ratings; the line begins and ends with a round number."""
    axis = make_axis([bound for row in rows for bound in (row.low, row.high)])
    return ForestPlot(tuple(_make_whisker(row, axis) for row in rows), axis.ticks)


def _make_whisker(row: RatingRow, axis: Axis) -> Whisker:
    between = f"{write_value(row.low)} to {write_value(row.high)}"
    at, low, high = map(axis.place, (row.value, row.low, row.high))
    return Whisker(row.player, at, low, high, write_value(row.value), between)
