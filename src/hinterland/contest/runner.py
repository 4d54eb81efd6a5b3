"""Runs tasks on any executor: threads, processes or a cluster. Knows no game."""

from __future__ import annotations

from collections import deque
from concurrent.futures import FIRST_COMPLETED, CancelledError, wait
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from hinterland.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from concurrent.futures import Executor, Future

Task = TypeVar("Task")
Result = TypeVar("Result")
MAX_TRIES = 5
"""How often a task is submitted at most: once, and again whenever its worker has died."""
WORKER_DEATH_ERRORS = {"KilledWorker", "WorkersLostError"}
"""Names of the exceptions that a task raises if its workers died: on a Dask cluster, and in our own processes."""


def run(
    work: Callable[[Task], Result], tasks: Iterable[Task], executor: Executor, ahead: int
) -> Generator[Result]:
    """Yield the result of each task, in the order of the tasks.

    ``ahead``: greatest number of unfinished tasks that the executor has. A task is taken from ``tasks`` only when it is
    submitted. When the caller stops, waiting tasks are cancelled. Raises what ``work`` raises.
    """
    source = iter(tasks)
    waiting: deque[Future[Result]] = deque()
    try:
        waiting.extend(executor.submit(work, task) for task in islice(source, ahead))
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(executor.submit(work, task) for task in islice(source, 1))
    finally:
        for future in waiting:
            future.cancel()


def run_in_any_order(
    work: Callable[[Task], Result],
    tasks: Iterable[Task],
    executor: Executor,
    ahead: int,
    beside: Iterable[Future[Result]] = (),
) -> Generator[list[Result]]:
    """Yield results as they arrive; results that arrive together come in one list.

    A task whose worker died is submitted again; if ``MAX_TRIES`` workers died of it, ArenaError is raised. ``beside``:
    futures of other work, whose results are also yielded. The next of these futures is requested when the caller asks
    for more after the result of the one before. ``ahead`` means the same as in ``run``. When the caller stops, waiting
    tasks are cancelled. Raises what ``work`` raises.
    """
    source = iter(tasks)
    waiting: dict[Future[Result], tuple[Task, int]] = {}
    others = iter(beside)
    other = next(others, None)

    def hand_out(tries: Iterable[tuple[Task, int]]) -> None:
        for task, tried in tries:
            waiting[executor.submit(work, task)] = (task, tried)

    try:
        hand_out((task, 1) for task in islice(source, ahead))
        while waiting or other is not None:
            done = wait([*waiting, *([] if other is None else [other])], return_when=FIRST_COMPLETED).done
            results = []
            for future in done:
                if future is other:
                    results.append(future.result())
                    continue
                task, tried = waiting.pop(future)
                if not _worker_died(future):
                    results.append(future.result())
                elif tried < MAX_TRIES:
                    hand_out([(task, tried + 1)])
                else:
                    raise ArenaError(f"{MAX_TRIES} workers ended during the same task; is there enough memory?")
            yield results
            hand_out((task, 1) for task in islice(source, ahead - len(waiting)))
            if other in done:
                other = next(others, None)
    finally:
        for future in (*waiting, *([] if other is None else [other])):
            future.cancel()


def _worker_died(future: Future[Result]) -> bool:
    """Say whether a task failed because its worker died."""
    if future.cancelled():
        return True
    error = future.exception()
    return isinstance(error, CancelledError) or type(error).__name__ in WORKER_DEATH_ERRORS
