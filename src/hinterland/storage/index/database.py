"""The database that a URL names, opened: SQLite or PostgreSQL, its tables there and sound, or made anew.

Nothing of anybody else is touched: tables have names of their own, and a file is thrown away only where it is the index
that an arena made by itself, or says that it is one.
"""

from __future__ import annotations

import contextlib
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import URL, Connection, Engine, create_engine, event, insert, inspect, make_url, select, text
from sqlalchemy.exc import ArgumentError, DatabaseError, SQLAlchemyError

from hinterland.errors import ArenaError, BadText, quote
from hinterland.storage.index.tables import MARKS, METADATA, VERSION

if TYPE_CHECKING:
    from sqlalchemy.engine.interfaces import DBAPIConnection
    from sqlalchemy.pool import ConnectionPoolEntry

log = logging.getLogger("hinterland.storage")
DEFAULT = "index.sqlite"
"""In an arena's folder."""
SIGNATURE = 0x48494E54
"""``application_id`` of our files."""
MAGIC, SIGNED_AT = b"SQLite format 3\0", 68
KNOWN = "sqlite:///FILE or postgresql://USER@HOST/DATABASE"
PATIENCE = {
    "connect_timeout": 3, "options": "-c statement_timeout=20000", "keepalives_idle": 10, "tcp_user_timeout": 5000,
}  # fmt: skip
"""For a server that does not answer, in the units of libpq."""


def read_url(given: str) -> URL:
    """Read what an operator names. Raises BadText for what is no URL, ArenaError where its driver is missing."""
    try:
        url = make_url(given)
    except ArgumentError:
        raise BadText(f"the index is at {KNOWN}, not at {quote(given)}") from None
    if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        try:
            import psycopg  # noqa: F401, PLC0415
        except ImportError:
            raise ArenaError("PostgreSQL needs its driver: pip install 'hinterland[postgresql]'") from None
        return url.set(drivername="postgresql+psycopg")
    if url.drivername != "sqlite" or not url.database or url.database == ":memory:":
        raise BadText(f"the index is at {KNOWN}, not at {quote(url.render_as_string())}")
    return url


def default_url(folder: Path) -> URL:
    """Return where an arena keeps the index of its folder by itself."""
    return URL.create("sqlite", database=str(folder / DEFAULT))


def engine_of(url: URL) -> Engine:
    """Return what connects to a database; nothing is opened yet."""
    if url.drivername != "sqlite":
        return create_engine(url, connect_args=PATIENCE, pool_size=4, max_overflow=0, pool_timeout=5)
    engine = create_engine(url, connect_args={"timeout": 5}, pool_size=4, max_overflow=0, pool_timeout=5)
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def _set_up(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    """Let readers go on while the one writer writes; what a loss of power takes is made again."""
    try:
        with contextlib.closing(connection.cursor()) as cursor:
            for pragma in ("journal_mode = wal", "synchronous = normal", "temp_store = memory"):
                cursor.execute(f"PRAGMA {pragma}")
    except BaseException:  # it is not yet the pool's, which would close it
        connection.close()
        raise
    connection.isolation_level = None  # what Python begins by itself does not hold changes of tables


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def prepare(engine: Engine, *, is_own: bool) -> bool:
    """See to it that sound tables of this version are there; say whether they are empty. Raises SQLAlchemyError.

    ``is_own``: whether nobody else can have put a file there. Raises ArenaError where another program's file is.
    """
    if engine.dialect.name == "sqlite":
        _check_file(engine, is_own=is_own)
    with engine.begin() as connection:
        if _version(connection) == VERSION:
            return False
        empty(connection)
        return True


def empty(connection: Connection) -> None:
    """Make the tables anew."""
    METADATA.drop_all(connection)
    METADATA.create_all(connection)
    connection.execute(insert(MARKS).values(name="version", value=VERSION))
    if connection.dialect.name == "sqlite":
        connection.execute(text(f"PRAGMA application_id = {SIGNATURE}"))


def outdate(engine: Engine) -> None:
    """Have the index made anew by whoever keeps it. Raises SQLAlchemyError."""
    with engine.begin() as connection:
        MARKS.drop(connection, checkfirst=True)


def is_outdated(connection: Connection) -> bool:
    """Say whether somebody wants the index to be made anew, or has thrown its tables away."""
    return _version(connection) != VERSION


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table(MARKS.name):
        return None
    return connection.scalar(select(MARKS.c.value).where(MARKS.c.name == "version"))


def _check_file(engine: Engine, *, is_own: bool) -> None:
    """Throw a damaged index away. Raises ArenaError where a file is not ours to be thrown away."""
    path = Path(engine.url.database or "")
    if not path.exists() or path.stat().st_size == 0:
        return
    engine.dispose()  # a connection that has been open may remember pages that the disk no longer has
    try:
        with engine.connect() as connection:
            if connection.scalar(text("PRAGMA quick_check(1)")) == "ok":
                return
    except DatabaseError as error:
        if "locked" in str(error.orig):
            raise
    if not (is_own or _is_signed(path)):
        raise ArenaError(f"{path} is no index of games, nor any database; name another file with --index")
    log.warning("the index of games %s is damaged; it is made again", path)
    engine.dispose()
    for end in ("", "-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)


def _is_signed(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(SIGNED_AT + 4)
    return head.startswith(MAGIC) and head[SIGNED_AT:] == SIGNATURE.to_bytes(4, "big")


def reason_of(error: SQLAlchemyError) -> str:
    """Return what a database says, in one line."""
    return str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
