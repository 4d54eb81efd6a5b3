"""The crosstable: what each has made against each other, in the order of the standings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from hinterland.contest.report.contest_view import ContestView, PairView

MAX_PLAYERS = 40
"""So many players stand in it, the best."""
SHADES = 10


class Meeting(msgspec.Struct, frozen=True):
    """A cell: what the player of the row has made against that of the column."""

    pair: PairView
    """What it stands for."""
    points: float
    """Of the player of the row."""
    shade: int
    """The same as part of all, 0 to 10."""


class CrossRow(msgspec.Struct, frozen=True):
    """A row of the crosstable."""

    player: int
    """Its number in the plan."""
    cells: tuple[Meeting | None, ...]
    """One a column; None where the two have not met, and for the player itself."""


class Crosstable(msgspec.Struct, frozen=True):
    """A square of players."""

    rows: tuple[CrossRow, ...]
    """The best first; columns are in the same order."""
    left_out: int
    """How many players do not stand in it."""
    each: int | None
    """How many matches each pair has finished, if all have as many."""


def make_crosstable(view: ContestView) -> Crosstable:
    """Lay the pairs of a contest out as a square."""
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
