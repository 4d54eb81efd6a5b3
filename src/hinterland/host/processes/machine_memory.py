"""What happens when the machine itself has no memory: which processes the kernel ends first, and whether it ended any.

The kernel ends the process with the highest mark (``oom_score_adj``): programs before helpers, which are replaced, and
these before the referee and whatever else runs here. A program that ends within moments of such an end is not to blame.
"""

from __future__ import annotations

import contextlib
import time
from collections import deque
from pathlib import Path

PROGRAM_KILL_PRIORITY, HELPER_KILL_PRIORITY = 1000, 500
"""From 0 to 1000; a process and its children keep what it was given."""
BLAME_S = 2.0
"""How long after the kernel has ended a process the end of a program is taken for its work."""
VMSTAT = Path("/proc/vmstat")


def raise_kill_priority(mark: int, pid: int | str = "self") -> None:
    """Have a process ended before those with lower marks. One that has a higher mark, or is gone, is left alone."""
    with contextlib.suppress(OSError, ValueError), open(f"/proc/{pid}/oom_score_adj", "rb+", buffering=0) as file:  # noqa: PTH123
        if int(file.read()) < mark:
            file.write(b"%d" % mark)


class KillWatch:
    """Says whether the kernel has ended processes just now because there was no memory."""

    def __init__(self) -> None:
        self._looks: deque[tuple[float, int]] = deque()

    def look(self) -> None:
        """Note how many it has ended by now. The first look is to come before what is asked about."""
        now = time.monotonic()
        self._looks.append((now, count_killed()))
        while len(self._looks) > 1 and self._looks[1][0] < now - BLAME_S:
            self._looks.popleft()

    def has_killed(self) -> bool:
        """Say whether it has ended any within the last moments."""
        self.look()
        return self._looks[-1][1] > self._looks[0][1]


def count_killed() -> int:
    """Return how many processes it has ended for want of memory since the machine was started; 0 if nobody knows."""
    try:
        lines = VMSTAT.read_bytes().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(b"oom_kill ")), 0)
