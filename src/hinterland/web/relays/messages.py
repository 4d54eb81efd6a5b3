"""The messages between the arena and its relays.

Each relay reports every second which games it shows, and to how many viewers. After each change of such a game the
arena sends the whole state, in English, as viewers without a key see it. If a message is lost, the relay that has not
received a game requests it again.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from hinterland.web.live.page_messages import Snapshot

BEAT_S = 1.0
"""Seconds between two beats, the messages by which arena and relays show that they are there."""
SILENCE_TIMEOUT_S = 5.0
"""Seconds without a message after which a process counts as gone."""
ARENA, RELAYS = "arena", "relays"
"""Channels on which the arena sends its beats and relays send their reports."""
SHOWCASE, GAMES, TABLES = "showcase", "games", "tables"
"""First parts of addresses: ``showcase``, ``games/ID`` or ``tables/ID``."""


MAX_RELAYS, MAX_GAMES = 50, 200
"""Most relays, and most games that relays show: each of these games stays in the arena's memory."""
REPORT_BYTES = 64 * 1024
"""Longest report that is read."""
Address = Annotated[str, msgspec.Meta(max_length=120)]
People = Annotated[int, msgspec.Meta(ge=0, le=100_000)]


class Report(msgspec.Struct, frozen=True):
    """The games that a relay shows. A report comes from outside, so its size is limited."""

    relay: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    viewers: Annotated[dict[Address, People], msgspec.Meta(max_length=MAX_GAMES)]
    """By a game's address: the number of its viewers, which is 0 for a short time after the last has left."""
    awaited: Annotated[tuple[Address, ...], msgspec.Meta(max_length=MAX_GAMES)] = ()
    """Addresses of the games whose state has not arrived yet."""


class Shown(msgspec.Struct, frozen=True, tag="shown"):
    """The current state of a game."""

    snapshot: Snapshot


class Trouble(msgspec.Struct, frozen=True, tag="trouble"):
    """A remark for viewers."""

    message: str


class Closing(msgspec.Struct, frozen=True, tag="closing"):
    """The end of a game's feed: the code with which viewers' WebSockets are closed, and why."""

    code: int
    reason: str


Update = Shown | Trouble | Closing
