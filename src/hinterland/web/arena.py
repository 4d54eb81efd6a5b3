"""Puts the parts of a running arena together."""

from __future__ import annotations

import asyncio
import logging
import os
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from hinterland import catalog
from hinterland.errors import ArenaError
from hinterland.host.processes.background import Background
from hinterland.host.thread_pools import Workers
from hinterland.ladder.ladder_keeper import LadderKeeper
from hinterland.storage.archive import Archive
from hinterland.storage.index import database
from hinterland.storage.index.game_index import GameIndex
from hinterland.web import gallery
from hinterland.web.app_context import AppContext
from hinterland.web.gallery import Gallery
from hinterland.web.languages.reader import keep_private
from hinterland.web.live.contest_library import ContestLibrary, ContestSources
from hinterland.web.live.game_registry import GameRegistry
from hinterland.web.live.opened_records import Uploads
from hinterland.web.live.showcase import Showcase
from hinterland.web.matches.challenges import Challenges
from hinterland.web.matches.hosting import Hosting
from hinterland.web.operations.audit import MatchAudit
from hinterland.web.operations.health import Health
from hinterland.web.rates import Rates

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from litestar.connection import ASGIConnection

    from hinterland.contract import Game, Rules
    from hinterland.host.preparation import Preparation
    from hinterland.web.live.arena_game import ArenaGame
    from hinterland.web.matches.match_show import MatchShow
    from hinterland.web.relays.game_feeds import GameFeeds
    from hinterland.web.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")
PARALLEL_DRAWINGS = 2
WORKER_TEMPLATE = "hinterland.web.api.background_tasks"
log = logging.getLogger("hinterland.web")


class Arena(AppContext):
    """Everything behind the pages. Make an arena before the server starts; use it within its context ``running``."""

    settings: Settings
    hosts_matches = True

    def __init__(self, settings: Settings, preparation: Preparation | None = None) -> None:
        """Open the archive. ``preparation``: the kernels that are still to be compiled; None: none.

        Raises ArenaError if a folder cannot be written or belongs to another arena.
        Raises BadText if the URL of the index names no database.
        """
        super().__init__(settings, preparation)
        keep_private(settings.data, settings.contests, settings.artworks, Path.cwd(), Path(os.environ.get("HOME", "/")))
        index_url = None if settings.index is None else database.read_url(settings.index)
        if settings.artworks is not None:
            gallery.make_folder(settings.artworks)
        self.archive = Archive(settings.data)
        limits = settings.limits
        self.gallery = Gallery(limits, "gallery", Background(PARALLEL_DRAWINGS, WORKER_TEMPLATE, limits.drawing_s))
        reviewing = Background(PARALLEL_DRAWINGS, WORKER_TEMPLATE, limits.review_s + limits.drawing_s)
        self.reviews = Gallery(limits, "review", reviewing)
        """Reviews have processes of their own: a review takes seconds, and hints must not wait for it."""
        self.reviewing = Rates(limits.reviews_per_minute / 60, limits.reviews_per_minute)
        self.filming = Rates(limits.films_per_minute / 60, limits.films_per_minute)
        self.opening = Rates(limits.records_per_minute / 60, limits.records_per_minute)
        self.uploads = Uploads(limits.uploaded_bytes)
        self.match_of_game: dict[str, str] = {}
        """Match id of each live game of a hosted match, by game id."""
        self.registry = GameRegistry(self.archive, limits, self._ended, self.match_of_game, self.preparation)
        self.showcase = Showcase(self.registry, settings.show)
        self.hosting = Hosting(
            settings, self.archive, self.registry.judges, self.match_of_game, partial(MatchAudit, self.audit)
        )
        self.challenges = Challenges(self.hosting, limits)
        self.contests = ContestLibrary(settings.contests)
        self.feeds: GameFeeds | None = None
        """What sends games to relays; None if the arena has no relays."""
        self.index = GameIndex(settings.data, index_url, ContestSources(self.contests))
        self.archive.on_change = self.index.touch
        self.ladders = LadderKeeper(self.index, Background(1, WORKER_TEMPLATE, limits.ladder_s))
        self.boards = Rates(limits.boards_per_second, limits.boards_at_once)
        making = Background(PARALLEL_DRAWINGS, WORKER_TEMPLATE, limits.drawing_s)
        self.board_gallery = Gallery(limits, "board-worker", making)
        """Boards of new games have processes of their own: a new game must not wait for a video."""
        self.readers = Workers(2, "reader", limits.readings_per_address)
        """Threads that read files for pages and query the index of games."""
        self.games = Rates(limits.games_per_minute / 60, limits.games_per_minute)
        galleries = (self.gallery, self.reviews, self.board_gallery, self.ladders)
        self.health = Health(settings.data, [one.background for one in galleries])
        self._saving: set[asyncio.Task[None]] = set()
        self._preparing: asyncio.Task[None] | None = None

    @property
    def pools(self) -> tuple[Workers, ...]:
        """All thread pools."""
        registry = self.registry
        drawing = (self.board_gallery.workers, self.gallery.workers, self.reviews.workers)
        return (registry.judges, registry.thinkers, self.readers, *drawing)

    @asynccontextmanager
    async def running(self, _: Any = None) -> AsyncIterator[None]:
        """Start all parts of the arena; when the server stops, suspend every game."""
        self.index.start()
        self.registry.start()
        self.health.lag.start()
        if self.preparation.is_over:
            await self._begin()
        else:
            self._preparing = asyncio.create_task(self._prepare())
        if self.feeds is not None:
            self.feeds.start()
        try:
            yield
        finally:
            await self.stop()
            self.health.lag.stop()
            self.audit.sum_up()
            self.index.close()
            self.archive.close()

    async def _prepare(self) -> None:
        """Compile the missing kernels; then begin everything that needs kernels."""
        try:
            await self.preparation.run(self.registry.judges)
            await self._begin()
            with suppress(ArenaError):  # /healthz reports it
                await self.registry.judges.run(self.gallery.background.warm_up)
        except Exception:
            log.exception("the games cannot be prepared")
            raise

    async def _begin(self) -> None:
        """Begin what needs kernels: the ladders and the suspended matches."""
        self.ladders.start()
        await self.hosting.start()
        self.health.is_ready = True

    async def stop(self) -> None:
        """Suspend every game and close every connection; may be called twice."""
        self.health.is_ready = False
        if self._preparing is not None:
            self._preparing.cancel()
            await asyncio.wait([self._preparing])
        await self.showcase.stop()
        galleries = (self.board_gallery, self.gallery, self.reviews)
        drawing = (asyncio.to_thread(one.background.end) for one in galleries)
        reckoning = asyncio.to_thread(self.ladders.stop)
        await asyncio.gather(self.hosting.stop(), self.registry.stop(), reckoning, *drawing)
        if self.feeds is not None:
            await self.feeds.stop()

    def require_prepared(self, game: str) -> None:
        """Raise NotPrepared while kernels of this game are compiled.

        A game with drawing data waits for the kernels of all games: its boards are made in a background process, which
        loads all games.
        """
        self.preparation.require(*(() if catalog.game(game).page.drawing_data is not None else (game,)))

    async def make_board(
        self, asker: str, game: str, make: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:  # fmt: skip
        """Return ``make(*args, **kwargs)``, where ``make`` makes a board of ``game``.

        A board with drawing data can take seconds, so a background process makes it; a thread makes any other board.
        """
        if catalog.game(game).page.drawing_data is not None:
            return await self.board_gallery.run_in_background(asker, make, *args, **kwargs)
        return await self.board_gallery.workers.share_for(asker).run(make, *args, **kwargs)

    async def draw(self, asker: str, draw: Callable[[Game, Rules], bytes], kind: Game, rules: Rules) -> bytes:
        """Return ``draw(kind, rules)``, computed in a background process."""
        return await self.board_gallery.run_in_background(asker, draw, kind, rules)

    def records_of(self, source: str) -> Path | None:
        """Return the file of records of the contest ``source``; for "", that of the arena."""
        return self.contests.records_of(source) if source else self.archive.records.path

    def find_match_show(self, match_id: str) -> MatchShow | None:
        """Return the live view of a hosted match, or None."""
        hosted = self.hosting.find(match_id)
        return None if hosted is None else hosted.show

    def _ended(self, live_game: ArenaGame) -> None:
        if self.settings.artworks is not None:
            task = asyncio.get_running_loop().create_task(self._save_artwork(live_game))
            self._saving.add(task)
            task.add_done_callback(self._saving.discard)

    async def _save_artwork(self, live_game: ArenaGame) -> None:
        """Save a picture of the board; a failure does not affect the game."""
        assert self.settings.artworks is not None
        setup = live_game.setup
        name = f"{setup.started[:10]}-{setup.game_name}-{setup.id}"
        try:
            await self.registry.judges.run(
                gallery.save_artwork, self.settings.artworks, name, setup.game, live_game.game.position
            )
        except Exception as error:
            log.warning("the picture of game %s could not be saved: %s", live_game.setup.id, error)


def arena_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Arena:
    """Return the arena that a connection came to."""
    arena: Arena = connection.app.state.arena
    return arena
