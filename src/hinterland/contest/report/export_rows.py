"""Rows of a contest for other tools: its standings, or its games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_type_hints

import msgspec

from hinterland.contest import plan_file
from hinterland.contest.folder import ContestFolder
from hinterland.contest.scoring import contest_scores
from hinterland.contest.standings import StandingsByBoard

if TYPE_CHECKING:
    from pathlib import Path

    from hinterland.contest.played import FinishedMatch
    from hinterland.contest.report.contest_view import ContestView
    from hinterland.referee.record import Record

Rows = list[dict[str, Any]]


class RankedEntrant(msgspec.Struct, frozen=True):
    """A row of the standings."""

    place: int
    name: str
    points: float
    of: float
    matches: int
    won: int
    drawn: int
    lost: int
    byes: int
    share: float | None
    games: int


EntrantOnBoard = msgspec.defstruct("EntrantOnBoard", [("board", str), *get_type_hints(RankedEntrant).items()])
"""A row of the standings in one variation of the rules, which ``board`` describes."""


class GameOfContest(msgspec.Struct, frozen=True):
    """A row of the games."""

    round: int
    """Number of the round. Rounds, matches and games count from 1."""
    match: int
    number: int
    players: tuple[str, ...]
    scores: tuple[int, ...]
    """Scores that count in the contest."""
    winners: tuple[str, ...]
    reason: str
    ms: tuple[int, ...]
    """Time that each player took for all of its moves, in milliseconds."""
    started: str


def standing_rows(view: ContestView) -> Rows:
    """Return the standings, the best first."""
    return list(map(_rank_fields, range(1, len(view.standings) + 1), view.standings))


def board_rows(folder: Path) -> Rows:
    """Return the standings in each variation of the rules, the best first. Raises what ``ContestFolder`` raises."""
    standings = StandingsByBoard(plan_file.read(folder)[0])
    rounds = ContestFolder(folder, standings.add).played.rounds
    return [
        {"board": words, **_rank_fields(place, row)}
        for words, part in standings.parts
        for place, row in enumerate(part.rank_players(rounds), start=1)
    ]


def _rank_fields(place: int, row: Any) -> dict[str, Any]:
    _, *fields = RankedEntrant.__struct_fields__
    return {"place": place, **{name: getattr(row, name) for name in fields}}


def game_rows(folder: Path) -> Rows:
    """Return the games of all finished matches, by round, match and number. Raises what ``ContestFolder`` raises."""
    rows: Rows = []

    def hear(match: FinishedMatch) -> None:
        rows.extend(map(_game_row, match.records))

    ContestFolder(folder, hear)
    return sorted(rows, key=lambda row: (row["round"], row["match"], row["number"]))


def _game_row(record: Record) -> dict[str, Any]:
    place = record.contest
    assert not isinstance(place, msgspec.UnsetType)
    ms = [0] * len(record.players)
    for seat, spent in zip(record.movers, record.times.ms, strict=True):
        ms[seat] += spent
    return {
        "round": place.round + 1, "match": place.task + 1, "number": record.number, "players": list(record.players),
        "scores": list(contest_scores(record)), "winners": [record.players[seat] for seat in record.winners],
        "reason": record.reason, "ms": ms, "started": record.times.started,
    }  # fmt: skip
