"""Groups records by match, whatever their order, so that they can be rated."""

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
    """A tally of records, match by match.

    A contest's match is the games of one task of one round of its plan. Any other match is consecutive games numbered
    1, 2 … of the same players, seed and rules. Missing and void games do not count; a contest's game counts once, even
    if its record comes twice.
    """

    def __init__(self) -> None:
        self.tally = Tally()
        self.game = ""
        """Name of the game."""
        self.void = 0
        """Number of void games."""
        self.incomplete = 0
        """Number of matches with missing games; their other games count."""
        self._waiting: dict[Hashable, dict[int, Record]] = {}
        self._counted: set[Hashable] = set()

    def add(self, record: Record) -> None:
        """Count a record. Raises BadText if its game is not that of the records before."""
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
        """Count the incomplete matches, and return the tally with its players sorted by name."""
        self.incomplete += len(self._waiting)
        for key in list(self._waiting):
            self._count(key)
        return self.tally.by_name()

    def _count(self, key: Hashable) -> None:
        games = self._waiting.pop(key)
        self.tally.add(make_match_result([games[number] for number in sorted(games)], self.tally.number))


def read_files(files: Iterable[Path], game: str = "") -> RatedRecords:
    """Read files of records line by line; ``game``: read only records of this game. Raises BadText, RecordError."""
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
