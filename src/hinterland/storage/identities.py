"""Identities of players, for lists and ladders: they distinguish players that have the same name.

- A guest is a name in one browser. Two guests of one name are two players, and nobody can play as another.
- A built-in player is identified by its spec.
- A bot is identified by its name if the operator gave it this name, with a token or a command.
- Any other player of a contest is identified by the contest's name and its own name in the contest.

All other players, such as a bot that gave its name itself, have no identity.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache

import msgspec

from hinterland.storage.game_setup import Seat

DEFAULT_NAME = re.compile(r"(?:player|spieler|you|du) ?\d*", re.IGNORECASE)
"""Names that the pages give to people who chose no name."""
SPEC_PREFIX, OPERATOR_PREFIX, CONTEST_PREFIX = "spec:", "operator:", "contest:"
MAX_SLUG_LETTERS = 24


class PlayerKind(StrEnum):
    """Kind of player; ``HOUSE`` is a built-in player, ``ENTRANT`` a player of a contest."""

    HOUSE = "house"
    GUEST = "guest"
    BOT = "bot"
    ENTRANT = "entrant"


class Identity(msgspec.Struct, frozen=True):
    """A player with an identity."""

    kind: PlayerKind
    name: str
    proof: str = ""
    """For a guest the SHA-256 of the browser's cookie, for an entrant the name of the contest, else empty."""

    @property
    def contest(self) -> str:
        """Name of an entrant's contest; empty for other players."""
        return self.proof if self.kind == PlayerKind.ENTRANT else ""

    @property
    def slug(self) -> str:
        """The last part of the address of the player's page: letters of the name and a digest of the identity."""
        name = self.name.strip().casefold() if self.kind == PlayerKind.GUEST else self.name
        encoded = msgspec.json.encode((self.kind, name.encode("utf-8", "surrogatepass").hex(), self.proof))
        plain = unicodedata.normalize("NFKD", name[:200]).encode("ascii", "ignore").decode().lower()
        letters = re.sub(r"[^a-z0-9]+", "-", plain)[:MAX_SLUG_LETTERS].strip("-")
        return f"{letters or 'player'}-{hashlib.blake2b(encoded, digest_size=6).hexdigest()}"


def spec_proof(spec: str) -> str:
    """Return ``Seat.proof`` of a bot that is really a built-in player."""
    return SPEC_PREFIX + spec


def operator_proof(name: str) -> str:
    """Return ``Seat.proof`` of a bot to which the operator gave its name."""
    return OPERATOR_PREFIX + name


def contest_proof(player: Identity) -> str:
    """Return ``Seat.proof`` of a bot that plays in a contest."""
    return spec_proof(player.name) if player.kind == PlayerKind.HOUSE else CONTEST_PREFIX + player.proof


@lru_cache(4096)
def slug_of_seat(seat: Seat) -> str | None:
    """Return the slug of a seat's player, or None if the player has no identity."""
    who = identify_seat(seat)
    return None if who is None else who.slug


def identify_seat(seat: Seat) -> Identity | None:
    """Return the identity of a seat's player, or None if the player has none."""
    match seat.kind, seat.proof:
        case "program", _:
            return Identity(PlayerKind.HOUSE, seat.name)
        case "person", proof if proof and not DEFAULT_NAME.fullmatch(seat.name.strip()):
            return Identity(PlayerKind.GUEST, seat.name, proof)
        case "bot", proof if proof.startswith(SPEC_PREFIX):
            return Identity(PlayerKind.HOUSE, proof.removeprefix(SPEC_PREFIX))
        case "bot", proof if proof.startswith(OPERATOR_PREFIX):
            return Identity(PlayerKind.BOT, proof.removeprefix(OPERATOR_PREFIX))
        case "bot", proof if proof.startswith(CONTEST_PREFIX):
            return Identity(PlayerKind.ENTRANT, seat.name, proof.removeprefix(CONTEST_PREFIX))
    return None


def identify_entrant(contest: str, name: str, spec: str, built_in: Iterable[str]) -> Identity:
    """Return the identity of a player of a contest. ``built_in``: names of the game's built-in players."""
    if spec.partition(":")[0] in built_in:
        return Identity(PlayerKind.HOUSE, spec)
    return Identity(PlayerKind.ENTRANT, name, contest)
