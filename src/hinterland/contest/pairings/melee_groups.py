"""Melee groups: tables of more than two players, such that all pairs of players meet about equally often.

Local search makes the groups of a round. Two players in one group cost (m - m0)**2, where m is the number of times that
these two have met, and m0 the smallest such number of any pair. A descent starts from random groups; it swaps the two
players whose swap lowers the sum of the costs most, until no swap lowers it. Of many descents the one that ends with
the lowest sum is used. In all trials the numbers of meetings of any two pairs differed by at most two. Whether a
difference of one is always possible is the "social golfer" problem, which is open in general.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hinterland.contest.pairings.rounds import Growing, check_count, count_meetings, make_dice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.contest.pairings.rounds import Round, Table
    from hinterland.dice import Dice

DESCENTS_TIMES_PLAYERS = 1600
"""Product of the number of descents and the number of players; there is always one descent at least."""


class MeleeGroups(Growing, frozen=True, kw_only=True):
    """Tables of more than two players; all pairs meet about equally often. Raises RulesError."""

    seed: int = 0
    """Seed of the random groups."""
    table: int = 3
    """Number of players at a table. Players left over rest for a round; those that have played most rounds rest
    first."""
    rounds: int | None = None
    """Number of rounds, and of further rounds after each addition of players. None: ``default_group_rounds``."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count("table", self.table, 2, (*self.added, self.players)[0])
        if self.rounds is not None:
            check_count("rounds", self.rounds, 1)
        make_dice(self.seed, 0)

    def tables(self, finished: Sequence[Round]) -> tuple[Table, ...] | None:
        """Return the groups of the next round; a player that rests is in no group."""
        players = self._players(len(finished))
        if players is None:
            return None
        met, played = count_meetings(finished, players)
        dice = make_dice(self.seed, len(finished))
        seats = players - players % self.table
        playing = np.sort(np.lexsort((dice.shares(players), played))[:seats])
        groups = _make_groups(met[np.ix_(playing, playing)], self.table, dice)
        return tuple(sorted(tuple(playing[groups == group].tolist()) for group in range(seats // self.table)))

    def _players(self, number: int) -> int | None:
        """Return how many players there are in round ``number``, from 0; None after the last round."""
        for players in (*self.added, self.players):
            number -= self.rounds or default_group_rounds(players, self.table)
            if number < 0:
                return players
        return None


def default_group_rounds(players: int, table: int) -> int:
    """Return the number of pairs, divided by the number of pairs that meet in one round, rounded up."""
    together = players // table * table * (table - 1)
    return -(-players * (players - 1) // together)


def _make_groups(met: np.ndarray, size: int, dice: Dice) -> np.ndarray:
    """Return each player's group, from the best of several descents.

    ``met``: int64[players, players], how often each two players have met.
    """
    cost = (met - met[np.triu_indices(len(met), 1)].min()) ** 2
    np.fill_diagonal(cost, 0)
    found = [_descend(cost, size, dice) for _ in range(max(DESCENTS_TIMES_PLAYERS // len(met), 1))]
    return min(found, key=lambda groups: int(cost[groups[:, None] == groups].sum()))


def _descend(cost: np.ndarray, size: int, dice: Dice) -> np.ndarray:
    """Return each player's group after one descent from random groups.

    ``cost``: int64[players, players], the cost of having two players in one group.
    """
    groups = np.argsort(dice.shares(len(cost)), kind="stable") // size
    while True:
        inside = cost @ (groups[:, None] == np.arange(len(cost) // size))
        there = inside[:, groups]
        here = np.diagonal(there)
        change = np.where(groups[:, None] == groups, 0, there + there.T - here[:, None] - here - 2 * cost)
        one, other = divmod(int(change.argmin()), len(cost))
        if change[one, other] >= 0:
            return groups
        groups[[one, other]] = groups[[other, one]]
