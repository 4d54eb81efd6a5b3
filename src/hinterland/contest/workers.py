"""Executors of a contest's work: this process, several processes of this machine, or a Dask cluster.

Each worker process has processors of its own, as long as there are enough. A worker is pinned to its processors before
it loads anything heavy, and processes that it starts run on the same processors. So players that think at the same time
do not disturb one another.
"""

from __future__ import annotations

import importlib
import os
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from hinterland.errors import ArenaError, quote
from hinterland.host.processes.worker_processes import Processes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

TASKS_PER_WORKER = 3
"""Greatest number of unfinished tasks that an executor has at a time, for each of its workers."""
CONNECT_S = 10
MAX_TRIES = 3
"""How often a task is begun at most: once, and again whenever its process was ended from outside."""
WORKERS_LOST = "a process at work was ended from outside, again and again; fewer --jobs need less memory"


@contextmanager
def open_executor(jobs: int, cluster: str | None = None, *, apart: bool = False) -> Iterator[tuple[Executor, int]]:
    """Yield an executor, and how many unfinished tasks it should have at most. Leaving the block ends all work.

    ``jobs``: number of worker processes. One job runs in this process; if ``apart``, in a process of its own.
    ``cluster``: the address of a Dask scheduler to use instead. Raises ArenaError if workers die before their work
    ends.
    """
    if cluster is not None:
        with _open_cluster(cluster) as there:
            yield there
    elif jobs == 1 and not apart:
        yield InlineExecutor(), 1
    else:
        parts = split_evenly(list_processors(), jobs)
        prepare = [partial(_pin_to_processors, part) for part in parts]
        with Processes(prepare, MAX_TRIES, WORKERS_LOST) as pool:
            yield pool, TASKS_PER_WORKER * jobs


def list_processors() -> list[int]:
    """Return the numbers of the processors that this process may use; empty if the system does not say."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def split_evenly(items: Sequence[int], parts: int) -> list[list[int]]:
    """Split items into ``parts`` lists of neighbours, none empty; if there are too few items, lists share items."""
    if not items:
        return [[] for _ in range(parts)]
    if parts > len(items):
        return [[items[part % len(items)]] for part in range(parts)]
    return [list(items[part * len(items) // parts : (part + 1) * len(items) // parts]) for part in range(parts)]


class InlineExecutor(Executor):
    """Runs each task in this process, before ``submit`` returns."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run the task; an exception of the task is raised here."""
        done: Future[Any] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


class _ClusterExecutor(Executor):
    """Hands tasks to a Dask cluster.

    Dask's own executor is not used, since one of its futures can wait for ever (seen with distributed 2026.8). This
    happens if the worker that holds a result dies, and running the task again kills other workers. Closing the client
    cancels all tasks.
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run the task on any worker; the future raises what the task or Dask raises."""
        future: Future[Any] = Future()
        self._client.submit(fn, *args, **kwargs, pure=False).add_done_callback(partial(_pass_on, future))
        return future


def _pass_on(future: Future[Any], remote: Any) -> None:
    """Give ``future`` the outcome of a remote task. If the outcome was lost, Dask runs the task again."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = remote.result()
    except BaseException as error:  # also CancelledError, which is no subclass of Exception
        future.set_exception(error)
    else:
        future.set_result(result)


def _pin_to_processors(cores: Sequence[int]) -> None:
    if cores:
        os.sched_setaffinity(0, cores)


@contextmanager
def _open_cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """Yield an executor on a Dask cluster, and how many unfinished tasks it should have at most.

    The cluster's workers need this package installed.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise ArenaError("--cluster needs the package distributed, which is not installed here") from None
    try:
        client = distributed.Client(address, timeout=CONNECT_S)
    except (OSError, ValueError, TimeoutError) as error:
        raise ArenaError(f"no Dask cluster answers at {quote(address)}: {quote(str(error))}") from None
    try:
        yield _ClusterExecutor(client), TASKS_PER_WORKER * max(1, sum(client.ncores().values()))
    except (distributed.KilledWorker, distributed.comm.CommClosedError, CancelledError) as error:
        raise ArenaError(f"the workers at {quote(address)} ended before their work: {quote(str(error))}") from None
    finally:
        client.close()
