"""A player of the catalogue: it thinks on a thread, so that the flag falls whether it is done or not.

A thread cannot be interrupted. One that is late goes on until it is done; its answer carries an old turn and is
discarded, and the next game gets a player of its own. Where many games share a few threads, a question counts as asked
when a thread is free for it: nobody's clock pays for the wait.
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
from hinterland.host.players.player_connection import PlayerConnection, SubmitEvent
from hinterland.host.thread_pools import Share
from hinterland.referee import judge
from hinterland.referee.protocol import session
from hinterland.referee.verdicts import Verdict

USUAL_MOVE_MS, MIN_MOVE_MS = 2_000, 20
"""How long a player thinks where nobody waits for its thread, and the least that is left of it where many do."""
MAX_MOVE_MS = 10_000
"""Players that share threads and divide their clock up by themselves are told that a move may take no longer."""


class InProcessPlayer(PlayerConnection):
    """A player of the catalogue in this process, on a thread of its own for each move."""

    def __init__(self, kind: Game, number: int, name: str, spec: str, seed: int) -> None:
        """Seat a player. Raises HinterlandError where there is none of this spec."""
        super().__init__(number, name)
        self._make: Callable[[], Player] = lambda: catalog.player(kind, spec)
        self._player = self._make()
        self._seed = seed
        self._rng = np.random.default_rng([seed, 0, number])

    async def prepare(self) -> None:
        """Take a fresh player: the old one may still be thinking."""
        self._player = self._make()

    def start(self, start: session.Start, submit_event: SubmitEvent) -> None:
        """Begin a game."""
        super().start(start, submit_event)
        self._rng = np.random.default_rng([self._seed, start.number - 1, self.number])

    def request_move(self, request: judge.Request, message: session.MoveRequest, position: Position[Any, Any]) -> bool:  # noqa: ARG002
        """Let the player think."""
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
    """One that shares the threads of a server with others; a seed, a game, a seat and a ply always choose alike."""

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
        """Seat a player. ``pause`` is awaited before it thinks. Raises HinterlandError where there is none."""
        super().__init__(kind, number, name, spec, seed)
        self._threads = threads
        self._pause = pause
        self._thinking: asyncio.Task[None] | None = None

    @property
    def is_thinking(self) -> bool:
        """Say whether it has been asked and has not answered."""
        return self._thinking is not None and not self._thinking.done()

    def request_move(self, request: judge.Request, message: session.MoveRequest, position: Position[Any, Any]) -> bool:  # noqa: ARG002
        """Let the player think as soon as there is a thread for it."""
        self.stop()
        self._thinking = asyncio.get_running_loop().create_task(self._think(request, position))
        return False

    async def _think(self, request: judge.Request, position: Position[Any, Any]) -> None:
        assert self._submit_event is not None
        assert self._start is not None
        rng = np.random.default_rng([self._seed, self._start.number - 1, request.seat, len(position.moves)])
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
        """Throw away what is still being worked out."""
        self.stop()

    def end_game(self, over: session.GameEnd) -> None:
        """Forget the game."""
        self.stop()
        super().end_game(over)

    def stop(self) -> None:
        """Wait for no answer any more."""
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None


def shorten_request(request: judge.Request, crowding: float = 1.0) -> judge.Request:
    """Bound a move of a game on a clock, since a player would else hold a shared thread for minutes.

    Where several wait for each thread (``crowding``), all think shorter, so that nobody waits for long.
    """
    if request.clock.left_ms is None and crowding == 1:
        return request
    move_ms = min(MAX_MOVE_MS, request.clock.move_ms or MAX_MOVE_MS)
    if crowding > 1:
        move_ms = min(move_ms, max(round(USUAL_MOVE_MS / crowding), MIN_MOVE_MS))
    return msgspec.structs.replace(request, clock=msgspec.structs.replace(request.clock, move_ms=move_ms))
