"""The live page of one referee: a web server in the referee's own event loop.

The page keeps no games and has small limits. ::

    async with watching(plan, host="127.0.0.1", port=8000, players_at=(listener.host, listener.port)) as show:
        host = MatchHost(plan, Observers([terminal, show.match_show]))
        show.match_show.lobby = host.lobby  # programs may join over WebSocket, where they speak protocol json
        terminal.say(f"watch it at {show.url}")
        await host.serve(listener)
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import MediaType, Request, get
from litestar.response import Template

from hinterland.host.match_host import HostConfig
from hinterland.web.app import application
from hinterland.web.app_context import AppContext, context_of
from hinterland.web.matches.match_show import LINGER_S, MatchShow
from hinterland.web.pages.match_pages import match_page
from hinterland.web.server import Server, address_of, listen, reachable_address
from hinterland.web.settings import Limits, Place

LIMITS = Limits(viewers=200, viewers_per_game=200)
"""Small limits, since pages must not delay the referee."""
OPTION = "--watch-port"
FAREWELL_S = 0.5
"""Seconds within which viewers must receive the last message."""


class Watching(AppContext):
    """A match shown while it is played."""

    def __init__(self, plan: HostConfig, place: Place, players_at: tuple[str, int], linger_s: float = LINGER_S) -> None:
        super().__init__(place)
        self.match_show = MatchShow(plan, reachable_address(*players_at), linger_s=linger_s)
        self.url = address_of(place.host, place.port)
        """Address to open in a browser."""

    def find_match_show(self, match_id: str) -> MatchShow | None:
        """Return the match of this referee, or None."""
        return self.match_show if match_id == self.match_show.id else None

    async def close(self) -> None:
        """Tell all viewers that the referee has closed, and wait until they have left, ``FAREWELL_S`` at most."""
        self.match_show.close("the referee has closed")
        audience = self.match_show.audience
        audience.dismiss(1000, "the referee has closed")
        deadline = time.monotonic() + FAREWELL_S
        while len(audience) and time.monotonic() < deadline:
            await asyncio.sleep(0.005)


@get("/")
async def front(request: Request[Any, Any, Any]) -> Template:
    """Show the match."""
    show = context_of(request)
    assert isinstance(show, Watching)
    return match_page(show, show.match_show)


@get("/api/table", media_type=MediaType.JSON)
async def current_match(request: Request[Any, Any, Any]) -> dict[str, str]:
    """Return the id of this referee's match.

    A page left open from an earlier referee asks for this id and opens this match.
    """
    show = context_of(request)
    assert isinstance(show, Watching)
    return {"id": show.match_show.id}


@asynccontextmanager
async def watching(
    plan: HostConfig, *, host: str, port: int, players_at: tuple[str, int], linger_s: float = LINGER_S,
    limits: Limits = LIMITS,
) -> AsyncIterator[Watching]:  # fmt: skip
    """Show the match of a plan.

    ``players_at``: host and port for players; ``linger_s``: seconds for which a game's end is shown. Port 0 takes a
    free port. Raises ArenaError if the port cannot be used.
    """
    with contextlib.closing(listen(host, port, OPTION)) as listener:
        place = Place(host=host, port=listener.port, limits=limits)
        show = Watching(plan, place, players_at, linger_s)
        ready = asyncio.Event()
        server = Server(application(show, [front, current_match]), place, show.close, ready.set, hears_signals=False)
        serving = asyncio.get_running_loop().create_task(server.serve(sockets=listener.sockets))
        waiting = asyncio.get_running_loop().create_task(ready.wait())
        await asyncio.wait([serving, waiting], return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        try:
            yield show
        finally:
            server.should_exit = True
            await serving
