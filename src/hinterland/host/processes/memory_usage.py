"""Measures the memory of programs and of this machine, and tells the kernel which processes to end first.

What counts is memory in use: a program's own pages and page tables, each shared page once, swapped pages, and the
kernel's data for each mapping. Reserved addresses and mapped files cost the machine nothing. Only Linux provides these
figures. The figures are read from /proc directly, since psutil takes four times as long for all processes. And psutil
lacks page tables, the pages that some processes share, the states of threads, and what the kernel ends and in which
order.

Other memory is in no page of a process: files in memory, inodes, data that waits in sockets. For a sandbox all such
memory is known: from the space used in its two file systems, and from the number of sockets in its network, which
includes sockets that wait in unread messages. Outside a sandbox only open files without a name are known to belong to a
program.

If the machine has no memory left, the kernel ends the process with the highest ``oom_score_adj``. Programs are ended
first, then helpers, which are replaced, and last the referee and all else. If a program ends moments after the kernel
has ended a process in this way, the program is not to blame.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections import deque
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import psutil

MIB = 1024 * 1024
MEMORY_MAX = Path("/sys/fs/cgroup/memory.max")
OWN_KEYS, OWN_FILE_KEYS = (b"RssAnon:", b"VmSwap:"), (b"RssShmem:",)
"""Lines of /proc/PID/status: a process's own memory, and its files in memory. A shared page counts for each process."""
SHARED_KEYS, SHARED_FILE_KEYS = (b"Pss_Anon:", b"SwapPss:"), (b"Pss_Shmem:",)
"""Lines of /proc/PID/smaps_rollup with a process's own memory, and with its files in memory. Each page is divided by
the number of processes that share it."""
PAGE_TABLE_KEYS = (b"VmPTE:",)
PEAK_KEYS = (b"VmHWM:",)
MAPPING_BYTES = 512
"""Kernel memory for each mapping: 225 bytes in Linux 6.18, and about as much again for data attached to it."""
READ_BYTES = 64 * 1024
INODE_BYTES = 1024
SOCKET_BYTES, TCP_BYTES = 256 * 1024, 8 * 1024 * 1024
"""Most bytes that can wait in a socket, and in a TCP socket, by Linux's limits."""
MEMORY_FOLDERS = ("tmp", "dev/shm")
"""Folders of a sandbox in which a program can write; their files are in memory."""
PROGRAM_KILL_PRIORITY, HELPER_KILL_PRIORITY = 1000, 500
"""Values of ``oom_score_adj``, 0 to 1000; child processes inherit them."""
BLAME_S = 2.0
"""If the kernel ends a process for lack of memory, programs that end within this many seconds are not blamed for it."""
VMSTAT = Path("/proc/vmstat")


class HeldMemory(NamedTuple):
    """Memory that is in no page of a process, in bytes."""

    files: int = 0
    sockets: int = 0


NOTHING_HELD = HeldMemory()


class Usage(NamedTuple):
    """The memory of all processes of a program."""

    used: int = 0
    """Bytes in use now."""
    peak: int = 0
    """The most bytes that any one of the processes had at any time, mapped files included."""
    mappings: int = 0
    """Number of mapped address ranges; not exact if it is above the ``most_mappings`` of ``measure_usage``."""


def measure_machine_mib() -> int:
    """Return the memory of this machine, or of the container of this process."""
    mib = int(psutil.virtual_memory().total) // MIB
    try:
        return min(mib, int(MEMORY_MAX.read_text()) // MIB)
    except (OSError, ValueError):  # no limit, or "max"
        return mib


def measure_usage(
    pids: Sequence[int], limit: int, held: HeldMemory = NOTHING_HELD, most_mappings: int = 2**16
) -> Usage:
    """Return the memory that processes use together.

    At first a page counts for each process that shares it. If the sum exceeds ``limit`` bytes, each shared page is
    counted once instead, which takes longer. ``held``: memory in no page. ``most_mappings``: where to stop counting
    mappings, each of which takes a microsecond.
    """
    texts = [_read(f"/proc/{pid}/status") for pid in pids]
    tables = sum(_sum_lines(text, PAGE_TABLE_KEYS) for text in texts)
    own, files = (sum(_sum_lines(text, names) for text in texts) for names in (OWN_KEYS, OWN_FILE_KEYS))
    if own + files > limit and len(pids) > 1:
        shared = [_measure_shared(pid, text) for pid, text in zip(pids, texts, strict=True)]
        own, files = (sum(part) for part in zip(*shared, strict=True))
    mappings = _count_mappings(pids, most_mappings)
    used = own + tables + mappings * MAPPING_BYTES
    used += max(files, held.files) + held.sockets  # held files may be mapped, too: count them once
    return Usage(used, max((_sum_lines(text, PEAK_KEYS) for text in texts), default=0), mappings)


def _count_mappings(pids: Sequence[int], most: int) -> int:
    count = 0
    for pid in pids:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/maps", "rb") as lines:  # noqa: PTH123
            while count <= most and (some := lines.read(READ_BYTES)):
                count += some.count(b"\n")
    return count


def _measure_shared(pid: int, status: bytes) -> tuple[int, int]:
    text = _read(f"/proc/{pid}/smaps_rollup")
    if b"Pss_Anon:" in text:
        return _sum_lines(text, SHARED_KEYS), _sum_lines(text, SHARED_FILE_KEYS)
    return _sum_lines(status, OWN_KEYS), _sum_lines(status, OWN_FILE_KEYS)


def _sum_lines(text: bytes, names: tuple[bytes, ...]) -> int:
    """Return the sum, in bytes, of the lines with these names, such as ``RssAnon: 123 kB``."""
    return sum(1024 * int(line.split()[1]) for line in text.splitlines() if line.startswith(names))


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123  (a few hundred a second)
            return file.read()
    except OSError:  # it is gone, or not readable
        return b""


# Memory that no page shows


def measure_in_sandbox(pids: Sequence[int], leader: int) -> HeldMemory:
    """Return what a sandbox holds in files and sockets.

    ``leader``: the outermost process, which sees the host's files.
    """
    for pid in pids:
        if pid != leader and _has_own_root(pid):
            with contextlib.suppress(OSError, ValueError):  # the process is gone: try another
                return HeldMemory(
                    sum(_measure_file_system(f"/proc/{pid}/root/{place}") for place in MEMORY_FOLDERS),
                    _measure_sockets(pid),
                )
    return NOTHING_HELD


def _has_own_root(pid: int) -> bool:
    """Say whether a process is inside a sandbox by now: before that, its root folder is the machine's."""
    try:
        return os.stat(f"/proc/{pid}/root").st_dev != os.stat("/").st_dev  # noqa: PTH116
    except OSError:
        return False


def measure_outside(pids: Iterable[int]) -> HeldMemory:
    """Return the bytes that processes hold in nameless files in memory (memfd). Each file is counted once."""
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
    """Return how many bytes the sockets of a process's network can hold.

    Lines such as ``TCP: inuse 2 orphan 0 tw 0`` give the number of sockets. The number of orphans there is not used,
    since it is that of the whole machine.
    """
    counts = {}
    with open(f"/proc/{pid}/net/sockstat", "rb") as lines:  # noqa: PTH123  (a few times a second)
        for line in lines:
            name, *words = line.split()
            counts[name] = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    return counts[b"sockets:"][b"used"] * SOCKET_BYTES + counts[b"TCP:"][b"inuse"] * TCP_BYTES


# Without memory on the machine


def raise_kill_priority(mark: int, pid: int | str = "self") -> None:
    """Raise a process's ``oom_score_adj`` to ``mark`` unless it is higher. Ignore a process that is gone."""
    with contextlib.suppress(OSError, ValueError), open(f"/proc/{pid}/oom_score_adj", "rb+", buffering=0) as file:  # noqa: PTH123
        if int(file.read()) < mark:
            file.write(b"%d" % mark)


class KillWatch:
    """Says whether the kernel has just ended processes for lack of memory."""

    def __init__(self) -> None:
        self._looks: deque[tuple[float, int]] = deque()

    def look(self) -> None:
        """Note how many processes the kernel has ended by now. ``has_killed`` needs an earlier call to compare with."""
        now = time.monotonic()
        self._looks.append((now, count_killed()))
        while len(self._looks) > 1 and self._looks[1][0] < now - BLAME_S:
            self._looks.popleft()

    def has_killed(self) -> bool:
        self.look()
        return self._looks[-1][1] > self._looks[0][1]


def count_killed() -> int:
    """Return how many processes the kernel has ended for lack of memory since the machine started; 0 if unknown."""
    try:
        lines = VMSTAT.read_bytes().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(b"oom_kill ")), 0)
