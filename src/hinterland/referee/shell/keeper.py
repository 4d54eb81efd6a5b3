"""The keeper sees to it that no program outgrows its limits and that none of its processes outlives it.

One keeper serves all programs of an event loop. It lists the system's processes a few times a second while programs
run, in a thread, which costs about a millisecond for fifty processes. While the memory of one grows, it looks again
before that one can come half way to its limit.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import threading
import time
from typing import TYPE_CHECKING, ClassVar, Protocol
from weakref import WeakKeyDictionary

from hinterland.referee.shell import memory, tree
from hinterland.referee.shell.memory import MIB, Usage

if TYPE_CHECKING:
    from subprocess import Popen

    from hinterland.referee.shell.limits import ProcessLimits
    from hinterland.referee.shell.tree import Process, Tree

__all__ = ["Keeper", "Kept", "kill_now"]

LOOK_S, QUICK_LOOK_S = 0.2, 0.01
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.001, 0.1
STOPPING_ROUNDS = 8
LOOKS_IN_VAIN = 2
HIGHEST_MARK = 2**62
KILLING_ROUNDS = 120
KILLING_NOW_ROUNDS, KILLING_NOW_S = 200, 0.005


class Kept(Protocol):
    """What is kept: a program."""

    tree: Tree
    """Its processes."""
    limits: ProcessLimits
    """What it may use."""
    usage: Usage
    """What it used when it was looked at last; the peak is that of all looks."""

    def exceeded(self, words: str) -> None:
        """Learn what of its limits it exceeds."""

    def kill_now(self) -> None:
        """Kill it without waiting: the loop ends."""


class Keeper:
    """All programs of one event loop."""

    _of_loop: ClassVar[WeakKeyDictionary[asyncio.AbstractEventLoop, Keeper]] = WeakKeyDictionary()
    _numbers: ClassVar[itertools.count[int]] = itertools.count(1)
    _marking: ClassVar[threading.Lock] = threading.Lock()
    _marks: ClassVar[set[int]] = set()
    """Those of all programs of this process, whatever their loop."""

    def __init__(self) -> None:
        self._kept: set[Kept] = set()
        self._task: asyncio.Task[None] | None = None
        self._counting = asyncio.Lock()
        self._next_census: asyncio.Task[dict[int, Process]] | None = None

    @classmethod
    def here(cls) -> Keeper:
        """Return the keeper of the running loop."""
        return cls._of_loop.setdefault(asyncio.get_running_loop(), cls())

    @classmethod
    def new_mark(cls) -> int:
        """Return a mark that no other program of this process bears, below any that this process bears itself."""
        own = tree.mark_of(os.getpid())
        mark = (own if own != tree.UNMARKED else HIGHEST_MARK) - next(cls._numbers)
        with cls._marking:
            cls._marks.add(mark)
            tree.adopt_orphans(True)
        return mark

    @classmethod
    def drop_mark(cls, mark: int) -> None:
        """Forget a mark: nobody bears it any more."""
        with cls._marking:
            cls._marks.discard(mark)
            tree.adopt_orphans(bool(cls._marks))

    def take_in(self, kept: Kept) -> None:
        """Look after a program."""
        self._kept.add(kept)
        if self._task is None and tree.LINUX:
            self._task = asyncio.get_running_loop().create_task(self._look_after())

    def let_go(self, kept: Kept) -> None:
        """Look after a program no more: it is gone."""
        self._kept.discard(kept)
        self.drop_mark(kept.tree.mark)
        if not self._kept and self._task is not None:
            self._task.cancel()
            self._task = None

    async def kill(self, doomed: Tree, *, leader_takes_all: bool) -> bool:
        """Kill a program with all its processes, and say whether none is left: some can hang in the system.

        Where there are several they are stopped first and killed when all stand still, so that none can start another
        in the meantime. Of a sandbox the kernel takes care.
        """
        pause_s, times_gone = FIRST_PAUSE_S, 0
        for turn in range(KILLING_ROUNDS):
            had_leader = doomed.has_leader
            members = doomed.members(await self.census())
            doomed.reap(members)
            # A look takes a while. Orphans whose parent was waited for meanwhile are missed: they are in the next one.
            times_gone = times_gone + 1 if doomed.is_gone(members) and not had_leader else 0
            if times_gone == LOOKS_IN_VAIN:
                return True
            if times_gone:
                continue
            alive = [process for process in members if process.is_alive]
            if leader_takes_all and doomed.has_leader:
                doomed.signal([process for process in alive if process.pid == doomed.leader], signal.SIGKILL)
            elif len(alive) > 1 and turn < STOPPING_ROUNDS and any(process.state not in "TtD" for process in alive):
                doomed.signal(alive, signal.SIGSTOP)
                continue
            else:
                doomed.signal(alive, signal.SIGKILL)
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
        return False

    async def census(self) -> dict[int, Process]:
        """Return all processes of the system, seen after this call; those who ask at the same time share one look."""
        if self._next_census is None:
            self._next_census = asyncio.create_task(self._take_census())
        return await asyncio.shield(self._next_census)

    async def _take_census(self) -> dict[int, Process]:
        async with self._counting:
            self._next_census = None
            return await asyncio.to_thread(tree.census)

    async def look(self) -> None:
        """Look at all programs now."""
        if tree.LINUX:
            await self._look(LOOK_S)

    async def _look_after(self) -> None:
        looked_s, pause_s = time.monotonic(), LOOK_S
        try:
            while True:
                await asyncio.sleep(pause_s)
                since_s, looked_s = looked_s, time.monotonic()
                pause_s = await self._look(looked_s - since_s)
        except asyncio.CancelledError:
            if self._task is asyncio.current_task():  # the loop itself ends, and nobody is left to end them
                for kept in tuple(self._kept):
                    kept.kill_now()
            raise

    async def _look(self, passed_s: float) -> float:
        """Look at all programs, so long after the last look, and return how long to wait for the next."""
        processes = await self.census()
        members = {kept: kept.tree.members(processes) for kept in self._kept}
        for kept, found in members.items():
            kept.tree.reap(found)
        self._end_strays(processes)
        pause_s = LOOK_S
        for kept, usage in (await asyncio.to_thread(_usages, members)).items():
            room, growth = kept.limits.memory_mib * MIB - usage.used, usage.used - kept.usage.used
            if growth > 0:
                pause_s = min(pause_s, max(passed_s * room / growth / 2, QUICK_LOOK_S))
            kept.usage = Usage(usage.used, max(kept.usage.peak, *usage))
            if kept in self._kept and (words := _excess(members[kept], kept)):
                kept.exceeded(words)
        return pause_s

    def _end_strays(self, processes: dict[int, Process]) -> None:
        """Kill orphans that bear a mark of nobody: programs whose processes lowered it to escape."""
        me = os.getpid()
        own = tree.mark_of(me)
        for process in processes.values():
            if process.parent == me and process.mark not in (tree.UNMARKED, own, *self._marks):
                stray = tree.Tree(process.pid, process.mark)
                stray.signal([process], signal.SIGKILL)
                stray.has_leader, stray.leader = False, 0
                stray.reap([process])


def _usages(members: dict[Kept, list[Process]]) -> dict[Kept, Usage]:
    """Return what memory the processes of each program use."""
    return {
        kept: memory.usage([process.pid for process in found], kept.limits.memory_mib * MIB)
        for kept, found in members.items()
    }


def _excess(members: list[Process], kept: Kept) -> str:
    """Say what of its limits a program exceeds, if any."""
    limits = kept.limits
    if sum(process.threads for process in members if process.is_alive) > limits.threads:
        return f"it has more than {limits.threads} processes and threads"
    if kept.usage.used > limits.memory_mib * MIB:
        return f"it uses more than {limits.memory_mib} MiB of memory (--memory sets how much it may)"
    return ""


def kill_now(doomed: Tree, leader: Popen[bytes]) -> None:
    """Kill a program with all its processes and wait for that, a second at most."""
    for _ in range(KILLING_NOW_ROUNDS):
        members = doomed.members(tree.census())
        doomed.signal(members, signal.SIGKILL)
        doomed.has_leader = leader.poll() is None
        doomed.reap(members)
        if doomed.is_gone(members):
            return
        time.sleep(KILLING_NOW_S)
