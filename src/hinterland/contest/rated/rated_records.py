"""Records as results that can be rated: games of one match put together again, whatever order they were kept in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from hinterland.contest.rated.match_results import make_match_result
from hinterland.errors import BadText, RecordError, quote
from hinterland.evidence.tally import Tally
from hinterland.referee.record import check_seats
from hinterland.referee.verdicts import Verdict
from hinterland.storage import records

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from pathlib import Path

    from hinterland.referee.record import Record


class RatedRecords:
    """What files of records come to.

    A match of a contest is the games of one task of one round of its plan; any other, games numbered 1, 2 … of the same
    players, seed and rules, as they follow one another. What is missing of a match does not count, nor do void games;
    a game of a contest that is there twice counts once.
    """

    def __init__(self) -> None:
        self.tally = Tally()
        self.game = ""
        """Which game was played."""
        self.void = 0
        """How many games the referee or its machine spoiled."""
        self.incomplete = 0
        """How many matches lack games; they count as what is there of them."""
        self._waiting: dict[Hashable, dict[int, Record]] = {}
        self._counted: set[Hashable] = set()

    def add(self, record: Record) -> None:
        """Count a game. Raises BadText for one of another game than those before."""
        self.game = self.game or record.game
        if record.game != self.game:
            both = f"{quote(self.game)} and {quote(record.game)}"
            raise BadText(f"records of {both} are mixed, whose ratings have nothing in common: choose one by --game")
        if record.reason == Verdict.VOID:
            self.void += 1
            return
        key = _match_of(record)
        if key in self._counted:
            return
        games = self._waiting.setdefault(key, {})
        if record.contest is msgspec.UNSET and record.number != len(games) + 1 and games:
            self._count(key)
            games = self._waiting.setdefault(key, {})
        games.setdefault(record.number, record)
        if len(games) == len(record.players):
            self._count(key)
            if record.contest is not msgspec.UNSET:
                self._counted.add(key)

    def finish(self) -> Tally:
        """Count what is there of matches that lack games, and return the tally, the players by their names."""
        self.incomplete += len(self._waiting)
        for key in list(self._waiting):
            self._count(key)
        return self.tally.by_name()

    def _count(self, key: Hashable) -> None:
        games = self._waiting.pop(key)
        self.tally.add(make_match_result([games[number] for number in sorted(games)], self.tally.number))


def read_files(files: Iterable[Path], game: str = "") -> RatedRecords:
    """Read files of records, a line at a time; of one game alone, if it is named. Raises BadText, RecordError."""
    found = RatedRecords()
    for file in files:
        for number, record in records.read(file):
            if game not in ("", record.game):
                continue
            try:
                check_seats(record)
            except RecordError as error:
                raise RecordError(f"{file}, line {number}: {error}") from None
            found.add(record)
    return found


def _match_of(record: Record) -> Hashable:
    place = record.contest
    if not isinstance(place, msgspec.UnsetType):
        return place.plan, place.round, place.task
    return record.seed, msgspec.json.encode(record.rules), frozenset(record.players)
