"""The tables in memory. The others rest in the archive and are brought back when somebody opens them."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

from hinterland.errors import ArenaError
from hinterland.jit import cores
from hinterland.web.desk import Desk
from hinterland.web.journal import Restored, restore
from hinterland.web.table import Table
from hinterland.web.waiting import Bench
from hinterland.web.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable

    from hinterland.web.archive import Archive
    from hinterland.web.journal import Journal
    from hinterland.web.seating import Setup
    from hinterland.web.settings import Limits

__all__ = ["Hub"]

log = logging.getLogger("hinterland.web")
SWEEP_S = 10.0


class Hub:
    """Finds, makes and puts away tables. It belongs to the event loop."""

    def __init__(self, archive: Archive, limits: Limits, on_end: Callable[[Table], None]) -> None:
        self.archive = archive
        self.bench = Bench(Workers(4, "judge"), Workers(cores(), "thinker"))
        self.viewers = 0
        self._limits = limits
        self._on_end = on_end
        self._tables: dict[str, Table] = {}
        self._seen: dict[str, float] = {}
        self._opening = asyncio.Lock()
        self._sweeper: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._tables)

    def start(self) -> None:
        """Begin to put idle tables away."""
        self._sweeper = asyncio.get_running_loop().create_task(self._sweep())

    async def stop(self) -> None:
        """Put all games away; nothing is lost."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        for table in self._tables.values():
            table.audience.dismiss(1012, "the arena is stopping")
        await asyncio.gather(*(table.close() for table in self._tables.values()))
        self._tables.clear()

    async def create(self, setup: Setup) -> Table:
        """Begin a game and its journal. Raises ArenaError where the arena is full or the disk does not take it."""
        async with self._opening:
            await self._make_room()
        book = await self.bench.judges.run(self.archive.create, setup)
        restored = await self.bench.judges.run(restore, setup, [])
        table = self._seat(setup, restored, book)
        if not setup.persons:
            await table.begin()
        return table

    async def find(self, game_id: str) -> Table | None:
        """Return a game, from memory or from the disk, or None. Raises RecordError where it is damaged."""
        table = self._tables.get(game_id)
        if table is None:
            async with self._opening:
                table = self._tables.get(game_id) or await self._load(game_id)
        if table is not None:
            self._seen[game_id] = time.monotonic()
        return table

    def show(self, table: Table) -> None:
        """Let a table be found that is on no disk."""
        self._tables[table.setup.id] = table
        self._seen[table.setup.id] = time.monotonic()

    async def _load(self, game_id: str) -> Table | None:
        loaded = await self.bench.judges.run(self.archive.load, game_id)
        if loaded is None:
            return None
        setup, restored, book = loaded
        try:
            await self._make_room()
        except ArenaError:
            book.close()
            raise
        table = self._seat(setup, restored, book)
        if restored.game.position.to_move is None:
            await table.begin()
        return table

    def _seat(self, setup: Setup, restored: Restored, book: Journal) -> Table:
        desk = Desk(setup, book, self.archive.finish)
        table = Table(setup, restored, desk, self.bench, on_end=self._on_end, on_failure=self._lose)
        self.show(table)
        return table

    def _lose(self, table: Table) -> None:
        """Forget a table that failed; it is found again on the disk."""
        self._tables.pop(table.setup.id, None)
        self._seen.pop(table.setup.id, None)

    async def _make_room(self) -> None:
        """Put the longest unseen tables away that nobody watches. Raises ArenaError where all are watched."""
        while len(self._tables) >= self._limits.live_tables:
            idle = [table for table in self._tables.values() if not table.audience and not table.is_busy]
            if not idle:
                raise ArenaError(f"all {self._limits.live_tables} tables of the arena are taken; try again in a minute")
            await self._put_away(min(idle, key=lambda table: self._seen[table.setup.id]))

    async def _put_away(self, table: Table) -> None:
        """Write a game's clocks down and forget it. With ``_opening`` held, who looks for it meanwhile waits."""
        self._lose(table)
        await table.close()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(min(SWEEP_S, self._limits.idle_s))
            latest = time.monotonic() - self._limits.idle_s
            for table in list(self._tables.values()):
                async with self._opening:
                    if not table.audience and table.waits and self._seen.get(table.setup.id, latest) < latest:
                        await self._put_away(table)
