"""A built-in player, which thinks on a thread, so that it can lose on time while it thinks.

A thread cannot be interrupted, so a late player thinks on until it is done. A late answer carries an old turn and is
discarded, and the next game gets a fresh player. If many games share a few threads, a request counts as sent only when
a thread is free for it, so that no clock is charged for the wait.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import numpy as np

from hinterland import catalog
from hinterland.contract import Game, Player, Position
from hinterland.errors import IllegalMove
from hinterland.host import synchronous
from hinterland.host.player_connection import PlayerConnection, SubmitEvent
from hinterland.host.thread_pools import Share
from hinterland.referee import judge
from hinterland.referee.protocol import session
from hinterland.referee.verdicts import Verdict

USUAL_MOVE_MS, MIN_MOVE_MS = 2_000, 20
"""If moves wait for threads, each move gets ``USUAL_MOVE_MS`` divided by the number of moves per thread, but at least
``MIN_MOVE_MS``."""
MAX_MOVE_MS = 10_000
"""Most milliseconds for a move of a player on a shared thread, even if its clock has more."""


class InProcessPlayer(PlayerConnection):
    """A built-in player, on a thread of its own for each move."""

    def __init__(self, kind: Game, number: int, name: str, spec: str, seed: int) -> None:
        """Seat a player. Raises HinterlandError if ``spec`` names no player."""
        super().__init__(number, name)
        self._make: Callable[[], Player] = lambda: catalog.player(kind, spec)
        self._player = self._make()
        self._seed = seed
        self._rng = np.random.default_rng([seed, 0, number])

    async def prepare(self) -> None:
        """Make a fresh player for the next game: the old player may still be thinking."""
        self._player = self._make()

    def start(self, start: session.Start, submit_event: SubmitEvent) -> None:
        super().start(start, submit_event)
        self._rng = np.random.default_rng([self._seed, start.terms.number - 1, self.number])

    def request_move(self, request: judge.Request, message: session.MoveRequest, position: Position[Any, Any]) -> bool:  # noqa: ARG002
        loop = asyncio.get_running_loop()
        submit_event, player, rng = self._submit_event, self._player, self._rng
        assert submit_event is not None

        def think() -> None:
            event = synchronous.choose(player, position, request, rng)
            stamp_ns = time.monotonic_ns()
            if not loop.is_closed():
                loop.call_soon_threadsafe(submit_event, event, stamp_ns)

        threading.Thread(target=think, name=f"player {self.name}", daemon=True).start()
        return True


class PooledPlayer(InProcessPlayer):
    """A built-in player on a server's shared threads. Its random numbers depend on seed, game, seat and ply alone."""

    def __init__(
        self,
        kind: Game,
        number: int,
        name: str,
        spec: str,
        seed: int,
        threads: Share,
        pause: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Seat a player. ``pause`` is awaited before a move. Raises HinterlandError if ``spec`` names no player."""
        super().__init__(kind, number, name, spec, seed)
        self._threads = threads
        self._pause = pause
        self._thinking: asyncio.Task[None] | None = None

    @property
    def is_thinking(self) -> bool:
        """Whether the player has been asked and has not answered."""
        return self._thinking is not None and not self._thinking.done()

    def request_move(self, request: judge.Request, message: session.MoveRequest, position: Position[Any, Any]) -> bool:  # noqa: ARG002
        """Let the player think as soon as a thread is free."""
        self.stop()
        self._thinking = asyncio.get_running_loop().create_task(self._think(request, position))
        return False

    async def _think(self, request: judge.Request, position: Position[Any, Any]) -> None:
        assert self._submit_event is not None
        assert self._start is not None
        rng = np.random.default_rng([self._seed, self._start.terms.number - 1, request.seat, len(position.moves)])
        if self._pause is not None:
            await self._pause()
        await self._threads.wait_for_turn()
        self._submit_event(judge.RequestSent(request.turn), time.monotonic_ns())
        hurried_request = shorten_request(request, self._threads.crowding)
        event = await self._threads.start(synchronous.choose, self._player, position, hurried_request, rng)
        stamp_ns = time.monotonic_ns()
        if isinstance(event, judge.Answer):
            try:
                position.check(event.move)
            except IllegalMove as error:
                event = judge.Fault(request.seat, Verdict.ILLEGAL, f"{self.name}: {error.detail}")
        self._submit_event(event, stamp_ns)

    def depart(self, departed: judge.Departure) -> None:  # noqa: ARG002
        self.stop()

    def end_game(self, over: session.GameEnd) -> None:
        self.stop()
        super().end_game(over)

    def stop(self) -> None:
        """Drop the answer that is still being computed."""
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None


def shorten_request(request: judge.Request, crowding: float = 1.0) -> judge.Request:
    """Bound the time for a move, since a player with a long clock would hold a shared thread for minutes.

    ``crowding``: number of moves, running and waiting, for each thread. The more moves there are, the less time each of
    them gets.
    """
    if request.clock.left_ms is None and crowding == 1:
        return request
    move_ms = min(MAX_MOVE_MS, request.clock.move_ms or MAX_MOVE_MS)
    if crowding > 1:
        move_ms = min(move_ms, max(round(USUAL_MOVE_MS / crowding), MIN_MOVE_MS))
    return msgspec.structs.replace(request, clock=msgspec.structs.replace(request.clock, move_ms=move_ms))
