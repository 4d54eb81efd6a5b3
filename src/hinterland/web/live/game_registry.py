"""The live games in memory. All other games are in the archive, and are loaded when somebody opens them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Container

from hinterland.errors import ArenaError
from hinterland.host.commit import JournalCommit
from hinterland.host.lag_monitor import LagMonitor
from hinterland.host.preparation import Preparation
from hinterland.host.thread_pools import SERVER_ITSELF, Workers
from hinterland.jit import cores
from hinterland.storage.archive import Archive
from hinterland.storage.game_setup import Setup
from hinterland.storage.journal import Journal, Restored, restore_game
from hinterland.web.live.arena_game import ArenaGame
from hinterland.web.settings import Limits

log = logging.getLogger("hinterland.web")
SWEEP_S = 10.0


class GameRegistry:
    """Finds, creates and suspends live games. Call the methods only in the event loop."""

    def __init__(
        self, archive: Archive, limits: Limits, on_end: Callable[[ArenaGame], None], match_of_game: Container[str] = (),
        preparation: Preparation | None = None,
    ) -> None:  # fmt: skip
        """``match_of_game``: the ids of games of running hosted matches, which this registry does not find."""
        self.archive = archive
        self.preparation = preparation or Preparation()
        self._match_of_game = match_of_game
        self.judges = Workers(4, "judge")
        """Threads on which games are judged and journals written."""
        self.thinkers = Workers(cores(), "thinker")
        """Threads on which built-in players think."""
        self.lag_monitor = LagMonitor()
        self._limits = limits
        self._on_end = on_end
        self._games: dict[str, ArenaGame] = {}
        self._seen: dict[str, float] = {}
        self._opening = asyncio.Lock()
        self._sweeper: asyncio.Task[None] | None = None

    @property
    def live_games(self) -> int:
        """Number of games in memory."""
        return len(self._games)

    def start(self) -> None:
        """Begin to suspend idle games."""
        self._sweeper = asyncio.get_running_loop().create_task(self._sweep())

    async def stop(self) -> None:
        """Suspend all games; nothing is lost."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        for live_game in self._games.values():
            live_game.audience.dismiss(1012, "the arena is stopping")
        await asyncio.gather(*(live_game.close() for live_game in self._games.values()))
        self._games.clear()

    async def create(self, setup: Setup, asker: str = SERVER_ITSELF) -> ArenaGame:
        """Begin a game and its journal. ``asker``: the client for whom threads are used.

        Raises ArenaError if the arena is full or the journal cannot be written.
        """
        async with self._opening:
            await self._make_room()
        judges = self.judges.share_for(asker)
        book = await judges.run(self.archive.create, setup)
        restored = await judges.run(_new_game, setup)
        live_game = self._seat(setup, restored, book, asker)
        if not setup.persons:
            await live_game.begin()
        return live_game

    async def find(self, game_id: str, asker: str = SERVER_ITSELF) -> ArenaGame | None:
        """Return a game from memory or from its files; None if there is no such game.

        Raises RecordError if a file is damaged.
        """
        live_game = self._games.get(game_id)
        if live_game is None and game_id not in self._match_of_game:
            async with self._opening:
                live_game = self._games.get(game_id) or await self._load(game_id, asker)
        if live_game is not None:
            self._seen[game_id] = time.monotonic()
            live_game.note_visit()
        return live_game

    async def replay(self, setup: Setup, restored: Restored) -> ArenaGame:
        """Load a finished game that has no journal into memory, so that its page can show it.

        Raises ArenaError if the arena is full.
        """
        async with self._opening:
            if setup.id not in self._games:
                await self._make_room()
                self.show(self._game(setup, restored, JournalCommit(setup, self.judges), SERVER_ITSELF))
        return self._games[setup.id]

    def show(self, live_game: ArenaGame) -> None:
        """Hold a game in memory until it is suspended."""
        self._games[live_game.setup.id] = live_game
        self._seen[live_game.setup.id] = time.monotonic()

    async def _load(self, game_id: str, asker: str) -> ArenaGame | None:
        self.preparation.require()
        loaded = await self.judges.share_for(asker).run(self.archive.load, game_id)
        if loaded is None:
            return None
        setup, restored, book = loaded
        await self.judges.share_for(asker).run(_count_page_rules, setup)
        try:
            await self._make_room()
        except ArenaError:
            book.close()
            raise
        live_game = self._seat(setup, restored, book, asker)
        if restored.game.position.to_move is None or not setup.persons:
            await live_game.begin()
        return live_game

    def _seat(self, setup: Setup, restored: Restored, book: Journal, asker: str) -> ArenaGame:
        judges = self.judges.share_for(asker)
        live_game = self._game(setup, restored, JournalCommit(setup, judges, book, self.archive.finish), asker)
        self.show(live_game)
        return live_game

    def _game(self, setup: Setup, restored: Restored, commit: JournalCommit, asker: str) -> ArenaGame:
        return ArenaGame(
            setup, restored, commit, self.thinkers, self.lag_monitor,
            asker=asker, pause=self._pause if setup.persons else None, on_over=self._handle_end,
        )  # fmt: skip

    async def _pause(self) -> None:
        """Wait a little, so that persons see their own move before a built-in player answers it."""
        await asyncio.sleep(self._limits.answer_s)

    def _handle_end(self, live_game: ArenaGame, has_failed: bool) -> None:
        (self._lose if has_failed else self._on_end)(live_game)

    def _lose(self, live_game: ArenaGame) -> None:
        """Drop a game from memory; it can be loaded from its journal again."""
        self._games.pop(live_game.setup.id, None)
        self._seen.pop(live_game.setup.id, None)

    async def _make_room(self) -> None:
        """Suspend unwatched games, the longest unopened first, until there is room for one more.

        Raises ArenaError if all games are watched or busy.
        """
        live_games = self._limits.live_games
        while len(self._games) >= live_games:
            idle = [live_game for live_game in self._games.values() if not live_game.audience and not live_game.is_busy]
            if not idle:
                raise ArenaError(f"all {live_games} places for live games are taken; try again in a minute")
            await self._suspend(min(idle, key=lambda live_game: self._seen[live_game.setup.id]))

    async def _suspend(self, live_game: ArenaGame) -> None:
        """Write a game's clocks and drop the game from memory.

        The caller holds ``_opening``, so requests for the game wait.
        """
        self._lose(live_game)
        await live_game.close()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(min(SWEEP_S, self._limits.idle_s))
            latest = time.monotonic() - self._limits.idle_s
            for live_game in list(self._games.values()):
                async with self._opening:
                    is_forgotten = self._seen.get(live_game.setup.id, latest) < latest
                    if not live_game.audience and live_game.is_idle and is_forgotten:
                        await self._suspend(live_game)


def _new_game(setup: Setup) -> Restored:
    """Return a new game."""
    _count_page_rules(setup)
    return restore_game(setup, [])


def _count_page_rules(setup: Setup) -> None:
    """Compute the rules for pages, which the setup caches. Call this on a thread: a large board takes long."""
    _ = setup.page_rules
