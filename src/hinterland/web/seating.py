"""Who plays what: the set-up of one game, fixed when it begins."""

from __future__ import annotations

import hashlib
import secrets
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from hinterland import catalog
from hinterland.referee import match
from hinterland.referee.clock import TimeControl

if TYPE_CHECKING:
    from hinterland.contract import Game, Player, Rules

__all__ = ["NO_CLOCK", "Seat", "Setup", "digest", "new_id", "new_key"]

NO_CLOCK = TimeControl(budget_ms=None)


class Seat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat is a person's or a program's; a program's name is its spec in the catalogue."""

    kind: Literal["person", "program"]
    name: str


RENAMED = {"game_name": "game", "rules_json": "rules"}


class Setup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True, rename=RENAMED):
    """All that is fixed about a game."""

    format: Literal["hinterland-game/1"] = "hinterland-game/1"
    id: str
    game_name: str
    rules_json: dict[str, Any]
    seats: tuple[Seat, ...]
    control: TimeControl
    seed: int
    key_sha256: str
    """Of the key that moves the persons' seats; the key itself is nowhere on the server."""
    started: str

    @cached_property
    def game(self) -> Game:
        """The game that is played. Raises UnknownName."""
        return catalog.game(self.game_name)

    @cached_property
    def rules(self) -> Rules:
        """Its rules. Raises RulesError."""
        return self.game.rules.from_json(self.rules_json)

    @cached_property
    def brief(self) -> dict[str, Any]:
        """Its rules for pages."""
        return self.rules.brief()

    @cached_property
    def programs(self) -> dict[int, Player]:
        """The players of the programs' seats."""
        return {
            number: catalog.player(self.game, seat.name)
            for number, seat in enumerate(self.seats)
            if seat.kind == "program"
        }

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
