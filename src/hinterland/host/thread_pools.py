"""Threads for work that would block the event loop, limited in number and shared fairly.

Each piece of work has a daemon thread of its own, so that work which takes an hour cannot keep a stopping server alive.
An asker is whoever wants work done: a client's address, or the server itself.

Work cannot be interrupted, so the next piece is chosen fairly: first by rank (work that people wait for comes first),
then by asker. The asker with the least running work comes first; of equals, the one that was never served, or was
served longest ago. While there are several askers, an asker that holds all other threads does not get the last one. So
a newcomer finds a free thread, or waits for one piece of work.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import ParamSpec, TypeVar

from cachetools import TTLCache

from hinterland.errors import ArenaError

P = ParamSpec("P")
T = TypeVar("T")
SERVER_ITSELF = ""
"""Name of the asker that stands for the server itself."""
ASKER_MEMORY_S = 60.0
"""Seconds for which an asker is remembered."""
REMEMBERED_ASKERS = 10_000
TOO_MUCH_WAITING = "too much of what you asked for is still being worked on; try again in a moment"


class Share:
    """Runs the work of one asker on the shared threads."""

    def __init__(self, workers: Workers, asker: str, rank: Callable[[], int] = lambda: 0) -> None:
        self._workers = workers
        self._asker = asker
        self._rank = rank

    @property
    def crowding(self) -> float:
        """Number of pieces of work, running and waiting, for each thread; at least 1."""
        return max(1.0, (self._workers.waiting + self._workers.running) / self._workers.count)

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Wait for a free thread; return what the function returns, or raise what it raises."""
        await self.wait_for_turn()
        return await self.start(work, *args, **kwargs)

    async def wait_for_turn(self) -> None:
        """Wait for a free thread; call ``start`` afterwards. Raises ArenaError if too much work of this asker waits."""
        await self._workers.queue_up(self._asker, self._rank())

    def start(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
        """Run a function after ``wait_for_turn``.

        The thread is busy until the function ends, even if nobody awaits the result.
        """
        return self._workers.start_for(self._asker, work, *args, **kwargs)


class Workers(Share):
    """Runs functions on at most ``count`` threads; further functions wait for their turn.

    It belongs to one event loop.
    """

    def __init__(self, count: int, name: str, most_waiting: int | None = None) -> None:
        """``most_waiting``: how many pieces of work of one asker may wait; None: any number."""
        super().__init__(self, SERVER_ITSELF)
        self.count = self._free = count
        self.name = name
        self._most_waiting = most_waiting
        self._running: Counter[str] = Counter()
        self._waiting: dict[int, dict[str, deque[asyncio.Future[None]]]] = {}
        """A future for each piece of work that waits, by rank and asker. The asker that was served last stands last."""
        self._asking: TTLCache[str, None] = TTLCache(REMEMBERED_ASKERS, ASKER_MEMORY_S)
        self._served: TTLCache[str, float] = TTLCache(REMEMBERED_ASKERS, ASKER_MEMORY_S)
        """Moment when each asker last got a thread."""

    def share_for(self, asker: str, rank: Callable[[], int] = lambda: 0) -> Share:
        """Return the ``Share`` through which the work of one asker gets threads.

        ``rank`` is called for each piece of work; work of the lowest rank is served first.
        """
        return Share(self, asker, rank)

    @property
    def running(self) -> int:
        """Number of pieces of work that have a thread."""
        return self.count - self._free

    @property
    def waiting(self) -> int:
        """Number of pieces of work that wait for a thread."""
        return sum(not one.done() for asked in self._waiting.values() for queue in asked.values() for one in queue)

    async def queue_up(self, asker: str, rank: int) -> None:
        queue = self._waiting.setdefault(rank, {}).setdefault(asker, deque())
        if self._most_waiting is not None and len(queue) >= self._most_waiting:
            raise ArenaError(TOO_MUCH_WAITING)
        self._asking[asker] = None
        mine = asyncio.get_running_loop().create_future()
        queue.append(mine)
        self._give_threads()
        try:
            await mine
        except asyncio.CancelledError:
            if not mine.cancelled():  # a thread had just been given to this work
                self._take_back(asker)
            elif mine in queue:
                queue.remove(mine)
            raise

    def start_for(self, asker: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
        """Run a function on the thread that ``queue_up`` has reserved for the asker."""
        loop = asyncio.get_running_loop()
        outcome: Future[T] = Future()
        outcome.set_running_or_notify_cancel()

        def body() -> None:
            try:
                result = work(*args, **kwargs)
            except BaseException as error:  # a player that raises SystemExit ends only this work
                outcome.set_exception(error if isinstance(error, Exception) else RuntimeError(repr(error)))
            else:
                outcome.set_result(result)
            with contextlib.suppress(RuntimeError):  # the loop is closed: the server has stopped
                loop.call_soon_threadsafe(self._take_back, asker)

        try:
            threading.Thread(target=body, name=self.name, daemon=True).start()
        except RuntimeError:  # the system has no more threads
            self._take_back(asker)
            raise ArenaError("this machine has no more threads; try again in a moment") from None
        return asyncio.wrap_future(outcome)

    def _take_back(self, asker: str) -> None:
        self._free += 1
        self._running[asker] -= 1
        if not self._running[asker]:
            del self._running[asker]
        self._give_threads()

    def _give_threads(self) -> None:
        """Give the free threads to the askers that come next."""
        while self._free and (next_one := self._find_next()) is not None:
            rank, asker = next_one
            asked = self._waiting[rank]
            queue = asked.pop(asker)
            mine = queue.popleft() if queue else None
            if queue:
                asked[asker] = queue
            if mine is not None and not mine.done():
                self._free -= 1
                self._running[asker] += 1
                self._served[asker] = time.monotonic()
                mine.set_result(None)

    def _find_next(self) -> tuple[int, str] | None:
        most = self.count - 1 if len(self._asking) > 1 and self.count > 1 else self.count
        for rank in sorted(self._waiting):
            able = [asker for asker in self._waiting[rank] if asker == SERVER_ITSELF or self._running[asker] < most]
            if able:
                return rank, min(able, key=lambda asker: (self._running[asker], self._served.get(asker, 0.0)))
        return None

    def make_room(self, asker: str) -> bool:
        """Make room for work of ``asker``: drop the last piece of work of whoever has most waiting.

        Return whether a piece was dropped. Nothing is dropped unless somebody has at least two pieces more waiting than
        ``asker``.
        """
        waiting: dict[str, list[asyncio.Future[None]]] = {}
        for asked in self._waiting.values():
            for one, queue in asked.items():
                waiting.setdefault(one, []).extend(mine for mine in queue if not mine.done())
        most = max(waiting, key=lambda one: len(waiting[one]), default=asker)
        if len(waiting.get(most, ())) <= len(waiting.get(asker, ())) + 1:
            return False
        waiting[most][-1].set_exception(ArenaError(TOO_MUCH_WAITING))
        return True
