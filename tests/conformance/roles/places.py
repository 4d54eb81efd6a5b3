"""Hosts the suite's matches: a referee of its own, with or without a page, or a match of an arena."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from hinterland.errors import ArenaError
from hinterland.host.match_host import MatchHost
from hinterland.host.network import tcp
from hinterland.host.observer import Observer, Observers
from hinterland.storage.game_setup import new_key
from hinterland.web import server
from hinterland.web.app import create_app
from hinterland.web.connections import Connections
from hinterland.web.settings import Limits, Settings
from hinterland.web.watching import watching

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from hinterland.host.match_host import HostConfig
    from hinterland.web.arena import Arena
    from hinterland.web.matches.hosted_match import HostedMatch

__all__ = ["LIMITS", "ArenaPlace", "Served", "at_a_referee", "fresh_address"]

HOST = "127.0.0.1"
ADDRESSES = itertools.count()
LIMITS = Limits(
    request_s=0.5, body_s=0.4, send_s=0.5, hello_s=0.5, waiting_per_address=30, connections_per_address=100,
    requests_at_once=60, requests_per_second=20, hosted_matches=200,
)  # fmt: skip
"""Limits of pages: the deadlines and shares of a real server, made shorter."""


def fresh_address() -> str:
    """Return an address that nobody has used yet: each hostile guest has a share of its own."""
    number = next(ADDRESSES)
    return f"127.1.{number // 200}.{number % 200 + 1}" if sys.platform == "linux" else HOST


class Served:
    """A hosted match."""

    def __init__(self, serving: asyncio.Task[object], port: int, page_port: int = 0, table: str = "") -> None:
        self.serving = serving
        self.port = port
        """The TCP port of players."""
        self.page_port = page_port
        """The port of its page, if it has one."""
        self.table = f"/tables/{table}"
        """The address of the page."""
        self.hosted: HostedMatch | None = None
        """The match, if the arena hosts it."""
        self.error: ArenaError | None = None
        """The error that ended the host."""


@contextlib.asynccontextmanager
async def at_a_referee(plan: HostConfig, seen: Observer, *, has_page: bool) -> AsyncIterator[Served]:
    """Host a match as ``hinterland referee`` does while the context lasts; ``has_page``: as with ``--watch``."""
    async with contextlib.AsyncExitStack() as stack:
        listener = stack.enter_context(contextlib.closing(tcp.listen(HOST, 0)))
        players_at = listener.host, listener.port
        page_port, table, observers = 0, "", [seen]
        if has_page:
            watched = watching(plan, host=HOST, port=0, players_at=players_at, limits=LIMITS)
            show = await stack.enter_async_context(watched)
            page_port, table, observers = int(show.url.rpartition(":")[2]), show.match_show.id, [seen, show.match_show]
        host = MatchHost(plan, Observers(observers))
        if has_page:
            show.match_show.lobby = host.lobby
        serving: asyncio.Task[object] = asyncio.create_task(host.serve(listener))
        served = Served(serving, players_at[1], page_port, table)
        try:
            yield served
        finally:
            serving.cancel()
            try:
                await serving
            except ArenaError as error:
                served.error = error
            except asyncio.CancelledError:
                pass


class ArenaPlace:
    """A whole arena in this process, which hosts each match."""

    def __init__(self, arena: Arena, port: int, shares: Connections) -> None:
        self.arena = arena
        self.port = port
        self._shares = shares
        self._opening = asyncio.Lock()

    @classmethod
    @contextlib.asynccontextmanager
    async def open(cls) -> AsyncIterator[ArenaPlace]:
        """Run it while the context lasts."""
        with tempfile.TemporaryDirectory() as folder, contextlib.closing(server.listen(HOST, 0)) as listener:
            settings = Settings(data=Path(folder) / "data", port=listener.port, limits=LIMITS)
            app = create_app(settings)
            arena: Arena = app.state.arena
            ready = asyncio.Event()
            running = server.Server(app, settings, arena.stop, ready.set, hears_signals=False)
            serving = asyncio.create_task(running.serve(sockets=listener.sockets))
            await ready.wait()
            try:
                yield cls(arena, settings.port, running.config.shares)
            finally:
                running.should_exit = True
                await serving

    def connections_of(self, address: str) -> int:
        """Return how many connections to the arena an address has."""
        return self._shares.count(address)

    @contextlib.asynccontextmanager
    async def table(self, plan: HostConfig, seen: Observer) -> AsyncIterator[Served]:
        """Host a match in the arena while the context lasts; ``seen`` observes it."""
        hosting = self.arena.hosting
        async with self._opening:
            usual, hosting.observe = hosting.observe, lambda _: seen
            try:
                hosted = await hosting.open(plan, 0, new_key())
            finally:
                hosting.observe = usual
        assert hosted._serving is not None
        port = int(hosted.address.rpartition(":")[2])
        try:
            served = Served(hosted._serving, port, self.port, hosted.show.id)
            served.hosted = hosted
            yield served
        finally:
            await hosted.stop("the run is over")
