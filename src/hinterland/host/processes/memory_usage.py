"""Measures the memory of programs and of this machine, and finds messages of programs that ran out of it.

Counted is memory in use: a program's own pages and page tables, shared pages once, swapped pages, the kernel's data for
each mapping, and what no page of a process shows (``held_memory``). Reserved addresses and mapped files cost the
machine nothing. Only Linux provides these figures.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hinterland.host.processes.held_memory import NOTHING_HELD, HeldMemory

MIB = 1024 * 1024
MEMORY_MAX = Path("/sys/fs/cgroup/memory.max")
OWN_KEYS, OWN_FILE_KEYS = (b"RssAnon:", b"VmSwap:"), (b"RssShmem:",)
"""A process's own memory and its files in memory; shared pages are counted for each process."""
SHARED_KEYS, SHARED_FILE_KEYS = (b"Pss_Anon:", b"SwapPss:"), (b"Pss_Shmem:",)
"""The same, with each page divided by the number of processes that share it."""
PAGE_TABLE_KEYS = (b"VmPTE:",)
PEAK_KEYS = (b"VmHWM:",)
MAPPING_BYTES = 512
"""Kernel memory for a mapping: 225 bytes in Linux 6.18, and as much again for what can be attached to it."""
READ_BYTES = 64 * 1024
OUT_OF_MEMORY = re.compile(
    r"OutOfMemory(?:Error|Exception)|MemoryError\b|bad_alloc|bad_array_new_length|Out_of_memory|Heap exhausted"
    r"|Could not reserve enough space|insufficient memory for the Java Runtime|memory allocation of \d+ bytes failed"
    r"|\bout of memory\b|cannot allocate memory|not enough memory|failed to allocate memory|memory exhausted",
    re.IGNORECASE,
)
"""Messages of Java, Python, C and C++, Rust, Go, JavaScript, C#, OCaml, Lisp, Lua, Ruby and Perl."""


class Usage(NamedTuple):
    """The memory of a program's processes, in bytes."""

    used: int = 0
    """In use now."""
    peak: int = 0
    """The most that one process had at any time, mapped files included."""
    mappings: int = 0
    """Number of mapped address ranges; not counted far beyond the limit."""


def measure_machine_mib() -> int:
    """Return the memory of this machine, or of the container of this process."""
    mib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // MIB if hasattr(os, "sysconf") else 2**30
    try:
        return min(mib, int(MEMORY_MAX.read_text()) // MIB)
    except (OSError, ValueError):  # no limit, or "max"
        return mib


def measure_usage(
    pids: Sequence[int], limit: int, held: HeldMemory = NOTHING_HELD, most_mappings: int = 2**16
) -> Usage:
    """Return the memory of processes. Shared pages are told apart only above ``limit``, since that takes time.

    ``most_mappings``: where to stop counting mappings, since each takes a microsecond.
    """
    texts = [_read(f"/proc/{pid}/status") for pid in pids]
    tables = sum(_sum_lines(text, PAGE_TABLE_KEYS) for text in texts)
    own, files = (sum(_sum_lines(text, names) for text in texts) for names in (OWN_KEYS, OWN_FILE_KEYS))
    if own + files > limit and len(pids) > 1:
        shared = [_measure_shared(pid, text) for pid, text in zip(pids, texts, strict=True)]
        own, files = (sum(part) for part in zip(*shared, strict=True))
    mappings = _count_mappings(pids, most_mappings)
    used = own + tables + mappings * MAPPING_BYTES
    used += max(files, held.files) + held.sockets  # some of the held files are mapped
    return Usage(used, max((_sum_lines(text, PEAK_KEYS) for text in texts), default=0), mappings)


def _count_mappings(pids: Sequence[int], most: int) -> int:
    count = 0
    for pid in pids:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/maps", "rb") as lines:  # noqa: PTH123
            while count <= most and (some := lines.read(READ_BYTES)):
                count += some.count(b"\n")
    return count


def find_complaint(text: str) -> str:
    """Return the first line in which a program says that it ran out of memory; empty if there is none."""
    return next((line.strip(" #\t") for line in text.splitlines() if OUT_OF_MEMORY.search(line)), "")


def _measure_shared(pid: int, status: bytes) -> tuple[int, int]:
    text = _read(f"/proc/{pid}/smaps_rollup")
    if b"Pss_Anon:" in text:
        return _sum_lines(text, SHARED_KEYS), _sum_lines(text, SHARED_FILE_KEYS)
    return _sum_lines(status, OWN_KEYS), _sum_lines(status, OWN_FILE_KEYS)


def _sum_lines(text: bytes, names: tuple[bytes, ...]) -> int:
    """Return the sum of lines such as ``RssAnon:  123 kB``."""
    return sum(1024 * int(line.split()[1]) for line in text.splitlines() if line.startswith(names))


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123  (a few hundred a second)
            return file.read()
    except OSError:  # it is gone, or not readable
        return b""
