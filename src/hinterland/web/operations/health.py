"""The health of an arena: its event loop, its folder, its disk and its helper processes."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from hinterland.errors import ArenaError
from hinterland.host import lag_monitor
from hinterland.host.lag_monitor import LagMonitor
from hinterland.host.processes.background import Background
from hinterland.host.thread_pools import Workers

BEAT_PERIOD_NS = 250_000_000
MAX_LAG_S = 1.0
MIN_FREE_MIB = 64
DISK_TIMEOUT_S = 2.0
"""Seconds within which the disk must answer."""
DISK_ANSWER_AGE_S = 1.0
"""Seconds for which an answer of the disk is reused."""
RETRY_S = 5.0
"""Shortest time between two attempts to start a helper that failed."""
MIB = 1024 * 1024


class Health:
    """Checks the loop, the folder and the helpers of an arena. Call the methods only in the event loop."""

    def __init__(self, data: Path, helpers: Sequence[Background] = ()) -> None:
        """Check the data folder ``data``, and ``helpers``, the processes that draw and calculate in the background."""
        self.lag = LagMonitor(BEAT_PERIOD_NS, 0)
        self.is_ready = False
        """Whether the arena has begun and is not stopping."""
        self.free_mib = 0
        """Free space at the last check of the disk."""
        self._data = data
        self._threads = Workers(1, "health")
        self._looking: asyncio.Future[str] | None = None
        self._looked_at = 0.0
        self._helpers = helpers
        self._starters = Workers(1, "helper")
        self._starting: asyncio.Future[None] | None = None
        self._started_at = 0.0

    async def fault(self) -> str:
        """Return in one line why the arena is not healthy; "" if it is."""
        if fault := describe_lag(self.lag) or self._without_helpers():
            return fault
        if self._looking is None or (self._looking.done() and time.monotonic() - self._looked_at > DISK_ANSWER_AGE_S):
            self._looked_at = time.monotonic()
            self._looking = asyncio.ensure_future(self._threads.run(self._look))
        with contextlib.suppress(TimeoutError):
            return await asyncio.wait_for(asyncio.shield(self._looking), DISK_TIMEOUT_S)
        return f"the disk of the data folder has not answered for {DISK_TIMEOUT_S:g} s"

    def _without_helpers(self) -> str:
        """Return why helpers cannot be started, or "". Start a failed helper again, at most once in ``RETRY_S``."""
        lame = next((one for one in self._helpers if one.fault), None)
        if lame is None:
            return ""
        is_idle = self._starting is None or self._starting.done()
        if is_idle and time.monotonic() - self._started_at > RETRY_S:
            self._started_at = time.monotonic()
            self._starting = asyncio.ensure_future(self._starters.run(_try_to_start, lame))
        return lame.fault

    def _look(self) -> str:
        """Check the disk. This can take long."""
        try:
            self.free_mib = shutil.disk_usage(self._data).free // MIB
            if self.free_mib < MIN_FREE_MIB:
                return f"the disk of the data folder has {self.free_mib} MiB left, less than {MIN_FREE_MIB} MiB"
            with tempfile.TemporaryFile(dir=self._data) as file:
                file.write(b"\0")
        except OSError as error:
            return f"the data folder cannot be written: {error.strerror}"
        return ""


def _try_to_start(helpers: Background) -> None:
    with contextlib.suppress(ArenaError):
        helpers.warm_up()


def describe_lag(lag: LagMonitor) -> str:
    """If an event loop was delayed for too long, return a line that says so; else return ""."""
    worst_s = lag.worst_s
    within = f"within the last {lag_monitor.LAG_MEMORY_S:g} s"
    return f"the event loop was {worst_s:.1f} s late {within}" if worst_s > MAX_LAG_S else ""
