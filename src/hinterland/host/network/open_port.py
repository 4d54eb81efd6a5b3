"""A port that takes connections, and all that came through it, until the last has its last words."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable

from hinterland.host.network.link import Receiver
from hinterland.host.network.tcp import BACKLOG, TcpCarrier

DRAIN_S = 1.0
"""How long the last connections may take to receive what was sent last."""

TURNS = 4
"""Of the event loop, after which whoever was accepted last is among the connections: a server that is closed before
would forget to close them."""


class OpenPort:
    """A listening socket and its connections. It belongs to one event loop."""

    def __init__(self, welcome: Callable[[TcpCarrier], Receiver | None]) -> None:
        """Make ready; ``welcome`` takes each connection, and returns None for one that it sends away."""
        self.carriers: set[TcpCarrier] = set()
        """Connections that stand."""
        self._receive = welcome
        self._server: asyncio.Server | None = None
        self._listener: socket.socket | None = None

    async def open(self, listener: socket.socket) -> None:
        """Take connections from now on."""
        loop, self._listener = asyncio.get_running_loop(), listener
        self._server = await loop.create_server(self._carrier, sock=listener, backlog=BACKLOG)

    def shut(self) -> None:
        """Take no more connections."""
        if self._listener is not None:
            with contextlib.suppress(NotImplementedError):
                asyncio.get_running_loop().remove_reader(self._listener)
            self._listener = None

    async def close(self) -> None:
        """Wait a moment for the last words to arrive, then cut whoever is left."""
        self.shut()
        for _ in range(TURNS):
            await asyncio.sleep(0)
        if self._server is not None:
            self._server.close()
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
