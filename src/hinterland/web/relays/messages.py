"""The messages between the arena and its relays.

Each relay reports every second which games it shows, and to how many viewers; the arena answers with the whole state of
those games at every change, in English, as viewers without a key see them. A lost message is not missed for long: a
relay that has not received a game repeats its request.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from hinterland.web.live.page_messages import Snapshot

BEAT_S = 1.0
"""Interval of beats."""
SILENCE_TIMEOUT_S = 5.0
"""A process silent for longer counts as gone."""
ARENA, RELAYS = "arena", "relays"
"""Channels of the beats."""
SHOWCASE, GAMES, TABLES = "showcase", "games", "tables"
"""Parts of a game's address: the show, or a kind, a slash and an id."""


MAX_RELAYS, MAX_GAMES = 50, 200
"""Most relays and games: a game shown stays in the arena's memory, which played games need."""
REPORT_BYTES = 64 * 1024
"""Longest report; a longer one is not read."""
Address = Annotated[str, msgspec.Meta(max_length=120)]
People = Annotated[int, msgspec.Meta(ge=0, le=100_000)]


class Report(msgspec.Struct, frozen=True):
    """What a relay shows. It comes from outside, and is bounded."""

    relay: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    viewers: Annotated[dict[Address, People], msgspec.Meta(max_length=MAX_GAMES)]
    """Viewers by address; may be 0 for a moment."""
    awaited: Annotated[tuple[Address, ...], msgspec.Meta(max_length=MAX_GAMES)] = ()
    """Addresses whose state has not arrived yet."""


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
