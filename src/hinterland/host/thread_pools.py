"""Threads for work that would hold up the event loop, so many at a time.

Each piece of work has a daemon thread of its own: a program that thinks for an hour cannot keep the server alive.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Workers:
    """Runs functions on at most ``count`` threads; further ones wait for their turn."""

    def __init__(self, count: int, name: str) -> None:
        self._free = asyncio.Semaphore(count)
        self._name = name

    async def turn(self) -> None:
        """Wait for a free thread; ``start`` must follow."""
        await self._free.acquire()

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Wait for a free thread and return what the function returns or raise what it raises."""
        await self.turn()
        return await self.start(work, *args, **kwargs)

    def start(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
        """Run a function after ``turn``. Its thread is free again when it ends, also if nobody waits any more."""
        loop = asyncio.get_running_loop()
        outcome: Future[T] = Future()
        outcome.set_running_or_notify_cancel()

        def body() -> None:
            try:
                result = work(*args, **kwargs)
            except Exception as error:
                outcome.set_exception(error)
            else:
                outcome.set_result(result)
            with contextlib.suppress(RuntimeError):  # the loop is closed: the server has stopped
                loop.call_soon_threadsafe(self._free.release)

        threading.Thread(target=body, name=self._name, daemon=True).start()
        return asyncio.wrap_future(outcome)
