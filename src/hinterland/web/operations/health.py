"""The health of an arena: its event loop, its folder, its disk and its helper processes."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from hinterland.errors import ArenaError
from hinterland.host.processes.background import Background
from hinterland.host.thread_pools import Workers

BEAT_S = 0.25
LAG_MEMORY_S = 10.0
"""How long a delay of the loop counts."""
MAX_LAG_S = 1.0
MIN_FREE_MIB = 64
DISK_TIMEOUT_S = 2.0
"""How long the disk may take to answer."""
DISK_ANSWER_AGE_S = 1.0
"""How long the answer of the disk is cached."""
RETRY_S = 5.0
"""Shortest time between two attempts to start a helper that failed."""
MIB = 1024 * 1024


class LoopLag:
    """Measures how late an event loop is, four times a second."""

    def __init__(self) -> None:
        self._delays: deque[tuple[float, float]] = deque(maxlen=round(LAG_MEMORY_S / BEAT_S))
        """(moment, delay) of each delay, in seconds."""
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to measure, in the running loop."""
        self._due = time.monotonic() + BEAT_S
        self._timer = asyncio.get_running_loop().call_later(BEAT_S, self._beat)

    def stop(self) -> None:
        """Stop; may be called twice."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    @property
    def worst_s(self) -> float:
        """The longest delay of the last ten seconds."""
        now = time.monotonic()
        late_s = now - self._due if self._timer is not None else 0.0
        return max([0.0, late_s, *(late_s for seen, late_s in self._delays if now - seen < LAG_MEMORY_S)])

    @property
    def fault(self) -> str:
        """Return in one line that the loop was too late; "" if it was not."""
        is_late = self.worst_s > MAX_LAG_S
        return f"the event loop was {self.worst_s:.1f} s late within the last {LAG_MEMORY_S:g} s" if is_late else ""

    def _beat(self) -> None:
        now = time.monotonic()
        self._delays.append((now, now - self._due))
        self.start()


class Health:
    """Checks the loop, the folder and the helpers of an arena. It belongs to the event loop."""

    def __init__(self, data: Path, helpers: Sequence[Background] = ()) -> None:
        """Check a data folder, and the helpers that draw and calculate in the background."""
        self.lag = LoopLag()
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
        if self.lag.fault:
            return self.lag.fault
        if fault := self._without_helpers():
            return fault
        if self._looking is None or (self._looking.done() and time.monotonic() - self._looked_at > DISK_ANSWER_AGE_S):
            self._looked_at = time.monotonic()
            self._looking = asyncio.ensure_future(self._threads.run(self._look))
        with contextlib.suppress(TimeoutError):
            return await asyncio.wait_for(asyncio.shield(self._looking), DISK_TIMEOUT_S)
        return f"the disk of the data folder has not answered for {DISK_TIMEOUT_S:g} s"

    def _without_helpers(self) -> str:
        """Return that helpers could not be started; tries them again now and then."""
        lame = next((one for one in self._helpers if one.fault), None)
        if lame is None:
            return ""
        is_idle = self._starting is None or self._starting.done()
        if is_idle and time.monotonic() - self._started_at > RETRY_S:
            self._started_at = time.monotonic()
            self._starting = asyncio.ensure_future(self._starters.run(_try_to_start, lame))
        return lame.fault

    def _look(self) -> str:
        """Check the disk; may block for long."""
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
