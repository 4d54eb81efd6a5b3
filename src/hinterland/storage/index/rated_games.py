"""Games that count for ladders, and the fields that ladders need beside those of lists."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import msgspec

from hinterland.storage.identities import Identity, PlayerKind


class RatedGame(msgspec.Struct, frozen=True):
    """A game that counts for a ladder."""

    match: str
    """Id shared by all games of one match."""
    number: int
    """Number of the game in the match, from 1."""
    left: tuple[str, ...]
    """Reason why each seat left; empty if it stayed."""
    course: str
    """Digest of rules and moves: a repeated game has the same."""
    is_official: bool = False
    """Whether it is a contest's game, which counts even if it repeats another."""


def can_be_rated(players: Sequence[Identity | None]) -> bool:
    """Say whether a game of these players can count.

    Each needs an identity, no two may be the same or share a browser, and one must come from outside. Games among
    built-in players alone count only in contests, where nobody chooses who plays.
    """
    known = [player for player in players if player is not None]
    browsers = [player.proof for player in known if player.kind == PlayerKind.GUEST]
    return (
        len(known) == len(players) >= 2
        and len({player.slug for player in known}) == len(known)
        and len(set(browsers)) == len(browsers)
        and any(player.kind != PlayerKind.HOUSE for player in known)
    )


def digest_moves(rules: bytes, moves: Iterable[object]) -> str:
    """Return a digest of rules and moves."""
    digest = hashlib.blake2b(rules, digest_size=12)
    digest.update(msgspec.json.encode(tuple(moves)))
    return digest.hexdigest()
