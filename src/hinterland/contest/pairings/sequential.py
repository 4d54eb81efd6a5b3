"""Two players meet until a test decides which is better."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from hinterland.contest.pairings.rounds import Round, Table, check_count

HasDecided = Callable[[bytes], bool]
"""Says whether results decide the test: the pentanomial of each match so far, in order, for player 0."""


def never_decided(_: bytes) -> bool:
    """Never stop."""
    return False


class Sequential(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A candidate and a baseline meet round after round until a test has decided. Raises RulesError."""

    players: int = 2
    """Always two: 0 is the candidate, 1 the baseline."""
    rounds: int = 1000
    """Most rounds."""
    has_decided: HasDecided = never_decided
    """The test, called before each round."""

    def __post_init__(self) -> None:
        check_count("players", self.players, 2, 2)
        check_count("rounds", self.rounds, 1)

    def tables(self, finished: Sequence[Round]) -> tuple[Table, ...] | None:
        """Return the single table, until the test has decided or no round is left."""
        results = b"".join(result.pentanomial for played in finished for result in played)
        return None if len(finished) >= self.rounds or self.has_decided(results) else ((0, 1),)
