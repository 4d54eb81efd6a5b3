"""Which games count for ladders, and what ladders want to know of them beside what lists tell."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import msgspec

from hinterland.storage.identities import Identity, PlayerKind


class RatedGame(msgspec.Struct, frozen=True):
    """What is kept of a game that counts."""

    match: str
    """By which the games of one match know each other."""
    number: int
    """Which of its games it was, from 1."""
    left: tuple[str, ...]
    """One a seat: why it left, empty where it stayed."""
    course: str
    """A digest of its rules and moves: a game that is played again alike has the same."""
    is_official: bool = False
    """Whether a contest had it played, so that it counts even where it repeats another."""


def are_rivals(players: Sequence[Identity | None]) -> bool:
    """Say whether a game of these counts: each is known, no two are one or share a browser, and somebody has come.

    The house among itself counts in contests alone, where nobody chooses what it plays.
    """
    known = [player for player in players if player is not None]
    browsers = [player.proof for player in known if player.kind == PlayerKind.GUEST]
    return (
        len(known) == len(players) >= 2
        and len({player.slug for player in known}) == len(known)
        and len(set(browsers)) == len(browsers)
        and any(player.kind != PlayerKind.HOUSE for player in known)
    )


def course_of(rules: bytes, moves: Iterable[object]) -> str:
    """Return a digest of rules and moves."""
    digest = hashlib.blake2b(rules, digest_size=12)
    digest.update(msgspec.json.encode(tuple(moves)))
    return digest.hexdigest()
