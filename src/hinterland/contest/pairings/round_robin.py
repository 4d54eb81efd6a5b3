"""Every player meets every other player once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland.contest.pairings.rounds import Growing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hinterland.contest.pairings.rounds import Round, Table


class RoundRobin(Growing, frozen=True):
    """All pairs in one round; each added player meets all others in a round of its own."""

    def tables(self, finished: Sequence[Round]) -> tuple[Table, ...] | None:
        """Return all pairs that the new players of this round add; early tables spread over all players."""
        steps, number = (0, *self.added, self.players), len(finished)
        return None if number > len(self.added) else tuple(_new_pairs(steps[number], steps[number + 1]))


def _new_pairs(before: int, players: int) -> Iterator[Table]:
    """Yield the pairs of players from number ``before`` on, with earlier players and among themselves."""
    for shift in range(before):
        for new in range(before, players):
            yield (new + shift) % before, new
    yield from circle(range(before, players))


def circle(players: Sequence[int]) -> Iterator[Table]:
    """Yield all pairs in the order of the circle method: one player stays, the others move by one place each turn.

    No player occurs twice in a turn of n // 2 pairs: E. Lucas, "Les jeux de demoiselles" (1883).
    """
    ring = [*players, *[-1] * (len(players) % 2)]
    half = len(ring) // 2
    for _ in range(len(ring) - 1):
        for one, other in zip(ring[:half], ring[:half - 1:-1], strict=True):
            if one >= 0 and other >= 0:
                yield min(one, other), max(one, other)
        ring.insert(1, ring.pop())
