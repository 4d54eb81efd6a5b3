"""Opens the index's database, SQLite or PostgreSQL, and creates its tables if they are missing or damaged.

Data of other programs is never touched. The names of all tables begin with ``hinterland_``. A file is deleted only if
it lies in the arena's own folder, or its header has the ``application_id`` of an index.
"""

from __future__ import annotations

import contextlib
import logging
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import URL, Connection, Engine, create_engine, event, insert, inspect, make_url, select, text
from sqlalchemy.exc import ArgumentError, DatabaseError, SQLAlchemyError

from hinterland.errors import ArenaError, BadText, quote
from hinterland.storage.index.tables import INDEX_VALUES, METADATA, VERSION

if TYPE_CHECKING:
    from sqlalchemy.engine.interfaces import DBAPIConnection
    from sqlalchemy.pool import ConnectionPoolEntry

log = logging.getLogger("hinterland.storage")
DEFAULT_FILE = "index.sqlite"
"""Name of the index's file in an arena's folder."""
APPLICATION_ID = 0x48494E54
"""The ``application_id`` in the header of an SQLite file that is an index of games."""
SQLITE_MAGIC, APPLICATION_ID_OFFSET = b"SQLite format 3\0", 68
URL_FORMS = "sqlite:///FILE or postgresql://USER@HOST/DATABASE"
POSTGRESQL_TIMEOUTS = {
    "connect_timeout": 3, "options": "-c statement_timeout=20000", "keepalives_idle": 10, "tcp_user_timeout": 5000,
}  # fmt: skip
"""Time limits for a server that does not answer: options of PostgreSQL's library libpq, some in seconds, some in
milliseconds."""


def read_url(given: str) -> URL:
    """Parse the URL of a database. Raises BadText for any other text, ArenaError if the driver is missing."""
    try:
        url = make_url(given)
    except ArgumentError:
        raise BadText(f"the index is at {URL_FORMS}, not at {quote(given)}") from None
    if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        try:
            import psycopg  # noqa: F401, PLC0415
        except ImportError:
            raise ArenaError("PostgreSQL needs its driver: pip install 'hinterland[postgresql]'") from None
        return url.set(drivername="postgresql+psycopg")
    if url.drivername != "sqlite" or not url.database or url.database == ":memory:":
        raise BadText(f"the index is at {URL_FORMS}, not at {quote(url.render_as_string())}")
    return url


def default_url(folder: Path) -> URL:
    """Return the URL of the index in an arena's folder."""
    return URL.create("sqlite", database=str(folder / DEFAULT_FILE))


def make_engine(url: URL) -> Engine:
    """Make an engine; it connects when it is first used."""
    if url.drivername != "sqlite":
        return create_engine(url, connect_args=POSTGRESQL_TIMEOUTS, pool_size=4, max_overflow=0, pool_timeout=5)
    engine = create_engine(url, connect_args={"timeout": 5}, pool_size=4, max_overflow=0, pool_timeout=5)
    event.listen(engine, "connect", _configure_sqlite)
    event.listen(engine, "connect", lambda _, entry: entry.info.update(pool=engine.pool))
    event.listen(engine, "checkin", partial(_close_outdated, engine))
    event.listen(engine, "begin", _begin_transaction)
    return engine


def _close_outdated(engine: Engine, connection: DBAPIConnection | None, entry: ConnectionPoolEntry) -> None:
    """Close a connection that was in use when the engine discarded its pool, since that pool will not close it."""
    if connection is not None and entry.info.get("pool") is not engine.pool:
        entry.close()


def _configure_sqlite(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    """Let readers read while the one writer writes.

    A power cut can lose writes, which are then made again from the files.
    """
    try:
        with contextlib.closing(connection.cursor()) as cursor:
            for pragma in ("journal_mode = wal", "synchronous = normal", "temp_store = memory"):
                cursor.execute(f"PRAGMA {pragma}")
    except BaseException:  # the pool does not own the connection yet, and would not close it
        connection.close()
        raise
    connection.isolation_level = None  # Python's own transactions would not include changes of tables


def _begin_transaction(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def prepare(engine: Engine, *, is_own: bool) -> bool:
    """Create the tables unless sound ones of this version exist; return whether they were created.

    ``is_own``: whether the file is in the arena's own folder, and so may be deleted if it is damaged. Raises ArenaError
    if the file is another program's, else SQLAlchemyError.
    """
    if engine.dialect.name == "sqlite":
        _check_file(engine, is_own=is_own)
    with engine.begin() as connection:
        if _version(connection) == VERSION:
            return False
        recreate_tables(connection)
        return True


def recreate_tables(connection: Connection) -> None:
    """Drop the tables and create them anew."""
    METADATA.drop_all(connection)
    METADATA.create_all(connection)
    connection.execute(insert(INDEX_VALUES).values(name="version", value=VERSION))
    if connection.dialect.name == "sqlite":
        connection.execute(text(f"PRAGMA application_id = {APPLICATION_ID}"))


def request_rebuild(engine: Engine) -> None:
    """Tell the arena that keeps the index to rebuild it. Raises SQLAlchemyError."""
    with engine.begin() as connection:
        INDEX_VALUES.drop(connection, checkfirst=True)


def needs_rebuild(connection: Connection) -> bool:
    """Say whether a rebuild was requested, or the tables are missing or of another version."""
    return _version(connection) != VERSION


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table(INDEX_VALUES.name):
        return None
    return connection.scalar(select(INDEX_VALUES.c.value).where(INDEX_VALUES.c.name == "version"))


def _check_file(engine: Engine, *, is_own: bool) -> None:
    """Delete the file if it is damaged. Raises ArenaError if a damaged file may be another program's."""
    path = Path(engine.url.database or "")
    if not path.exists() or path.stat().st_size == 0:
        return
    engine.dispose()  # an open connection may hold pages in memory that the disk no longer has
    try:
        with engine.connect() as connection:
            if connection.scalar(text("PRAGMA quick_check(1)")) == "ok":
                return
    except DatabaseError as error:
        if "locked" in str(error.orig):
            raise
    if not (is_own or _is_signed(path)):
        raise ArenaError(f"{path} is no index of games, nor any database; name another file with --index")
    log.warning("the index of games %s is damaged; it is rebuilt", path)
    engine.dispose()
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _is_signed(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(APPLICATION_ID_OFFSET + 4)
    return head.startswith(SQLITE_MAGIC) and head[APPLICATION_ID_OFFSET:] == APPLICATION_ID.to_bytes(4, "big")


def describe_error(error: SQLAlchemyError) -> str:
    """Return the database's error message in one line."""
    return str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
