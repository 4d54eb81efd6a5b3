"""How the index comes to hold what the files tell: compared with the folder once, and read on from there.

A missing, old or damaged index is made again by the same comparison: it is an empty one.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine, select

from hinterland.errors import ArenaError
from hinterland.storage.index import database, filling
from hinterland.storage.index.filling import Mark
from hinterland.storage.index.record_source import RecordSource, size_of
from hinterland.storage.index.tables import GAMES, Kind

log = logging.getLogger("hinterland.storage")
P = ParamSpec("P")
T = TypeVar("T")
Sources = Callable[[], Sequence[RecordSource]]
BATCH = 100
"""Journals read in one transaction."""
ABANDONED_S = 24 * 3600
"""A game in which nothing has happened for so long is abandoned; who goes on with it takes it up again."""


class Upkeep:
    """The one writer of an index. It belongs to one thread; what it raises leaves an index that can be opened again."""

    def __init__(self, folder: Path, engine: Engine, sources: Sources, *, is_own: bool) -> None:
        """Make ready. ``is_own``: see ``database.prepare``."""
        self._games, self._records = folder / "games", folder / "records.jsonl"
        self._engine = engine
        self._sources = sources
        self._is_own = is_own
        self._marks: dict[str, Mark] = {}
        self.left: int | None = 0
        """How many journals are still to be compared; None once that is done."""
        self.changes = 0
        """Counts what was written."""
        self.is_stopping = False

    def open(self) -> list[str]:
        """Open the database, tables made if need be; return the games of which it does not hold what is on the disk.

        Raises SQLAlchemyError, ArenaError or OSError, here and in all that follows.
        """
        self.left = 0
        database.prepare(self._engine, is_own=self._is_own)
        with self._engine.connect() as connection:
            self._marks = filling.marks(connection)
            own = select(GAMES.c.id, GAMES.c.journal_bytes).where(GAMES.c.kind != Kind.CONTEST)
            known = {row.id: row.journal_bytes for row in connection.execute(own)}
        there = self._journals()
        behind = [game_id for game_id, size in there.items() if size != known.get(game_id)]
        behind += [game_id for game_id in known if game_id not in there]
        self.left = len(behind)
        return behind

    def compare(self, behind: Sequence[str]) -> None:
        """List those games, and all that records tell."""
        end = self.end_of_records()
        for start in range(0, len(behind), BATCH):
            self.list_journals(behind[start : start + BATCH])
            self.left = max(0, len(behind) - start - BATCH)
        self.read_records(end)
        self.sweep()
        self.left = None

    def _journals(self) -> dict[str, int]:
        """Return the bytes of each journal, by the id of its game."""
        with os.scandir(self._games) as entries:
            return {entry.name[:-6]: _size(entry) for entry in entries if entry.name.endswith(".jsonl")}

    def end_of_records(self) -> int:
        """Return how long the file of records is: to be asked before journals are listed, and then read to.

        The record of a game is written after the end of its journal, so that what is within has its game listed.
        """
        return size_of(self._records)

    def list_journals(self, ids: Sequence[str]) -> None:
        """Read the journals of some games."""
        for start in range(0, len(ids), BATCH):
            self._write(filling.put_journals, [self._games / f"{one}.jsonl" for one in ids[start : start + BATCH]])

    def read_records(self, end: int) -> None:
        """Read on in the arena's own records, and in those of contests."""
        while (mark := self._marks.get("", Mark())).bytes != end:
            self._marks[""] = self._write(filling.put_own_records, self._records, end)
            if self._marks[""] == mark:  # a line that is being written
                break
        sources = {source.name: source for source in self._sources()}
        for name in set(self._marks) - {""} - set(sources):
            self._write(filling.remove_source, name)
            del self._marks[name]
        for source in sources.values():
            try:
                self._read_source(source)
            except OSError as error:
                log.debug("the games of %s are not listed: %s", source.path, error)

    def _read_source(self, source: RecordSource) -> None:
        while self._marks.get(source.name) != Mark(source.stamp(), size_of(source.path)):
            before = self._marks.get(source.name)
            self._marks[source.name] = self._write(filling.put_records, source)
            if self._marks[source.name] == before:
                break

    def sweep(self) -> None:
        """Set games apart with which nobody goes on."""
        self._write(filling.give_up, int(time.time()) - ABANDONED_S)

    def is_outdated(self) -> bool:
        """Say whether somebody wants the index to be made again."""
        with self._engine.connect() as connection:
            return database.is_outdated(connection)

    def _write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do a piece of work in one transaction; while there is much of it, leave the machine to others in between."""
        if self.is_stopping:
            raise ArenaError("the arena is stopping")
        began = time.monotonic()
        with self._engine.begin() as connection:
            result = work(connection, *args, **kwargs)
        self.changes += 1
        if self.left is not None:
            time.sleep(min(time.monotonic() - began, 1.0))
        return result


def _size(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat().st_size
    except OSError:
        return -1
