"""Sums up a contest match by match: memory grows with pairs of players, not with games, and order does not count."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from hinterland import catalog
from hinterland.contest.pairings.knockout import Knockout, winner
from hinterland.contest.pairings.swiss import Swiss, usual_rounds
from hinterland.contest.plan import form_of
from hinterland.contest.rated.match_results import match_result
from hinterland.contest.report.contest_view import (
    ContestView,
    GamePlayed,
    LeaverRow,
    RankRow,
    RatingRow,
    RoundView,
    SeatRow,
    TableView,
)
from hinterland.contest.report.pair_sums import PairSums
from hinterland.contest.report.plan_words import facts
from hinterland.contest.report.sprt_verdict import sprt_verdict
from hinterland.contest.scoring import WHOLE, credited
from hinterland.contest.series.table_words import with_names
from hinterland.contest.standings import Standings
from hinterland.evidence.davidson import davidson
from hinterland.evidence.diagnosis import diagnose
from hinterland.evidence.plackett_luce import plackett_luce
from hinterland.evidence.ratings import Ratings
from hinterland.evidence.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hinterland.contest.folder import ContestFolder
    from hinterland.contest.pairings.rounds import Format, TableResult
    from hinterland.contest.plan import Plan
    from hinterland.contest.played import FinishedMatch, Played
    from hinterland.contest.standings import StandingsRow
    from hinterland.referee.record import Record


REPLICATES = 400
"""Contests that the bootstrap draws for the intervals of ratings."""


class Leaving(NamedTuple):
    """A time that a player left, by its place in the contest."""

    place: tuple[int, int, int]
    words: str


class SeatSums:
    """What one seat has come to."""

    def __init__(self) -> None:
        self.games = self.won = self.shared = self.shares = 0


class ContestSums:
    """All that is shown of a contest and grows with its matches."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.standings = Standings(plan)
        self._number = {name: player for player, name in enumerate(plan.names)}
        self._pairs: defaultdict[tuple[int, int], PairSums] = defaultdict(PairSums)
        self._seats: defaultdict[tuple[int, int], SeatSums] = defaultdict(SeatSums)
        self._tally = Tally(plan.names)
        self._first_left: dict[int, Leaving] = {}
        self._started: tuple[str, str] | None = None

    def add(self, match: FinishedMatch) -> None:
        """Count a match."""
        self.standings.add(match)
        players = [self._number[name] for name in match.task.names]
        games = [self._played(record) for record in match.records]
        self._tally.add(match_result(match.records, self._number.__getitem__))
        worth = [(-left, total) for left, total in zip(match.score.left, match.score.totals, strict=True)]
        for (one, worth_one), (other, worth_other) in combinations(sorted(zip(players, worth, strict=True)), 2):
            self._pairs[one, other].add((worth_one > worth_other) - (worth_one < worth_other), games)
        for record, game in zip(match.records, games, strict=True):
            self._sit(game)
            self._leave(record, game)
            began = record.times.started
            first, last = self._started or (began, began)
            self._started = min(first, began), max(last, began)

    def _played(self, record: Record) -> GamePlayed:
        place = record.contest
        assert not isinstance(place, msgspec.UnsetType)
        return GamePlayed(
            place.round, place.task, record.number, tuple(map(self._number.__getitem__, record.players)),
            credited(record), record.winners, record.reason,
        )  # fmt: skip

    def _sit(self, game: GamePlayed) -> None:
        size, whole = len(game.players), sum(game.scores)
        for seat, score in enumerate(game.scores):
            sums = self._seats[size, seat]
            sums.games += 1
            sums.won += game.winners == (seat,)
            sums.shared += len(game.winners) > 1 and seat in game.winners
            sums.shares += score * WHOLE // whole if whole else WHOLE // size

    def _leave(self, record: Record, game: GamePlayed) -> None:
        for gone in record.departures:
            player, place = game.players[gone.seat], (game.round, game.task, game.number)
            told = Leaving(place, with_names(gone.detail, record.players))
            self._first_left[player] = min(self._first_left.get(player, told), told)

    def view(self, contest: ContestFolder) -> ContestView:
        """Return what is to be shown of the contest of which this is the sum."""
        plan, played, form = self.plan, contest.played, form_of(self.plan)
        ranked = self.standings.ranked(played.rounds)
        first, last = self._started or ("", "")
        rated = self._rated()
        return ContestView(
            title=contest.folder.absolute().name, game=catalog.game(plan.game).title, format=plan.format,
            names=plan.names, facts=tuple(facts(plan)), is_over=played.is_over, games=played.games,
            rounds=tuple(_rounds(played, form, plan.pairings * len(plan.variations))), all_rounds=_all_rounds(form),
            has_bracket=isinstance(form, Knockout), standings=tuple(map(_row, ranked)),
            pairs={pair: self._pairs[pair].view(pair) for pair in sorted(self._pairs)},
            ratings=() if rated is None else tuple(_ratings(rated)),
            seats=tuple(_seat(*place, self._seats[place]) for place in sorted(self._seats)),
            leavers=tuple(self._leavers()), remarks=tuple(self._remarks(contest, rated)),
            verdict=sprt_verdict(plan, played.rounds), first_started=first, last_started=last,
        )  # fmt: skip

    def _rated(self) -> Ratings | None:
        """Return what the results say of strength, by the model that suits the tables; None before the first match."""
        if not self._tally.matches:
            return None
        is_of_two = all(size == 2 for size, _ in self._seats)
        return (davidson if is_of_two else plackett_luce)(self._tally, times=REPLICATES)

    def _leavers(self) -> Iterator[LeaverRow]:
        for one in self.standings.players:
            if one.left:
                yield LeaverRow(
                    player=one.player, games=one.left.total(), of=one.games, reasons=tuple(sorted(one.left.items())),
                    first=self._first_left[one.player].words,
                )  # fmt: skip

    def _remarks(self, contest: ContestFolder, rated: Ratings | None) -> Iterator[str]:
        played = contest.played
        if rated is not None:
            yield from (f"{finding.text}." for finding in diagnose(self._tally, rated))
        if any(one.credited for one in self.standings.players):
            yield "Where everybody else left before anything was scored, who stayed is credited with the whole board."
        if played.void:
            first = min(played.void, key=lambda record: (str(record.contest), record.number, record.detail))
            why = with_names(first.detail, first.players)
            yield f"{_times(len(played.void), 'game')} void, and played again; the first: {why}."
        if played.doubled:
            yield f"{_times(played.doubled, 'record')} of games that stand there already; each game counts once."
        if played.strays:
            yield f"{_times(played.strays, 'record')} of games that the contest does not have; they do not count."
        yield from contest.broken


def _times(count: int, what: str) -> str:
    return f"{count:,} {what}s were" if count > 1 else f"One {what} was"


def _row(one: StandingsRow) -> RankRow:
    return RankRow(
        player=one.player, name=one.name, points=one.points, of=one.of, matches=one.matches, won=one.won,
        drawn=one.drawn, lost=one.lost, byes=one.byes, share=one.share, games=one.games,
    )  # fmt: skip


def _seat(size: int, seat: int, sums: SeatSums) -> SeatRow:
    return SeatRow(
        size=size, seat=seat, games=sums.games, won=sums.won, shared=sums.shared, share=sums.shares / sums.games / WHOLE
    )


def _ratings(rated: Ratings) -> Iterator[RatingRow]:
    """Yield the rating of each who has played, the strongest first; whole Elo, so that it is the same everywhere."""
    found = zip(rated.elo.tolist(), rated.low.tolist(), rated.high.tolist(), strict=True)
    rows = [RatingRow(player, *map(round, elo)) for player, elo in enumerate(found) if not isnan(elo[0])]
    yield from sorted(rows, key=lambda row: (-row.value, row.player))


def _all_rounds(form: Format) -> int | None:
    match form:
        case Knockout():
            return form.rounds
        case Swiss():
            return form.rounds or usual_rounds(form.players)
    return None


def _rounds(played: Played, form: Format, each: int) -> Iterator[RoundView]:
    """Yield the rounds that are over, and the one that goes on."""
    is_knockout = isinstance(form, Knockout)
    for finished in played.rounds:
        yield _round(finished, each, is_knockout=is_knockout)
    if not played.is_over:
        yield _round(played.tables_so_far(), each, is_knockout=False)


def _round(results: tuple[TableResult, ...] | list[TableResult], each: int, *, is_knockout: bool) -> RoundView:
    return RoundView(
        done=sum(result.matches for result in results),
        of=each * sum(len(result.table) > 1 for result in results),
        tables=tuple(
            TableView(
                players=result.table, points=tuple(half / 2 for half in result.half_points), matches=result.matches,
                winner=winner(result) if is_knockout else None,
            )
            for result in results
        ),
    )  # fmt: skip


