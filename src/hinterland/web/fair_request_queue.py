"""Requests begin in turn: one of each address in a turn of the event loop, however many have come.

The event loop does all that has come before it looks again. A crowd of requests from one address, each short, would
hold up everybody else for as long as all of them take, and whoever plays for as long again with each move.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

from hinterland.web.shares import widest_share_of


class FairRequestQueue:
    """Lets requests through to an ASGI application. It belongs to one event loop."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """By address, of those from which somebody has passed in this turn or waits."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer when it is this address's turn."""
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
        """Let the next of each address pass."""
        for address, queue in list(self._waiting.items()):
            while queue and queue[0].done():  # it has hung up
                queue.popleft()
            if queue:
                queue.popleft().set_result(None)
            else:
                del self._waiting[address]
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._next)
