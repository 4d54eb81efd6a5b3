"""The table of ratings with their intervals, as rows, CSV, JSON and a forest plot."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

import msgspec
import numpy as np

from hinterland.drawing.charts import IntervalChart, make_axis
from hinterland.drawing.palette import INK, NEUTRAL, stone, to_hex
from hinterland.evidence.cycles import alpha_rank, beyond_ladders, log_odds, nash_average
from hinterland.evidence.diagnosis import diagnose
from hinterland.storage.tables.table_files import escape_formula

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.evidence.intervals import Interval
    from hinterland.evidence.ratings import Ratings
    from hinterland.evidence.tally import Tally


class RatedPlayer(msgspec.Struct, frozen=True):
    """One row of the table."""

    name: str
    """Name of the player in the records."""
    pool: int
    """Number, from 1, of the player's pool: players linked by matches. Ratings of two pools cannot be compared."""
    elo: float
    """Rating."""
    low: float
    """Lower end of the rating's 95 % interval."""
    high: float
    """Upper end of the rating's 95 % interval."""
    games: int
    """Games played."""
    matches: int
    """Matches played."""
    won: int
    """Matches won alone."""
    points: float
    """Points: 1 for a match won alone, a half for a shared win."""
    share: float
    """Mean share of the scores over matches, from 0 to 1."""
    share_interval: Interval | None
    """Student's 95 % interval of the share; None for a single match."""
    above_next: float | None
    """Likelihood of being stronger than the next player of the pool; None for the last."""
    left: dict[str, int]
    """Number of games that the player left, by reason."""


def rows(tally: Tally, ratings: Ratings) -> list[RatedPlayer]:
    """Make the rows, pool by pool, the strongest player first."""
    order = sorted(range(len(tally.names)), key=lambda player: (ratings.pools[player], -ratings.elo[player]))
    made = []
    for player, after in zip(order, [*order[1:], None], strict=True):
        standing = tally.standings[player]
        together = after is not None and ratings.pools[player] == ratings.pools[after]
        made.append(
            RatedPlayer(
                name=tally.names[player],
                pool=ratings.pools[player] + 1,
                elo=float(ratings.elo[player]),
                low=float(ratings.low[player]),
                high=float(ratings.high[player]),
                games=standing.games,
                matches=standing.matches,
                won=standing.won,
                points=standing.half_points / 2,
                share=standing.share(),
                share_interval=standing.share_interval(),
                above_next=float(ratings.superior[player, after]) if together else None,
                left=dict(standing.left),
            )
        )
    return made


def to_json(game: str, tally: Tally, ratings: Ratings) -> dict[str, Any]:
    """Return all figures as JSON values: ratings, their likely order, mixtures of players, defects of the data."""
    odds, weights = log_odds(tally)
    nash, evolved = nash_average(odds), alpha_rank(np.nan_to_num(odds))
    return {
        "game": game,
        "model": ratings.model,
        "matches": tally.matches,
        "games": tally.games,
        "players": [msgspec.to_builtins(row) for row in rows(tally, ratings)],
        "names": tally.names,
        "superior": [[None if math.isnan(one) else one for one in row] for row in ratings.superior.tolist()],
        "seats": ratings.seats,
        "ties": ratings.ties,
        "beyond_ladders": beyond_ladders(odds, weights),
        "nash_average": nash.round(9).tolist(),
        "alpha_rank": evolved.round(9).tolist(),
        "defects": [defect._asdict() for defect in diagnose(tally, ratings)],
    }


CSV_COLUMNS = ("name", "pool", "elo", "low", "high", "games", "matches", "won", "points", "share", "above_next")


def to_csv(table: Sequence[RatedPlayer]) -> str:
    """Write the rows as CSV with a header; None is an empty cell."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*CSV_COLUMNS, "share_low", "share_high"])
    for row in table:
        cells = [getattr(row, column) for column in CSV_COLUMNS] + list(row.share_interval or (None, None))
        writer.writerow([round(cell, 4) if isinstance(cell, float) else escape_formula(cell) for cell in cells])
    return text.getvalue()


def to_svg(table: Sequence[RatedPlayer]) -> str:
    """Draw an SVG document: each rating is a dot on the line of its interval, and each pool has a colour."""
    axis = make_axis([round(bound) for row in table for bound in (row.low, row.high)])
    chart = IntervalChart(len(table), 190, 30, 48, 20, 26, 8, to_hex(INK), to_hex(NEUTRAL))
    parts: list[str] = []
    for number, row in enumerate(table):
        colour, y = to_hex(stone(row.pool - 1)), chart.y(number)
        low, at, high = (axis.place(round(value)) / 100 for value in (row.low, row.elo, row.high))
        parts += [
            chart.write_name(number, escape(row.name if len(row.name) <= 24 else row.name[:23] + "…")),
            chart.write_interval(y, [low, high], colour),
            f'<circle cx="{chart.x(at)}" cy="{y}" r="4.5" fill="{colour}"/>',
        ]
    ticks = [(place / 100, words) for place, words in axis.ticks]
    return chart.write("Ratings in Elo, with 95 % intervals", "Elo, 95 % intervals", ticks, parts)
