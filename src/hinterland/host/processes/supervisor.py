"""The supervisor ensures that no program exceeds its limits and that none of its processes outlives it.

One supervisor serves all programs of an event loop. While programs run, the supervisor lists the system's processes a
few times a second, on a thread. A list of fifty processes takes about a millisecond. The next look comes before any
program can fill the memory left to it at the full speed of the processors, and before a growing program fills half of
that memory at its present speed. But two looks are at least ``QUICK_LOOK_S`` apart.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import signal
import threading
import time
from typing import ClassVar, Protocol
from weakref import WeakKeyDictionary

from hinterland.host.processes import memory_usage, process_tree
from hinterland.host.processes.memory_usage import MIB, PROGRAM_KILL_PRIORITY, KillWatch, Usage
from hinterland.host.processes.process_limits import MAX_MAPPINGS, ProcessLimits
from hinterland.host.processes.process_tree import Process, ProcessTree

LOOK_S, QUICK_LOOK_S = 0.2, 0.01
FILLING_BYTES_PER_S = 2 * 1024 * MIB
"""Speed at which one processor can fill memory, in bytes per second."""
FIRST_PAUSE_S, MAX_PAUSE_S = 0.001, 0.1
MAX_STOP_ROUNDS = 8
EMPTY_LOOKS_UNTIL_GONE = 2
HIGHEST_TAG = 2**62
MAX_KILL_ROUNDS = 120


class SupervisedProgram(Protocol):
    """A running program, as the supervisor sees it."""

    tree: ProcessTree
    limits: ProcessLimits
    is_sandboxed: bool
    usage: Usage
    looks: int
    """How often the supervisor has looked at the program."""
    crowded_looks: int
    """How often the program wanted more processors than there are when the supervisor looked."""

    def end_for_excess(self, words: str) -> None:
        """End the program, since it has exceeded a limit. ``words`` say which limit."""

    def kill_now(self) -> None:
        """Kill all processes of the program at once. Called when the event loop ends."""


class ProcessSupervisor:
    """Supervises all programs of one event loop."""

    _of_loop: ClassVar[WeakKeyDictionary[asyncio.AbstractEventLoop, ProcessSupervisor]] = WeakKeyDictionary()
    _numbers: ClassVar[itertools.count[int]] = itertools.count(1)
    _tagging: ClassVar[threading.Lock] = threading.Lock()
    _tags: ClassVar[set[int]] = set()
    """The tags of all programs of this process, in all event loops."""

    def __init__(self) -> None:
        self._programs: set[SupervisedProgram] = set()
        self.kill_watch = KillWatch()
        self._task: asyncio.Task[None] | None = None
        self._counting, self._has_more = asyncio.Lock(), asyncio.Event()
        self._next_census: asyncio.Task[dict[int, Process]] | None = None

    @classmethod
    def of_running_loop(cls) -> ProcessSupervisor:
        return cls._of_loop.setdefault(asyncio.get_running_loop(), cls())

    @classmethod
    def new_tag(cls) -> int:
        """Return a tag that no other program of this process carries.

        The tag is lower than that of this process itself, since a process can only lower its tag.
        """
        own = process_tree.read_tag(os.getpid())
        tag = (own if own != process_tree.UNTAGGED else HIGHEST_TAG) - next(cls._numbers)
        with cls._tagging:
            cls._tags.add(tag)
            process_tree.adopt_orphans(True)
        return tag

    @classmethod
    def drop_tag(cls, tag: int) -> None:
        """Forget a tag: no process carries it any more."""
        with cls._tagging:
            cls._tags.discard(tag)
            process_tree.adopt_orphans(bool(cls._tags))

    def add(self, program: SupervisedProgram) -> None:
        """Supervise a program."""
        self.kill_watch.look()
        self._programs.add(program)
        self._has_more.set()
        if self._task is None and process_tree.LINUX:
            self._task = asyncio.get_running_loop().create_task(self._look_after())

    def remove(self, program: SupervisedProgram) -> None:
        """Stop supervising a program that is gone."""
        self._programs.discard(program)
        self.drop_tag(program.tree.tag)
        if not self._programs and self._task is not None:
            self._task.cancel()
            self._task = None

    async def kill(self, doomed: ProcessTree, *, leader_takes_all: bool) -> bool:
        """Kill a program with all its processes. Return whether none is left: some can hang in the system.

        If there are several processes, all are stopped first, and killed once all stand still, so that none can start
        another in the meantime. If ``leader_takes_all``, as in a sandbox, it is enough to kill the first process: the
        kernel ends the others.
        """
        pause_s, times_gone = FIRST_PAUSE_S, 0
        for turn in range(MAX_KILL_ROUNDS):
            had_leader = doomed.has_leader
            members = doomed.members(await self.census())
            doomed.reap(members)
            # A list takes a while, and may miss orphans whose parent was reaped meanwhile; the next list has them.
            times_gone = times_gone + 1 if doomed.is_gone(members) and not had_leader else 0
            if times_gone == EMPTY_LOOKS_UNTIL_GONE:
                return True
            if times_gone:
                continue
            alive = [process for process in members if process.is_alive]
            if leader_takes_all and doomed.has_leader:
                doomed.signal([process for process in alive if process.pid == doomed.leader], signal.SIGKILL)
            elif len(alive) > 1 and turn < MAX_STOP_ROUNDS and any(process.state not in "TtD" for process in alive):
                doomed.signal(alive, signal.SIGSTOP)
                continue
            else:
                doomed.signal(alive, signal.SIGKILL)
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, MAX_PAUSE_S)
        return False

    async def census(self) -> dict[int, Process]:
        """Return all processes of the system, listed after this call. Simultaneous callers share one list."""
        if self._next_census is None:
            self._next_census = asyncio.create_task(self._take_census())
        return await asyncio.shield(self._next_census)

    async def _take_census(self) -> dict[int, Process]:
        async with self._counting:
            self._next_census = None
            return await asyncio.to_thread(process_tree.list_processes)

    async def look(self) -> None:
        """Look at all programs now."""
        if process_tree.LINUX:
            await self._look(LOOK_S)

    async def _look_after(self) -> None:
        looked_s, pause_s = time.monotonic(), QUICK_LOOK_S
        try:
            while True:
                await asyncio.sleep(QUICK_LOOK_S)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._has_more.wait(), pause_s - QUICK_LOOK_S)
                self._has_more.clear()
                since_s, looked_s = looked_s, time.monotonic()
                pause_s = await self._look(looked_s - since_s)
        except asyncio.CancelledError:
            if self._task is asyncio.current_task():  # the loop ends: nothing else would end the programs
                for program in tuple(self._programs):
                    program.kill_now()
            raise

    async def _look(self, passed_s: float) -> float:
        """Look at all programs; return the seconds until the next look. ``passed_s``: seconds since the last look."""
        self.kill_watch.look()
        processes = await self.census()
        members = {program: program.tree.members(processes) for program in self._programs}
        for program, found in members.items():
            program.tree.reap(found)
            program.looks += 1
            program.crowded_looks += process_tree.count_running_threads(found) > process_tree.count_processors()
        self._end_strays(processes)
        pause_s, speed = LOOK_S, FILLING_BYTES_PER_S * process_tree.count_processors()
        for program, usage in (await asyncio.to_thread(_measure_usages, members)).items():
            room, growth = program.limits.memory_mib * MIB - usage.used, usage.used - program.usage.used
            pause_s = min(pause_s, max(room / speed, QUICK_LOOK_S))
            if growth > 0:
                pause_s = min(pause_s, max(passed_s * room / growth / 2, QUICK_LOOK_S))
            program.usage = usage._replace(peak=max(program.usage.peak, usage.peak, usage.used))
            if program in self._programs and (words := _describe_excess(members[program], program)):
                program.end_for_excess(words)
        return pause_s

    def _end_strays(self, processes: dict[int, Process]) -> None:
        """Kill orphans with an unknown tag: processes that lowered their tag to escape."""
        me = os.getpid()
        own = process_tree.read_tag(me)
        for process in processes.values():
            if process.parent == me and process.tag not in (process_tree.UNTAGGED, own, *self._tags):
                stray = process_tree.ProcessTree(process.pid, process.tag)
                stray.signal([process], signal.SIGKILL)
                stray.has_leader, stray.leader = False, 0
                stray.reap([process])


def _measure_usages(members: dict[SupervisedProgram, list[Process]]) -> dict[SupervisedProgram, Usage]:
    """Return the memory of each program's processes."""
    found = {}
    for program, processes in members.items():
        pids = [process.pid for process in processes]
        if not program.is_sandboxed:  # in a sandbox no process can lower its priority
            for pid in pids:
                memory_usage.raise_kill_priority(PROGRAM_KILL_PRIORITY, pid)
        held = (
            memory_usage.measure_in_sandbox(pids, program.tree.leader)
            if program.is_sandboxed
            else memory_usage.measure_outside(pids)
        )
        found[program] = memory_usage.measure_usage(pids, program.limits.memory_mib * MIB, held, MAX_MAPPINGS)
    return found


def _describe_excess(members: list[Process], program: SupervisedProgram) -> str:
    """Say which limit a program exceeds; empty if it exceeds none."""
    limits = program.limits
    if sum(process.threads for process in members if process.is_alive) > limits.threads:
        return f"it has more than {limits.threads} processes and threads"
    if program.usage.mappings > MAX_MAPPINGS:
        return f"it has more than {MAX_MAPPINGS} mappings of memory"
    if program.usage.used > limits.memory_mib * MIB:
        return limits.too_much_memory
    return ""
