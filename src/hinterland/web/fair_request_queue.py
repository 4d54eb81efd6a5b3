"""Starts requests fairly: one per address in a turn of the event loop, however many have come.

The event loop handles everything that has arrived before it looks again. Without this queue, many short requests of one
address would delay everybody else, and every move of every player.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

from hinterland.web.shares import widest_share_of


class FairRequestQueue:
    """Passes requests to an ASGI application. It belongs to one event loop."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """Queues of the addresses that have started a request in this turn."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer in this address's turn."""
        if scope["type"] != "lifespan":
            await self._turn(widest_share_of(scope["client"][0]) if scope.get("client") else "")
        await self._app(scope, receive, send)

    async def _turn(self, address: str) -> None:
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._next)
        if address not in self._waiting:
            self._waiting[address] = deque()
            return
        mine = loop.create_future()
        self._waiting[address].append(mine)
        await mine

    def _next(self) -> None:
        """Start the next request of each address."""
        for address, queue in list(self._waiting.items()):
            while queue and queue[0].done():  # the client has disconnected
                queue.popleft()
            if queue:
                queue.popleft().set_result(None)
            else:
                del self._waiting[address]
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._next)
