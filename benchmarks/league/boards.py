"""The boards of the league: sizes, spacings and numbers of stones in which players are strong for different reasons.

Spacing 66 on 1000 x 1000 is the course's rule. The smaller the spacing, the more a stone beside another takes, so each
size has boards of small spacing. The spacings of other sizes are these, scaled. The full list is not a product: each
size meets few and many stones, each spacing short and long games, and each rule a board of its own.
"""

from __future__ import annotations

from typing import Any

import msgspec

EVERY_PAIRING_DIFFERS = 1_000_000
"""The value of ``most_pairings`` on boards whose pairings differ."""
REPEATED_PAIRINGS = 2
"""Most pairings on a board without draws, where ``search`` plays the same game each time, or its mirror image."""


class Board(msgspec.Struct, frozen=True):
    """One board of the league, from which a contest is made."""

    size: int
    spacing: int
    stones: int
    weight: int | None = None
    law: str = "gravity"
    jitter: int = 0
    """Number of random first moves."""

    @property
    def name(self) -> str:
        """Size, spacing and stones, then what is special: such as 1000-66-3 or 100-1-10-w30."""
        special = (f"w{self.weight}" * bool(self.weight), self.law * (self.law != "gravity"), "jitter" * self.jitter)
        return "-".join([f"{self.size}-{self.spacing}-{self.stones}", *filter(None, special)])

    @property
    def rules(self) -> dict[str, Any]:
        """Options of the rules."""
        options = {"size": self.size, "spacing": self.spacing, "stones": self.stones}
        return options | ({"weight": self.weight} if self.weight else {}) | {"law": self.law}

    @property
    def most_pairings(self) -> int:
        """Most pairings that are worth playing. ``search`` draws among moves only where four stones are to come."""
        return REPEATED_PAIRINGS if self.stones == 1 and not self.jitter else EVERY_PAIRING_DIFFERS


FULL = (
    *(Board(1000, 66, stones) for stones in (1, 2, 3, 5, 7, 10, 15, 20)),
    *(Board(1000, 16, stones) for stones in (2, 5, 10)),
    *(Board(1000, 4, stones) for stones in (1, 3, 5, 10)),
    *(Board(1000, 1, stones) for stones in (2, 3, 7, 15)),
    *(Board(300, 20, stones) for stones in (3, 10, 20)),
    *(Board(300, 5, stones) for stones in (2, 7)),
    *(Board(300, 1, stones) for stones in (3, 10)),
    *(Board(100, 7, stones) for stones in (2, 5, 10)),
    *(Board(100, 1, stones) for stones in (1, 3, 7)),
    Board(10, 2, 3),
    Board(10, 1, 5),
    Board(3000, 198, 3),
    Board(3000, 12, 5),
    Board(1000, 66, 5, weight=1000),
    Board(300, 20, 3, weight=100),
    Board(100, 1, 10, weight=30),
    Board(1000, 66, 5, law="nearest"),
    Board(300, 1, 3, law="nearest"),
    Board(1000, 66, 2, jitter=1),
    Board(1000, 4, 3, jitter=1),
)
QUICK = (
    Board(1000, 66, 3),
    Board(1000, 16, 2),
    Board(1000, 4, 3),
    Board(1000, 1, 2),
    Board(300, 5, 2),
    Board(100, 1, 3),
    Board(300, 20, 3, weight=100),
    Board(300, 1, 3, law="nearest"),
)
"""Boards of two and three stones, so that all of them take minutes."""
