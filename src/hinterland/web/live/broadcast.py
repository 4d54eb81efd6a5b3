"""How often viewers hear of a game that programs play: as often as they can see, and never so that a player waits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from hinterland.web.live.audience import Audience

UPDATE_INTERVAL_S = 0.05
"""Viewers are told so often at most: programs may play thousands of moves a second."""
MAX_SNAPSHOTS_PER_S, MAX_BYTES_PER_S = 5000, 20_000_000
"""Sent to all viewers together, about."""


class Broadcast:
    """Wakes an audience. It belongs to one event loop."""

    def __init__(self, audience: Audience, size: Callable[[], int]) -> None:
        """``size``: how many bytes one viewer is sent now, about."""
        self._audience = audience
        self._size = size
        self._waking: asyncio.TimerHandle | None = None
        self._woken_s = 0.0

    def wake_soon(self) -> None:
        """Wake everybody when it is time again."""
        if self._waking is not None:
            return
        wait_s = self._woken_s + self._pace_s - time.monotonic()
        if wait_s <= 0:
            self.wake_now()
        else:
            self._waking = asyncio.get_running_loop().call_later(wait_s, self.wake_now)

    def wake_now(self) -> None:
        """Wake everybody."""
        if self._waking is not None:
            self._waking.cancel()
            self._waking = None
        self._woken_s = time.monotonic()
        self._audience.wake()

    @property
    def _pace_s(self) -> float:
        """How long viewers wait for news at least: the longer the game and the larger the crowd, the longer."""
        per_viewer_s = max(1 / MAX_SNAPSHOTS_PER_S, self._size() / MAX_BYTES_PER_S)
        return max(UPDATE_INTERVAL_S, len(self._audience) * per_viewer_s)
