"""The crosstable: points of each player against each other, in the order of the standings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from hinterland.contest.report.contest_view import ContestView, PairView

MAX_PLAYERS = 40
"""Players in the table, the best of the standings."""
SHADES = 10
"""Shades of cells, by points."""


class Meeting(msgspec.Struct, frozen=True):
    """A cell: the row's player against the column's."""

    pair: PairView
    points: float
    """Points of the row's player."""
    shade: int
    """Share of the points, 0 to ``SHADES``."""


class CrossRow(msgspec.Struct, frozen=True):
    """A row of the crosstable."""

    player: int
    """Number in the plan."""
    cells: tuple[Meeting | None, ...]
    """A cell for each column; None for pairs that have not met, and for the player itself."""


class Crosstable(msgspec.Struct, frozen=True):
    """A square table of players."""

    rows: tuple[CrossRow, ...]
    """Rows, the best player first; columns have the same order."""
    left_out: int
    """Number of players not in the table."""
    each: int | None
    """Finished matches of each pair; None if they differ."""


def make_crosstable(view: ContestView) -> Crosstable:
    """Arrange the pairs of a contest as a square table."""
    order = [row.player for row in view.standings][:MAX_PLAYERS]
    counts = {pair.matches for pair in view.pairs.values()}
    rows = tuple(CrossRow(one, tuple(_make_cell(view, one, other) for other in order)) for one in order)
    return Crosstable(rows, len(view.names) - len(order), counts.pop() if len(counts) == 1 else None)


def _make_cell(view: ContestView, one: int, other: int) -> Meeting | None:
    pair = view.pairs.get((min(one, other), max(one, other)))
    if pair is None:
        return None
    points = pair.points[pair.players.index(one)]
    return Meeting(pair, points, round(SHADES * points / pair.matches))
