"""Knockout: the loser of a table is out."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from hinterland.contest.pairings.rounds import check_count, check_flag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.contest.pairings.rounds import Round, Table, TableResult


class Knockout(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Players meet by their seeds, and winners go on. Raises RulesError."""

    players: int
    """Number of players; unless it is a power of two, the best seeds have byes in the first round."""
    third_place: bool = False
    """Whether the losers of the semi-finals meet, too."""

    def __post_init__(self) -> None:
        check_count("players", self.players, 2)
        check_flag("third_place", self.third_place)

    @property
    def rounds(self) -> int:
        """Number of rounds."""
        return (self.players - 1).bit_length()

    def tables(self, finished: Sequence[Round]) -> tuple[Table, ...] | None:
        """Return the tables of the next round from the top of the bracket; the final comes before the third place."""
        if len(finished) == self.rounds:
            return None
        if not finished:
            return tuple(tuple(sorted(table)) for table in self._first())
        ahead = tuple(_table(*pair) for pair in pairwise(map(winner, finished[-1])))[::2]
        losers = [player for result in finished[-1] for player in result.table if player != winner(result)]
        both_lost = self.third_place and len(ahead) == 1 and len(losers) == 2
        return (*ahead, _table(*losers)) if both_lost else ahead

    def bracket(self, finished: Sequence[Round]) -> tuple[tuple[tuple[Table, int | None], ...], ...]:
        """Return the tables of each finished round with their winners, and those of the next round with None."""
        over = tuple(tuple((result.table, winner(result)) for result in played) for played in finished)
        ahead = self.tables(finished)
        return over if ahead is None else (*over, tuple((table, None) for table in ahead))

    def _first(self) -> list[Table]:
        """Return the first round: 1 meets n, 2 meets n - 1 …; the best two can meet only in the final."""
        seeds = [0]
        while len(seeds) < self.players:
            last = 2 * len(seeds) - 1
            seeds = [seed for one in seeds for seed in (one, last - one)]
        return [tuple(seed for seed in pair if seed < self.players) for pair in pairwise(seeds)][::2]


def winner(result: TableResult) -> int:
    """Return the player that goes on: by points, then by the share of the scores, then by the better seed."""
    order = zip(result.half_points, result.shares, (-player for player in result.table), strict=True)
    return -max(order)[2]


def _table(one: int, other: int) -> Table:
    return min(one, other), max(one, other)
