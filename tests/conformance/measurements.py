"""The cost of a hostile player for the referee: memory of this process, and processes left behind."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path

__all__ = ["MemoryWatch", "left_behind", "open_descriptors", "waited_ms"]


class MemoryWatch:
    """Watches the peak of this process's resident memory, for several observers at a time.

    Its growth is shared among all connections that were open meanwhile: nobody can tell whose it was.
    """

    def __init__(self) -> None:
        self._watches: dict[object, _Share] = {}

    def begin(self, who: object, connections: int) -> None:
        """Begin to watch for an observer that opens connections."""
        self._look()
        for watch in self._watches.values():
            watch.shared += connections
        now_kib = _status("VmRSS")
        others = sum(watch.connections for watch in self._watches.values())
        self._watches[who] = _Share(now_kib, now_kib, connections, connections + others)

    def growth_kib(self, who: object) -> float:
        """Return the greatest growth of memory since ``begin`` for each connection, and stop watching."""
        self._look()
        watch = self._watches.pop(who)
        return (watch.peak_kib - watch.before_kib) / watch.shared

    def _look(self) -> None:
        """Take the peak since the last look, and let the system begin a new one."""
        peak_kib = max(_status("VmHWM"), _status("VmRSS"))
        for watch in self._watches.values():
            watch.peak_kib = max(watch.peak_kib, peak_kib)
        with contextlib.suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")


@dataclass
class _Share:
    before_kib: int
    peak_kib: int
    connections: int
    shared: int


def waited_ms() -> float:
    """Return how long programs of this machine have waited for a processor in all; 0 if unknown."""
    try:
        words = Path("/proc/pressure/cpu").read_text().split("total=")
    except OSError:
        return 0.0
    return int(words[1].split()[0]) / 1000


def left_behind(tag: str) -> int:
    """Return how many living processes have a tag in their command line."""
    if sys.platform != "linux":
        return 0
    wanted, found = tag.encode(), 0
    for name in os.listdir("/proc"):  # noqa: PTH208
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:  # noqa: PTH123
                found += wanted in file.read()
        except OSError:
            continue
    return found


def open_descriptors() -> int:
    """Return how many files and connections this process has open; 0 if unknown."""
    try:
        return len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    except OSError:
        return 0


def _status(field: str) -> int:
    """Return a field of this process's status in KiB; 0 if absent."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(field)), 0)
