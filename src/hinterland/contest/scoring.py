"""Points and shares of a match, from the scores of its games.

A player that left fewer games ranks higher, as in every match; among players that left equally many, the sum of scores
decides. In a contest one more rule holds: if players left a game in which nobody scored, those that stayed are credited
with the whole board, in equal parts. The game's record keeps its scores of 0.
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

WIN_HALF_POINTS, DRAW_HALF_POINTS, LOSS_HALF_POINTS = 2, 1, 0
"""Half points for the result of a match."""
SHARE_PARTS = 10**9
"""Number of units in a share of 1. Shares are whole numbers of units, so that their sum does not depend on the order of
addition."""


class Score(msgspec.Struct, frozen=True):
    """Score of one match, or of some of its games, for each player at the table."""

    half_points: tuple[int, ...]
    """2 for a win, 1 for a shared first place, else 0."""
    shares: tuple[int, ...]
    """Each player's share of the sum of all scores, in units of 1 / ``SHARE_PARTS``."""
    totals: tuple[int, ...]
    """Each player's sum of scores, credited scores included."""
    left: tuple[int, ...]
    """Number of games that each player left."""
    credited: int
    """Number of games whose board was credited to the players that stayed."""


def find_seats(names: Sequence[str], record: Record) -> tuple[int, ...]:
    """Return the seats in which the players ``names`` sat in a game, in the order of ``names``.

    The names are all different.
    """
    return tuple(map(record.players.index, names))


def seats_that_stayed(record: Record) -> tuple[int, ...]:
    """Return the seats that did not leave."""
    gone = {departure.seat for departure in record.departures}
    return tuple(seat for seat in range(len(record.players)) if seat not in gone)


def is_credited(record: Record) -> bool:
    """Say whether the players that stayed are credited with the board: others left, and nobody scored."""
    is_scoreless = bool(record.departures) and not any(record.scores)
    return is_scoreless and record.reason != Verdict.VOID and bool(seats_that_stayed(record))


def contest_scores(record: Record) -> tuple[int, ...]:
    """Return for each seat the score that counts in a contest."""
    if not is_credited(record):
        return record.scores
    left_over = seats_that_stayed(record)
    part = _whole_board(record.game, msgspec.json.encode(record.rules)) // len(left_over)
    return tuple(part if seat in left_over else 0 for seat in range(len(record.players)))


@lru_cache(maxsize=16)
def _whole_board(game: str, rules: bytes) -> int:
    return catalog.game(game).rules.from_json(msgspec.json.decode(rules)).total_score


def score_match(names: Sequence[str], records: Sequence[Record]) -> Score:
    """Score a match from the records of its games; no two players have the same name."""
    totals, left = [0] * len(names), [0] * len(names)
    for record in records:
        counted, gone = contest_scores(record), {departure.seat for departure in record.departures}
        for player, seat in enumerate(find_seats(names, record)):
            totals[player] += counted[seat]
            left[player] += seat in gone
    best = max(zip((-games for games in left), totals, strict=True))
    first = [(-games, total) == best for games, total in zip(left, totals, strict=True)]
    worth = WIN_HALF_POINTS if sum(first) == 1 else DRAW_HALF_POINTS
    whole = sum(totals)
    return Score(
        half_points=tuple(worth if is_first else LOSS_HALF_POINTS for is_first in first),
        shares=tuple(total * SHARE_PARTS // whole if whole else SHARE_PARTS // len(names) for total in totals),
        totals=tuple(totals),
        left=tuple(left),
        credited=sum(map(is_credited, records)),
    )
