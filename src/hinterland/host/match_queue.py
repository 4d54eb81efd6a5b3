"""The players of one match while they gather: whoever leaves before it begins makes room for the next."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from hinterland.host.players.player_connection import PlayerConnection
from hinterland.host.players.remote_player import RemotePlayer
from hinterland.referee.protocol import session
from hinterland.referee.verdicts import Verdict


class MatchQueue:
    """Numbers and who has them."""

    def __init__(self, size: int) -> None:
        self.players: dict[int, PlayerConnection] = {}
        """Those that have introduced themselves."""
        self.size = size
        self.has_begun = False
        """Whether the match has begun: nobody comes or goes any more."""
        self._changed = asyncio.Event()

    @property
    def is_complete(self) -> bool:
        """Say whether everybody is here."""
        return len(self.players) == self.size

    @property
    def names(self) -> list[str]:
        """The names that are taken."""
        return [player.name for player in self.players.values()]

    def free_number(self) -> int | None:
        """Return the lowest number that nobody has."""
        return next((number for number in range(self.size) if number not in self.players), None)

    def seat(self, player: PlayerConnection) -> None:
        """Seat a player that has introduced itself."""
        self.players[player.number] = player
        self._changed.set()

    def free_seat(self, number: int) -> None:
        """Free the seat of somebody who left."""
        self.players.pop(number, None)
        self._changed.set()

    async def wait_until_complete(self) -> list[PlayerConnection]:
        """Wait until everybody is here; return them in the order of their numbers."""
        while not self.is_complete:
            self._changed.clear()
            await self._changed.wait()
        return [self.players[number] for number in range(self.size)]


class WaitingPlayer(RemotePlayer):
    """A player that sits and waits; until the match begins it may leave without a trace."""

    queue: MatchQueue
    """Whom it waits with."""
    on_left: Callable[[], None]
    """To be called when it has left."""

    def on_message(self, message: session.Inbound) -> None:
        """Take what the player says; who breaks the protocol now loses its seat."""
        super().on_message(message)
        if not self.queue.has_begun and isinstance(message, session.Broken):
            self._observer.went(self, message.detail)
            self._leave()

    def lost(self, verdict: Verdict, detail: str) -> None:
        """Learn that the link is gone."""
        super().lost(verdict, detail)
        if not self.queue.has_begun:
            self._leave()

    def _leave(self) -> None:
        self.queue.free_seat(self.number)
        self.on_left()
