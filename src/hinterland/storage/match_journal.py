"""The journal of a match that a server hosts: who sits where, and which games it has, so that it goes on after a crash.

The moves are in the journals of its games. It is there as long as the match goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from hinterland.errors import RecordError
from hinterland.referee.clock import TimeControl
from hinterland.referee.verdicts import Illegal


class MatchSetup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line: all that is fixed about a match."""

    format: Literal["hinterland-match/1"] = "hinterland-match/1"
    id: str
    """Of its table."""
    game: str
    rules: dict[str, Any]
    control: TimeControl
    illegal: Illegal | None
    seed: int | None
    protocol: str
    house: tuple[str, ...]
    """Specs of the players of the house."""
    tokens: dict[str, str] | None
    """SHA-256 of each bot's token, by name, where bots need them."""
    port: int
    """0: none."""
    key_sha256: str
    """Of the key that closes the table."""
    is_challenge: bool = False
    """Whether somebody made it to play others: it has no port, and as many games as they want."""


class Seated(msgspec.Struct, frozen=True, tag_field="type", tag="seated", forbid_unknown_fields=True):
    """Somebody took a seat."""

    number: int
    name: str
    key_sha256: str | None = None
    """Of the key with which a person plays; None for a bot."""
    guest: str = ""
    """SHA-256 of the cookie of a person's browser."""


class GaveUp(msgspec.Struct, frozen=True, tag_field="type", tag="left", forbid_unknown_fields=True):
    """A person gave a seat up before the match began."""

    number: int


class Offered(msgspec.Struct, frozen=True, tag_field="type", tag="offered", forbid_unknown_fields=True):
    """Who made a challenge lets anybody take it, or no more."""

    to_all: bool


class Begun(msgspec.Struct, frozen=True, tag_field="type", tag="begun", forbid_unknown_fields=True):
    """The match began with these players from outside."""

    players: tuple[Seated, ...]


class GameBegun(msgspec.Struct, frozen=True, tag_field="type", tag="game", forbid_unknown_fields=True):
    """A game began; a later one of the same number is played instead."""

    number: int
    """Which game of the match, from 1."""
    id: str


class MatchSoFar(msgspec.Struct, frozen=True):
    """A match as its journal tells it."""

    setup: MatchSetup
    seated: tuple[Seated, ...]
    has_begun: bool
    games: tuple[str, ...]
    """The id of each game that has begun, the last may go on."""
    is_offered: bool = False
    """Whether anybody may take it, of a challenge."""


Line = Seated | GaveUp | Offered | Begun | GameBegun


def restore(lines: Sequence[bytes]) -> MatchSoFar:
    """Read a journal. Raises RecordError."""
    try:
        setup = msgspec.json.decode(lines[0] if lines else b"", type=MatchSetup)
        told = [msgspec.json.decode(line, type=Line) for line in lines[1:]]
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordError(f"its journal is damaged: {error}") from None
    seated: dict[int, Seated] = {}
    games: dict[int, str] = {}
    has_begun = is_offered = False
    for line in told:
        match line:
            case Seated(number):
                seated[number] = line
            case GaveUp(number):
                seated.pop(number, None)
            case Offered(is_offered):
                pass
            case Begun(players):
                has_begun, seated = True, {player.number: player for player in players}
            case GameBegun(number, game_id):
                games[number] = game_id
    begun = tuple(games[number] for number in sorted(games))
    return MatchSoFar(setup, tuple(seated.values()), has_begun, begun, is_offered)
