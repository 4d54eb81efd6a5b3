"""Does work for which no clock waits, in processes of low priority: pictures, boards, reviews.

On threads of this process such work would make the event loop wait for the interpreter again and again, and would take
processor time from games. Processes of low priority get only the processor time that games leave.

The processes are copies of a template process, which has imported the module that does the work, with all that it
needs. Copies start in milliseconds and share the template's memory. If the system cannot copy processes, each process
imports the module itself.
"""

from __future__ import annotations

import ctypes
import importlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from hinterland.errors import ArenaError
from hinterland.host.processes.worker_processes import CannotStartError, Processes, WorkersLostError

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext

P = ParamSpec("P")
T = TypeVar("T")
NICENESS = 10
SINGLE_THREAD_MODULE = "hinterland.host.processes.single_threaded"
"""A module that limits numpy's matrix products to one thread; it must be imported before numpy."""
MAX_DATA_MIB = 2048
"""Most memory, in MiB, that one process may use for data."""
WORK_TOO_LARGE = "this took more than the server has for it; try again in a moment"
SERVER_STOPPING = "the server is stopping"


class Background:
    """Runs work in at most ``count`` processes; each starts when there is work for it."""

    def __init__(self, count: int, template: str, work_s: float) -> None:
        """``template``: the module to import; only the first module given in this process gets a template process.

        ``work_s``: seconds that a piece of work may take if it uses all processors; after that much CPU time its
        process is ended.
        """
        self.count = count
        self._work_s = work_s * (os.cpu_count() or 1)
        self._processes = Processes([partial(_begin, template)] * count, 1, WORK_TOO_LARGE, _fork_contexts(template))

    def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in one of the processes; return what it returns, or raise what it raises.

        Raises ArenaError if the work takes too much time or memory.
        """
        try:
            doing = self._processes.submit(_run_within, self._work_s, work, args, kwargs)
        except RuntimeError:
            raise ArenaError(SERVER_STOPPING) from None
        try:
            done: T = doing.result()
        except (WorkersLostError, CannotStartError) as error:
            raise ArenaError(str(error)) from None
        except BrokenExecutor:
            raise ArenaError(SERVER_STOPPING) from None
        return done

    def warm_up(self) -> None:
        """Start the first process, so that later work starts at once. Raises ArenaError if it cannot start."""
        self.run(int)

    @property
    def fault(self) -> str:
        """Why no process could be started at the last attempt, in one line; empty if one could."""
        return self._processes.fault

    def end(self) -> None:
        """End all processes at once; may be called twice."""
        self._processes.shutdown(cancel_futures=True)


@cache
def _fork_contexts(template: str) -> tuple[ForkServerContext, ...]:
    if sys.platform != "linux":
        return ()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([SINGLE_THREAD_MODULE, template])
    return (context,)


def _begin(template: str) -> None:
    """In a new process: lower the priority, bound the memory, and import the modules."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    if sys.platform == "linux":
        import resource  # noqa: PLC0415  (Windows has none)

        resource.setrlimit(resource.RLIMIT_DATA, (MAX_DATA_MIB << 20, MAX_DATA_MIB << 20))
    importlib.import_module(SINGLE_THREAD_MODULE)
    importlib.import_module(template)


def _run_within(work_s: float, work: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    """Run the work, then return its memory to the system. After ``work_s`` of CPU time the system ends this process."""
    has_timer = hasattr(signal, "setitimer")
    if has_timer:
        signal.setitimer(signal.ITIMER_PROF, work_s)
    try:
        return work(*args, **kwargs)
    finally:
        if has_timer:
            signal.setitimer(signal.ITIMER_PROF, 0)
        if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "malloc_trim"):
            libc.malloc_trim(0)
