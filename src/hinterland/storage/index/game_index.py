"""The index of an arena's games: one thread keeps it up to date, other threads query it.

Only that thread writes. ``touch`` tells the thread which journals have changed. The thread reads these journals, and
the new lines in files of records. While the database cannot be reached, games go on, each query fails with a message of
one line, and the thread tries again. When the database is back, the thread compares the index with the whole folder.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from threading import Condition, Event, Thread
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import URL, Connection
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from hinterland.errors import ArenaError, HinterlandError
from hinterland.storage.index import database
from hinterland.storage.index.index_writer import IndexWriter, Sources

log = logging.getLogger("hinterland.storage")
P = ParamSpec("P")
T = TypeVar("T")
RECORDS_POLL_S = 2.0
"""Seconds between two looks at files of records that others write."""
ABANDONED_CHECK_S = 60.0
"""Seconds between two searches for abandoned games."""
RETRY_S = 2.0
"""Seconds between two tries to open the database."""
REST_PER_WORK = 4.0
"""Seconds of rest for each second of work, unless a query waits."""
LISTING_WAIT_S = 2.0
"""Longest time, in seconds, that a query waits for changes that are not yet listed."""
OPENING_WAIT_S = 5.0
"""Longest time, in seconds, that a query waits for the index to open."""
MAX_GAMES_WAITED_FOR = 100
"""After a start, queries wait for unread games only if there are at most this many."""
CLOSING_WAIT_S = 1.0
"""Longest time, in seconds, that ``close`` waits for the end of the thread."""


class GameIndex:
    """The index of one folder. Any thread may call the methods, which block."""

    def __init__(self, folder: Path, url: URL | None = None, sources: Sources = tuple) -> None:
        """Prepare the index, which ``start`` opens.

        ``sources`` returns the records of the contests to list now; it is called again and again.
        """
        self._engine = database.make_engine(url or database.default_url(folder))
        self._writer = IndexWriter(folder, self._engine, sources, is_own=url is None)
        self._thread = Thread(target=self._run, name="index", daemon=True)
        self._news = Condition()
        self._touched: set[str] = set()
        self._happened = self._listed = self._waiting = 0
        """Number of changes, number of changes already listed, and number of queries that wait."""
        self._opened = Event()
        self._fault: str | None = None
        self._name = secrets.token_hex(4)

    @property
    def fault(self) -> str | None:
        """Why queries fail now; None if they work."""
        return self._fault

    @property
    def left(self) -> int | None:
        """Number of games still to be read after a start; None when the list is complete."""
        return self._writer.games_left

    @property
    def url(self) -> str:
        """URL of the database with its password, which other processes need to read the index."""
        return self._engine.url.render_as_string(hide_password=False)

    @property
    def version(self) -> str:
        """An ETag that changes with every update, and differs between arenas."""
        return f'"{self._name}-{self._writer.changes}"'

    @property
    def is_up_to_date(self) -> bool:
        """Whether all changes are listed."""
        return self._listed >= self._happened

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Close the database. The next start finds the changes that are not listed yet."""
        with self._news:
            self._writer.is_stopping = True
            self._news.notify_all()
        if self._thread.ident is not None:
            self._thread.join(CLOSING_WAIT_S)
        if not self._thread.is_alive():  # a living thread still uses a connection, and does this when it ends
            self._engine.dispose()

    def touch(self, game_id: str) -> None:
        """Note that a journal has changed. The call takes almost no time."""
        with self._news:
            self._happened += 1
            if not self._touched:
                self._news.notify_all()
            self._touched.add(game_id)

    def query(self, question: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a query of ``listing`` with a connection. Raises ArenaError if the database cannot answer."""
        self._wait_until_listed()
        try:
            if self._fault is None:
                with self._engine.connect() as connection:
                    return question(connection, *args, **kwargs)
        except PoolTimeoutError:
            raise ArenaError("too much is asked of the list of games; try again in a moment") from None
        except SQLAlchemyError as error:
            self._set_fault(database.describe_error(error))
        raise ArenaError(f"the list of games cannot be read now ({self._fault}); games go on")

    def _wait_until_listed(self) -> None:
        """Wait for the latest changes to be listed, ``LISTING_WAIT_S`` at most."""
        self._opened.wait(OPENING_WAIT_S)
        with self._news:
            mine = self._happened
            if self._listed >= mine or (self.left or 0) > MAX_GAMES_WAITED_FOR:
                return
            self._waiting += 1
            self._news.notify_all()
            self._news.wait_for(lambda: self._listed >= mine or self._fault or self._writer.is_stopping, LISTING_WAIT_S)
            self._waiting -= 1

    # The thread's methods

    def _run(self) -> None:
        try:
            self._open_and_follow()
        finally:
            self._engine.dispose()  # ``close`` may have stopped waiting

    def _open_and_follow(self) -> None:
        while not self._writer.is_stopping:
            try:
                self._open()
                self._follow()
            except SQLAlchemyError as error:
                self._set_fault(database.describe_error(error))
            except (HinterlandError, OSError) as error:
                self._set_fault(str(error))
            except Exception:
                log.exception("the index of games failed")
                self._set_fault("it failed, which has been noted")
            self._pause(RETRY_S)

    def _open(self) -> None:
        began = time.monotonic()
        behind = self._writer.open()
        if self._fault is not None:
            log.warning("the index of games is there again")
        self._fault = None
        self._opened.set()
        self._writer.compare(behind)
        if behind:
            log.info("%d games were listed in %.1f s", len(behind), time.monotonic() - began)

    def _follow(self) -> None:
        """Enter changes of files into the index, until the index must be opened anew."""
        checked = time.monotonic()
        while not self._writer.is_stopping and self._fault is None and not self._writer.needs_rebuild():
            began = time.monotonic()
            self._catch_up()
            if began - checked > ABANDONED_CHECK_S:
                self._writer.mark_abandoned()
                checked = began
            self._pause(REST_PER_WORK * (time.monotonic() - began))
            with self._news:
                self._news.wait_for(lambda: self._touched or self._writer.is_stopping or self._fault, RECORDS_POLL_S)

    def _catch_up(self) -> None:
        end = self._writer.end_of_records()
        with self._news:
            happened, touched = self._happened, list(self._touched)
            self._touched.clear()
        self._writer.list_journals(touched)
        self._writer.read_records(end)
        with self._news:
            self._listed = happened
            self._news.notify_all()

    def _pause(self, seconds: float) -> None:
        with self._news:
            self._news.wait_for(lambda: self._waiting or self._writer.is_stopping, seconds)

    def _set_fault(self, why: str) -> None:
        if self._fault is None and not self._writer.is_stopping:
            log.warning("lists of games are missing, since their index cannot be used: %s", why)
        with self._news:
            self._fault = why
            self._news.notify_all()
        self._opened.set()
