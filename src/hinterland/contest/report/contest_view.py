"""All that a report or page shows of a contest, as a value. Records in any order give the same value.

The crosstable has the points of each player against each other player, in the order of the standings.
"""

from __future__ import annotations

import msgspec

from hinterland.contest.report.sprt_verdict import SprtVerdict
from hinterland.contest.standings import GameLeft, StandingsRow

MAX_CROSSTABLE_PLAYERS = 40
"""Greatest number of players in the crosstable; if there are more, it shows the best."""
SHADES = 10
"""Highest shade of the crosstable's cells. A share of the points is rounded to a shade from 0 (none) to 10 (all)."""


class GamePlayed(msgspec.Struct, frozen=True, order=True):
    """A game in a list; games are ordered by their place in the contest."""

    round: int
    """Number of the round, from 0."""
    task: int
    """Number of the match in the round, from 0."""
    number: int
    """Number of the game in the match, from 1."""
    players: tuple[int, ...]
    """For each seat, the player's number in the plan."""
    scores: tuple[int, ...]
    """For each seat, the score that counts in the contest."""
    winners: tuple[int, ...]
    """Winning seats."""
    reason: str
    """Reason of the end."""

    @property
    def address(self) -> str:
        """Round, match and game as people write them; all three count from 1."""
        return f"{self.round + 1}.{self.task + 1}.{self.number}"


class PairView(msgspec.Struct, frozen=True, kw_only=True):
    """Results of two players against each other."""

    players: tuple[int, int]
    """The players' numbers in the plan, the smaller first."""
    points: tuple[float, float]
    """Points of each player against the other."""
    matches: int
    """Number of finished matches."""
    games: int
    """Number of games in finished matches."""
    kept: tuple[GamePlayed, ...]
    """The pair's first games, which a page can list."""


class RatingRow(msgspec.Struct, frozen=True):
    """A player's rating with its interval."""

    player: int
    """The player's number in the plan."""
    value: int
    """Estimate, in Elo."""
    low: int
    """Lower end of the 95 % interval."""
    high: int
    """Upper end of the 95 % interval."""


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a round."""

    players: tuple[int, ...]
    """The players' numbers in the plan; a single player has a bye."""
    points: tuple[float, ...]
    """Points of each player so far."""
    matches: int
    """Number of finished matches."""
    winner: int | None = None
    """The player that goes on, in a finished round of a knockout; else None."""


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    """A finished round, or the current one."""

    done: int
    """Number of finished matches."""
    of: int
    """Number of all matches."""
    tables: tuple[TableView, ...]
    """Tables, in order."""


class SeatRow(msgspec.Struct, frozen=True, kw_only=True):
    """Results of a seat at tables of one size."""

    size: int
    """Number of players at the table."""
    seat: int
    """Number of the seat in the order of play, from 0."""
    games: int
    """Games played."""
    won: int
    """Games won alone."""
    shared: int
    """Games with a shared win."""
    share: float
    """Mean share of the score, 0 to 1."""


class LeaverRow(msgspec.Struct, frozen=True, kw_only=True):
    """A player that left games before their end."""

    player: int
    """The player's number in the plan."""
    games: int
    """Number of games that the player left."""
    of: int
    """Games played."""
    reasons: tuple[tuple[str, int], ...]
    """Each reason with the number of games left for it."""
    left: tuple[GameLeft, ...]
    """The first games that the player left, in the contest's order."""


class ContestView(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a report or page shows of a contest."""

    title: str
    """Name of the contest's folder."""
    game: str
    """Title of the game."""
    format: str
    """Name of the format."""
    names: tuple[str, ...]
    """Names of the players, in the plan's order."""
    facts: tuple[tuple[str, str], ...]
    """Names and values of the plan's settings, in words."""
    is_over: bool
    """Whether all matches are finished."""
    games: int
    """Games played."""
    rounds: tuple[RoundView, ...]
    """The finished rounds, and the current one unless the contest is over."""
    all_rounds: int | None
    """Number of rounds, if the format fixes it; else None."""
    has_bracket: bool
    """Whether the format is a knockout, which has a bracket to draw."""
    standings: tuple[StandingsRow, ...]
    """Standings, the best first."""
    pairs: dict[tuple[int, int], PairView]
    """Results of each pair that has met, by both players' numbers, the smaller first."""
    ratings: tuple[RatingRow, ...]
    """Ratings, the strongest first; empty before the first match."""
    seats: tuple[SeatRow, ...]
    """Results of seats, by size of table, then seat."""
    leavers: tuple[LeaverRow, ...]
    """Players that left games, in the plan's order."""
    remarks: tuple[str, ...]
    """Notes on void games, broken lines, and doubts about the results."""
    verdict: SprtVerdict | None
    """State of the test in the format sprt; None in other formats."""
    first_started: str
    """Start of the earliest game, ISO 8601 in UTC; empty before the first match is over."""
    last_started: str
    """Start of the latest game, ISO 8601 in UTC; empty before the first match is over."""

    @property
    def progress(self) -> float:
        """Share of the contest that is played, 0 to 1: of all rounds if their number is known, else of those begun."""
        if self.is_over:
            return 1.0
        parts = [played.done / played.of if played.of else 1.0 for played in self.rounds]
        return sum(parts) / max(self.all_rounds or 0, len(parts), 1)

    @property
    def leader(self) -> StandingsRow | None:
        """First row of the standings; None before the first match."""
        return self.standings[0] if self.games and self.standings[0].of else None


class Meeting(msgspec.Struct, frozen=True):
    """A cell of the crosstable: results of the row's player against the column's."""

    pair: PairView
    points: float
    """Points of the row's player."""
    shade: int
    """The share of the points that the row's player has, rounded to a whole number from 0 to ``SHADES``."""


class CrossRow(msgspec.Struct, frozen=True):
    """A row of the crosstable."""

    player: int
    """The player's number in the plan."""
    cells: tuple[Meeting | None, ...]
    """A cell for each column; None for pairs that have not met, and for the player itself."""


class Crosstable(msgspec.Struct, frozen=True):
    """A square table of players."""

    rows: tuple[CrossRow, ...]
    """Rows, the best player first; columns have the same order."""
    left_out: int
    """Number of players not in the table."""
    each: int | None
    """Number of finished matches of each pair; None if this number differs among pairs."""


def make_crosstable(view: ContestView) -> Crosstable:
    """Arrange the pairs of a contest as a square table."""
    order = [row.player for row in view.standings][:MAX_CROSSTABLE_PLAYERS]
    counts = {pair.matches for pair in view.pairs.values()}
    rows = tuple(CrossRow(one, tuple(_make_cell(view, one, other) for other in order)) for one in order)
    return Crosstable(rows, len(view.names) - len(order), counts.pop() if len(counts) == 1 else None)


def _make_cell(view: ContestView, one: int, other: int) -> Meeting | None:
    pair = view.pairs.get((min(one, other), max(one, other)))
    if pair is None:
        return None
    points = pair.points[pair.players.index(one)]
    return Meeting(pair, points, round(SHADES * points / pair.matches))
