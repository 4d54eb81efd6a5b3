"""The games of a match as evidence sees them: who sat where, how they ranked, what share of the scores each had."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from hinterland.contest.scoring import WHOLE, credited, score
from hinterland.evidence.tally import GameResult, MatchResult

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hinterland.referee.record import Record


def match_result(records: Sequence[Record], number: Callable[[str], int]) -> MatchResult:
    """Return the results of a match; ``number`` gives that of a player in the tally."""
    worth = score(records[0].players, records)
    games = tuple(_game_result(record, tuple(map(number, record.players))) for record in records)
    return MatchResult(games, worth.half_points)


def _game_result(record: Record, seats: tuple[int, ...]) -> GameResult:
    scores = credited(record)
    left = [""] * len(scores)
    for departure in record.departures:
        left[departure.seat] = str(departure.reason)
    return game_result(seats, scores, left, _fingerprint(record))


def game_result(seats: tuple[int, ...], scores: Sequence[int], left: Sequence[str], fingerprint: int) -> GameResult:
    """Return what a game came to. ``left``: why each seat left; empty where it stayed."""
    whole = sum(scores)
    return GameResult(
        seats=seats,
        ranks=ranks_of(scores, left),
        shares=tuple(points * WHOLE // whole if whole else WHOLE // len(scores) for points in scores),
        left=tuple(left) if any(left) else (),
        fingerprint=fingerprint,
    )


def ranks_of(scores: Sequence[int], left: Sequence[str]) -> tuple[int, ...]:
    """Return the rank of each seat: 0 for the best; who left is behind all who stayed."""
    behind = [(bool(reason), -points) for reason, points in zip(left, scores, strict=True)]
    return tuple(sum(other < own for other in behind) for own in behind)


def _fingerprint(record: Record) -> int:
    """Return 64 bits of a hash of the rules and of all moves; never 0, which says that it is not known."""
    played = msgspec.json.encode((record.rules, record.movers, record.moves))
    return int.from_bytes(blake2b(played, digest_size=8).digest()) or 1
