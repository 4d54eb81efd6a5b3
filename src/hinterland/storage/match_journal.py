"""The journal of a hosted match: its seats and games, so that it goes on after a crash.

The moves are in the journals of its games.
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
    game: str
    rules: dict[str, Any]
    control: TimeControl
    illegal: Illegal | None
    seed: int | None
    protocol: str
    house: tuple[str, ...]
    """Specs of the built-in players."""
    tokens: dict[str, str] | None
    """SHA-256 of each bot's token, by name; None if bots need none."""
    port: int
    """0: none."""
    key_sha256: str
    """Hash of the key that closes the match."""
    is_challenge: bool = False
    """Whether people play one another: then it has no port, and as many games as they want."""


class Seated(msgspec.Struct, frozen=True, tag_field="type", tag="seated", forbid_unknown_fields=True):
    """A player took a seat."""

    number: int
    name: str
    key_sha256: str | None = None
    """Hash of the key with which a person plays; None for a bot."""
    guest: str = ""
    """SHA-256 of a person's browser cookie."""


class GaveUp(msgspec.Struct, frozen=True, tag_field="type", tag="left", forbid_unknown_fields=True):
    """A person left a seat before the match began."""

    number: int


class Offered(msgspec.Struct, frozen=True, tag_field="type", tag="offered", forbid_unknown_fields=True):
    """The maker of a challenge opened it to everybody, or closed it again."""

    to_all: bool


class Begun(msgspec.Struct, frozen=True, tag_field="type", tag="begun", forbid_unknown_fields=True):
    """The match began; ``players`` are those from outside."""

    players: tuple[Seated, ...]


class GameBegun(msgspec.Struct, frozen=True, tag_field="type", tag="game", forbid_unknown_fields=True):
    """A game began; it replaces an earlier one of the same number."""

    number: int
    """Number of the game in the match, from 1."""
    id: str


class MatchSoFar(msgspec.Struct, frozen=True):
    """A match, restored from its journal."""

    setup: MatchSetup
    seated: tuple[Seated, ...]
    has_begun: bool
    games: tuple[str, ...]
    """Ids of the games that have begun; the last may still go on."""
    is_offered: bool = False
    """Whether it is a challenge that everybody may take."""


Line = Seated | GaveUp | Offered | Begun | GameBegun


def restore_match(lines: Sequence[bytes]) -> MatchSoFar:
    """Restore a match from the lines of its journal. Raises RecordError."""
    try:
        setup = msgspec.json.decode(lines[0] if lines else b"", type=MatchSetup)
        events = [msgspec.json.decode(line, type=Line) for line in lines[1:]]
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordError(f"its journal is damaged: {error}") from None
    seated: dict[int, Seated] = {}
    games: dict[int, str] = {}
    has_begun = is_offered = False
    for line in events:
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
