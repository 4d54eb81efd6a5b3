"""Ports that take connections: any number of connections, or one bot at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from hinterland.host.network.acceptor import Acceptor
from hinterland.host.network.link import Receiver
from hinterland.host.network.tcp import Listener, TcpCarrier

DRAIN_S = 1.0
"""Seconds that open connections have to take the last bytes before they are cut."""


class OpenPort:
    """A listening socket and its connections. It belongs to one event loop."""

    def __init__(self, welcome: Callable[[TcpCarrier], Receiver | None]) -> None:
        """``welcome`` takes each connection, and returns None for one that it sends away."""
        self.carriers: set[TcpCarrier] = set()
        """Open connections."""
        self._receive = welcome
        self._acceptors: list[Acceptor] = []
        self._listener: Listener | None = None

    def open(self, listener: Listener) -> None:
        self._listener = listener
        make = partial(TcpCarrier, self._welcome, self.carriers.discard)
        self._acceptors = [Acceptor(one, make) for one in listener.sockets]
        for acceptor in self._acceptors:
            acceptor.start()

    async def shut(self) -> None:
        for acceptor in self._acceptors:
            await acceptor.stop()

    async def close(self) -> None:
        """Wait a moment for the last bytes to arrive, then cut the connections that are left."""
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

    def _welcome(self, carrier: TcpCarrier) -> Receiver | None:
        self.carriers.add(carrier)
        return self._receive(carrier)


class BotPort:
    """A port that admits one bot at a time."""

    def __init__(self, listener: Listener) -> None:
        self.host, self.port = listener.host, listener.port
        self.carrier: TcpCarrier | None = None
        """The connection of the bot that came last; None before the first."""
        self._listener = listener
        self._gone = asyncio.Event()

    async def admit(self, welcome: Callable[[TcpCarrier], Receiver], *, is_last: bool = False) -> None:
        """Wait for a bot to connect. ``is_last``: whether the port is closed after this bot."""
        connection = await self._listener.accept()
        if is_last:
            self.close()
        self.carrier, gone = None, asyncio.Event()
        _, self.carrier = await asyncio.get_running_loop().connect_accepted_socket(
            lambda: TcpCarrier(welcome, lambda _: gone.set()), connection
        )
        self._gone = gone

    @property
    def is_free(self) -> bool:
        """Whether no bot is connected."""
        return self.carrier is None or self._gone.is_set()

    async def wait_until_free(self) -> None:
        if not self.is_free:
            await self._gone.wait()

    def close(self) -> None:
        """Admit no more bots."""
        self._listener.close()
