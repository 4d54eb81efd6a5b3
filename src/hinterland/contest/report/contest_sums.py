"""Sums up a contest match by match, in any order, and follows a contest that other processes play.

Memory grows with the number of pairs of players, not with that of games.
"""

from __future__ import annotations

from bisect import insort
from collections import defaultdict
from itertools import combinations
from math import isnan
from typing import TYPE_CHECKING

import msgspec

from hinterland import catalog
from hinterland.contest import plan_file
from hinterland.contest.folder import ContestFolder
from hinterland.contest.pairings.static import Knockout, winner
from hinterland.contest.pairings.swiss import Swiss, default_swiss_rounds
from hinterland.contest.plan import make_format
from hinterland.contest.rated_records import make_match_result
from hinterland.contest.report.contest_view import (
    ContestView,
    GamePlayed,
    LeaverRow,
    PairView,
    RatingRow,
    RoundView,
    SeatRow,
    TableView,
)
from hinterland.contest.report.plan_words import describe_plan
from hinterland.contest.report.sprt_verdict import make_sprt_verdict
from hinterland.contest.scoring import SHARE_PARTS, contest_scores
from hinterland.contest.standings import Standings
from hinterland.contest.versions import VERSIONS_FILE
from hinterland.evidence.diagnosis import diagnose
from hinterland.evidence.plackett_luce import rate_tally
from hinterland.evidence.tally import Tally
from hinterland.referee.verdicts import replace_seats_by_names

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hinterland.contest.pairings.rounds import Format, TableResult
    from hinterland.contest.plan import Plan
    from hinterland.contest.played import FinishedMatch, Played
    from hinterland.evidence.ratings import Ratings
    from hinterland.referee.record import Record

REPLICATES = 400
"""Number of contests that the bootstrap draws for the intervals of ratings."""
MAX_LISTED_GAMES = 60
"""Greatest number of games listed for a pair: those that come first in the contest's order."""


class PairSums:
    """The sums of one pair."""

    __slots__ = ("games", "half_points", "kept", "matches")

    def __init__(self) -> None:
        self.half_points = [0, 0]
        self.matches = self.games = 0
        self.kept: list[GamePlayed] = []

    def add(self, ahead: int, games: list[GamePlayed]) -> None:
        """Count a match; ``ahead``: above 0 if the first player did better, below 0 if the second did, else 0."""
        self.matches += 1
        self.games += len(games)
        self.half_points[0] += 1 + (ahead > 0) - (ahead < 0)
        self.half_points[1] += 1 - (ahead > 0) + (ahead < 0)
        for game in games:
            insort(self.kept, game)
        del self.kept[MAX_LISTED_GAMES:]

    def view(self, players: tuple[int, int]) -> PairView:
        """Make the view of the pair."""
        first, second = (half / 2 for half in self.half_points)
        return PairView(
            players=players, points=(first, second), matches=self.matches, games=self.games, kept=tuple(self.kept)
        )


class SeatSums:
    """Sums of one seat."""

    def __init__(self) -> None:
        self.games = self.won = self.shared = self.shares = 0


class ContestSums:
    """Sums of a contest's matches, from which its view is made."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.standings = Standings(plan)
        self._number = {name: player for player, name in enumerate(plan.names)}
        self._pairs: defaultdict[tuple[int, int], PairSums] = defaultdict(PairSums)
        self._seats: defaultdict[tuple[int, int], SeatSums] = defaultdict(SeatSums)
        self._tally = Tally(plan.names)
        self._started: tuple[str, str] | None = None

    def add(self, match: FinishedMatch) -> None:
        """Count a match."""
        self.standings.add(match)
        players = [self._number[name] for name in match.task.names]
        games = [self._make_game(record) for record in match.records]
        self._tally.add(make_match_result(match.records, self._number.__getitem__))
        worth = [(-left, total) for left, total in zip(match.score.left, match.score.totals, strict=True)]
        for (one, worth_one), (other, worth_other) in combinations(sorted(zip(players, worth, strict=True)), 2):
            self._pairs[one, other].add((worth_one > worth_other) - (worth_one < worth_other), games)
        for record, game in zip(match.records, games, strict=True):
            self._count_seats(game)
            began = record.times.started
            first, last = self._started or (began, began)
            self._started = min(first, began), max(last, began)

    def _make_game(self, record: Record) -> GamePlayed:
        place = record.contest
        assert not isinstance(place, msgspec.UnsetType)
        return GamePlayed(
            place.round, place.task, record.number, tuple(map(self._number.__getitem__, record.players)),
            contest_scores(record), record.winners, record.reason,
        )  # fmt: skip

    def _count_seats(self, game: GamePlayed) -> None:
        size, whole = len(game.players), sum(game.scores)
        for seat, score in enumerate(game.scores):
            sums = self._seats[size, seat]
            sums.games += 1
            sums.won += game.winners == (seat,)
            sums.shared += len(game.winners) > 1 and seat in game.winners
            sums.shares += score * SHARE_PARTS // whole if whole else SHARE_PARTS // size

    def view(self, contest: ContestFolder) -> ContestView:
        """Make the view of the contest whose matches were added."""
        plan, played, form = self.plan, contest.played, make_format(self.plan)
        ranked = self.standings.rank_players(played.rounds)
        first, last = self._started or ("", "")
        facts = tuple(describe_plan(plan, is_seed_hidden=contest.is_seed_hidden))
        rated = rate_tally(self._tally, times=REPLICATES) if self._tally.matches else None
        return ContestView(
            title=contest.folder.absolute().name, game=catalog.game(plan.game).title, format=plan.format,
            names=plan.names, facts=facts, is_over=played.is_over, games=played.games,
            rounds=tuple(_round_views(played, form, plan.pairings * len(plan.variations))),
            all_rounds=_total_rounds(form), has_bracket=isinstance(form, Knockout),
            standings=tuple(map(msgspec.structs.replace, ranked)),
            pairs={pair: self._pairs[pair].view(pair) for pair in sorted(self._pairs)},
            ratings=() if rated is None else tuple(_rating_rows(rated)),
            seats=tuple(_seat_row(*place, self._seats[place]) for place in sorted(self._seats)),
            leavers=tuple(self._leaver_rows()), remarks=tuple(self._make_remarks(contest, rated)),
            verdict=make_sprt_verdict(plan, played.rounds), first_started=first, last_started=last,
        )  # fmt: skip

    def _leaver_rows(self) -> Iterator[LeaverRow]:
        for one in self.standings.players:
            if one.left:
                yield LeaverRow(
                    player=one.player, games=one.left.total(), of=one.games, reasons=tuple(sorted(one.left.items())),
                    left=tuple(one.departures),
                )  # fmt: skip

    def _make_remarks(self, contest: ContestFolder, rated: Ratings | None) -> Iterator[str]:
        played = contest.played
        if rated is not None:
            yield from (f"{finding.text}." for finding in diagnose(self._tally, rated))
        if any(one.credited for one in self.standings.players):
            yield "If all others left before anybody scored, the remaining players are credited with the whole board."
        if played.void:
            first = min(played.void, key=lambda record: (str(record.contest), record.number, record.detail))
            why = replace_seats_by_names(first.detail, first.players)
            yield f"{_count_were(len(played.void), 'game')} void, and played again; the first: {why}."
        if played.doubled:
            yield f"{_count_were(played.doubled, 'record')} of games with an earlier record; each game counts once."
        if played.strays:
            yield f"{_count_were(played.strays, 'record')} of games that the contest does not have; they do not count."
        yield from contest.broken


def _count_were(count: int, what: str) -> str:
    return f"{count:,} {what}s were" if count > 1 else f"One {what} was"


def _seat_row(size: int, seat: int, sums: SeatSums) -> SeatRow:
    share = sums.shares / sums.games / SHARE_PARTS
    return SeatRow(size=size, seat=seat, games=sums.games, won=sums.won, shared=sums.shared, share=share)


def _rating_rows(rated: Ratings) -> Iterator[RatingRow]:
    """Yield the rating of each player that has played, the strongest first, rounded to whole Elo."""
    found = zip(rated.elo.tolist(), rated.low.tolist(), rated.high.tolist(), strict=True)
    rows = [RatingRow(player, *map(round, elo)) for player, elo in enumerate(found) if not isnan(elo[0])]
    yield from sorted(rows, key=lambda row: (-row.value, row.player))


def _total_rounds(form: Format) -> int | None:
    match form:
        case Knockout():
            return form.rounds
        case Swiss():
            return form.rounds or default_swiss_rounds(form.players)
    return None


def _round_views(played: Played, form: Format, each: int) -> Iterator[RoundView]:
    """Yield the finished rounds and the current one; ``each``: number of matches at a table."""
    is_knockout = isinstance(form, Knockout)
    for finished in played.rounds:
        yield _round_view(finished, each, is_knockout=is_knockout)
    if not played.is_over:
        yield _round_view(played.tables_so_far(), each, is_knockout=False)


def _round_view(results: tuple[TableResult, ...] | list[TableResult], each: int, *, is_knockout: bool) -> RoundView:
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


class FollowedContest:
    """A contest that another process plays. Each ``read_on`` adds the new games."""

    def __init__(self, folder: Path) -> None:
        """Read the contest. Raises HinterlandError if the folder holds no contest, or a broken one."""
        self.sums = ContestSums(plan_file.read(folder)[0])
        self.contest = ContestFolder(folder, self.sums.add)
        self._stamp = self._stamp_now()

    def read_on(self) -> bool:
        """Count new games; say whether there were any. Raises RecordError as ``ContestFolder.read_on`` does."""
        return self.contest.read_on()

    @property
    def is_another(self) -> bool:
        """Whether the contest must be read from the beginning: the plan was edited, or records were removed."""
        records = self.contest.records
        size = records.stat().st_size if records.exists() else 0
        return self._stamp != self._stamp_now() or size < self.contest.bytes_read

    def view(self) -> ContestView:
        """Make the view of the contest."""
        return self.sums.view(self.contest)

    def _stamp_now(self) -> tuple[int, int, int]:
        found, versions = (self.contest.folder / plan_file.PLAN_FILE).stat(), self.contest.folder / VERSIONS_FILE
        return found.st_mtime_ns, found.st_size, versions.stat().st_size if versions.exists() else 0
