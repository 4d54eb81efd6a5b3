"""What the referee costs while it deals with a hostile player: memory of this process, and processes left behind."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

__all__ = ["Memory", "left_behind"]


class Memory:
    """Watches the peak of this process's resident memory, for several who want to know at a time."""

    def __init__(self) -> None:
        self._peaks: dict[object, tuple[int, int]] = {}

    def begin(self, who: object) -> None:
        """Begin to watch for somebody."""
        self._look()
        now_kib = _status("VmRSS")
        self._peaks[who] = (now_kib, now_kib)

    def growth_kib(self, who: object) -> int:
        """Return by how much the memory grew at most since ``begin``, and forget who wanted to know."""
        self._look()
        before_kib, peak_kib = self._peaks.pop(who)
        return peak_kib - before_kib

    def _look(self) -> None:
        """Take the peak since the last look, and let the system begin a new one."""
        peak_kib = max(_status("VmHWM"), _status("VmRSS"))
        self._peaks = {who: (before, max(peak, peak_kib)) for who, (before, peak) in self._peaks.items()}
        with contextlib.suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")


def left_behind(mark: str) -> int:
    """Return how many processes alive have a mark in their command line."""
    if sys.platform != "linux":
        return 0
    wanted, found = mark.encode(), 0
    for name in os.listdir("/proc"):  # noqa: PTH208
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:  # noqa: PTH123
                found += wanted in file.read()
        except OSError:
            continue
    return found


def _status(field: str) -> int:
    """Return a field of this process's status in KiB; 0 where there is none."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(field)), 0)
