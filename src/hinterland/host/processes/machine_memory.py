"""Out of memory on the machine itself: which processes the kernel ends first, and whether it has ended any.

The kernel ends the process with the highest priority (``oom_score_adj``): programs before helpers, which are replaced,
and helpers before the referee and everything else. A program that ends moments after such a kill is not to blame.
"""

from __future__ import annotations

import contextlib
import time
from collections import deque
from pathlib import Path

PROGRAM_KILL_PRIORITY, HELPER_KILL_PRIORITY = 1000, 500
"""From 0 to 1000; children inherit it."""
BLAME_S = 2.0
"""Seconds after a kill by the kernel in which the end of a program is blamed on it."""
VMSTAT = Path("/proc/vmstat")


def raise_kill_priority(mark: int, pid: int | str = "self") -> None:
    """Have a process ended before those of lower priority. One with a higher priority, or gone, is left alone."""
    with contextlib.suppress(OSError, ValueError), open(f"/proc/{pid}/oom_score_adj", "rb+", buffering=0) as file:  # noqa: PTH123
        if int(file.read()) < mark:
            file.write(b"%d" % mark)


class KillWatch:
    """Says whether the kernel has just ended processes for lack of memory."""

    def __init__(self) -> None:
        self._looks: deque[tuple[float, int]] = deque()

    def look(self) -> None:
        """Note how many it has ended by now. Call it once before the events that are asked about."""
        now = time.monotonic()
        self._looks.append((now, count_killed()))
        while len(self._looks) > 1 and self._looks[1][0] < now - BLAME_S:
            self._looks.popleft()

    def has_killed(self) -> bool:
        self.look()
        return self._looks[-1][1] > self._looks[0][1]


def count_killed() -> int:
    """Return how many processes it has ended for lack of memory since the machine started; 0 if unknown."""
    try:
        lines = VMSTAT.read_bytes().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(b"oom_kill ")), 0)
