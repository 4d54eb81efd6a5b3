"""What the arena and its relays say to one another.

Each relay says every second which games it shows, and to how many; the arena answers with every change of those games,
each as a whole, in English and as somebody sees it who only watches. Nothing that is lost is missed for long: a relay
that has heard nothing of a game yet says so until it has.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from hinterland.web.live.snapshot import Snapshot

BEAT_S = 1.0
"""How often each says that it is there."""
SILENCE_TIMEOUT_S = 5.0
"""Who has said nothing for so long is not there any more."""
ARENA, RELAYS = "arena", "relays"
"""Where each says that it is there."""
SHOWCASE, GAMES, TABLES = "showcase", "games", "tables"
"""What games are asked for by: the show; a room, a slash and an id."""


MAX_RELAYS, MAX_GAMES = 50, 200
"""That are heard of: a game that is shown stays in the memory of the arena, where those that are played want room."""
REPORT_BYTES = 64 * 1024
"""Of one report; what is longer is not read."""
Address = Annotated[str, msgspec.Meta(max_length=120)]
People = Annotated[int, msgspec.Meta(ge=0, le=100_000)]


class Report(msgspec.Struct, frozen=True):
    """What a relay shows. It comes from outside, and is bounded."""

    relay: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    viewers: Annotated[dict[Address, People], msgspec.Meta(max_length=MAX_GAMES)]
    """How many watch, by address; it may be nobody for a moment."""
    awaited: Annotated[tuple[Address, ...], msgspec.Meta(max_length=MAX_GAMES)] = ()
    """Of these, what it has not heard of yet."""


class Shown(msgspec.Struct, frozen=True, tag="shown"):
    """A game, as it is now."""

    snapshot: Snapshot


class Trouble(msgspec.Struct, frozen=True, tag="trouble"):
    """What viewers are told besides."""

    message: str


class Closing(msgspec.Struct, frozen=True, tag="closing"):
    """There is no more to be seen: how connections are closed, and why."""

    code: int
    reason: str


Told = Shown | Trouble | Closing
