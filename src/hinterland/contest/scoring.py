"""What a match is worth: points by the sum of its scores, and the share of the score beside them.

Who left fewer games than the others is ahead of them, as in every match; among those who left as many, the sum decides.
In a contest one more rule holds: where everybody else has left before anything was scored, those who stayed are
credited with the whole of the board, in equal parts. The records keep the game's own scores, which are 0 then.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from hinterland import catalog
from hinterland.referee.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.referee.record import Record

WON, DRAWN, LOST = 2, 1, 0
"""Half points of a match."""
WHOLE = 10**9
"""Shares are counted in such parts, so that sums do not depend on their order."""


class Score(msgspec.Struct, frozen=True):
    """What one match, or a part of one, was worth to each player at the table."""

    half_points: tuple[int, ...]
    """Won alone 2, first together with another 1, else 0."""
    shares: tuple[int, ...]
    """Of the sum of all scores, in parts of ``WHOLE``."""
    totals: tuple[int, ...]
    """The scores themselves, credited ones included."""
    left: tuple[int, ...]
    """How many games each left."""
    credited: int
    """In how many games the board was credited to who stayed."""


def seats_of(names: Sequence[str], record: Record) -> tuple[int, ...]:
    """Return the seat of each player in a game; ``names`` are different."""
    return tuple(map(record.players.index, names))


def stayed(record: Record) -> tuple[int, ...]:
    """Return the seats that did not leave."""
    gone = {departure.seat for departure in record.departures}
    return tuple(seat for seat in range(len(record.players)) if seat not in gone)


def is_credited(record: Record) -> bool:
    """Say whether those who stayed are credited with the board: others left, and nobody has scored."""
    return bool(record.departures) and not any(record.scores) and record.reason != Verdict.VOID and bool(stayed(record))


def credited(record: Record) -> tuple[int, ...]:
    """Return the scores that count in a contest, one a seat."""
    if not is_credited(record):
        return record.scores
    left_over = stayed(record)
    part = _whole_board(record.game, msgspec.json.encode(record.rules)) // len(left_over)
    return tuple(part if seat in left_over else 0 for seat in range(len(record.players)))


@lru_cache(maxsize=16)
def _whole_board(game: str, rules: bytes) -> int:
    return catalog.game(game).rules.from_json(msgspec.json.decode(rules)).total_score


def score(names: Sequence[str], records: Sequence[Record]) -> Score:
    """Sum up the games of a match between players of different names."""
    totals, left = [0] * len(names), [0] * len(names)
    for record in records:
        counted, gone = credited(record), {departure.seat for departure in record.departures}
        for player, seat in enumerate(seats_of(names, record)):
            totals[player] += counted[seat]
            left[player] += seat in gone
    best = max(zip((-games for games in left), totals, strict=True))
    first = [(-games, total) == best for games, total in zip(left, totals, strict=True)]
    worth = WON if sum(first) == 1 else DRAWN
    whole = sum(totals)
    return Score(
        half_points=tuple(worth if is_first else LOST for is_first in first),
        shares=tuple(total * WHOLE // whole if whole else WHOLE // len(names) for total in totals),
        totals=tuple(totals),
        left=tuple(left),
        credited=sum(map(is_credited, records)),
    )
