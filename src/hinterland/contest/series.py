"""Results of ``arena-test``, in which one player meets others: rows of figures, as CSV or JSON, and remarks.

Intervals count matches, not games: the games of a match share an opening or a board, so only matches are independent.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from statistics import fmean
from typing import TYPE_CHECKING, Any

import msgspec

from hinterland.contest.standings import StandingsRow
from hinterland.evidence.intervals import Interval, student, wilson
from hinterland.referee.verdicts import replace_seats_by_names
from hinterland.storage.tables.table_files import escape_formula

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hinterland.contest.plan import Plan
    from hinterland.contest.played import FinishedMatch
    from hinterland.referee.record import Record
    from hinterland.referee.verdicts import Departure

CSV_COLUMNS = (
    *("pairings", "won", "drawn", "lost", "won_share", "won_low", "won_high", "share", "share_low", "share_high"),
    *("games", "drawn_openings", "move_ms", "longest_move_ms", "late"),
)
"""Last columns of the CSV file, after game, player, opponents and the options that vary."""


class SeriesRow(StandingsRow, kw_only=True):
    """Results of the tested player against the same opponents under the same rules, and all players' departures."""

    specs: tuple[str, ...] = ()
    """Specs of the tested player and of its opponents."""
    varied: dict[str, Any] = msgspec.field(default_factory=dict)
    """Options of the rules in which rows differ."""
    shares: list[float] = msgspec.field(default_factory=list)
    """The tested player's share of the scores in each match, in order; an even share if nobody scored."""
    drawn_openings: int = 0
    """Number of games that began with random moves or an opening."""
    move_ms: list[int] = msgspec.field(default_factory=list)
    """Time for each move that the tested player chose, in milliseconds."""
    others_left: Counter[str] = msgspec.field(default_factory=Counter)
    """Number of games that opponents left, by reason."""

    @property
    def against(self) -> str:
        """Specs of the opponents, in words."""
        return " and ".join(self.specs[1:])

    @property
    def title(self) -> str:
        """Opponents and varied options, in words."""
        return " ".join([f"against {self.against}", *(f"{name}={value}" for name, value in self.varied.items())])

    @property
    def won_share(self) -> float | None:
        """Share of matches won; None before the first match."""
        return self.won / self.matches if self.matches else None

    @property
    def won_interval(self) -> Interval | None:
        """Wilson's 95 % interval of ``won_share``."""
        return wilson(self.won, self.matches) if self.matches else None

    @property
    def share(self) -> float | None:
        """Mean share of the scores over matches; None before the first match."""
        return fmean(self.shares) if self.shares else None

    @property
    def share_interval(self) -> Interval | None:
        """Student's 95 % interval of ``share``; None for fewer than two matches."""
        return student(self.shares)

    def count(self, match: FinishedMatch) -> None:
        """Count a match of this player."""
        super().count(match)
        totals, opening = match.score.totals, len(match.task.opening) or match.task.jitter
        place, whole = match.task.names.index(self.name), sum(totals)
        self.shares.append(totals[place] / whole if whole else 1 / len(totals))
        self.drawn_openings += len(match.records) if opening else 0
        for record in match.records:
            moves = list(zip(record.movers, record.times.ms, strict=True))[opening:]
            seat = record.players.index(self.name)
            self.move_ms += [ms for mover, ms in moves if mover == seat]

    def count_departure(self, record: Record, gone: Departure) -> None:
        """Count a departure of any player."""
        name = record.players[gone.seat]
        (self.left if name == self.name else self.others_left)[str(gone.reason)] += 1
        self.note_departure(record, gone, f"{name} left: {replace_seats_by_names(gone.detail, record.players)}")

    def figures(self) -> dict[str, Any]:
        """Return all figures by name. Shares go from 0 to 1; a figure is None if it needs more matches."""
        return {
            "pairings": self.matches, "won": self.won, "drawn": self.drawn, "lost": self.lost,
            "won_share": self.won_share, "won_interval": self.won_interval,
            "share": self.share, "share_interval": self.share_interval, "shares": self.shares,
            "games": self.games, "drawn_openings": self.drawn_openings,
            "move_ms": fmean(self.move_ms) if self.move_ms else None,
            "longest_move_ms": max(self.move_ms, default=None), "late": self.left["time"],
            "left": dict(self.left), "others_left": dict(self.others_left), "first_left": self.first_left or None,
        }  # fmt: skip


def sum_up(matches: Sequence[FinishedMatch]) -> SeriesRow:
    """Sum up matches of the same players, for the player named first."""
    row = SeriesRow(name=matches[0].task.names[0], player=0)
    for match in matches:
        row.count(match)
    return row


class SeriesResults:
    """Results of a plan's first round so far: a row for each table and each variation of the rules."""

    def __init__(self, plan: Plan, tables: Sequence[tuple[int, ...]]) -> None:
        self._plan = plan
        variations = plan.variations
        self.rows = [
            SeriesRow(
                name=plan.players[table[0]].name, player=table[0], varied=varied,
                specs=tuple(plan.players[player].spec for player in table),
            )
            for table in tables
            for varied in variations
        ]
        self._each = len(variations)

    def add(self, match: FinishedMatch) -> str:
        """Count a match; return the new results of its row in a few words."""
        row = self.rows[match.task.table * self._each + match.task.variation]
        row.count(match)
        return f"{row.title}: won {row.won} of {row.matches}"

    def remarks(self) -> Iterator[str]:
        """Yield lines that say how games began, how long the tested player thought, and who left games and why."""
        yield _describe_beginnings(self._plan, len(self.rows[0].specs))
        yield self._describe_thinking()
        for row in self.rows:
            for who, left in ((row.specs[0], row.left), (row.against, row.others_left)):
                if left:
                    reasons = ", ".join(f"{count} by {reason}" for reason, count in left.items())
                    yield f"{row.title}: {who} left games: {reasons}"
            if row.first_left:
                yield f"  first {row.first_left}"

    def _describe_thinking(self) -> str:
        """Say how long the tested player took for its moves, and how many games it lost on time."""
        move_ms = [ms for row in self.rows for ms in row.move_ms]
        if not move_ms:
            return "nothing was played to its end"
        seconds = f"{fmean(move_ms) / 1000:.2f} s a move, {max(move_ms) / 1000:.2f} s at most"
        late, games = sum(row.left["time"] for row in self.rows), sum(row.games for row in self.rows)
        return f"{self.rows[0].specs[0]} took {seconds}; it lost {late} of {games} games on time"

    def to_csv(self) -> str:
        """Write the results as CSV with a header; shares go from 0 to 1, and None is an empty cell."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["game", "player", "against", *self.rows[0].varied, *CSV_COLUMNS])
        for row in self.rows:
            flat = row.figures()
            for name in ("won", "share"):
                flat[f"{name}_low"], flat[f"{name}_high"] = flat[f"{name}_interval"] or (None, None)
            cells = [flat[column] for column in CSV_COLUMNS]
            shown = [round(cell, 4) if isinstance(cell, float) else cell for cell in cells]
            cells = [self._plan.game, row.specs[0], row.against, *row.varied.values(), *shown]
            writer.writerow([escape_formula(cell) for cell in cells])
        return text.getvalue()

    def to_json(self, **more: Any) -> dict[str, Any]:
        """Return all figures as JSON values; the values of ``more`` stand before the rows."""
        plan = self._plan
        return {
            "game": plan.game,
            "player": self.rows[0].specs[0],
            "rules": plan.rules,
            "seed": plan.seed,
            "pairings": plan.pairings,
            "jitter": plan.jitter,
            "another_board_each": plan.boards,
            "clock": plan.clock,
            **more,
            "rows": [
                {"against": row.specs[1:], "varied": row.varied, **msgspec.to_builtins(row.figures())}
                for row in self.rows
            ],
        }


def _describe_beginnings(plan: Plan, players: int) -> str:
    """Say how the games began, and what share each of ``players`` equal players would have."""
    moves = "first move" if plan.jitter == 1 else f"first {plan.jitter} moves"
    began = f"each pairing began with its {moves} drawn at random" if plan.jitter else "no move was drawn"
    if plan.boards:
        began = f"each pairing had a board of its own; {began}"
    elif not plan.jitter and plan.pairings > 1:
        began = f"{began}: where no player draws or looks at a clock, all pairings are the same games"
    return f"{began}; an even share is {100 / players:.1f} %"
