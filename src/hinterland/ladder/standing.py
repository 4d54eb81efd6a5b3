"""The content of a ladder: each player's rating and its uncertainty, the history of the rating, and who met whom."""

from __future__ import annotations

import msgspec

from hinterland.storage.identities import Identity

SURE_MATCHES = 10
"""A rating from fewer matches than this is provisional."""
SURE_ELO = 400.0
"""A rating whose 95 % interval is wider than this, in Elo, is provisional."""


class RatingPoint(msgspec.Struct, frozen=True):
    """A rating at a moment."""

    at: int
    """The start of the last game that counts for the rating, in seconds since 1970."""
    elo: float
    low: float
    """The lower end of the 95 % interval."""
    high: float
    """The upper end of the 95 % interval."""


class Meeting(msgspec.Struct, frozen=True):
    """A player's results against another player, in games."""

    rival: str
    """The other player's slug: the last part of the address of the player's page."""
    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        """Number of games in which the two have met."""
        return self.won + self.drawn + self.lost


class LadderPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A player on a ladder."""

    slug: str
    who: Identity
    """The identity, without its proof."""
    elo: float
    low: float
    high: float
    matches: int
    won: int
    """Games won alone."""
    drawn: int
    """Games in which the player shared the first place."""
    lost: int
    last: int
    """The start of the player's last game, in seconds since 1970."""
    is_apart: bool
    """Whether the rating cannot be compared with most others, because no chain of games connects the players."""
    history: tuple[RatingPoint, ...]
    """The rating at several moments, the last of which is the present."""
    meetings: tuple[Meeting, ...]
    """The most frequent opponent first."""

    @property
    def games(self) -> int:
        """Number of games that the player has played."""
        return self.won + self.drawn + self.lost

    @property
    def is_provisional(self) -> bool:
        """Say whether too little is known to rank the player."""
        return self.is_apart or self.matches < SURE_MATCHES or self.high - self.low > SURE_ELO


class Ladder(msgspec.Struct, frozen=True):
    """A ladder at a moment."""

    games: int
    matches: int
    players: dict[str, LadderPlayer]
    """By slug, the strongest first."""
    shift: float
    """Elo added to all ratings, so that the game's levels are rated about as ``Level.elo`` says."""
    left_out: int
    """Number of players left out of this ladder, because too many others are in more matches."""

    @property
    def ranked(self) -> list[LadderPlayer]:
        """Players with a rank, the strongest first."""
        return [player for player in self.players.values() if not player.is_provisional]

    @property
    def provisional(self) -> list[LadderPlayer]:
        """Players without a rank."""
        return [player for player in self.players.values() if player.is_provisional]
