"""Work that no clock waits for, in processes of low priority: pictures, boards, reviews.

On threads of this process such work would hold the interpreter again and again while the event loop waits for it, and
a processor as long as it likes. Here the system gives it what the games leave.

The processes are copies of one that has imported a module, the template, and so has loaded whatever the work needs:
they start in milliseconds and share its memory. Where the system does not copy processes, each imports it itself.
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
"""Is imported before anything that multiplies matrices."""
MAX_DATA_MIB = 2048
"""What the data of one process may take."""
WORK_TOO_LARGE = "this took more than the server has for it; try again in a moment"
SERVER_STOPPING = "the server is stopping"


class Background:
    """At most ``count`` such processes; each starts when there is work for it."""

    def __init__(self, count: int, template: str, work_s: float) -> None:
        """Make ready. ``template``: the module that is imported; copies are of the first that this process named.

        ``work_s``: the time of all processors that one piece of work may take; then its process is ended.
        """
        self.count = count
        self._work_s = work_s * (os.cpu_count() or 1)
        self._processes = Processes([partial(_begin, template)] * count, 1, WORK_TOO_LARGE, _fork_contexts(template))

    def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Wait for what a function returns there or raise what it raises. Raises ArenaError where it takes too much."""
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
        """Start the first process, so that nobody waits for the template. Raises ArenaError where none can be."""
        self.run(int)

    @property
    def fault(self) -> str:
        """Say in one line why no process could be started when that was tried last; empty where one could."""
        return self._processes.fault

    def end(self) -> None:
        """End them at once, whatever they do; may be called twice."""
        self._processes.shutdown(cancel_futures=True)


@cache
def _fork_contexts(template: str) -> tuple[ForkServerContext, ...]:
    if sys.platform != "linux":
        return ()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([SINGLE_THREAD_MODULE, template])
    return (context,)


def _begin(template: str) -> None:
    """Take a low priority and a bound on memory, and load what is not loaded."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    if sys.platform == "linux":
        import resource  # noqa: PLC0415  (Windows has none)

        resource.setrlimit(resource.RLIMIT_DATA, (MAX_DATA_MIB << 20, MAX_DATA_MIB << 20))
    importlib.import_module(SINGLE_THREAD_MODULE)
    importlib.import_module(template)


def _run_within(work_s: float, work: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    """Work; who takes longer is ended by the system, whatever code is running. What it used goes back."""
    has_timer = hasattr(signal, "setitimer")
    if has_timer:
        signal.setitimer(signal.ITIMER_PROF, work_s)
    try:
        return work(*args, **kwargs)
    finally:
        if has_timer:
            signal.setitimer(signal.ITIMER_PROF, 0)
        _give_back_memory()


def _give_back_memory() -> None:
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "malloc_trim"):
        libc.malloc_trim(0)
