"""Converts the games of a match for ``evidence``: seats, ranks and shares of the scores."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from hinterland.contest.scoring import SHARE_PARTS, contest_scores, score_match
from hinterland.evidence.tally import GameResult, MatchResult

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hinterland.referee.record import Record


def make_match_result(records: Sequence[Record], number: Callable[[str], int]) -> MatchResult:
    """Make the results of a match; ``number`` returns a player's number in the tally."""
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
    """Make the result of a game. ``left``: why each seat left; empty if it stayed."""
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
    """Return a 64-bit hash of the rules and all moves; never 0, which means unknown."""
    played = msgspec.json.encode((record.rules, record.movers, record.moves))
    return int.from_bytes(blake2b(played, digest_size=8).digest()) or 1
