"""The parts of a running arena, put together."""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from hinterland.host.thread_pools import Workers
from hinterland.storage.archive import Archive
from hinterland.web import gallery
from hinterland.web.app_context import AppContext
from hinterland.web.gallery import Gallery
from hinterland.web.live.contest_library import ContestLibrary
from hinterland.web.live.game_registry import GameRegistry
from hinterland.web.live.hosting import Hosting
from hinterland.web.live.showcase import Showcase
from hinterland.web.operations.health import Health
from hinterland.web.rates import Rates

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from litestar.connection import ASGIConnection

    from hinterland.web.live.arena_game import ArenaGame
    from hinterland.web.live.match_show import MatchShow
    from hinterland.web.settings import Settings

log = logging.getLogger("hinterland.web")


class Arena(AppContext):
    """Everything behind the pages. Made before the server starts, alive between ``running``'s two ends."""

    settings: Settings
    makes_tables = True

    def __init__(self, settings: Settings) -> None:
        """Open the archive. Raises ArenaError where a folder cannot be written or belongs to another arena."""
        super().__init__(settings)
        if settings.artworks is not None:
            gallery.check_folder(settings.artworks)
        self.archive = Archive(settings.data)
        limits = settings.limits
        self.gallery = Gallery(limits)
        self.reviews = Gallery(limits, "review")
        """Apart from the pictures: one takes seconds, and nobody shall wait for a hint meanwhile."""
        self.reviewing = Rates(limits.reviews_per_minute / 60, limits.reviews_per_minute)
        self.at_tables: dict[str, str] = {}
        """The table of each game that is played at one now, by the game's id."""
        self.registry = GameRegistry(self.archive, limits, self._ended, self.at_tables)
        self.showcase = Showcase(self.registry, settings.show)
        self.hosting = Hosting(settings, self.archive, self.registry.judges, self.at_tables)
        self.contests = ContestLibrary(settings.contests)
        self.boards = Rates(limits.boards_per_second, limits.boards_at_once)
        self.board_workers = Workers(2, "board-worker", limits.live_tables)
        """Threads that make the boards people ask for: apart from those on which games are judged."""
        self.readers = Workers(2, "reader", limits.readings_per_address)
        """Threads that read files for pages."""
        self.games = Rates(limits.games_per_minute / 60, limits.games_per_minute)
        self.health = Health(settings.data)
        self._saving: set[asyncio.Task[None]] = set()

    @property
    def pools(self) -> tuple[Workers, ...]:
        """The threads of all kinds."""
        registry = self.registry
        drawing = (self.gallery.workers, self.reviews.workers)
        return (registry.judges, registry.thinkers, self.board_workers, self.readers, *drawing)

    @asynccontextmanager
    async def running(self, _: Any = None) -> AsyncIterator[None]:
        """Run until the server stops; then put every game away."""
        self.registry.start()
        await self.hosting.start()
        self.health.lag.start()
        self.health.is_ready = True
        try:
            yield
        finally:
            await self.stop()
            self.health.lag.stop()
            self.audit.sum_up()
            self.archive.close()

    async def stop(self) -> None:
        """Put every game away and close every connection; may be called twice."""
        self.health.is_ready = False
        await self.showcase.stop()
        await asyncio.gather(self.hosting.stop(), self.registry.stop())

    def refereed(self, table_id: str) -> MatchShow | None:
        """Return a table at which a referee plays, or None."""
        hosted = self.hosting.find(table_id)
        return None if hosted is None else hosted.table

    def _ended(self, table: ArenaGame) -> None:
        if self.settings.artworks is not None:
            task = asyncio.get_running_loop().create_task(self._save_artwork(table))
            self._saving.add(task)
            task.add_done_callback(self._saving.discard)

    async def _save_artwork(self, table: ArenaGame) -> None:
        """Save a picture of the board; if that fails, the game does not care."""
        assert self.settings.artworks is not None
        try:
            await self.registry.judges.run(gallery.save_artwork, self.settings.artworks, table)
        except Exception as error:
            log.warning("the picture of game %s could not be saved: %s", table.setup.id, error)


def arena_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Arena:
    """Return the arena that a connection reaches."""
    arena: Arena = connection.app.state.arena
    return arena
