"""One player meets each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from hinterland.contest.pairings.rounds import check_added, check_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.contest.pairings.rounds import Round, Table


class Gauntlet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Player 0 meets each other in one round; those who are added, in a round of their own. Raises RulesError."""

    players: int
    """How many there are by now."""
    added: tuple[int, ...] = ()
    """How many there were before each addition."""

    def __post_init__(self) -> None:
        check_count("players", self.players, 2)
        check_added(self.players, self.added)

    def tables(self, finished: Sequence[Round]) -> tuple[Table, ...] | None:
        """Return the tables of player 0 with those who are new in this round."""
        steps, number = (1, *self.added, self.players), len(finished)
        if number > len(self.added):
            return None
        return tuple((0, other) for other in range(steps[number], steps[number + 1]))
