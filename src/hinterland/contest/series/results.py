"""Results of a series, row by row, as CSV and JSON, with remarks."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import msgspec

from hinterland.contest.series.outcomes import Figures, MatchOutcome, summarise_match, summarise_row
from hinterland.storage.tables.csv_cells import escape_formula

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hinterland.contest.plan import Plan
    from hinterland.contest.played import FinishedMatch

CSV_COLUMNS = (
    *("pairings", "won", "drawn", "lost", "won_share", "won_low", "won_high", "share", "share_low", "share_high"),
    *("games", "drawn_openings", "move_ms", "longest_move_ms", "late"),
)
"""Columns of the CSV file after the opponents and the options that vary."""


class SeriesRow(msgspec.Struct, frozen=True):
    """Players and options of one row."""

    players: tuple[str, ...]
    """Specs of the tested player and of its opponents."""
    varied: dict[str, Any]
    """Options of the rules in which rows differ."""

    @property
    def against(self) -> str:
        """Specs of the opponents, in words."""
        return " and ".join(self.players[1:])

    @property
    def title(self) -> str:
        """Opponents and varied options, in words."""
        return " ".join([f"against {self.against}", *(f"{name}={value}" for name, value in self.varied.items())])


class SeriesResults:
    """Results of a plan's first round so far: a row for each table and each variation of the rules."""

    def __init__(self, plan: Plan, tables: Sequence[tuple[int, ...]]) -> None:
        self._plan = plan
        variations = plan.variations
        self._rows = [
            SeriesRow(tuple(plan.players[player].spec for player in table), varied)
            for table in tables
            for varied in variations
        ]
        self._each = len(variations)
        self._outcomes: list[list[MatchOutcome]] = [[] for _ in self._rows]

    def add(self, match: FinishedMatch) -> str:
        """Count a match; return its row's current result in a few words."""
        place = match.task.table * self._each + match.task.variation
        outcomes = self._outcomes[place]
        outcomes.append(summarise_match(match))
        won = sum(outcome.result == "won" for outcome in outcomes)
        return f"{self._rows[place].title}: won {won} of {len(outcomes)}"

    def rows(self) -> list[tuple[SeriesRow, Figures]]:
        """Return the figures of each row."""
        return list(zip(self._rows, map(summarise_row, self._outcomes), strict=True))

    def remarks(self) -> Iterator[str]:
        """Yield how the games began, how long the player thought, and who left games and why."""
        yield _describe_beginnings(self._plan, len(self._rows[0].players))
        all_outcomes = [one for row in self._outcomes for one in row]
        yield _describe_thinking(self._rows[0].players[0], summarise_row(all_outcomes))
        for row, sums in self.rows():
            for who, left in ((row.players[0], sums.left), (row.against, sums.others_left)):
                if left:
                    reasons = ", ".join(f"{count} by {reason}" for reason, count in left.items())
                    yield f"{row.title}: {who} left games: {reasons}"
            if sums.first_left is not None:
                yield f"  first {sums.first_left}"

    def to_csv(self) -> str:
        """Write the results as CSV with a header; shares go from 0 to 1, and None is an empty cell."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["game", "player", "against", *self._rows[0].varied, *CSV_COLUMNS])
        for row, sums in self.rows():
            flat = msgspec.structs.asdict(sums)
            for name in ("won", "share"):
                flat[f"{name}_low"], flat[f"{name}_high"] = flat[f"{name}_interval"] or (None, None)
            cells = [flat[column] for column in CSV_COLUMNS]
            shown = [round(cell, 4) if isinstance(cell, float) else cell for cell in cells]
            cells = [self._plan.game, row.players[0], row.against, *row.varied.values(), *shown]
            writer.writerow([escape_formula(cell) for cell in cells])
        return text.getvalue()

    def to_json(self, **more: Any) -> dict[str, Any]:
        """Return all figures as JSON values, with ``more`` before the rows."""
        plan = self._plan
        return {
            "game": plan.game,
            "player": self._rows[0].players[0],
            "rules": plan.rules,
            "seed": plan.seed,
            "pairings": plan.pairings,
            "jitter": plan.jitter,
            "another_board_each": plan.boards,
            "clock": plan.clock,
            **more,
            "rows": [
                {"against": row.players[1:], "varied": row.varied, **msgspec.to_builtins(sums)}
                for row, sums in self.rows()
            ],
        }


def _describe_beginnings(plan: Plan, players: int) -> str:
    """Describe how the games began, and name the even share."""
    moves = "first move" if plan.jitter == 1 else f"first {plan.jitter} moves"
    began = f"each pairing began with its {moves} drawn at random" if plan.jitter else "no move was drawn"
    if plan.boards:
        began = f"each pairing had a board of its own; {began}"
    elif not plan.jitter and plan.pairings > 1:
        began = f"{began}: where no player draws or looks at a clock, all pairings are the same games"
    return f"{began}; an even share is {100 / players:.1f} %"


def _describe_thinking(player: str, sums: Figures) -> str:
    """Describe the player's time for moves, and its losses on time."""
    if sums.move_ms is None or sums.longest_move_ms is None:
        return "nothing was played to its end"
    seconds = f"{sums.move_ms / 1000:.2f} s a move, {sums.longest_move_ms / 1000:.2f} s at most"
    return f"{player} took {seconds}; it lost {sums.late} of {sums.games} games on time"
