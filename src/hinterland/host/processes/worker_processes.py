"""Worker processes, each with one piece of work at a time. A process that is ended from outside is replaced.

A worker process starts afresh, or as a copy of a process that has only loaded what workers need. A copy of this process
itself would inherit locks that its threads hold, but not the threads, which release them. Workers ignore Ctrl-C, which
is for this process, and end when this process ends.

Each worker has a thread in this process, which starts the worker, sends work through a pipe, and waits for the answer
or for the worker's end. The standard library's executor does not suffice. Since Python 3.12 that executor reports a
dead process while it holds a lock that the new process needs, so that both wait for ever. The standard executor also
needs semaphores, for which some machines have no room in /dev/shm. This module holds no lock during a callback, and
none of its threads keeps this process from ending.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from collections import deque
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import wait
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from hinterland.errors import ArenaError
from hinterland.host.processes.memory_usage import HELPER_KILL_PRIORITY, raise_kill_priority

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess

T = TypeVar("T")
START_TRIES = 5
"""Most attempts to start a process, if it is ended from outside before it is ready."""
END_TIMEOUT_S = 5.0
"""Seconds that a process has to end after its last work, or after it was killed."""
BEGUN_MESSAGE = b"begun"
PROCESSES_ENDED = "the processes have been ended"


class WorkersLostError(ArenaError):
    """At every attempt at a piece of work, its process was ended from outside."""


class CannotStartError(ArenaError):
    """Processes cannot be started here."""


class _Work(msgspec.Struct, frozen=True):
    """A piece of work, the future that its caller holds, and the number of attempts so far."""

    call: tuple[Any, ...]
    future: Future[Any]
    tried: int


class Processes(Executor):
    """A fixed number of processes. If a process is ended from outside, it is replaced, and its work is begun anew."""

    def __init__(
        self, begin: Sequence[Callable[[], object]], tries: int, lost: str, contexts: Sequence[BaseContext] = ()
    ) -> None:
        """Make ready; processes start when there is work. ``begin``: what each process calls first.

        ``tries``: most attempts at a piece of work whose process is ended from outside; ``lost``: the message after the
        last attempt. ``contexts``: ways to start processes, tried in turn until one works. The last resort is a process
        that starts afresh.
        """
        self._tries = tries
        self._lost = lost
        ways = (*contexts, multiprocessing.get_context("spawn"))
        self._workers = [_Worker(partial(_start, ways, one)) for one in begin]
        self._free = self._workers[::-1]
        """Free workers. The worker that was freed last is used first: its caches are warm."""
        self._waiting: deque[_Work] = deque()
        self._lock = threading.Lock()
        self._is_over = False
        self.fault = ""
        """Why no process could be started at the last attempt, in one line; empty if one could."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Give work to the next free process.

        The future raises WorkersLostError if the process is ended at every attempt, CannotStartError if no process can
        be started.
        """
        future: Future[Any] = Future()
        with self._lock:
            if self._is_over:
                raise RuntimeError(PROCESSES_ENDED)
            self._waiting.append(_Work((fn, args, kwargs), future, 0))
        self._hand_out()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes: when their work is done, or at once with ``cancel_futures``."""
        with self._lock:
            self._is_over = True
            waiting, self._waiting = self._waiting, deque()
        for work in waiting:
            work.future.cancel()
        for worker in self._workers:
            worker.close(at_once=cancel_futures)
        for worker in self._workers if wait else ():
            worker.join(END_TIMEOUT_S if cancel_futures else None)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.shutdown(cancel_futures=kind is not None)

    def _hand_out(self) -> None:
        """Give waiting work to free processes."""
        while True:
            with self._lock:
                if self._is_over or not self._waiting or not self._free:
                    return
                work = self._waiting.popleft()
                if work.tried == 0 and not work.future.set_running_or_notify_cancel():
                    continue
                worker = self._free.pop()
            try:
                worker.take(partial(self._do, worker, msgspec.structs.replace(work, tried=work.tried + 1)))
            except RuntimeError:
                self._free.append(worker)
                work.future.set_exception(ArenaError("this machine has no more threads; try again in a moment"))

    def _do(self, worker: _Worker, work: _Work) -> None:
        """Let a process do a piece of work, and pass on the outcome.

        If the process ends, another begins the work anew.
        """
        value: Any = None
        error: BaseException | None = None
        try:
            value, error = worker.do(work.call)
        except Exception as found:
            error = found
        self.fault = str(error) if isinstance(error, CannotStartError) else ""
        with self._lock:
            self._free.append(worker)
            begins_anew = isinstance(error, _ProcessGone) and not self._is_over and work.tried < self._tries
            if begins_anew:
                self._waiting.appendleft(work)
            elif isinstance(error, _ProcessGone):
                error = BrokenExecutor(PROCESSES_ENDED) if self._is_over else WorkersLostError(self._lost)
        if error is None:
            work.future.set_result(value)
        elif not begins_anew:
            work.future.set_exception(error)
        self._hand_out()


def check_start() -> None:
    """Start a process, and let it end. Raises CannotStartError if this machine starts none."""
    with Processes([int], 1, PROCESSES_ENDED) as one:
        one.submit(int).result()


class _ProcessGone(Exception):  # noqa: N818
    """A process ended while its answer was awaited."""


class _RemoteTraceback(Exception):  # noqa: N818
    """Holds the traceback of an error in a worker process; in this process it is the cause of that error."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


class _Worker:
    """A process that starts when there is work for it, and the thread that waits for it."""

    def __init__(self, start: Callable[[], tuple[BaseProcess, Connection]]) -> None:
        self._start = start
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._lock = threading.Lock()
        self._is_closed = False

    def take(self, task: Callable[[], None]) -> None:
        """Run a task on this worker's thread. Raises RuntimeError if the system has no more threads."""
        if self._thread is None:
            thread = threading.Thread(target=self._work, name="for a process", daemon=True)
            thread.start()
            self._thread = thread
        self._tasks.put(task)

    def close(self, *, at_once: bool) -> None:
        """Let the process end once it is free; ``at_once``: kill it."""
        with self._lock:
            self._is_closed = at_once
            if at_once and self._process is not None:
                self._process.kill()
        self._tasks.put(None)

    def join(self, most_s: float | None) -> None:
        """Wait at most ``most_s`` seconds for the end of the process; a process that is being started is left alone."""
        if self._thread is None or self._thread is threading.current_thread():
            return
        if most_s is None or self._process is not None:
            self._thread.join(most_s)

    # On its thread

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()
            del task
        self._drop()

    def _get_ready(self) -> None:
        """Ensure that the process lives. Raises CannotStartError."""
        if self._pipe is not None and not wait([self._pipe], 0):  # an idle process sends nothing; it can only end
            return
        for _ in range(START_TRIES):
            self._drop()
            process, pipe = self._start()
            with self._lock:
                self._process, self._pipe = process, pipe
                if self._is_closed:
                    process.kill()
            try:
                _, error = self._answer()
            except _ProcessGone:
                if self._is_closed:
                    raise
                continue
            if error is not None:
                raise error
            return
        raise CannotStartError(f"helper processes are ended as soon as they start, {START_TRIES} of {START_TRIES}")

    def do(self, call: tuple[Any, ...]) -> tuple[Any, BaseException | None]:
        """Make a call in the process; return its value and None, or None and its error.

        Raises _ProcessGone if the process ends after it has begun the call, and CannotStartError.
        """
        sent = pickle.dumps(call, pickle.HIGHEST_PROTOCOL)
        while not self._is_begun(sent):
            if self._is_closed:
                raise _ProcessGone
        del sent
        return self._answer()

    def _is_begun(self, sent: bytes) -> bool:
        """Let the process begin a call. Return False if the process had ended already, so that nothing was begun."""
        self._get_ready()
        assert self._pipe is not None
        try:
            self._pipe.send_bytes(sent)
            return self._hear() == BEGUN_MESSAGE
        except (OSError, _ProcessGone):
            self._drop()
            return False

    def _answer(self) -> tuple[Any, BaseException | None]:
        value, error, where = pickle.loads(self._hear())
        if error is not None:
            error.__cause__ = _RemoteTraceback(where)
        return value, error

    def _hear(self) -> bytes:
        """Wait for the process's next message. Raises _ProcessGone if it ends."""
        assert self._pipe is not None
        assert self._process is not None
        try:
            if self._pipe not in wait([self._pipe, self._process.sentinel]):
                raise EOFError
            return self._pipe.recv_bytes()
        except (OSError, EOFError):
            self._drop()
            raise _ProcessGone from None

    def _drop(self) -> None:
        """Close the pipe, so that the process ends; kill the process if it does not."""
        with self._lock:
            process, pipe, self._process, self._pipe = self._process, self._pipe, None, None
        if process is None or pipe is None:
            return
        pipe.close()
        process.join(END_TIMEOUT_S)
        if process.is_alive():
            process.kill()
            process.join(END_TIMEOUT_S)


def _start(ways: Sequence[BaseContext], begin: Callable[[], object]) -> tuple[BaseProcess, Connection]:
    """Start a process in the first way that works; return it and our end of its pipe. Raises CannotStartError."""
    for way in ways:
        ours, theirs = way.Pipe()
        # This process does not wait for daemons when it ends.
        process: BaseProcess = way.Process(target=_serve, args=(theirs, begin), daemon=True)  # type: ignore[attr-defined]
        try:
            _block_ctrl_c()
            process.start()
        except OSError as error:
            ours.close()
            reason = error
        else:
            return process, ours
        finally:
            theirs.close()
    raise CannotStartError(f"helper processes cannot be started here: {reason.strerror or reason}")


def _block_ctrl_c() -> None:
    """Keep Ctrl-C from processes that this thread starts, until they ignore it themselves."""
    if sys.platform != "win32":
        resource_tracker.ensure_running()  # a tracker that starts with a process would unblock Ctrl-C
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])


# In the worker process


def _serve(pipe: Connection, begin: Callable[[], object]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    raise_kill_priority(HELPER_KILL_PRIORITY)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(OSError, EOFError):  # the parent is gone
        pipe.send_bytes(_encode_outcome(_begin, begin))
        while True:
            call = pipe.recv_bytes()
            pipe.send_bytes(BEGUN_MESSAGE)
            pipe.send_bytes(_encode_outcome(_call, call))
            del call


def _begin(begin: Callable[[], object]) -> None:
    try:
        begin()
    except Exception as error:
        raise CannotStartError(f"helper processes cannot get ready: {error!r}") from error


def _call(sent: bytes) -> Any:
    fn, args, kwargs = pickle.loads(sent)
    del sent
    return fn(*args, **kwargs)


def _encode_outcome(work: Callable[[T], Any], given: T) -> bytes:
    """Do a piece of work; return, as bytes, its value, its error and the traceback of the error."""
    try:
        return pickle.dumps((work(given), None, ""), pickle.HIGHEST_PROTOCOL)
    except BaseException as error:  # a player that raises SystemExit ends only this work
        where = "".join(traceback.format_exception(error))
        try:
            return pickle.dumps((None, error, where))
        except Exception:
            return pickle.dumps((None, RuntimeError(f"{error!r}, which cannot be sent on"), where))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
