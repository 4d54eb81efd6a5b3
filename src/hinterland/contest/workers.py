"""Who does the work: this process, several of this machine, or a Dask cluster. All are executors.

A process at work has processors of its own, as long as there are enough: it is told before anything heavy is loaded,
and all that it starts inherits it. So players whose clocks run side by side do not disturb one another.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from hinterland.errors import ArenaError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

AHEAD = 3
"""So many tasks for each worker are handed out at a time."""
CONNECT_S = 10
TRIES = 3
"""How often a piece of work is begun whose process is ended from outside."""
LOST = "a process at work was ended from outside, again and again; fewer --jobs need less memory"


class WorkersLostError(ArenaError):
    """Processes at work were ended from outside, one after another, at the same piece of work."""


@contextmanager
def hired(jobs: int, cluster: str | None = None, *, apart: bool = False) -> Iterator[tuple[Executor, int]]:
    """Offer an executor, and how many tasks to hand it at a time; who leaves before the end ends what goes on.

    ``jobs``: processes, 1 for this one alone, unless it has other things to do and work is to be done ``apart``;
    ``cluster``: the address of a Dask scheduler, to work there instead. Raises ArenaError where workers end before
    their work.
    """
    if cluster is not None:
        with _cluster(cluster) as there:
            yield there
    elif jobs == 1 and not apart:
        yield Here(), 1
    else:
        with Processes(jobs) as pool:
            yield pool, AHEAD * jobs


def processors() -> list[int]:
    """Return the numbers of the processors that this process may use; nothing where the system does not say."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def shares(items: Sequence[int], parts: int) -> list[list[int]]:
    """Deal out items to parts, neighbours together; each gets one at least, though not of its own if there are few."""
    if not items:
        return [[] for _ in range(parts)]
    if parts > len(items):
        return [[items[part % len(items)]] for part in range(parts)]
    return [list(items[part * len(items) // parts : (part + 1) * len(items) // parts]) for part in range(parts)]


class Here(Executor):
    """Does at once, in this process, what it is handed."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run it; what it raises goes to the caller."""
        done: Future[Any] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


class _Work(NamedTuple):
    """A piece of work, how often it was begun, and who waits for it."""

    call: tuple[Any, ...]
    future: Future[Any]
    tried: int


class Processes(Executor):
    """So many processes, each alone with its work; one that is ended from outside is replaced, its work begun anew.

    They start afresh: a copy of this process would have its threads' locks, but not its threads.
    """

    def __init__(self, count: int) -> None:
        self._cores = shares(processors(), count)
        self._context = multiprocessing.get_context("spawn")
        self._slots: list[ProcessPoolExecutor | None] = [None] * count
        self._free = deque(range(count))
        self._waiting: deque[_Work] = deque()
        self._lock = threading.RLock()
        self._is_over = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Let the next process that is free do it. The future raises WorkersLostError where processes die of it."""
        future: Future[Any] = Future()
        with self._lock:
            self._waiting.append(_Work((fn, args, kwargs), future, 0))
        self._hand_out()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes: when their work is done, or at once with ``cancel_futures``."""
        with self._lock:
            self._is_over = True
            slots, self._slots = [slot for slot in self._slots if slot is not None], []
            waiting, self._waiting = list(self._waiting), deque()
        for work in waiting:
            work.future.cancel()
        for slot in slots:
            if cancel_futures:
                for process in list((slot._processes or {}).values()):  # 3.14 has kill_workers
                    process.kill()
            slot.shutdown(wait, cancel_futures=True)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.shutdown(cancel_futures=kind is not None)

    def _hand_out(self) -> None:
        """Give what waits to processes that are free."""
        while True:
            with self._lock:
                if self._is_over or not self._waiting or not self._free:
                    return
                work, place = self._waiting.popleft(), self._free.popleft()
                if work.tried == 0 and not work.future.set_running_or_notify_cancel():
                    self._free.appendleft(place)
                    continue
                fn, args, kwargs = work.call
                slot = self._slots[place] = self._slots[place] or self._fresh(place)
                try:
                    doing = slot.submit(fn, *args, **kwargs)
                except BrokenExecutor as error:  # it died while it had nothing to do
                    doing = Future()
                    doing.set_exception(error)
            doing.add_done_callback(partial(self._done, place, work._replace(tried=work.tried + 1)))

    def _fresh(self, place: int) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, self._context, _begin, (self._cores[place],))

    def _done(self, place: int, work: _Work, done: Future[Any]) -> None:
        """Pass on what came of a piece of work, or let another process begin it anew."""
        error = CancelledError() if done.cancelled() else done.exception()
        with self._lock:
            self._free.append(place)
            has_died = isinstance(error, BrokenExecutor) and not self._is_over
            if has_died:
                self._slots[place] = None
            if has_died and work.tried < TRIES:
                self._waiting.appendleft(work)
            elif has_died:
                work.future.set_exception(WorkersLostError(LOST))
            elif error is not None:
                work.future.set_exception(error)
            else:
                work.future.set_result(done.result())
        self._hand_out()


def _begin(cores: Sequence[int]) -> None:
    """Keep to some processors, leave Ctrl-C to the parent, and end with it however it ends."""
    if cores:
        os.sched_setaffinity(0, cores)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """Offer the workers of a Dask cluster, which need this package."""
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise ArenaError("--cluster needs the package distributed, which is not installed here") from None
    try:
        client = distributed.Client(address, timeout=CONNECT_S)
    except (OSError, ValueError, TimeoutError) as error:
        raise ArenaError(f"no Dask cluster answers at {shown(address)}: {shown(str(error))}") from None
    try:
        yield client.get_executor(pure=False), AHEAD * max(1, sum(client.ncores().values()))
    except (distributed.KilledWorker, distributed.comm.CommClosedError, CancelledError) as error:
        raise ArenaError(f"the workers at {shown(address)} ended before their work: {shown(str(error))}") from None
    finally:
        client.close()
