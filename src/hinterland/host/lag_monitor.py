"""Measures how late the referee is, so that no player is charged for it, and notices when the machine stands still.

A timer should fire every few milliseconds; each firing is called a beat. If a beat comes late, the referee was busy: it
judged, waited for a thread that held the interpreter, or did not run at all. The monitor adds up all delays. A game
reads this sum before and after a request, and credits the player with the difference.

While a player thinks for long there are many brief delays, but only one of them can hold up its answer. Therefore, for
all brief delays during one request, a player is credited with at most ``BRIEF_DELAY_NS``. Longer delays are credited in
full.

Most delays are short, caused by the referee's own work or by built-in players. The machine stood still only if the
whole process, with all its threads, did nothing for a fifth of a second: it was stopped, swapped out, or without a
processor. Standstills are reported to people.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

BEAT_PERIOD_NS = 5_000_000
BEAT_TOLERANCE_NS = 5_000_000
"""Lateness, in nanoseconds, above which a beat counts as a delay."""
BRIEF_DELAY_NS = 30_000_000
"""Length, in nanoseconds, below which a delay is brief."""
STANDSTILL_NS = 200_000_000
"""The shortest idle time of the whole process, in nanoseconds, that counts as a standstill."""
LAG_MEMORY_S = 10.0
"""Seconds for which a delay is remembered."""
RECENT_LAG_HALF_LIFE_S = 0.5
"""Seconds in which a past delay loses half its weight for ``is_calm``."""
OVERLOAD_LAG_NS = 250_000_000
"""Weighted sum of recent delays, in nanoseconds, from which the machine counts as overloaded."""
CALM_CHECK_S = 0.05
"""Seconds between two looks at whether the machine has calmed down."""


class LagMonitor:
    """Measures while it is used as a context, or between ``start`` and ``stop``. It belongs to one event loop."""

    def __init__(
        self,
        period_ns: int = BEAT_PERIOD_NS,
        tolerance_ns: int = BEAT_TOLERANCE_NS,
        *,
        on_thread: bool = False,
    ) -> None:
        """``on_thread``: whether the beats come from a thread of their own, for use without an event loop."""
        self.lag_ns = 0
        """Sum of all delays, in nanoseconds."""
        self.brief_ns = 0
        """Sum of the brief delays, in nanoseconds."""
        self.standstills_ns: list[int] = []
        """Length of each standstill, in nanoseconds."""
        self._period_ns, self._tolerance_ns = period_ns, tolerance_ns
        self._on_thread = on_thread
        self._beat_ns = 0
        self._worked_ns = 0
        self._recent: deque[tuple[int, int]] = deque()
        """Moment and length of each delay that is remembered, in nanoseconds."""
        self._users = 0
        self._timer: asyncio.TimerHandle | None = None
        self._looking = threading.Lock()
        self._stopped = threading.Event()

    def __enter__(self) -> LagMonitor:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begin to measure, unless another user has begun before."""
        self._users += 1
        if self._users > 1:
            return
        self._note_beat(time.monotonic_ns())
        if self._on_thread:
            self._stopped.clear()
            threading.Thread(target=self._beat_on_thread, name="lag monitor", daemon=True).start()
        else:
            self._beat_in_loop()

    def stop(self) -> None:
        """Stop measuring once all users have stopped. An extra call does no harm."""
        self._users = max(self._users - 1, 0)
        if self._users:
            return
        self._stopped.set()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def notice_delay(self, now_ns: int) -> None:
        """Record a delay if the next beat is overdue."""
        with self._looking:
            self._notice_delay(now_ns)

    def _notice_delay(self, now_ns: int) -> None:
        late_ns = now_ns - self._beat_ns - self._period_ns
        if not self._users or late_ns <= self._tolerance_ns:
            return
        self.lag_ns += late_ns
        if late_ns < BRIEF_DELAY_NS:
            self.brief_ns += late_ns
        stood_ns = late_ns - (time.process_time_ns() - self._worked_ns)
        if stood_ns >= STANDSTILL_NS:
            self.standstills_ns.append(stood_ns)
        self._recent.append((now_ns, late_ns))
        while self._recent[0][0] < now_ns - LAG_MEMORY_S * 1e9:
            self._recent.popleft()
        self._note_beat(now_ns)

    def uncharged_ns(self, lag_ns: int, brief_ns: int) -> int:
        """Return how much delay to credit since this monitor's sums had the values ``lag_ns`` and ``brief_ns``.

        Brief delays are credited with at most ``BRIEF_DELAY_NS`` in all, longer ones in full.
        """
        brief_ns = self.brief_ns - brief_ns
        return self.lag_ns - lag_ns - brief_ns + min(brief_ns, BRIEF_DELAY_NS)

    def longest_standstill_ns(self, seen: int) -> int:
        """Return the length of the longest standstill, not counting the first ``seen``; 0 if there is none."""
        return max(self.standstills_ns[seen:], default=0)

    def is_calm(self, now_ns: int) -> bool:
        """Say whether the event loop keeps up with its work.

        Recent delays weigh most: the weight halves every half-life.
        """
        half_life_ns = RECENT_LAG_HALF_LIFE_S * 1e9
        weighted = (late_ns * 2 ** ((at_ns - now_ns) / half_life_ns) for at_ns, late_ns in self._recent)
        return sum(weighted) < OVERLOAD_LAG_NS

    @property
    def worst_s(self) -> float:
        """Length of the longest delay in the last ten seconds, in seconds."""
        with self._looking:
            now_ns = time.monotonic_ns()
            self._notice_delay(now_ns)
            return max((ns / 1e9 for at_ns, ns in self._recent if now_ns - at_ns < LAG_MEMORY_S * 1e9), default=0.0)

    def _note_beat(self, now_ns: int) -> None:
        self._beat_ns = now_ns
        self._worked_ns = time.process_time_ns()

    def _beat(self) -> None:
        with self._looking:
            now_ns = time.monotonic_ns()
            self._notice_delay(now_ns)
            self._note_beat(now_ns)

    def _beat_in_loop(self) -> None:
        self._beat()
        self._timer = asyncio.get_running_loop().call_later(self._period_ns / 1e9, self._beat_in_loop)

    def _beat_on_thread(self) -> None:
        while not self._stopped.wait(self._period_ns / 1e9):
            self._beat()


class Admission:
    """Admits games in the order of arrival. It belongs to one event loop.

    While the machine cannot keep up, new games wait, so that they do not slow running games further.
    """

    def __init__(self, at_once: int, lag_monitor: LagMonitor) -> None:
        self.running = 0
        """Number of games that are being played."""
        self._places = asyncio.Semaphore(at_once)
        self._entrance = asyncio.Lock()
        self._lag_monitor = lag_monitor

    @asynccontextmanager
    async def game(self) -> AsyncIterator[None]:
        """Wait until fewer than ``at_once`` games run and the machine keeps up; then hold a place for one game."""
        async with self._places:
            async with self._entrance:
                while self.running and not self._lag_monitor.is_calm(time.monotonic_ns()):
                    await asyncio.sleep(CALM_CHECK_S)
                self.running += 1
            try:
                yield
            finally:
                self.running -= 1
