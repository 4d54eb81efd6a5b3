"""Writes the index: compares it with the folder once, then follows changes of files and marks abandoned games.

The same comparison rebuilds a missing, old or damaged index, starting from an empty one.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import msgspec
from sqlalchemy import Connection, Engine, Table, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from hinterland.errors import ArenaError, HinterlandError
from hinterland.referee.verdicts import Verdict
from hinterland.storage.index import database, game_rows
from hinterland.storage.index.game_rows import GameRow
from hinterland.storage.index.record_source import RecordSource, read_new_lines, size_of
from hinterland.storage.index.tables import APPEARANCES, GAMES, INDEX_VALUES, NAMES, PLAYERS, Kind, State, name_key

log = logging.getLogger("hinterland.storage")
P = ParamSpec("P")
T = TypeVar("T")
Sources = Callable[[], Sequence[RecordSource]]
BATCH_JOURNALS = 100
"""Greatest number of journals read in one transaction."""
ABANDONED_S = 24 * 3600
"""Seconds without a change after which a game is abandoned. A later move makes the game live again."""

MAX_SQL_VALUES = 500
"""Greatest number of values in one SQL statement; SQLite accepts some thousands."""
POSITION_PREFIX = "read:"
"""Prefix of the names in ``INDEX_VALUES`` under which the ``ReadPosition`` of each source stands."""


class ReadPosition(msgspec.Struct, frozen=True):
    """How many bytes of a file of records have been read, and what ``RecordSource.stamp`` said of the file then."""

    stamp: str = ""
    bytes: int = 0


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
        """Number of journals still to be compared; None when the comparison is done."""
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
            self._positions = read_positions(connection)
            own = select(GAMES.c.id, GAMES.c.journal_bytes).where(GAMES.c.kind != Kind.CONTEST)
            known = {row.id: row.journal_bytes for row in connection.execute(own)}
        there = self._journal_sizes()
        behind = [game_id for game_id, size in there.items() if size != known.get(game_id)]
        behind += [game_id for game_id in known if game_id not in there]
        self.games_left = len(behind)
        return behind

    def compare(self, behind: Sequence[str]) -> None:
        """Update the rows of the games ``behind``, which ``open`` returned; then read all new records."""
        end = self.end_of_records()
        for start in range(0, len(behind), BATCH_JOURNALS):
            self.list_journals(behind[start : start + BATCH_JOURNALS])
            self.games_left = max(0, len(behind) - start - BATCH_JOURNALS)
        self.read_records(end)
        self.mark_abandoned()
        self.games_left = None

    def _journal_sizes(self) -> dict[str, int]:
        """Return the size of each journal in bytes, by the id of its game."""
        with os.scandir(self._games) as entries:
            return {entry.name[:-6]: _file_size(entry) for entry in entries if entry.name.endswith(".jsonl")}

    def end_of_records(self) -> int:
        """Return the size of the file of records. Call this before ``list_journals``; read records up to this size.

        A record is written after its game's journal says that the game is over. So the game of every record within this
        size will be listed before the record is read.
        """
        return size_of(self._records)

    def list_journals(self, ids: Sequence[str]) -> None:
        """Update the rows of some games from their journals."""
        for start in range(0, len(ids), BATCH_JOURNALS):
            paths = [self._games / f"{one}.jsonl" for one in ids[start : start + BATCH_JOURNALS]]
            self._write(read_journals, paths)

    def read_records(self, end: int) -> None:
        """Read the new records of the arena, up to ``end``, and of contests."""
        while (position := self._positions.get("", ReadPosition())).bytes != end:
            self._positions[""] = self._write(note_own_records, self._records, end)
            if self._positions[""] == position:  # only an incomplete line is left
                break
        sources = {source.name: source for source in self._sources()}
        for name in set(self._positions) - {""} - set(sources):
            self._write(remove_source, name)
            del self._positions[name]
        for source in sources.values():
            try:
                self._read_source(source)
            except OSError as error:
                log.debug("the games of %s are not listed: %s", source.path, error)

    def _read_source(self, source: RecordSource) -> None:
        while self._positions.get(source.name) != ReadPosition(source.stamp(), size_of(source.path)):
            before = self._positions.get(source.name)
            self._positions[source.name] = self._write(read_contest_records, source)
            if self._positions[source.name] == before:
                break

    def mark_abandoned(self) -> None:
        """Mark abandoned games."""
        self._write(mark_abandoned, int(time.time()) - ABANDONED_S)

    def needs_rebuild(self) -> bool:
        """Say whether the index must be rebuilt: somebody has asked for a rebuild, or the tables are gone."""
        with self._engine.connect() as connection:
            return database.needs_rebuild(connection)

    def _write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do ``work`` in one transaction.

        During ``compare``, then sleep as long as the transaction took, at most 1 s.
        """
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


def upsert_games(connection: Connection, rows: Sequence[GameRow]) -> None:
    """Insert or replace the rows of games.

    If a new row does not say where the game's record is, the old row's place is kept.
    """
    games = _insert(connection, GAMES)
    replaced = {column.key: games.excluded[column.key] for column in GAMES.c}
    for name in ("record_at", "record_bytes"):
        replaced[name] = func.coalesce(games.excluded[name], GAMES.c[name])
    games = games.on_conflict_do_update(index_elements=["id"], set_=replaced)
    for start in range(0, len(rows), MAX_SQL_VALUES):
        some = rows[start : start + MAX_SQL_VALUES]
        connection.execute(games, [row.values for row in some])
        connection.execute(delete(APPEARANCES).where(APPEARANCES.c.id.in_([row.id for row in some])))
        connection.execute(insert(APPEARANCES), [one for row in some for one in row.appearances])
        _insert_names(connection, some)


def _insert(connection: Connection, table: Table) -> Any:
    """Return the insert statement of this kind of database, which can also update a row that exists."""
    return (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(table)


def _insert_names(connection: Connection, rows: Iterable[GameRow]) -> None:
    """Insert names and players that are not there yet; each keeps the spelling of the first game listed."""
    named = {name_key(name): name for row in rows for name in row.players}
    known = {player.slug: player for row in rows for player in row.known if player is not None}
    players = [
        {"slug": slug, "kind": one.kind, "name": game_rows.shorten_name(one.name), "contest": one.contest}
        for slug, one in known.items()
    ]
    for table, fresh in ((NAMES, [{"who": who, "name": name} for who, name in named.items()]), (PLAYERS, players)):
        if fresh:
            connection.execute(_insert(connection, table).on_conflict_do_nothing(), fresh)


def remove_games(connection: Connection, ids: Sequence[str]) -> None:
    """Delete games by their ids."""
    for start in range(0, len(ids), MAX_SQL_VALUES):
        some = ids[start : start + MAX_SQL_VALUES]
        connection.execute(delete(APPEARANCES).where(APPEARANCES.c.id.in_(some)))
        connection.execute(delete(GAMES).where(GAMES.c.id.in_(some)))


def read_journals(connection: Connection, paths: Iterable[Path]) -> None:
    """Update the rows of games from their journals; delete the row of a game whose journal is missing or damaged."""
    rows: list[GameRow] = []
    gone: list[str] = []
    for path in paths:
        try:
            rows.append(game_rows.from_journal(path))
        except HinterlandError as error:
            log.debug("%s", error)
            gone.append(path.stem)
    remove_games(connection, gone)
    upsert_games(connection, rows)


def note_own_records(connection: Connection, file: Path, end: int) -> ReadPosition:
    """Read a batch of the arena's own records, before ``end``, and note the place of each game's record.

    A record whose game has no journal is not listed. Returns the new position, which may not be ``end`` yet. Raises
    OSError.
    """
    position = read_positions(connection).get("", ReadPosition())
    if end < position.bytes:
        connection.execute(update(GAMES).where(GAMES.c.source == "").values(record_at=None, record_bytes=None))
        position = ReadPosition()
    read = position.bytes
    for at, line in read_new_lines(file, read, end) if read < end else ():
        read = at + len(line)
        try:
            fingerprint = game_rows.fingerprint_of_record(game_rows.read_record(line))
        except HinterlandError:
            continue
        same = (GAMES.c.source == "", GAMES.c.fingerprint == fingerprint, GAMES.c.record_at.is_(None))
        first = select(GAMES.c.id).where(*same).limit(1).scalar_subquery()
        found = update(GAMES).where(GAMES.c.id == first)
        connection.execute(found.values(record_at=at, record_bytes=len(line)))
    return _set_position(connection, "", ReadPosition("", read))


def read_contest_records(connection: Connection, source: RecordSource) -> ReadPosition:
    """Read a batch of a contest's records; return the position after it, which may not be the end. Raises OSError."""
    position = read_positions(connection).get(source.name, ReadPosition())
    stamp, end = source.stamp(), size_of(source.path)
    if position.stamp != stamp or end < position.bytes:
        remove_source(connection, source.name)
        position = ReadPosition(stamp)
    read, rows = position.bytes, dict[str, GameRow]()
    for at, line in read_new_lines(source.path, read, end) if read < end else ():
        read = at + len(line)
        try:
            found = game_rows.read_record(line)
            url = None if found.reason == Verdict.VOID else source.url_of(found)
            if url is not None and url not in rows:
                rows[url] = game_rows.from_record(
                    found, line, source=source.name, url=url, at=at, known=tuple(map(source.identity, found.players))
                )
        except HinterlandError as error:
            log.debug("%s: %s", source.path, error)
    there = _find_known_ids(connection, [row.id for row in rows.values()])  # a game counts once, even if it comes twice
    upsert_games(connection, [row for row in rows.values() if row.id not in there])
    return _set_position(connection, source.name, ReadPosition(stamp, read))


def _find_known_ids(connection: Connection, ids: Sequence[str]) -> set[str]:
    found: set[str] = set()
    for start in range(0, len(ids), MAX_SQL_VALUES):
        found.update(connection.scalars(select(GAMES.c.id).where(GAMES.c.id.in_(ids[start : start + MAX_SQL_VALUES]))))
    return found


def remove_source(connection: Connection, name: str) -> None:
    """Delete the rows of all games of a contest."""
    mine = select(GAMES.c.id).where(GAMES.c.source == name)
    connection.execute(delete(APPEARANCES).where(APPEARANCES.c.id.in_(mine)))
    connection.execute(delete(GAMES).where(GAMES.c.source == name))
    connection.execute(delete(INDEX_VALUES).where(INDEX_VALUES.c.name == POSITION_PREFIX + name))


def mark_abandoned(connection: Connection, before: int) -> None:
    """Mark live games as abandoned if their journals were last written before ``before``, in seconds since 1970."""
    old = (GAMES.c.state == State.LIVE, GAMES.c.touched < before)
    gone = select(GAMES.c.id).where(*old)
    connection.execute(update(APPEARANCES).where(APPEARANCES.c.id.in_(gone)).values(state=State.ABANDONED))
    connection.execute(update(GAMES).where(*old).values(state=State.ABANDONED))


def read_positions(connection: Connection) -> dict[str, ReadPosition]:
    """Return how far each file of records has been read, by the contest's name; the arena's own has an empty name."""
    rows = connection.execute(select(INDEX_VALUES).where(INDEX_VALUES.c.name.startswith(POSITION_PREFIX)))
    return {row.name.removeprefix(POSITION_PREFIX): msgspec.json.decode(row.value, type=ReadPosition) for row in rows}


def _set_position(connection: Connection, source: str, position: ReadPosition) -> ReadPosition:
    connection.execute(delete(INDEX_VALUES).where(INDEX_VALUES.c.name == POSITION_PREFIX + source))
    value = msgspec.json.encode(position).decode()
    connection.execute(insert(INDEX_VALUES).values(name=POSITION_PREFIX + source, value=value))
    return position
