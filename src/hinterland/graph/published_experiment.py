"""The published experiment on graphs: its pairings and figures, and our results beside them.

The paper is a student's report for a course, see SOURCE. The paper's games are those of the course's program
``VoronoiGame.java``: 100 vertices, density 0.1, ten tokens each, half a second a move, each graph from both seats.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec

from hinterland.drawing.charts import IntervalChart
from hinterland.errors import BadText, quote
from hinterland.evidence.intervals import Interval, newcombe, wilson

SOURCE = (
    "Muneeb Azfar Nafees, report on project 8 of CS 231, Colby College; its programs: github.com/Muneeb-ii/Voronoi_Game"
)
"""Author and source. The report's title and date are not known here."""
MISSING = "the nine rows of 20 games that the report has as well, and what was lost and tied, are not known here"
BOARD = {"vertices": 100, "density": 0.1, "tokens": 10}
"""Options of its graphs."""


class PublishedRow(msgspec.Struct, frozen=True):
    """One pairing of a table."""

    table: str
    """The name of the table that has this row."""
    player: str
    """The player whose wins are counted."""
    opponent: str
    """Its opponent."""
    share: float | None
    """Share of games that the player won in the paper; None if the paper lacks this row."""
    games: int
    """Number of games in the paper; in an additional row, the number that we play."""
    move_ms: int = 500
    """Time limit of a move, in milliseconds."""

    @property
    def wins(self) -> int | None:
        """Games that the player won in the paper; None if the paper lacks this row."""
        return None if self.share is None else round(self.share * self.games)

    @property
    def name(self) -> str:
        """The pairing in words, with the time for a move if it is not the paper's 500 ms."""
        return f"{self.player} v {self.opponent}" + ("" if self.move_ms == 500 else f", {self.move_ms} ms a move")


PAPER_ROWS = (
    PublishedRow("neighbour", "neighbour", "random", 0.995, 1000),
    PublishedRow("neighbour", "neighbour", "greedy", 0.941, 1000),
    PublishedRow("neighbour2", "neighbour2", "random", 1.0, 1000),
    PublishedRow("neighbour2", "neighbour2", "greedy", 0.989, 1000),
    PublishedRow("neighbour2", "neighbour2", "neighbour", 0.872, 1000),
    PublishedRow("montecarlo", "montecarlo", "random", 1.0, 100),
    PublishedRow("montecarlo", "montecarlo", "greedy", 1.0, 100),
    PublishedRow("montecarlo", "montecarlo", "neighbour", 1.0, 100),
    PublishedRow("montecarlo", "montecarlo", "neighbour2", 0.84, 100),
)
"""The rows of the paper's three tables, of 1,000 or 100 games each. The paper gives shares of wins; MISSING says what
is not known here."""
OUR_ROWS = (
    PublishedRow("search", "search", "montecarlo", None, 200),
    PublishedRow("search", "search", "rollout", None, 200),
    PublishedRow("search", "search", "gain", None, 200),
    PublishedRow("search", "search", "montecarlo", None, 200, move_ms=50),
)
"""Our additional rows: pairings of the strongest built-in player."""


class RowResult(msgspec.Struct, frozen=True):
    """The result of a row."""

    row: PublishedRow
    wins: int = 0
    """Wins of its player."""
    ties: int = 0
    """Games that both players won."""
    games: int = 0
    """Number of games."""
    late: int = 0
    """Games that ended because a player was late, failed or broke a rule."""

    @property
    def losses(self) -> int:
        """Games that the opponent won alone."""
        return self.games - self.wins - self.ties

    @property
    def share(self) -> float:
        """Wins as a share of all games; as in the paper, a tie is no win."""
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the share."""
        return wilson(self.wins, self.games)

    @property
    def published(self) -> Interval | None:
        """The 95 % interval of the paper's share, for the paper's number of games."""
        return None if self.row.wins is None else wilson(self.row.wins, self.row.games)

    @property
    def difference(self) -> Interval | None:
        """The 95 % interval of the difference between our share and the paper's; None if the paper has no share."""
        return None if self.row.wins is None else newcombe(self.wins, self.games, self.row.wins, self.row.games)

    @property
    def agrees(self) -> bool | None:
        """Whether ``difference`` contains 0, as it does for equal shares in 19 of 20 cases.

        None if the paper has no share.
        """
        return None if self.difference is None else self.difference[0] <= 0 <= self.difference[1]


CSV_HEADER = (
    "table,player,opponent,move_ms,games,wins,losses,ties,late,share,low,high,"
    "paper_games,paper_wins,paper_share,paper_low,paper_high,difference_low,difference_high,agrees"
)


def to_csv(results: Iterable[RowResult]) -> str:
    """Write results as CSV with a header; shares go from 0 to 1, and fields that the paper lacks are empty."""
    lines = [CSV_HEADER]
    for result in results:
        row = result.row
        none = (None, None)
        paper = ["", ""] if row.wins is None else [str(row.games), str(row.wins)]
        compared = (row.share, *(result.published or none), *(result.difference or none))
        agrees = "" if result.agrees is None else "yes" if result.agrees else "no"
        counts = [row.move_ms, result.games, result.wins, result.losses, result.ties, result.late]
        ours, theirs = _decimals(result.share, *result.interval), _decimals(*compared)
        names = [row.table, row.player, row.opponent]
        lines.append(",".join([*names, *map(str, counts), *ours, *paper, *theirs, agrees]))
    return "\n".join(lines) + "\n"


def _decimals(*shares: float | None) -> list[str]:
    return ["" if share is None else f"{share:.4f}" for share in shares]


def from_csv(text: str) -> list[RowResult]:
    """Read back what ``to_csv`` wrote. Raises BadText."""
    known = {(row.player, row.opponent, row.move_ms): row for row in (*PAPER_ROWS, *OUR_ROWS)}
    found = []
    head, *lines = text.splitlines() or [""]
    if head != CSV_HEADER:
        raise BadText(f"a table of the experiment begins with {CSV_HEADER}")
    for number, line in enumerate(lines, start=2):
        try:
            _, player, opponent, move_ms, games, wins, _, ties, late = line.split(",")[:9]
            row = known[player, opponent, int(move_ms)]
            found.append(RowResult(row, int(wins), int(ties), int(games), int(late)))
        except (ValueError, KeyError):
            raise BadText(f"line {number} is no row of the experiment: {quote(line)}") from None
    return found


MIN_PLOT_SHARE = 0.5
"""The plot begins at this share unless a row lies below it."""
OUR_COLOUR, PAPER_COLOUR = "#0b6e8f", "#b4520a"


def plot(results: Sequence[RowResult]) -> str:
    """Draw each row's share with its interval, ours above the paper's, as an SVG document."""
    low = min([MIN_PLOT_SHARE, *(math.floor(result.interval[0] * 10) / 10 for result in results)])
    chart = IntervalChart(len(results), 260, 40, 64, 30, 34, 10, "#222222", "#d8d8d8")
    parts = []

    def place(share: float) -> float:
        return (max(share, low) - low) / (1 - low)

    for number, result in enumerate(results):
        y, x = chart.y(number) - 5, chart.x(place(result.share))
        parts += [
            chart.write_name(number, result.row.name),
            chart.write_interval(y, list(map(place, result.interval)), OUR_COLOUR),
            f'<circle cx="{x}" cy="{y}" r="4" fill="{OUR_COLOUR}"/>',
        ]
        if result.row.share is not None and result.published is not None:
            y, x = chart.y(number) + 6, chart.x(place(result.row.share))
            parts += [
                chart.write_interval(y, list(map(place, result.published)), PAPER_COLOUR),
                f'<rect x="{x - 4:.1f}" y="{y - 4}" width="8" height="8" fill="{PAPER_COLOUR}"/>',
            ]
    marks = [
        f'<circle cx="{chart.left}" cy="20" r="4" fill="{OUR_COLOUR}"/>'
        f'<text x="{chart.left + 10}" y="24" fill="{chart.ink}">ours</text>',
        f'<rect x="{chart.left + 66}" y="16" width="8" height="8" fill="{PAPER_COLOUR}"/>'
        f'<text x="{chart.left + 80}" y="24" fill="{chart.ink}">the paper</text>',
    ]
    ticks = [(place(tenth / 10), f"{tenth * 10} %") for tenth in range(round(low * 10), 11)]
    title = "Share of games won, with 95 % intervals"
    return chart.write(title, "games won, 95 % intervals", ticks, parts, marks, legend_y=24)
