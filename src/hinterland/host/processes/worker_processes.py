"""Processes that work for this one, each alone with its work; one that is ended from outside is replaced.

They start afresh, or as copies of a process that has done nothing but load what they need: a copy of this one would
have its threads' locks, but not its threads. They leave Ctrl-C to this process, and end with it however it ends.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from hinterland.errors import ArenaError
from hinterland.host.processes.machine_memory import HELPER_MARK, raise_mark

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.context import BaseContext


class WorkersLostError(ArenaError):
    """Processes at work were ended from outside, as often as a piece of work is begun."""


class _Work(msgspec.Struct, frozen=True):
    """A piece of work, how often it was begun, and who waits for it."""

    call: tuple[Any, ...]
    future: Future[Any]
    tried: int


class Processes(Executor):
    """So many processes, each alone with its work; one that is ended from outside is replaced, its work begun anew."""

    def __init__(
        self, begin: Sequence[Callable[[], object]], tries: int, lost: str, context: BaseContext | None = None
    ) -> None:
        """Make ready; processes start when there is work. ``begin``: what each does first.

        ``tries``: how often a piece of work is begun whose process is ended from outside; ``lost`` is said after that.
        ``context``: how processes start; unless told otherwise, afresh.
        """
        self._begin = tuple(begin)
        self._tries = tries
        self._lost = lost
        self._context = context or multiprocessing.get_context("spawn")
        self._slots: list[ProcessPoolExecutor | None] = [None] * len(begin)
        self._free = list(reversed(range(len(begin))))
        """Who was free last is the next: it has loaded and remembers most."""
        self._waiting: deque[_Work] = deque()
        self._lock = threading.RLock()
        self._is_over = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Let the next process that is free do it. The future raises WorkersLostError where processes die of it."""
        future: Future[Any] = Future()
        with self._lock:
            if self._is_over:
                raise RuntimeError("the processes have been ended")
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
                work, place = self._waiting.popleft(), self._free.pop()
                if work.tried == 0 and not work.future.set_running_or_notify_cancel():
                    self._free.append(place)
                    continue
                fn, args, kwargs = work.call
                slot = self._slots[place] = self._slots[place] or self._fresh(place)
                try:
                    doing = slot.submit(fn, *args, **kwargs)
                except BrokenExecutor as error:  # it died while it had nothing to do
                    doing = Future()
                    doing.set_exception(error)
            doing.add_done_callback(partial(self._done, place, msgspec.structs.replace(work, tried=work.tried + 1)))

    def _fresh(self, place: int) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, self._context, _start, (self._begin[place],))

    def _done(self, place: int, work: _Work, done: Future[Any]) -> None:
        """Pass on what came of a piece of work, or let another process begin it anew."""
        error = CancelledError() if done.cancelled() else done.exception()
        with self._lock:
            self._free.append(place)
            has_died = isinstance(error, BrokenExecutor) and not self._is_over
            if has_died:
                self._slots[place] = None
            if has_died and work.tried < self._tries:
                self._waiting.appendleft(work)
            elif has_died:
                work.future.set_exception(WorkersLostError(self._lost))
            elif error is not None:
                work.future.set_exception(error)
            else:
                work.future.set_result(done.result())
        self._hand_out()


def _start(begin: Callable[[], object]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise_mark(HELPER_MARK)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    begin()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
