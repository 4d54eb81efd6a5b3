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
"""Interval of beats."""
SILENCE_TIMEOUT_S = 5.0
"""A process that sends nothing for longer counts as gone."""
ARENA, RELAYS = "arena", "relays"
"""Channels of the beats."""
SHOWCASE, GAMES, TABLES = "showcase", "games", "tables"
"""First parts of addresses: ``showcase``, ``games/ID`` or ``tables/ID``."""


MAX_RELAYS, MAX_GAMES = 50, 200
"""Most relays, and most games shown by relays: such a game stays in the arena's memory."""
REPORT_BYTES = 64 * 1024
"""Longest report that is read."""
Address = Annotated[str, msgspec.Meta(max_length=120)]
People = Annotated[int, msgspec.Meta(ge=0, le=100_000)]


class Report(msgspec.Struct, frozen=True):
    """The games that a relay shows. A report comes from outside, so its size is limited."""

    relay: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    viewers: Annotated[dict[Address, People], msgspec.Meta(max_length=MAX_GAMES)]
    """Number of viewers by address of the game; it may be 0 for a short time."""
    awaited: Annotated[tuple[Address, ...], msgspec.Meta(max_length=MAX_GAMES)] = ()
    """Addresses of the games whose state has not arrived yet."""


class Shown(msgspec.Struct, frozen=True, tag="shown"):
    """The current state of a game."""

    snapshot: Snapshot


class Trouble(msgspec.Struct, frozen=True, tag="trouble"):
    """A remark for viewers."""

    message: str


class Closing(msgspec.Struct, frozen=True, tag="closing"):
    """The end of a game's feed: how to close connections, and why."""

    code: int
    reason: str


Update = Shown | Trouble | Closing
