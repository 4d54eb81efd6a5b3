"""Memory of a program that is in no page of its processes: files in memory, inodes, data that waits in sockets.

Of a sandbox all of it is known: how full its two file systems are, and how many sockets its network has, including
those inside unread messages. Outside a sandbox only open files without a name are known to belong to a program.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

INODE_BYTES = 1024
SOCKET_BYTES, TCP_BYTES = 256 * 1024, 8 * 1024 * 1024
"""Most bytes that wait in a socket, as Linux sets its limits."""
MEMORY_FOLDERS = ("tmp", "dev/shm")
"""Folders in which a sandbox can be written."""


class HeldMemory(NamedTuple):
    """Sizes in bytes."""

    files: int = 0
    sockets: int = 0


NOTHING_HELD = HeldMemory()


def measure_in_sandbox(pids: Sequence[int], leader: int) -> HeldMemory:
    """Return what a sandbox holds. ``leader``: its outermost process, which is outside."""
    for pid in pids:
        if pid != leader and _has_own_root(pid):
            with contextlib.suppress(OSError, ValueError):  # it is gone: try another process
                return HeldMemory(
                    sum(_measure_file_system(f"/proc/{pid}/root/{place}") for place in MEMORY_FOLDERS),
                    _measure_sockets(pid),
                )
    return NOTHING_HELD


def _has_own_root(pid: int) -> bool:
    """Say whether a process is in the sandbox: before the sandbox exists, its root folder is the machine's."""
    try:
        return os.stat(f"/proc/{pid}/root").st_dev != os.stat("/").st_dev  # noqa: PTH116
    except OSError:
        return False


def measure_outside(pids: Iterable[int]) -> HeldMemory:
    """Return what processes hold in nameless files in memory (memfd), each counted once."""
    sizes: dict[int, int] = {}
    for pid in pids:
        with contextlib.suppress(OSError):
            for entry in os.scandir(f"/proc/{pid}/fd"):
                with contextlib.suppress(OSError):
                    file = entry.stat()
                    if file.st_dev == _memfd_device():
                        sizes[file.st_ino] = file.st_blocks * 512
    return HeldMemory(sum(sizes.values()))


@cache
def _memfd_device() -> int:
    """Return the number of the file system in which Linux keeps nameless files."""
    descriptor = os.memfd_create("which")
    try:
        return os.fstat(descriptor).st_dev
    finally:
        os.close(descriptor)


def _measure_file_system(place: str) -> int:
    found = os.statvfs(place)
    return (found.f_blocks - found.f_bfree) * found.f_frsize + (found.f_files - found.f_ffree) * INODE_BYTES


def _measure_sockets(pid: int) -> int:
    """Return what the sockets of a process's network may hold, from lines such as ``TCP: inuse 2 orphan 0 tw 0``.

    The orphans among them are those of the whole machine.
    """
    counts = {}
    with open(f"/proc/{pid}/net/sockstat", "rb") as lines:  # noqa: PTH123  (a few times a second)
        for line in lines:
            name, *words = line.split()
            counts[name] = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    return counts[b"sockets:"][b"used"] * SOCKET_BYTES + counts[b"TCP:"][b"inuse"] * TCP_BYTES
