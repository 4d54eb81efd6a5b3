"""Who plays what: the set-up of one game, fixed when it begins."""

from __future__ import annotations

import hashlib
import secrets
from functools import cached_property
from typing import Any, Literal

import msgspec

from hinterland import catalog
from hinterland.contract import Game, Rules
from hinterland.referee import match
from hinterland.referee.clock import TimeControl

NO_CLOCK = TimeControl(budget_ms=None)


class Seat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A seat is a person's, a program's, whose name is its spec in the catalogue, or a bot's from outside."""

    kind: Literal["person", "program", "bot"]
    name: str
    proof: str = ""
    """What tells who sits there from others of the name: the SHA-256 of the cookie of a person's browser; of a bot what
    ``identities.by_spec`` or ``by_operator`` return; empty where nothing does."""


RENAMED = {"game_name": "game", "rules_json": "rules"}


class Setup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True, rename=RENAMED):
    """All that is fixed about a game."""

    format: Literal["hinterland-game/1"] = "hinterland-game/1"
    id: str
    game_name: str
    rules_json: dict[str, Any]
    seats: tuple[Seat, ...]
    control: TimeControl
    seed: int | None
    key_sha256: str
    """Of the key that moves the persons' seats; the key itself is nowhere on the server."""
    started: str
    table: str | None = None
    """The table at which it was played, where it is a game of a match."""
    number: int = 1
    """Which game of that match, from 1."""
    guests: tuple[str, ...] = ()
    """The SHA-256 of the cookie of each browser that plays: to find one's games again, not to move in them."""
    is_casual: bool = False
    """Whether it counts for no ladder, as who began it wanted."""

    @cached_property
    def game(self) -> Game:
        """The game that is played. Raises UnknownName."""
        return catalog.game(self.game_name)

    @cached_property
    def rules(self) -> Rules:
        """Its rules. Raises RulesError."""
        return self.game.rules.from_json(self.rules_json)

    @cached_property
    def page_rules(self) -> dict[str, Any]:
        """Its rules for pages."""
        return self.game.page.rules(self.rules)

    @property
    def persons(self) -> tuple[int, ...]:
        """The persons' seats."""
        return tuple(number for number, seat in enumerate(self.seats) if seat.kind == "person")

    @property
    def names(self) -> tuple[str, ...]:
        """The names for a record: told apart."""
        return match.distinct([seat.name for seat in self.seats])

    def opens(self, key: str | None) -> bool:
        """Say whether a key is that of this game."""
        return key is not None and secrets.compare_digest(digest(key), self.key_sha256)


def new_id() -> str:
    """Draw the name of a game, which nobody can guess."""
    return secrets.token_urlsafe(12)


def new_key() -> str:
    """Draw a key."""
    return secrets.token_urlsafe(24)


def digest(key: str) -> str:
    """Hash a key."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
