"""The set-up of one game: rules, seats and clock, fixed when it begins."""

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
from hinterland.referee.game_terms import GameTerms

NO_CLOCK = TimeControl(budget_ms=None)


class Seat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The player of one seat: a person, a built-in player (kind "program") or a bot from outside."""

    kind: Literal["person", "program", "bot"]
    name: str
    """The player's name; for a built-in player, its spec."""
    proof: str = ""
    """Distinguishes this player from others with the same name. For a person it is the SHA-256 of the browser's cookie,
    for a bot what ``spec_proof``, ``operator_proof`` or ``contest_proof`` of ``identities`` returns. Empty: no
    proof."""


JSON_NAMES = {"game_name": "game", "rules_json": "rules"}


class Setup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True, rename=JSON_NAMES):
    """The first line of a game's journal."""

    format: Literal["hinterland-game/1"] = "hinterland-game/1"
    id: str
    game_name: str
    rules_json: dict[str, Any]
    seats: tuple[Seat, ...]
    control: TimeControl
    seed: int | None
    key_sha256: str
    """SHA-256 of the key that a browser shows to move; the server does not keep the key itself."""
    started: str
    table: str | None = None
    """Id of the game's match; None if the game belongs to no match."""
    number: int = 1
    """Number of the game in its match, from 1."""
    guests: tuple[str, ...] = ()
    """SHA-256 of the cookie of each browser that plays, to list a person's games; only the key permits moves."""
    is_casual: bool = False
    """Whether the person or program that set the game up asked that it should count for no ladder."""

    @cached_property
    def game(self) -> Game:
        """The game's entry of the catalogue. Raises UnknownName."""
        return catalog.game(self.game_name)

    @cached_property
    def rules(self) -> Rules:
        """Rules of the game. Raises RulesError."""
        return self.game.rules.from_json(self.rules_json)

    @cached_property
    def page_rules(self) -> dict[str, Any]:
        """The rules as JSON values for pages, made by ``Page.rules``."""
        return self.game.page.rules(self.rules)

    @property
    def persons(self) -> tuple[int, ...]:
        """Seats in which persons sit."""
        return tuple(number for number, seat in enumerate(self.seats) if seat.kind == "person")

    @property
    def names(self) -> tuple[str, ...]:
        """Names as records have them: the second player of one name is ``name#2``."""
        return match.distinct([seat.name for seat in self.seats])

    @property
    def terms(self) -> GameTerms:
        """Terms of the game. Raises RulesError."""
        return GameTerms(
            rules=self.rules, names=self.names, clock=self.control, seed=self.seed, number=self.number
        )

    def has_key(self, key: str | None) -> bool:
        """Say whether a key is this game's key."""
        return key is not None and secrets.compare_digest(hash_key(key), self.key_sha256)


def new_id() -> str:
    """Draw an id that nobody can guess."""
    return secrets.token_urlsafe(12)


def new_key() -> str:
    """Draw a key that nobody can guess."""
    return secrets.token_urlsafe(24)


def hash_key(key: str) -> str:
    """Return the SHA-256 of a key or cookie."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
