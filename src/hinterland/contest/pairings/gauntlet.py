"""One player meets all others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland.contest.pairings.rounds import Growing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.contest.pairings.rounds import Round, Table


class Gauntlet(Growing, frozen=True):
    """Player 0 meets all others in one round; each added player meets it in a round of its own."""

    def tables(self, finished: Sequence[Round]) -> tuple[Table, ...] | None:
        """Return the tables of player 0 with the players that are new in this round."""
        steps, number = (1, *self.added, self.players), len(finished)
        if number > len(self.added):
            return None
        return tuple((0, other) for other in range(steps[number], steps[number + 1]))
