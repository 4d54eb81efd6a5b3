"""Admission limits how many games go on at once.

On a machine that cannot keep up, games wait; no player loses on time.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from hinterland.host.lag_monitor import LagMonitor

CALM_CHECK_S = 0.05
"""Seconds between two looks at whether the machine has calmed down."""


class Admission:
    """Admits games in the order in which they came. It belongs to one event loop."""

    def __init__(self, at_once: int, lag_monitor: LagMonitor) -> None:
        self.running = 0
        """Number of games that go on."""
        self._places = asyncio.Semaphore(at_once)
        self._entrance = asyncio.Lock()
        self._lag_monitor = lag_monitor

    @asynccontextmanager
    async def game(self) -> AsyncIterator[None]:
        """Wait for a place, and until the machine keeps up with the games that go on already."""
        async with self._places:
            async with self._entrance:
                while self.running and not self._lag_monitor.is_calm(time.monotonic_ns()):
                    await asyncio.sleep(CALM_CHECK_S)
                self.running += 1
            try:
                yield
            finally:
                self.running -= 1
