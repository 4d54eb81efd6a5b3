"""A game judged in another process, as a relay has received it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import msgspec

from hinterland.errors import IllegalMove
from hinterland.web.live.audience import Audience
from hinterland.web.live.page_messages import Snapshot, ViewerMessage, ViewerPong, translate_snapshot
from hinterland.web.live.viewer_connection import ConnectionEnd
from hinterland.web.relays.messages import Closing, Shown, Trouble, Update


class RelayedGame:
    """The received state. It belongs to the event loop."""

    def __init__(self, counted: Callable[[], None]) -> None:
        """Make one without a state. ``counted``: see ``Audience``."""
        self.audience = Audience(counted, self._size)
        self.left_s = time.monotonic()
        """When a viewer last asked for it or left."""
        self._snapshot: Snapshot | None = None
        self._heard_s = 0.0
        self._closing: Closing | None = None
        self._is_known = asyncio.Event()

    @property
    def is_awaited(self) -> bool:
        """Say whether no state has arrived yet."""
        return self._snapshot is None

    async def known(self) -> None:
        """Wait for the first state. Raises ConnectionEnd if it cannot be shown."""
        self.left_s = time.monotonic()
        await self._is_known.wait()
        if self._closing is not None:
            raise ConnectionEnd(self._closing.code, self._closing.reason)

    def hear(self, update: Update) -> None:
        """Show a received message."""
        match update:
            case Shown(shot):
                self._snapshot, self._heard_s = shot, time.monotonic()
                self._is_known.set()
                self.audience.wake_soon()
            case Trouble(message):
                for viewer in self.audience:
                    viewer.complain(message)
            case Closing():
                self.close(update)

    def close(self, closing: Closing) -> None:
        """Close."""
        self._closing = closing
        self._is_known.set()
        self.audience.dismiss(closing.code, closing.reason)

    def encode_for(self, key: str | None) -> bytes:  # noqa: ARG002
        """Return the current game, encoded, in the reader's language."""
        assert self._snapshot is not None
        return msgspec.json.encode(_age_clock(translate_snapshot(self._snapshot), time.monotonic() - self._heard_s))

    def own_places(self, key: str | None) -> frozenset[int]:  # noqa: ARG002
        """Return no places: nobody plays here."""
        return frozenset()

    async def arrive(self, key: str | None) -> None:
        """Do nothing: only the arena waits for viewers."""

    def leave(self, key: str | None) -> None:  # noqa: ARG002
        """Note that a viewer has left."""
        self.left_s = time.monotonic()

    async def act(self, key: str | None, message: ViewerMessage) -> None:  # noqa: ARG002
        """Refuse: players connect to the arena itself. Raises IllegalMove."""
        if not isinstance(message, ViewerPong):
            raise IllegalMove("not_yours", "you are watching: only players can do that")

    def _size(self) -> int:
        """Return the bytes of moves in one update."""
        return 0 if self._snapshot is None else len(memoryview(self._snapshot.moves))


def _age_clock(shot: Snapshot, seconds: float) -> Snapshot:
    """Return an older snapshot with the time since then taken off the running clock."""
    seat, left = shot.to_move, shot.left_ms
    if seat is None or left is None or left[seat] is None or shot.clock_stands:
        return shot
    now_ms = max((left[seat] or 0) - round(1000 * seconds), 0)
    return msgspec.structs.replace(shot, left_ms=(*left[:seat], now_ms, *left[seat + 1 :]))
