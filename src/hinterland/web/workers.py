"""Threads for work that would hold up the event loop, so many at a time.

Each piece of work has a daemon thread of its own: a program that thinks for an hour cannot keep the server alive.
"""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Workers"]

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
        done: asyncio.Future[T] = loop.create_future()

        def settle(result: T | None, error: BaseException | None) -> None:
            self._free.release()
            if done.cancelled():
                return
            if error is None:
                done.set_result(result)  # type: ignore[arg-type]
            else:
                done.set_exception(error)

        def body() -> None:
            result, error = None, None
            try:
                result = work(*args, **kwargs)
            except Exception as raised:
                error = raised
            try:
                loop.call_soon_threadsafe(settle, result, error)
            except RuntimeError:  # the loop is closed: the server has stopped
                return

        threading.Thread(target=body, name=self._name, daemon=True).start()
        return done
