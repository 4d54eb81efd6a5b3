"""What a ladder comes to: who is how strong and how surely, how that went, and who met whom."""

from __future__ import annotations

import msgspec

from hinterland.storage.identities import Identity

FEW = 10
"""With fewer matches a rating is provisional."""
UNSURE = 400.0
"""With a wider interval, too."""


class RatingPoint(msgspec.Struct, frozen=True):
    """A rating at a moment."""

    at: int
    """When the last match began that counted for it, in seconds since 1970."""
    elo: float
    low: float
    """Where the 95 % interval begins."""
    high: float
    """Where it ends."""


class Meeting(msgspec.Struct, frozen=True):
    """What a player has come to against another, in games."""

    rival: str
    """The slug of the other."""
    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        """How many they have played."""
        return self.won + self.drawn + self.lost


class LadderPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A player on a ladder."""

    slug: str
    who: Identity
    """Without what proves it."""
    elo: float
    low: float
    high: float
    matches: int
    won: int
    """Games won alone."""
    drawn: int
    """Games in which it was first together with others."""
    lost: int
    last: int
    """When its last match began."""
    is_apart: bool
    """Whether it has met nobody who has met most of the others, so that its rating stands for itself."""
    history: tuple[RatingPoint, ...]
    """The last is that of now."""
    meetings: tuple[Meeting, ...]
    """The most frequent first."""

    @property
    def games(self) -> int:
        """How many it has played."""
        return self.won + self.drawn + self.lost

    @property
    def is_provisional(self) -> bool:
        """Say whether too little is known for a place among the others."""
        return self.is_apart or self.matches < FEW or self.high - self.low > UNSURE


class Ladder(msgspec.Struct, frozen=True):
    """A ladder at a moment."""

    games: int
    matches: int
    players: dict[str, LadderPlayer]
    """By slug, the strongest first."""
    shift: float
    """By how much all ratings were moved, so that levels stand about where their game's contest has rated them."""
    left_out: int
    """How many players have played less than any of these, and are not rated."""

    @property
    def ranked(self) -> list[LadderPlayer]:
        """Those who have a place, the strongest first."""
        return [player for player in self.players.values() if not player.is_provisional]

    @property
    def provisional(self) -> list[LadderPlayer]:
        """The others."""
        return [player for player in self.players.values() if player.is_provisional]
