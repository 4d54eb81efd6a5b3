"""Measures how long the event loop stood still, so that no player is charged for it.

A timer should ring every few milliseconds. When it, or anything else that looks, finds the last beat too long ago, the
process was not running: stopped, swapped out, collecting garbage, or busy with other games. The sum of all such delays
only grows; a game compares it with what it was when its question went out.
"""

from __future__ import annotations

import asyncio
import time

__all__ = ["Heartbeat"]

PERIOD_NS = 5_000_000
TOLERANCE_NS = 5_000_000
"""What a timer may be late without anybody having stood still."""
MEMORY_S = 0.5
"""How long ago a delay still counts for ``is_calm``."""
UNREST_NS = 250_000_000
"""Delays of so much within that time mean that the machine has more to do than it can."""


class Heartbeat:
    """Beats while somebody needs it. It belongs to one event loop."""

    def __init__(self) -> None:
        self.lag_ns = 0
        """All delays so far."""
        self._beat_ns = 0
        self._recent_ns = 0.0
        self._recent_at_ns = 0
        self._users = 0
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> Heartbeat:
        self._users += 1
        if self._users == 1:
            self._beat_ns = time.monotonic_ns()
            self._beat()
        return self

    def __exit__(self, *_: object) -> None:
        self._users -= 1
        if self._users == 0 and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def look(self, now_ns: int) -> None:
        """Notice a delay, whoever finds it first."""
        if self._timer is None:
            return
        late_ns = now_ns - self._beat_ns - PERIOD_NS
        if late_ns > TOLERANCE_NS:
            self.lag_ns += late_ns
            self._recent_ns = self._faded(now_ns) + late_ns
            self._recent_at_ns = now_ns
            self._beat_ns = now_ns

    def is_calm(self, now_ns: int) -> bool:
        """Say whether the loop keeps up with its work."""
        return self._faded(now_ns) < UNREST_NS

    def _faded(self, now_ns: int) -> float:
        """Return the recent delays, half of them forgotten after each ``MEMORY_S``."""
        passed_s = (now_ns - self._recent_at_ns) / 1e9
        return self._recent_ns * 0.5 ** (passed_s / MEMORY_S) if passed_s < 60 * MEMORY_S else 0.0

    def _beat(self) -> None:
        now_ns = time.monotonic_ns()
        self.look(now_ns)
        self._beat_ns = now_ns
        self._timer = asyncio.get_running_loop().call_later(PERIOD_NS / 1e9, self._beat)
