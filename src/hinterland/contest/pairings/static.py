"""Formats whose tables follow from the plan and the results, without search and without chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import msgspec

from hinterland.contest.pairings.rounds import Growing, Round, Table, TableResult, check_count, check_flag
from hinterland.errors import RulesError, quote

HasDecided = Callable[[bytes], bool]
"""A function that says whether a sequential test has reached its verdict.

It gets a byte for each match: player 0's half points, 0 to 4.
"""


class FixedTables(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One round, with the tables that the plan lists. Raises RulesError."""

    players: int
    """Number of players."""
    given: Sequence[Sequence[int]] = ()
    """Players of each table."""

    def __post_init__(self) -> None:
        tables = tuple(map(tuple, self.given))
        for table in tables:
            if len(set(table)) < max(len(table), 2) or not set(table) <= set(range(self.players)):
                last = self.players - 1
                raise RulesError(f"a table is a list of different players from 0 to {last}, not {quote(table)}")
        msgspec.structs.force_setattr(self, "given", tables)

    def tables(self, finished: Sequence[Round]) -> tuple[Table, ...] | None:
        """Return the listed tables once."""
        return None if finished else tuple(map(tuple, self.given))


class Gauntlet(Growing, frozen=True):
    """Player 0 meets all others in one round. Each player added later meets player 0 in a further round."""

    def tables(self, finished: Sequence[Round]) -> tuple[Table, ...] | None:
        """Return the tables of player 0 with the players that are new in this round."""
        steps, number = (1, *self.added, self.players), len(finished)
        if number > len(self.added):
            return None
        return tuple((0, other) for other in range(steps[number], steps[number + 1]))


class RoundRobin(Growing, frozen=True):
    """All pairs meet in one round. Each player added later meets all others in a further round."""

    def tables(self, finished: Sequence[Round]) -> tuple[Table, ...] | None:
        """Return all pairs with a player that is new in this round, in an order in which everybody soon plays."""
        steps, number = (0, *self.added, self.players), len(finished)
        return None if number > len(self.added) else tuple(_new_pairs(steps[number], steps[number + 1]))


def _new_pairs(before: int, players: int) -> Iterator[Table]:
    """Yield the pairs with a new player, numbered ``before`` or higher: with earlier players, then among themselves."""
    for shift in range(before):
        for new in range(before, players):
            yield (new + shift) % before, new
    yield from circle(range(before, players))


def circle(players: Sequence[int]) -> Iterator[Table]:
    """Yield all pairs in the order of the circle method: one player stays, the others move on by one place each turn.

    Each turn has n // 2 pairs, in which no player occurs twice: E. Lucas, "Les jeux de demoiselles" (1883).
    """
    ring = [*players, *[-1] * (len(players) % 2)]
    half = len(ring) // 2
    for _ in range(len(ring) - 1):
        for one, other in zip(ring[:half], ring[:half - 1:-1], strict=True):
            if one >= 0 and other >= 0:
                yield min(one, other), max(one, other)
        ring.insert(1, ring.pop())


class Knockout(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Players meet by their seeds, which are their numbers, and winners go on. Raises RulesError."""

    players: int
    """Number of players; unless it is a power of two, the best seeds have byes in the first round."""
    third_place: bool = False
    """Whether the losers of the semi-finals play for third place."""

    def __post_init__(self) -> None:
        check_count("players", self.players, 2)
        check_flag("third_place", self.third_place)

    @property
    def rounds(self) -> int:
        """Number of rounds."""
        return (self.players - 1).bit_length()

    def tables(self, finished: Sequence[Round]) -> tuple[Table, ...] | None:
        """Return the next round's tables, from the top of the bracket. The match for third place comes last."""
        if len(finished) == self.rounds:
            return None
        if not finished:
            return tuple(tuple(sorted(table)) for table in self._first())
        ahead = tuple(_table(*pair) for pair in pairwise(map(winner, finished[-1])))[::2]
        losers = [player for result in finished[-1] for player in result.table if player != winner(result)]
        both_lost = self.third_place and len(ahead) == 1 and len(losers) == 2
        return (*ahead, _table(*losers)) if both_lost else ahead

    def bracket(self, finished: Sequence[Round]) -> tuple[tuple[tuple[Table, int | None], ...], ...]:
        """Return for each round so far its tables with their winners, and the next round's tables with None."""
        over = tuple(tuple((result.table, winner(result)) for result in played) for played in finished)
        ahead = self.tables(finished)
        return over if ahead is None else (*over, tuple((table, None) for table in ahead))

    def _first(self) -> list[Table]:
        """Return the first tables: the best seed meets the last, and so on; the best two can meet only in the final."""
        seeds = [0]
        while len(seeds) < self.players:
            last = 2 * len(seeds) - 1
            seeds = [seed for one in seeds for seed in (one, last - one)]
        return [tuple(seed for seed in pair if seed < self.players) for pair in pairwise(seeds)][::2]


def winner(result: TableResult) -> int:
    """Return the player that goes on: by points; if these are equal, by shares of the scores; then by seed."""
    order = zip(result.half_points, result.shares, (-player for player in result.table), strict=True)
    return -max(order)[2]


def _table(one: int, other: int) -> Table:
    return min(one, other), max(one, other)


def never_decided(_: bytes) -> bool:
    """Never stop."""
    return False


class Sequential(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A candidate and a baseline meet in each round until a sequential test reaches its verdict. Raises RulesError."""

    players: int = 2
    """Always two: 0 is the candidate, 1 the baseline."""
    rounds: int = 1000
    """Greatest number of rounds."""
    has_decided: HasDecided = never_decided
    """Says whether the test has reached its verdict; called before each round."""

    def __post_init__(self) -> None:
        check_count("players", self.players, 2, 2)
        check_count("rounds", self.rounds, 1)

    def tables(self, finished: Sequence[Round]) -> tuple[Table, ...] | None:
        """Return the single table, until the test has decided or no round is left."""
        results = b"".join(result.pentanomial for played in finished for result in played)
        return None if len(finished) >= self.rounds or self.has_decided(results) else ((0, 1),)
