"""Writes the index: compares it with the folder once, then follows the changes of files.

The same comparison rebuilds a missing, old or damaged index: it starts from an empty one.
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
from hinterland.storage.index import database, row_updates
from hinterland.storage.index.record_source import RecordSource, size_of
from hinterland.storage.index.row_updates import ReadPosition
from hinterland.storage.index.tables import GAMES, Kind

log = logging.getLogger("hinterland.storage")
P = ParamSpec("P")
T = TypeVar("T")
Sources = Callable[[], Sequence[RecordSource]]
BATCH_JOURNALS = 100
"""Journals read in one transaction."""
ABANDONED_S = 24 * 3600
"""A game is abandoned after so many seconds without a change; its next move makes it live again."""


class IndexWriter:
    """The one writer of an index. It belongs to one thread. After an error, the index can be opened again."""

    def __init__(self, folder: Path, engine: Engine, sources: Sources, *, is_own: bool) -> None:
        """``is_own``: see ``database.prepare``."""
        self._games, self._records = folder / "games", folder / "records.jsonl"
        self._engine = engine
        self._sources = sources
        self._is_own = is_own
        self._positions: dict[str, ReadPosition] = {}
        self.games_left: int | None = 0
        """Journals still to be compared; None when the comparison is done."""
        self.changes = 0
        """Number of transactions written."""
        self.is_stopping = False

    def open(self) -> list[str]:
        """Open the database, or create its tables; return the ids of games whose rows are out of date.

        Raises SQLAlchemyError, ArenaError or OSError, as all methods do.
        """
        self.games_left = 0
        database.prepare(self._engine, is_own=self._is_own)
        with self._engine.connect() as connection:
            self._positions = row_updates.read_positions(connection)
            own = select(GAMES.c.id, GAMES.c.journal_bytes).where(GAMES.c.kind != Kind.CONTEST)
            known = {row.id: row.journal_bytes for row in connection.execute(own)}
        there = self._journal_sizes()
        behind = [game_id for game_id, size in there.items() if size != known.get(game_id)]
        behind += [game_id for game_id in known if game_id not in there]
        self.games_left = len(behind)
        return behind

    def compare(self, behind: Sequence[str]) -> None:
        """Update those games, and read all new records."""
        end = self.end_of_records()
        for start in range(0, len(behind), BATCH_JOURNALS):
            self.list_journals(behind[start : start + BATCH_JOURNALS])
            self.games_left = max(0, len(behind) - start - BATCH_JOURNALS)
        self.read_records(end)
        self.mark_abandoned()
        self.games_left = None

    def _journal_sizes(self) -> dict[str, int]:
        """Return the bytes of each journal, by the id of its game."""
        with os.scandir(self._games) as entries:
            return {entry.name[:-6]: _file_size(entry) for entry in entries if entry.name.endswith(".jsonl")}

    def end_of_records(self) -> int:
        """Return the bytes of the file of records; call it before ``list_journals``, and read no further than that.

        A game's record is written after its journal's end, so every record before this place then has its game listed.
        """
        return size_of(self._records)

    def list_journals(self, ids: Sequence[str]) -> None:
        """Update the rows of some games from their journals."""
        for start in range(0, len(ids), BATCH_JOURNALS):
            paths = [self._games / f"{one}.jsonl" for one in ids[start : start + BATCH_JOURNALS]]
            self._write(row_updates.read_journals, paths)

    def read_records(self, end: int) -> None:
        """Read the new records of the arena, up to ``end``, and of contests."""
        while (position := self._positions.get("", ReadPosition())).bytes != end:
            self._positions[""] = self._write(row_updates.note_own_records, self._records, end)
            if self._positions[""] == position:  # the last line is still being written
                break
        sources = {source.name: source for source in self._sources()}
        for name in set(self._positions) - {""} - set(sources):
            self._write(row_updates.remove_source, name)
            del self._positions[name]
        for source in sources.values():
            try:
                self._read_source(source)
            except OSError as error:
                log.debug("the games of %s are not listed: %s", source.path, error)

    def _read_source(self, source: RecordSource) -> None:
        while self._positions.get(source.name) != ReadPosition(source.stamp(), size_of(source.path)):
            before = self._positions.get(source.name)
            self._positions[source.name] = self._write(row_updates.read_contest_records, source)
            if self._positions[source.name] == before:
                break

    def mark_abandoned(self) -> None:
        """Mark abandoned games."""
        self._write(row_updates.mark_abandoned, int(time.time()) - ABANDONED_S)

    def needs_rebuild(self) -> bool:
        """Say whether the index must be rebuilt: somebody has asked for that, or its tables are gone."""
        with self._engine.connect() as connection:
            return database.needs_rebuild(connection)

    def _write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do ``work`` in one transaction; during the first comparison, rest as long again afterwards, up to 1 s."""
        if self.is_stopping:
            raise ArenaError("the arena is stopping")
        began = time.monotonic()
        with self._engine.begin() as connection:
            result = work(connection, *args, **kwargs)
        self.changes += 1
        if self.games_left is not None:
            time.sleep(min(time.monotonic() - began, 1.0))
        return result


def _file_size(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat().st_size
    except OSError:
        return -1
