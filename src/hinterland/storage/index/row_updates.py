"""Updates of the index: from changed journals, from new records, and for abandoned games."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, Select, delete, insert, select, update

from hinterland.errors import HinterlandError
from hinterland.referee.verdicts import Verdict
from hinterland.storage.index import game_rows
from hinterland.storage.index.game_rows import GameRow
from hinterland.storage.index.record_source import RecordSource, read_new_lines, size_of
from hinterland.storage.index.tables import APPEARANCES, GAMES, INDEX_VALUES, NAMES, PLAYERS, State, name_key

log = logging.getLogger("hinterland.storage")
MAX_SQL_VALUES = 500
"""Values in one SQL statement; SQLite takes some thousands."""
POSITION_PREFIX = "read:"
"""In ``INDEX_VALUES``, comes before the name of a source."""


class ReadPosition(msgspec.Struct, frozen=True):
    """Number of bytes read of a file of records, and the file's stamp then."""

    stamp: str = ""
    bytes: int = 0


def upsert_games(connection: Connection, rows: Sequence[GameRow]) -> None:
    """Insert or replace games; keep the known places of their records."""
    for start in range(0, len(rows), MAX_SQL_VALUES):
        _upsert_batch(connection, rows[start : start + MAX_SQL_VALUES])


def _upsert_batch(connection: Connection, rows: Sequence[GameRow]) -> None:
    known = {row.id: row for row in connection.execute(_select_record_places([row.id for row in rows]))}
    remove_games(connection, [row.id for row in rows])
    rows = [_keep_record_place(row, known.get(row.id)) for row in rows]
    connection.execute(insert(GAMES), [row.values for row in rows])
    connection.execute(insert(APPEARANCES), [one for row in rows for one in row.appearances])
    _insert_names(connection, rows)
    _insert_players(connection, rows)


def _keep_record_place(row: GameRow, before: Row[Any] | None) -> GameRow:
    """Copy the place of a game's record from its former row, unless the new row has one."""
    if row.record_at is not None or before is None:
        return row
    return msgspec.structs.replace(row, record_at=before.record_at, record_bytes=before.record_bytes)


def _select_record_places(ids: Sequence[str]) -> Select[Any]:
    return select(GAMES.c.id, GAMES.c.record_at, GAMES.c.record_bytes).where(GAMES.c.id.in_(ids))


def remove_games(connection: Connection, ids: Sequence[str]) -> None:
    """Delete games by their ids."""
    for start in range(0, len(ids), MAX_SQL_VALUES):
        some = ids[start : start + MAX_SQL_VALUES]
        connection.execute(delete(APPEARANCES).where(APPEARANCES.c.id.in_(some)))
        connection.execute(delete(GAMES).where(GAMES.c.id.in_(some)))


def _insert_names(connection: Connection, rows: Iterable[GameRow]) -> None:
    named = {name_key(name): name for row in rows for name in row.players}
    there = set(connection.scalars(select(NAMES.c.who).where(NAMES.c.who.in_(named))))
    if fresh := [{"who": who, "name": name} for who, name in named.items() if who not in there]:
        connection.execute(insert(NAMES), fresh)


def _insert_players(connection: Connection, rows: Iterable[GameRow]) -> None:
    """Insert new players; a guest keeps the spelling of its name in the first game listed."""
    known = {player.slug: player for row in rows for player in row.known if player is not None}
    there = set(connection.scalars(select(PLAYERS.c.slug).where(PLAYERS.c.slug.in_(known))))
    fresh = [
        {"slug": slug, "kind": one.kind, "name": game_rows.shorten_name(one.name), "contest": one.contest}
        for slug, one in known.items() if slug not in there
    ]  # fmt: skip
    if fresh:
        connection.execute(insert(PLAYERS), fresh)


def read_journals(connection: Connection, paths: Iterable[Path]) -> None:
    """Update the games of journals; delete those whose journal is missing or damaged."""
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

    A record whose game has no journal is not listed. Returns the new position; more may follow. Raises OSError.
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
    """Read a batch of a contest's records. Returns the new position; more may follow. Raises OSError."""
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
    """Delete all games of a contest."""
    mine = select(GAMES.c.id).where(GAMES.c.source == name)
    connection.execute(delete(APPEARANCES).where(APPEARANCES.c.id.in_(mine)))
    connection.execute(delete(GAMES).where(GAMES.c.source == name))
    connection.execute(delete(INDEX_VALUES).where(INDEX_VALUES.c.name == POSITION_PREFIX + name))


def mark_abandoned(connection: Connection, before: int) -> None:
    """Mark live games as abandoned whose journals were last written before a moment, in seconds since 1970."""
    old = (GAMES.c.state == State.LIVE, GAMES.c.touched < before)
    gone = select(GAMES.c.id).where(*old)
    connection.execute(update(APPEARANCES).where(APPEARANCES.c.id.in_(gone)).values(state=State.ABANDONED))
    connection.execute(update(GAMES).where(*old).values(state=State.ABANDONED))


def read_positions(connection: Connection) -> dict[str, ReadPosition]:
    """Return the position in the records of each source; the arena's own source has an empty name."""
    rows = connection.execute(select(INDEX_VALUES).where(INDEX_VALUES.c.name.startswith(POSITION_PREFIX)))
    return {row.name.removeprefix(POSITION_PREFIX): msgspec.json.decode(row.value, type=ReadPosition) for row in rows}


def _set_position(connection: Connection, source: str, position: ReadPosition) -> ReadPosition:
    connection.execute(delete(INDEX_VALUES).where(INDEX_VALUES.c.name == POSITION_PREFIX + source))
    value = msgspec.json.encode(position).decode()
    connection.execute(insert(INDEX_VALUES).values(name=POSITION_PREFIX + source, value=value))
    return position
