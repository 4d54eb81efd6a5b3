"""A port that takes connections, and all connections that came through it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from hinterland.host.network.acceptor import Acceptor
from hinterland.host.network.tcp import TcpCarrier

if TYPE_CHECKING:
    from collections.abc import Callable

    from hinterland.host.network.link import Receiver
    from hinterland.host.network.tcp import Listener

DRAIN_S = 1.0
"""Seconds that the last connections have to receive what was sent last."""


class OpenPort:
    """A listening socket and its connections. It belongs to one event loop."""

    def __init__(self, welcome: Callable[[TcpCarrier], Receiver | None]) -> None:
        """Make ready. ``welcome`` takes each connection, and returns None for one that it sends away."""
        self.carriers: set[TcpCarrier] = set()
        """Open connections."""
        self._receive = welcome
        self._acceptors: list[Acceptor] = []
        self._listener: Listener | None = None

    def open(self, listener: Listener) -> None:
        self._listener = listener
        self._acceptors = [Acceptor(one, self._carrier) for one in listener.sockets]
        for acceptor in self._acceptors:
            acceptor.start()

    async def shut(self) -> None:
        for acceptor in self._acceptors:
            await acceptor.stop()

    async def close(self) -> None:
        """Wait a moment for the last words to arrive, then cut the connections that are left."""
        await self.shut()
        if self._listener is not None:
            self._listener.close()
        deadline = asyncio.get_running_loop().time() + DRAIN_S
        while self.carriers and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(0.005)
        for carrier in list(self.carriers):
            carrier.abort()
        while self.carriers:
            await asyncio.sleep(0)

    def _carrier(self) -> TcpCarrier:
        return TcpCarrier(self._welcome, self.carriers.discard)

    def _welcome(self, carrier: TcpCarrier) -> Receiver | None:
        self.carriers.add(carrier)
        return self._receive(carrier)
