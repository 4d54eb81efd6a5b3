"""The table of ratings with their intervals, as rows, CSV, JSON and a forest plot."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

import msgspec
import numpy as np

from hinterland.contest.report.contest_view import RatingRow
from hinterland.contest.report.forest_plot import make_forest_plot
from hinterland.evidence.cycles import alpha_rank, beyond_ladders, log_odds, nash_average
from hinterland.evidence.diagnosis import diagnose
from hinterland.palette import GROUND, INK, NEUTRAL, stone, to_hex
from hinterland.storage.tables.table_files import escape_formula

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hinterland.contest.report.forest_plot import Whisker
    from hinterland.evidence.intervals import Interval
    from hinterland.evidence.ratings import Ratings
    from hinterland.evidence.tally import Tally


class RatedPlayer(msgspec.Struct, frozen=True):
    """One row of the table."""

    name: str
    """Name of the player in the records."""
    pool: int
    """Number of the pool of players that met, from 1; ratings of two pools cannot be compared."""
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
    """1 for a match won alone, a half for a shared win."""
    share: float
    """Mean share of the scores over matches, from 0 to 1."""
    share_interval: Interval | None
    """Student's 95 % interval of the share; None for a single match."""
    above_next: float | None
    """Likelihood of being stronger than the next player of the pool; None for the last."""
    left: dict[str, int]
    """Number of games left, by reason."""


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
    """Return all figures as JSON values, with the likelihoods of superiority, mixtures and defects."""
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


WIDTH, LEFT_MARGIN, RIGHT_MARGIN, TOP_MARGIN, ROW_HEIGHT = 760, 190, 30, 48, 26


def to_svg(table: Sequence[RatedPlayer]) -> str:
    """Draw an SVG document: each rating is a dot on the line of its interval, and each pool has a colour."""
    rows = [RatingRow(place, *map(round, (row.elo, row.low, row.high))) for place, row in enumerate(table)]
    plot = make_forest_plot(rows)
    height = TOP_MARGIN + ROW_HEIGHT * len(table) + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'font-family="system-ui, sans-serif" font-size="13">',
        "<title>Ratings in Elo, with 95 % intervals</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="{to_hex(GROUND)}"/>',
        f'<text x="{WIDTH - RIGHT_MARGIN}" y="18" text-anchor="end" fill="{to_hex(INK)}">Elo, 95 % intervals</text>',
    ]
    for place, words in plot.ticks:
        x = _x_of(place)
        parts.append(f'<line x1="{x}" y1="{TOP_MARGIN - 8}" x2="{x}" y2="{height - 12}" stroke="{to_hex(NEUTRAL)}"/>')
        parts.append(f'<text x="{x}" y="{TOP_MARGIN - 14}" text-anchor="middle" fill="{to_hex(INK)}">{words}</text>')
    for number, (row, whisker) in enumerate(zip(table, plot.whiskers, strict=True)):
        parts += _draw_player(row, whisker, TOP_MARGIN + ROW_HEIGHT * number + ROW_HEIGHT // 2)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _x_of(place: float) -> float:
    """Convert a place on the line, in per cent, to x."""
    return round(LEFT_MARGIN + place / 100 * (WIDTH - LEFT_MARGIN - RIGHT_MARGIN), 1)


def _draw_player(row: RatedPlayer, whisker: Whisker, y: int) -> Iterator[str]:
    colour = to_hex(stone(row.pool - 1))
    name = escape(row.name if len(row.name) <= 24 else row.name[:23] + "…")
    low, middle, high = map(_x_of, (whisker.low, whisker.at, whisker.high))
    yield f'<text x="{LEFT_MARGIN - 14}" y="{y + 4}" text-anchor="end" fill="{to_hex(INK)}">{name}</text>'
    yield f'<line x1="{low}" y1="{y}" x2="{high}" y2="{y}" stroke="{colour}" stroke-width="2"/>'
    yield f'<circle cx="{middle}" cy="{y}" r="4.5" fill="{colour}"/>'
