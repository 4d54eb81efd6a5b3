"""How rows come into the index: journals that changed, records that were added, games that nobody goes on with."""

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
from hinterland.storage.index.record_source import RecordSource, read_on, size_of
from hinterland.storage.index.tables import FACES, GAMES, MARKS, NAMES, PLAYERS, State, folded

log = logging.getLogger("hinterland.storage")
MOST_NAMED = 500
"""Values in one question; SQLite takes some thousands."""
READ = "read:"
"""How marks of files are called, before the name of their source."""


class Mark(msgspec.Struct, frozen=True):
    """How far a file of records was read."""

    stamp: str = ""
    bytes: int = 0


def put(connection: Connection, rows: Sequence[GameRow]) -> None:
    """Put games in, in the place of what was known of them but for where their records lie."""
    for start in range(0, len(rows), MOST_NAMED):
        _put(connection, rows[start : start + MOST_NAMED])


def _put(connection: Connection, rows: Sequence[GameRow]) -> None:
    known = {row.id: row for row in connection.execute(_places([row.id for row in rows]))}
    remove(connection, [row.id for row in rows])
    rows = [_with_record(row, known.get(row.id)) for row in rows]
    connection.execute(insert(GAMES), [row.values for row in rows])
    connection.execute(insert(FACES), [face for row in rows for face in row.faces])
    _put_names(connection, rows)
    _put_players(connection, rows)


def _with_record(row: GameRow, before: Row[Any] | None) -> GameRow:
    """Return a game with where its record was known to lie, unless it says so itself."""
    if row.record_at is not None or before is None:
        return row
    return msgspec.structs.replace(row, record_at=before.record_at, record_bytes=before.record_bytes)


def _places(ids: Sequence[str]) -> Select[Any]:
    return select(GAMES.c.id, GAMES.c.record_at, GAMES.c.record_bytes).where(GAMES.c.id.in_(ids))


def remove(connection: Connection, ids: Sequence[str]) -> None:
    """Take games out."""
    for start in range(0, len(ids), MOST_NAMED):
        some = ids[start : start + MOST_NAMED]
        connection.execute(delete(FACES).where(FACES.c.id.in_(some)))
        connection.execute(delete(GAMES).where(GAMES.c.id.in_(some)))


def _put_names(connection: Connection, rows: Iterable[GameRow]) -> None:
    named = {folded(name): name for row in rows for name in row.players}
    there = set(connection.scalars(select(NAMES.c.who).where(NAMES.c.who.in_(named))))
    if fresh := [{"who": who, "name": name} for who, name in named.items() if who not in there]:
        connection.execute(insert(NAMES), fresh)


def _put_players(connection: Connection, rows: Iterable[GameRow]) -> None:
    """Note who plays; a guest is called as in the game that was listed first."""
    known = {player.slug: player for row in rows for player in row.known if player is not None}
    there = set(connection.scalars(select(PLAYERS.c.slug).where(PLAYERS.c.slug.in_(known))))
    fresh = [
        {"slug": slug, "kind": one.kind, "name": game_rows.short(one.name), "contest": one.contest}
        for slug, one in known.items() if slug not in there
    ]  # fmt: skip
    if fresh:
        connection.execute(insert(PLAYERS), fresh)


def put_journals(connection: Connection, paths: Iterable[Path]) -> None:
    """Read journals that changed; one that is gone or cannot be read is not listed."""
    rows: list[GameRow] = []
    gone: list[str] = []
    for path in paths:
        try:
            rows.append(game_rows.from_journal(path))
        except HinterlandError as error:
            log.debug("%s", error)
            gone.append(path.stem)
    remove(connection, gone)
    put(connection, rows)


def put_own_records(connection: Connection, file: Path, end: int) -> Mark:
    """Read on in the arena's own records, to ``end`` at most, and note where each game has its own.

    A record whose game has no journal is not listed. Returns how far was read; more may be there. Raises OSError.
    """
    mark = marks(connection).get("", Mark())
    if end < mark.bytes:
        connection.execute(update(GAMES).where(GAMES.c.source == "").values(record_at=None, record_bytes=None))
        mark = Mark()
    read = mark.bytes
    for at, line in read_on(file, read, end) if read < end else ():
        read = at + len(line)
        try:
            known = game_rows.print_of(game_rows.read_record(line))
        except HinterlandError:
            continue
        same = (GAMES.c.source == "", GAMES.c.print == known, GAMES.c.record_at.is_(None))
        first = select(GAMES.c.id).where(*same).limit(1).scalar_subquery()
        found = update(GAMES).where(GAMES.c.id == first)
        connection.execute(found.values(record_at=at, record_bytes=len(line)))
    return _set_mark(connection, "", Mark("", read))


def put_records(connection: Connection, source: RecordSource) -> Mark:
    """Read on in the records of a contest. Returns how far was read; more may be there. Raises OSError."""
    mark, stamp, end = marks(connection).get(source.name, Mark()), source.stamp(), size_of(source.path)
    if mark.stamp != stamp or end < mark.bytes:
        remove_source(connection, source.name)
        mark = Mark(stamp)
    read, rows = mark.bytes, dict[str, GameRow]()
    for at, line in read_on(source.path, read, end) if read < end else ():
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
    there = _ids(connection, [row.id for row in rows.values()])  # a game may come twice, and counts once
    put(connection, [row for row in rows.values() if row.id not in there])
    return _set_mark(connection, source.name, Mark(stamp, read))


def _ids(connection: Connection, ids: Sequence[str]) -> set[str]:
    found: set[str] = set()
    for start in range(0, len(ids), MOST_NAMED):
        found.update(connection.scalars(select(GAMES.c.id).where(GAMES.c.id.in_(ids[start : start + MOST_NAMED]))))
    return found


def remove_source(connection: Connection, name: str) -> None:
    """Take out all games of a contest."""
    mine = select(GAMES.c.id).where(GAMES.c.source == name)
    connection.execute(delete(FACES).where(FACES.c.id.in_(mine)))
    connection.execute(delete(GAMES).where(GAMES.c.source == name))
    connection.execute(delete(MARKS).where(MARKS.c.name == READ + name))


def give_up(connection: Connection, before: int) -> None:
    """Set games apart that go on, but whose files nobody has written since a moment."""
    old = (GAMES.c.state == State.LIVE, GAMES.c.touched < before)
    gone = select(GAMES.c.id).where(*old)
    connection.execute(update(FACES).where(FACES.c.id.in_(gone)).values(state=State.ABANDONED))
    connection.execute(update(GAMES).where(*old).values(state=State.ABANDONED))


def marks(connection: Connection) -> dict[str, Mark]:
    """Return how far the records of each source were read; the arena's own source has no name."""
    rows = connection.execute(select(MARKS).where(MARKS.c.name.startswith(READ)))
    return {row.name.removeprefix(READ): msgspec.json.decode(row.value, type=Mark) for row in rows}


def _set_mark(connection: Connection, source: str, mark: Mark) -> Mark:
    connection.execute(delete(MARKS).where(MARKS.c.name == READ + source))
    connection.execute(insert(MARKS).values(name=READ + source, value=msgspec.json.encode(mark).decode()))
    return mark
