"""A person at an interface, such as a page, which shows the board when the person is to move and submits the answer."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any

from hinterland.contract import Position
from hinterland.errors import IllegalMove
from hinterland.host.player_connection import PlayerConnection
from hinterland.referee import judge
from hinterland.referee.protocol import session
from hinterland.referee.verdicts import Illegal


class Person(PlayerConnection):
    """A person's seat. Illegal moves are refused at once and never reach the judge."""

    illegal = Illegal.RETRY
    can_leave = True

    def __init__(self, number: int, name: str, patience_s: float = 0.0, *, waits_to_begin: bool = False) -> None:
        """Seat a person. ``patience_s``: seconds that a game waits at its beginning until the person looks at it.

        ``waits_to_begin``: whether the person's clock stands still until the person has made a move.
        """
        super().__init__(number, name)
        self._waits_to_begin = waits_to_begin
        self.is_here = asyncio.Event()
        """Set while the person looks at the board."""
        self._patience_s = patience_s
        self.request: judge.Request | None = None
        """The request that the person has not answered; None if there is none."""

    async def prepare(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._patience_s):
                await self.is_here.wait()

    def request_move(self, request: judge.Request, message: session.MoveRequest, position: Position[Any, Any]) -> bool:  # noqa: ARG002
        self.request = request
        return not self._waits_to_begin or any(seat == request.seat for seat, _ in position.moves)

    def depart(self, departed: judge.Departure) -> None:  # noqa: ARG002
        self.request = None

    def end_game(self, over: session.GameEnd) -> None:
        self.request = None
        super().end_game(over)

    def resign(self) -> None:
        """Resign. Raises IllegalMove if no game goes on."""
        if self._start is None or self._submit_event is None:
            raise IllegalMove("game_over", "the game is over")
        self._submit_event(judge.Resign(self._start.seat), time.monotonic_ns())
