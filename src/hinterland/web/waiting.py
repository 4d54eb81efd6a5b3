"""What a table waits for: a program that thinks, a clock that runs out. Both stop at a word."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from hinterland.referee import judge
from hinterland.referee.shell import local
from hinterland.web.stopwatch import Stopwatch
from hinterland.web.workers import Workers

if TYPE_CHECKING:
    from hinterland.contract import Position
    from hinterland.referee.clock import Clocks
    from hinterland.web.seating import Setup

__all__ = ["Bench", "Waiting", "hurried", "no_pause"]

SOON_S = 0.02
"""Timers may ring a little early; the clock is read again then."""
PATIENCE_MS = 10_000
"""Programs that divide their clock up by themselves are told that a move may take no longer than this."""


class Bench(msgspec.Struct, frozen=True):
    """The threads that all tables share: some judge and write, others think."""

    judges: Workers
    thinkers: Workers


def hurried(ask: judge.Ask) -> judge.Ask:
    """Bound a move of a game on a clock, since a program would else hold a thread of the arena for minutes."""
    if ask.clock.left_ms is None:
        return ask
    move_ms = min(PATIENCE_MS, ask.clock.move_ms or PATIENCE_MS)
    return msgspec.structs.replace(ask, clock=msgspec.structs.replace(ask.clock, move_ms=move_ms))


async def no_pause() -> None:
    """Let programs move as soon as they can."""


class Waiting:
    """Hands events in when they come. It belongs to the event loop."""

    def __init__(
        self,
        setup: Setup,
        bench: Bench,
        hand_in: Callable[[judge.Event], Coroutine[None, None, None]],
        pause: Callable[[], Awaitable[None]] = no_pause,
    ) -> None:
        """Wait for one table: ``hand_in`` takes events, ``pause`` is awaited before a program is asked."""
        self.watch = Stopwatch()
        self._setup = setup
        self._bench = bench
        self._hand_in = hand_in
        self._pause = pause
        self._timer: asyncio.TimerHandle | None = None
        self._thinking: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_thinking(self) -> bool:
        """Say whether a program is thinking."""
        return self._thinking is not None

    @property
    def is_timed(self) -> bool:
        """Say whether a clock is running that can run out."""
        return self._timer is not None

    def think(self, ask: judge.Ask, position: Position[Any, Any]) -> None:
        """Let the program in a seat choose; a person's seat is left alone."""
        self.stop()
        if ask.seat in self._setup.programs:
            self._thinking = self.spawn(self._think(ask, position))

    async def _think(self, ask: judge.Ask, position: Position[Any, Any]) -> None:
        """The clock stands still until a processor is free. A seed, a seat and a ply always give the same choice."""  # noqa: D401
        rng = np.random.default_rng([self._setup.seed, 0, ask.seat, len(position.moves)])
        with self.watch.held():
            await self._pause()
            await self._bench.thinkers.turn()
        program = self._setup.programs[ask.seat]
        event = await self._bench.thinkers.start(local.choose, program, position, hurried(ask), rng)
        self._thinking = None
        await self._hand_in(event)

    def set_timer(self, clocks: Clocks) -> None:
        """Hand a Tick in when the running clock has run out."""
        self._stop_timer()
        deadline = clocks.deadline_ns
        if deadline is not None:
            wait_s = max((deadline - self.watch.now_ns()) / 1e9, 0.0) + SOON_S
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._ring, clocks)

    def _ring(self, clocks: Clocks) -> None:
        self._timer = None
        if clocks.is_late(self.watch.now_ns()):
            self.spawn(self._hand_in(judge.Tick()))
        else:
            self.set_timer(clocks)

    def stop(self) -> None:
        """Wait no more; what a program is still working out is thrown away."""
        self._stop_timer()
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Run something that nobody need wait for; its faults are the table's to report."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()
