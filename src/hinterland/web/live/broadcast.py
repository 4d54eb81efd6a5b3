"""Limits how often viewers are updated: as often as they can see, and never so often that a player waits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from hinterland.web.live.audience import Audience

UPDATE_INTERVAL_S = 0.05
"""Shortest time between two updates: programs may play thousands of moves a second."""
MAX_SNAPSHOTS_PER_S, MAX_BYTES_PER_S = 5000, 20_000_000
"""Approximate limits for all viewers together."""


class Broadcast:
    """Wakes an audience. It belongs to one event loop."""

    def __init__(self, audience: Audience, size: Callable[[], int]) -> None:
        """``size``: approximate bytes of one update."""
        self._audience = audience
        self._size = size
        self._waking: asyncio.TimerHandle | None = None
        self._woken_s = 0.0

    def wake_soon(self) -> None:
        """Wake everybody as soon as the interval allows."""
        if self._waking is not None:
            return
        wait_s = self._woken_s + self._pace_s - time.monotonic()
        if wait_s <= 0:
            self.wake_now()
        else:
            self._waking = asyncio.get_running_loop().call_later(wait_s, self.wake_now)

    def wake_now(self) -> None:
        """Wake everybody now."""
        if self._waking is not None:
            self._waking.cancel()
            self._waking = None
        self._woken_s = time.monotonic()
        self._audience.wake()

    @property
    def _pace_s(self) -> float:
        """Shortest interval between updates; it grows with the game and the number of viewers."""
        per_viewer_s = max(1 / MAX_SNAPSHOTS_PER_S, self._size() / MAX_BYTES_PER_S)
        return max(UPDATE_INTERVAL_S, len(self._audience) * per_viewer_s)
