"""The parts of a running arena, put together."""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from hinterland.web import gallery
from hinterland.web.archive import Archive
from hinterland.web.gallery import Gallery
from hinterland.web.hosting import Hosting
from hinterland.web.hub import Hub
from hinterland.web.rates import Rates
from hinterland.web.showcase import Showcase
from hinterland.web.workers import Workers

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from litestar.connection import ASGIConnection

    from hinterland.web.refereed import RefereedTable
    from hinterland.web.settings import Settings
    from hinterland.web.table import Table

__all__ = ["Arena", "arena_of"]

log = logging.getLogger("hinterland.web")


class Arena:
    """Everything behind the pages. Made before the server starts, alive between ``running``'s two ends."""

    makes_tables = True

    def __init__(self, settings: Settings) -> None:
        """Open the archive. Raises ArenaError where a folder cannot be written or belongs to another arena."""
        self.settings = settings
        if settings.artworks is not None:
            gallery.check_folder(settings.artworks)
        self.archive = Archive(settings.data)
        limits = settings.limits
        self.gallery = Gallery(limits)
        self.reviews = Gallery(limits, threads=1)
        """Apart from the pictures: one takes seconds, and nobody shall wait for a hint meanwhile."""
        self.reviewing = Rates(limits.reviews_per_minute / 60, limits.reviews_per_minute)
        self.hub = Hub(self.archive, limits, self._ended)
        self.crowd = self.hub
        self.showcase = Showcase(self.hub, settings.show)
        self.hosting = Hosting(settings, self.archive.records)
        self.requests = Rates(limits.requests_per_second, limits.requests_at_once)
        self.boards = Rates(limits.boards_per_second, limits.boards_at_once)
        self.draughtsmen = Workers(2, "draughtsman")
        """Threads that make the boards people ask for: apart from those on which games are judged."""
        self.games = Rates(limits.games_per_minute / 60, limits.games_per_minute)
        self._saving: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def running(self, _: Any = None) -> AsyncIterator[None]:
        """Run until the server stops; then put every game away."""
        self.hub.start()
        self.hosting.start()
        try:
            yield
        finally:
            await self.stop()
            self.archive.close()

    async def stop(self) -> None:
        """Put every game away and close every connection; may be called twice."""
        await self.showcase.stop()
        await asyncio.gather(self.hosting.stop(), self.hub.stop())

    def refereed(self, table_id: str) -> RefereedTable | None:
        """Return a table at which a referee plays, or None."""
        hosted = self.hosting.find(table_id)
        return None if hosted is None else hosted.table

    def _ended(self, table: Table) -> None:
        if self.settings.artworks is not None:
            task = asyncio.get_running_loop().create_task(self._save_artwork(table))
            self._saving.add(task)
            task.add_done_callback(self._saving.discard)

    async def _save_artwork(self, table: Table) -> None:
        """Save a picture of the board; if that fails, the game does not care."""
        assert self.settings.artworks is not None
        try:
            await self.hub.bench.judges.run(gallery.save_artwork, self.settings.artworks, table)
        except Exception as error:
            log.warning("the picture of game %s could not be saved: %s", table.setup.id, error)


def arena_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Arena:
    """Return the arena that a connection reaches."""
    arena: Arena = connection.app.state.arena
    return arena
