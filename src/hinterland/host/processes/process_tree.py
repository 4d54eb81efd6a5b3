"""Finds all processes that a program has started, also those that tried to escape.

A process can leave its group and session by ``setsid``, and its parent by forking twice. But the kernel gives an orphan
to the nearest ancestor that has asked for orphans, and the referee asks for them while programs run. Each program also
carries a tag that its children inherit (see ``process_limits.tag_script``). So every process of a program descends from
its leader, or was adopted by the referee and carries the tag. Without /proc (macOS) only the process group is known.

The list of processes is read from /proc several times a second; psutil would take four times as long, and shows neither
tags nor the states of threads.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import psutil

LINUX = sys.platform == "linux"
PROC = Path("/proc")
PR_SET_CHILD_SUBREAPER = 36
UNTAGGED = -1


class Process(NamedTuple):
    """One line of the system's list of processes."""

    pid: int
    state: str
    parent: int
    threads: int
    tag: int = UNTAGGED
    """The process's tag; known only for the referee's own children."""

    @property
    def is_alive(self) -> bool:
        """Whether the process can still act. ``state`` is that of its first thread, which other threads may outlive."""
        return self.state not in "ZX" or self.threads > 1


def adopt_orphans(wanted: bool) -> None:
    """Tell the kernel whether this process is to become the parent of its orphaned descendants.

    Only Linux can do so.
    """
    if LINUX:
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, int(wanted), 0, 0, 0)


def list_processes() -> dict[int, Process]:
    """Return all processes of the system by their number; none if there is no /proc."""
    found = {}
    for name in os.listdir(PROC) if LINUX else ():  # noqa: PTH208  (three times as fast)
        if name.isdigit() and (process := _read_process(int(name))):
            found[process.pid] = process
    for process in found.values():
        if process.parent == os.getpid():
            found[process.pid] = process._replace(tag=read_tag(process.pid))
    return found


def count_user_threads() -> int:
    """Return how many threads the user of this process has; the kernel limits this number."""
    user, found = os.getuid(), psutil.process_iter(["uids", "num_threads"])
    return sum(one.info["num_threads"] or 0 for one in found if one.info["uids"] and one.info["uids"].real == user)


def _read_process(place: int | str) -> Process | None:
    try:
        with open(f"/proc/{place}/stat", "rb") as file:  # noqa: PTH123  (as above)
            number, _, rest = file.read().partition(b" (")
            fields = rest.rpartition(b")")[2].split()
    except OSError:
        return None
    return Process(int(number), fields[0].decode(), int(fields[1]), int(fields[17]))


def read_tag(pid: int) -> int:
    """Return the tag of a process; UNTAGGED if it has none or is gone."""
    try:
        with open(f"/proc/{pid}/limits", "rb") as file:  # noqa: PTH123
            words = next((line.split() for line in file if line.startswith(b"Max file locks")), [])
    except OSError:
        return UNTAGGED
    return int(words[4]) if len(words) > 4 and words[4].isdigit() else UNTAGGED


def count_running_threads(processes: Iterable[Process]) -> int:
    """Return how many threads of these processes run or wait for a processor."""
    return sum(_running_threads(process) for process in processes if process.is_alive)


def _running_threads(process: Process) -> int:
    if process.threads == 1:
        return process.state == "R"
    try:
        threads = os.listdir(PROC / str(process.pid) / "task")  # noqa: PTH208
    except OSError:
        return 0
    found = (_read_process(f"{process.pid}/task/{number}") for number in threads)
    return sum(thread is not None and thread.state == "R" for thread in found)


def count_processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if LINUX else os.cpu_count() or 1


class ProcessTree:
    """The processes of one program: the leader of a session, and all its descendants."""

    def __init__(self, leader: int, tag: int) -> None:
        self.leader = leader
        self.tag = tag
        self.has_leader = True
        """Whether the leader is still to be waited for. Afterwards its number may belong to another process."""

    def members(self, processes: dict[int, Process]) -> list[Process]:
        """Return the processes that belong to this program, zombies included."""
        children: dict[int, list[Process]] = {}
        for process in processes.values():
            children.setdefault(process.parent, []).append(process)
        roots = [process for process in children.get(os.getpid(), []) if self.is_root(process)]
        return list(_list_descendants(roots, children))

    def is_root(self, process: Process) -> bool:
        """Say whether a child of the referee is the leader or an orphan of this program."""
        return process.tag == self.tag or (self.has_leader and process.pid == self.leader)

    def signal(self, members: Iterable[Process], number: signal.Signals) -> None:
        """Send a signal to the living members; without /proc, to the process group."""
        if not LINUX:
            _try(os.killpg, self.leader, number)
        for process in members:
            if process.is_alive and (process.pid != self.leader or self.has_leader):
                _try(os.kill, process.pid, number)

    def reap(self, members: Iterable[Process]) -> None:
        """Wait for dead members that the referee has adopted, so that the system forgets them."""
        for process in members:
            if process.parent == os.getpid() and process.pid != self.leader and not process.is_alive:
                _try(os.waitpid, process.pid, os.WNOHANG)

    def is_gone(self, members: Iterable[Process]) -> bool:
        """Say whether no process of the program is left. ``members``: the processes in the latest list."""
        if LINUX:
            return not any(True for _ in members)
        try:
            os.killpg(self.leader, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            return not self.has_leader  # macOS: no permission means that all are zombies
        return False


def _list_descendants(roots: list[Process], children: dict[int, list[Process]]) -> Iterable[Process]:
    waiting = list(roots)
    while waiting:
        process = waiting.pop()
        yield process
        waiting.extend(children.pop(process.pid, ()))


def _try(call: object, pid: int, argument: int) -> None:
    """Make a system call about a process. Do nothing if the process is gone."""
    try:
        call(pid, argument)  # type: ignore[operator]
    except (ProcessLookupError, ChildProcessError, PermissionError):
        return
