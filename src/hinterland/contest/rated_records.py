"""Groups records by match, and converts each match for ``evidence``: seats, ranks and shares of the scores."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from hinterland.contest.scoring import SHARE_PARTS, contest_scores, score_match
from hinterland.errors import BadText, RecordError, quote
from hinterland.evidence.tally import GameResult, MatchResult, Tally
from hinterland.referee.record import check_seats
from hinterland.referee.verdicts import Verdict
from hinterland.storage import records

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence
    from pathlib import Path

    from hinterland.referee.record import Record


class RatedRecords:
    """A tally of records, match by match.

    In a contest, records name their match, and may come in any order and twice; each game counts once. Elsewhere a
    match is consecutive games, numbered 1, 2 …, with the same players, seed and rules. Missing and void games do not
    count.
    """

    def __init__(self) -> None:
        self.tally = Tally()
        self.game = ""
        """Name of the game."""
        self.void = 0
        """Number of void games."""
        self.incomplete = 0
        """Number of matches with missing games; the games that these matches have still count."""
        self._waiting: dict[Hashable, dict[int, Record]] = {}
        self._counted: set[Hashable] = set()

    def add(self, record: Record) -> None:
        """Count a record. Raises BadText if earlier records are of another game, such as dots."""
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
    """Read files of records.

    ``game``: name of the game whose records to read; empty: all records. Raises BadText, RecordError.
    """
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


def make_match_result(records: Sequence[Record], number: Callable[[str], int]) -> MatchResult:
    """Make the result of a match from its records; ``number`` returns a player's number in the tally by its name."""
    worth = score_match(records[0].players, records)
    games = tuple(_game_result(record, tuple(map(number, record.players))) for record in records)
    return MatchResult(games, worth.half_points)


def _game_result(record: Record, seats: tuple[int, ...]) -> GameResult:
    scores = contest_scores(record)
    left = [""] * len(scores)
    for departure in record.departures:
        left[departure.seat] = str(departure.reason)
    return make_game_result(seats, scores, left, _fingerprint(record))


def make_game_result(
    seats: tuple[int, ...], scores: Sequence[int], left: Sequence[str], fingerprint: int
) -> GameResult:  # fmt: skip
    """Make the result of a game. ``left``: for each seat the reason why it left, or an empty text if it stayed."""
    whole = sum(scores)
    return GameResult(
        seats=seats,
        ranks=rank_seats(scores, left),
        shares=tuple(points * SHARE_PARTS // whole if whole else SHARE_PARTS // len(scores) for points in scores),
        left=tuple(left) if any(left) else (),
        fingerprint=fingerprint,
    )


def rank_seats(scores: Sequence[int], left: Sequence[str]) -> tuple[int, ...]:
    """Return the rank of each seat, 0 for the best; seats that left rank behind all others."""
    behind = [(bool(reason), -points) for reason, points in zip(left, scores, strict=True)]
    return tuple(sum(other < own for other in behind) for own in behind)


def _fingerprint(record: Record) -> int:
    """Return a 64-bit hash of the rules and all moves; never 0, since 0 stands for an unknown hash."""
    played = msgspec.json.encode((record.rules, record.movers, record.moves))
    return int.from_bytes(blake2b(played, digest_size=8).digest()) or 1
