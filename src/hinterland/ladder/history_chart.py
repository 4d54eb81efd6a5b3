"""The history of a rating as coordinates of a chart: time across, Elo upwards, the 95 % interval as a band."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from hinterland.drawing.charts import make_axis
from hinterland.ladder.standing import RatingPoint


class HistoryChart(msgspec.Struct, frozen=True):
    """Coordinates are in per cent, from the left and from the top."""

    line: str
    """``points`` of an SVG polyline."""
    band: str
    """``points`` of an SVG polygon."""
    last: tuple[float, float]
    """The end of the line."""
    ticks: tuple[tuple[float, str], ...]
    """Each tick of the axis of ratings: its distance from the top, in per cent, and its label."""
    first_at: int
    """The time at the left edge, in seconds since 1970."""
    last_at: int


def history_chart(points: Sequence[RatingPoint]) -> HistoryChart | None:
    """Lay out a history as a chart; None if it has fewer than two points."""
    if len(points) < 2:
        return None
    axis = make_axis([round(bound) for one in points for bound in (one.low, one.high)])
    began, whole = points[0].at, points[-1].at - points[0].at
    across = [round(100 * (one.at - began) / whole, 2) if whole else 100.0 for one in points]
    above = [(x, 100 - axis.place(round(one.high))) for x, one in zip(across, points, strict=True)]
    below = [(x, 100 - axis.place(round(one.low))) for x, one in zip(across, points, strict=True)]
    middle = [(x, round(100 - axis.place(round(one.elo)), 2)) for x, one in zip(across, points, strict=True)]
    ticks = tuple((round(100 - at, 2), words) for at, words in axis.ticks)
    return HistoryChart(_places(middle), _places([*above, *reversed(below)]), middle[-1], ticks, began, points[-1].at)


def _places(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{round(y, 2):g}" for x, y in places)
