"""A contest as it is shown: a value of plain numbers and words, the same for the same records in whatever order."""

from __future__ import annotations

import msgspec

from hinterland.contest.report.sprt_verdict import SprtVerdict


class GamePlayed(msgspec.Struct, frozen=True, order=True):
    """A game in a list; games are ordered by their place in the contest."""

    round: int
    """From 0."""
    task: int
    """Its match in the round, from 0."""
    number: int
    """Which game of the match, from 1."""
    players: tuple[int, ...]
    """By seat: numbers in the plan."""
    scores: tuple[int, ...]
    """By seat, those that count in the contest."""
    winners: tuple[int, ...]
    """Seats."""
    reason: str
    """Why it ended."""

    @property
    def address(self) -> str:
        """Its place as people write it: round, match and game, each from 1."""
        return f"{self.round + 1}.{self.task + 1}.{self.number}"


class RankRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the standings."""

    player: int
    """Its number in the plan."""
    name: str
    """Its name."""
    points: float
    """1 for a match won or a bye, a half for one drawn."""
    of: int
    """The most there could be."""
    matches: int
    """How many it has finished."""
    won: int
    """Matches."""
    drawn: int
    """Matches."""
    lost: int
    """Matches."""
    byes: int
    """Matches given."""
    share: float | None
    """Its mean share of the score, 0 to 1."""
    games: int
    """How many it has played."""


class PairView(msgspec.Struct, frozen=True, kw_only=True):
    """What two players have come to against each other."""

    players: tuple[int, int]
    """Numbers in the plan, the smaller first."""
    points: tuple[float, float]
    """Of each against the other."""
    matches: int
    """How many they have finished."""
    games: int
    """How many these had."""
    kept: tuple[GamePlayed, ...]
    """The first of these."""


class RatingRow(msgspec.Struct, frozen=True):
    """How strong a player is, and how sure that is."""

    player: int
    """Its number in the plan."""
    value: int
    """The estimate, in Elo units."""
    low: int
    """Where its 95 % interval begins."""
    high: int
    """Where it ends."""


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a round."""

    players: tuple[int, ...]
    """Numbers in the plan; one alone has a bye."""
    points: tuple[float, ...]
    """So far."""
    matches: int
    """How many are finished."""
    winner: int | None = None
    """Who goes on, in a knockout."""


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is over or goes on."""

    done: int
    """Matches that are finished."""
    of: int
    """Matches there are."""
    tables: tuple[TableView, ...]
    """In their order."""


class SeatRow(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat has come to, at tables of one size."""

    size: int
    """Players at the table."""
    seat: int
    """From 0, in the order of play."""
    games: int
    """How many were played."""
    won: int
    """Alone."""
    shared: int
    """Together with another."""
    share: float
    """Mean share of the score, 0 to 1."""


class LeaverRow(msgspec.Struct, frozen=True, kw_only=True):
    """Who left games before their end."""

    player: int
    """Its number in the plan."""
    games: int
    """How many it left."""
    of: int
    """How many it played."""
    reasons: tuple[tuple[str, int], ...]
    """Why, and how often."""
    first: str
    """The first time, in words."""


class ContestView(msgspec.Struct, frozen=True, kw_only=True):
    """All that is shown of a contest."""

    title: str
    """What it is called: its folder."""
    game: str
    """The game's name for people."""
    format: str
    """Who meets whom."""
    names: tuple[str, ...]
    """Of the players, as numbered in the plan."""
    facts: tuple[tuple[str, str], ...]
    """How it is played: what, and in words."""
    is_over: bool
    """Whether nothing is left to play."""
    games: int
    """How many have been played."""
    rounds: tuple[RoundView, ...]
    """Those that are over, and the one that goes on."""
    all_rounds: int | None
    """How many there will be, where the format says."""
    has_bracket: bool
    """Whether the rounds are those of a knockout."""
    standings: tuple[RankRow, ...]
    """The best first."""
    pairs: dict[tuple[int, int], PairView]
    """By the numbers of the two, the smaller first."""
    ratings: tuple[RatingRow, ...]
    """The strongest first; nothing before the first match."""
    seats: tuple[SeatRow, ...]
    """By size of table, then seat."""
    leavers: tuple[LeaverRow, ...]
    """As numbered in the plan."""
    remarks: tuple[str, ...]
    """What else is to be known: void games, broken lines, warnings."""
    verdict: SprtVerdict | None
    """Of a test of two players, what it has shown."""
    first_started: str
    """When the first game began, ISO 8601 in UTC; empty before it."""
    last_started: str
    """When the last one began."""

    @property
    def progress(self) -> float:
        """How much is played, 0 to 1: of all rounds where their number is known, else of those there are."""
        if self.is_over:
            return 1.0
        parts = [played.done / played.of if played.of else 1.0 for played in self.rounds]
        return sum(parts) / max(self.all_rounds or 0, len(parts), 1)

    @property
    def leader(self) -> RankRow | None:
        """Who is first; None before the first match."""
        return self.standings[0] if self.games and self.standings[0].of else None
