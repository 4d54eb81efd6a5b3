"""Who works on an atlas: this process, several of this machine, or a Dask cluster. All are executors."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import signal
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hinterland import jit
from hinterland.dots.atlas import atlas_survey
from hinterland.errors import ArenaError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["hired"]

WORTH_A_PROCESS = 400
"""Order types for which it pays to start a process."""
AHEAD = 3
"""So many jobs wait for each worker."""
CONNECT_S = 10


@contextmanager
def hired(jobs: int, cluster: str | None, types: int) -> Iterator[tuple[Executor, int]]:
    """Offer an executor, and how many jobs to hand it at a time. ``jobs``: processes, 0 for one a processor."""
    processes = min(jobs or jit.cores(), max(1, types // WORTH_A_PROCESS))
    if cluster is not None:
        with _cluster(cluster) as hired_there:
            yield hired_there
    elif processes == 1:
        yield Here(), 1
    else:
        atlas_survey.survey(3, 0, [0])  # compiles, if need be, before several processes do
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_begin)
        try:
            yield pool, AHEAD * processes
        finally:
            pool.shutdown(cancel_futures=True)


class Here(Executor):
    """Does at once, in this process, what it is handed."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run it; what it raises goes to the caller."""
        done: Future[Any] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


def _begin() -> None:
    """Leave Ctrl-C to the parent, and end with it however it ends."""
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
        yield client.get_executor(), AHEAD * max(1, sum(client.ncores().values()))
    finally:
        client.close()
