"""Measures how late the referee is, so that no player is charged for it, and notices when the machine stands still.

A timer should fire every few milliseconds. If the last beat was too long ago, the referee was busy: it judged, waited
for a thread that held the interpreter, or did not run at all. The sum of all delays only grows. A game compares it with
what it was when its request went out.

A player that thinks for long meets many brief delays, but only one of them can hold up its answer. So of all brief
delays a request is credited with at most the length of one. Longer delays count in full.

Most delays are short, caused by the referee's own work or by built-in players. The machine stood still only if the
whole process, with all its threads, did nothing for a fifth of a second: it was stopped, swapped out, or without a
processor. Such standstills are reported to people.
"""

from __future__ import annotations

import asyncio
import threading
import time

BEAT_PERIOD_NS = 5_000_000
BEAT_TOLERANCE_NS = 5_000_000
"""How late a beat may be before it counts as a delay."""
BRIEF_DELAY_NS = 30_000_000
"""A shorter delay is brief."""
STANDSTILL_NS = 200_000_000
"""The shortest idle time of the whole process that counts as a standstill."""
RECENT_LAG_HALF_LIFE_S = 0.5
"""Time in which a past delay loses half its weight for ``is_calm``."""
OVERLOAD_LAG_NS = 250_000_000
"""Weighted sum of recent delays from which on the machine counts as overloaded."""


class LagMonitor:
    """Beats while a game uses it as a context. It belongs to one event loop."""

    def __init__(self) -> None:
        self.lag_ns = 0
        """Sum of all delays."""
        self.brief_ns = 0
        """Sum of the brief delays."""
        self.standstills_ns: list[int] = []
        """Length of each standstill."""
        self._beat_ns = 0
        self._worked_ns = 0
        self._recent_ns = 0.0
        self._recent_at_ns = 0
        self._users = 0
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> LagMonitor:
        self._users += 1
        if self._users == 1:
            self._note_beat(time.monotonic_ns())
            self._beat()
        return self

    def __exit__(self, *_: object) -> None:
        self._users -= 1
        if self._users == 0:
            self._stop()

    def notice_delay(self, now_ns: int) -> None:
        """Record a delay, if the last beat is too long ago."""
        late_ns = now_ns - self._beat_ns - BEAT_PERIOD_NS
        if not self._users or late_ns <= BEAT_TOLERANCE_NS:
            return
        self.lag_ns += late_ns
        if late_ns < BRIEF_DELAY_NS:
            self.brief_ns += late_ns
        stood_ns = late_ns - (time.process_time_ns() - self._worked_ns)
        if stood_ns >= STANDSTILL_NS:
            self.standstills_ns.append(stood_ns)
        self._recent_ns = self._decay_recent_lag(now_ns) + late_ns
        self._recent_at_ns = now_ns
        self._note_beat(now_ns)

    def uncharged_ns(self, lag_ns: int, brief_ns: int) -> int:
        """Return how much of the delays since the two sums had these values no clock is charged for."""
        brief_ns = self.brief_ns - brief_ns
        return self.lag_ns - lag_ns - brief_ns + min(brief_ns, BRIEF_DELAY_NS)

    def longest_standstill_ns(self, seen: int) -> int:
        """Return the longest standstill, leaving out the first ``seen``."""
        return max(self.standstills_ns[seen:], default=0)

    def is_calm(self, now_ns: int) -> bool:
        """Say whether the loop keeps up with its work."""
        return self._decay_recent_lag(now_ns) < OVERLOAD_LAG_NS

    def _decay_recent_lag(self, now_ns: int) -> float:
        """Return the recent delays, whose weight halves every ``RECENT_LAG_HALF_LIFE_S``."""
        passed_s = (now_ns - self._recent_at_ns) / 1e9
        return (
            self._recent_ns * 0.5 ** (passed_s / RECENT_LAG_HALF_LIFE_S)
            if passed_s < 60 * RECENT_LAG_HALF_LIFE_S
            else 0.0
        )

    def _note_beat(self, now_ns: int) -> None:
        self._beat_ns = now_ns
        self._worked_ns = time.process_time_ns()

    def _beat(self) -> None:
        now_ns = time.monotonic_ns()
        self.notice_delay(now_ns)
        self._note_beat(now_ns)
        self._timer = asyncio.get_running_loop().call_later(BEAT_PERIOD_NS / 1e9, self._beat)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class ThreadedLagMonitor(LagMonitor):
    """Beats on a thread, where a player thinks and there is no event loop."""

    def __init__(self) -> None:
        super().__init__()
        self._looking = threading.Lock()
        self._stopped = threading.Event()

    def notice_delay(self, now_ns: int) -> None:
        with self._looking:
            super().notice_delay(now_ns)

    def _beat(self) -> None:
        self._stopped.clear()
        threading.Thread(target=self._beat_on, name="lag monitor", daemon=True).start()

    def _beat_on(self) -> None:
        while not self._stopped.wait(BEAT_PERIOD_NS / 1e9):
            with self._looking:
                now_ns = time.monotonic_ns()
                super().notice_delay(now_ns)
                self._note_beat(now_ns)

    def _stop(self) -> None:
        self._stopped.set()
