"""Who does the work: this process, several of this machine, or a Dask cluster. All are executors.

A process at work has processors of its own, as long as there are enough: it is told before anything heavy is loaded,
and all that it starts inherits it. So players whose clocks run side by side do not disturb one another.
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
"""So many tasks for each worker are handed out at a time."""
CONNECT_S = 10
MAX_TRIES = 3
"""How often a piece of work is begun whose process is ended from outside."""
WORKERS_LOST = "a process at work was ended from outside, again and again; fewer --jobs need less memory"


@contextmanager
def open_executor(jobs: int, cluster: str | None = None, *, apart: bool = False) -> Iterator[tuple[Executor, int]]:
    """Offer an executor, and how many tasks to hand it at a time; who leaves before the end ends what goes on.

    ``jobs``: processes, 1 for this one alone, unless it has other things to do and work is to be done ``apart``;
    ``cluster``: the address of a Dask scheduler, to work there instead. Raises ArenaError where workers end before
    their work.
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
    """Return the numbers of the processors that this process may use; nothing where the system does not say."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def split_evenly(items: Sequence[int], parts: int) -> list[list[int]]:
    """Deal out items to parts, neighbours together; each gets one at least, though not of its own if there are few."""
    if not items:
        return [[] for _ in range(parts)]
    if parts > len(items):
        return [[items[part % len(items)]] for part in range(parts)]
    return [list(items[part * len(items) // parts : (part + 1) * len(items) // parts]) for part in range(parts)]


class InlineExecutor(Executor):
    """Does at once, in this process, what it is handed."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run it; what it raises goes to the caller."""
        done: Future[Any] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


def _pin_to_processors(cores: Sequence[int]) -> None:
    if cores:
        os.sched_setaffinity(0, cores)


@contextmanager
def _open_cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """Offer the workers of a Dask cluster, which need this package."""
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise ArenaError("--cluster needs the package distributed, which is not installed here") from None
    try:
        client = distributed.Client(address, timeout=CONNECT_S)
    except (OSError, ValueError, TimeoutError) as error:
        raise ArenaError(f"no Dask cluster answers at {quote(address)}: {quote(str(error))}") from None
    try:
        yield client.get_executor(pure=False), TASKS_PER_WORKER * max(1, sum(client.ncores().values()))
    except (distributed.KilledWorker, distributed.comm.CommClosedError, CancelledError) as error:
        raise ArenaError(f"the workers at {quote(address)} ended before their work: {quote(str(error))}") from None
    finally:
        client.close()
