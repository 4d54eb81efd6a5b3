"""Who plays, as lists and ladders know them: by what tells a player from everybody else of its name.

A guest is a name in one browser, so that two guests of a name are two players and nobody can play as another; a player
of the house is its spec; a bot has a name that the operator gave it, with a token or a command; any other player of a
contest is its name there. Who is none of these, as a bot that names itself, is nobody in particular.
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

UNNAMED = re.compile(r"(?:player|spieler|you|du) ?\d*", re.IGNORECASE)
"""What the pages call people who give no name."""
BY_SPEC, BY_OPERATOR, BY_CONTEST = "spec:", "operator:", "contest:"
LONGEST = 24


class PlayerKind(StrEnum):
    """What a player is."""

    HOUSE = "house"
    GUEST = "guest"
    BOT = "bot"
    ENTRANT = "entrant"


class Identity(msgspec.Struct, frozen=True):
    """A player that is known."""

    kind: PlayerKind
    name: str
    proof: str = ""
    """Of a guest the SHA-256 of the browser's cookie, of an entrant its contest."""

    @property
    def contest(self) -> str:
        """Where it plays, of an entrant."""
        return self.proof if self.kind == PlayerKind.ENTRANT else ""

    @property
    def slug(self) -> str:
        """The last part of the address of its page: letters of its name, and a digest that nobody else has."""
        name = self.name.strip().casefold() if self.kind == PlayerKind.GUEST else self.name
        told = msgspec.json.encode((self.kind, name.encode("utf-8", "surrogatepass").hex(), self.proof))
        plain = unicodedata.normalize("NFKD", name[:200]).encode("ascii", "ignore").decode().lower()
        letters = re.sub(r"[^a-z0-9]+", "-", plain)[:LONGEST].strip("-")
        return f"{letters or 'player'}-{hashlib.blake2b(told, digest_size=6).hexdigest()}"


def by_spec(spec: str) -> str:
    """Return the proof of a bot that is a player of the house."""
    return BY_SPEC + spec


def by_operator(name: str) -> str:
    """Return the proof of a bot that has its name from the operator."""
    return BY_OPERATOR + name


def by_contest(player: Identity) -> str:
    """Return the proof of a bot that is a player of a contest."""
    return by_spec(player.name) if player.kind == PlayerKind.HOUSE else BY_CONTEST + player.proof


@lru_cache(4096)
def page_of(seat: Seat) -> str | None:
    """Return the slug of who sits there, or None where that is nobody in particular."""
    who = of_seat(seat)
    return None if who is None else who.slug


def of_seat(seat: Seat) -> Identity | None:
    """Return who sits there, or None where that is nobody in particular."""
    match seat.kind, seat.proof:
        case "program", _:
            return Identity(PlayerKind.HOUSE, seat.name)
        case "person", proof if proof and not UNNAMED.fullmatch(seat.name.strip()):
            return Identity(PlayerKind.GUEST, seat.name, proof)
        case "bot", proof if proof.startswith(BY_SPEC):
            return Identity(PlayerKind.HOUSE, proof.removeprefix(BY_SPEC))
        case "bot", proof if proof.startswith(BY_OPERATOR):
            return Identity(PlayerKind.BOT, proof.removeprefix(BY_OPERATOR))
        case "bot", proof if proof.startswith(BY_CONTEST):
            return Identity(PlayerKind.ENTRANT, seat.name, proof.removeprefix(BY_CONTEST))
    return None


def of_entrant(contest: str, name: str, spec: str, house: Iterable[str]) -> Identity:
    """Return who a player of a contest is. ``house``: the names of the players of its game."""
    if spec.partition(":")[0] in house:
        return Identity(PlayerKind.HOUSE, spec)
    return Identity(PlayerKind.ENTRANT, name, contest)
