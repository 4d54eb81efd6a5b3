"""The players of one match before it begins. A player that leaves frees its seat for the next."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from hinterland.host.players.player_connection import PlayerConnection
from hinterland.host.players.remote_player import RemotePlayer
from hinterland.referee.protocol import session
from hinterland.referee.verdicts import Verdict


class MatchQueue:
    """The seats of a match and the players in them."""

    def __init__(self, size: int) -> None:
        self.players: dict[int, PlayerConnection] = {}
        """The players that have introduced themselves, by number."""
        self.size = size
        self.has_begun = False
        """Whether the match has begun and its players are fixed."""
        self._changed = asyncio.Event()

    @property
    def is_complete(self) -> bool:
        return len(self.players) == self.size

    @property
    def names(self) -> list[str]:
        return [player.name for player in self.players.values()]

    def free_number(self) -> int | None:
        return next((number for number in range(self.size) if number not in self.players), None)

    def seat(self, player: PlayerConnection) -> None:
        self.players[player.number] = player
        self._changed.set()

    def free_seat(self, number: int) -> None:
        self.players.pop(number, None)
        self._changed.set()

    async def wait_until_complete(self) -> list[PlayerConnection]:
        """Wait for all players; return them by number."""
        while not self.is_complete:
            self._changed.clear()
            await self._changed.wait()
        return [self.players[number] for number in range(self.size)]


class WaitingPlayer(RemotePlayer):
    """A player that waits for its match; until the match begins it may leave without a trace."""

    queue: MatchQueue
    on_left: Callable[[], None]
    """Called when the player has left."""

    def on_message(self, message: session.Inbound) -> None:
        super().on_message(message)
        if not self.queue.has_begun and isinstance(message, session.Broken):
            self._observer.on_leave(self, message.detail)
            self._leave()

    def on_lost(self, verdict: Verdict, detail: str) -> None:
        super().on_lost(verdict, detail)
        if not self.queue.has_begun:
            self._leave()

    def _leave(self) -> None:
        self.queue.free_seat(self.number)
        self.on_left()
