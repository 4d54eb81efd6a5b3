"""The index of an arena's games: kept up by a thread of its own, asked by others, never the truth.

The thread alone writes. It is told which journals change (``touch``) and reads those, and reads on in the files of
records. Where the database is gone, questions are refused in one line, games go on, and the thread tries again until
it is back; then it compares all with the folder once more.
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
from hinterland.storage.index.upkeep import Sources, Upkeep

log = logging.getLogger("hinterland.storage")
P = ParamSpec("P")
T = TypeVar("T")
LOOK_S = 2.0
"""How often files of records are looked at that others write."""
SWEEP_S = 60.0
"""How often games are looked for that nobody goes on with."""
RETRY_S = 2.0
REST = 4.0
"""So many times as long as it worked its thread rests, unless somebody waits."""
SETTLE_S = 2.0
"""How long a question waits for what has just happened to be listed."""
OPEN_S = 5.0
"""How long the first one waits for the index."""
FEW = 100
"""While more games than so many are still to be read after a start, no question waits for them."""
CLOSE_S = 1.0


class GameIndex:
    """The index of one folder. Its methods may be called from any thread, and block."""

    def __init__(self, folder: Path, url: URL | None = None, sources: Sources = tuple) -> None:
        """Make ready; nothing is opened yet. ``sources``: the contests there are, asked again and again."""
        self._engine = database.engine_of(url or database.default_url(folder))
        self._upkeep = Upkeep(folder, self._engine, sources, is_own=url is None)
        self._thread = Thread(target=self._keep_up, name="index", daemon=True)
        self._news = Condition()
        self._touched: set[str] = set()
        self._happened = self._listed = self._waiting = 0
        """How much has happened, how much of it is listed, and who waits for it."""
        self._opened = Event()
        self._fault: str | None = None
        self._name = secrets.token_hex(4)

    @property
    def fault(self) -> str | None:
        """Why nothing can be asked now, in words; None where it can."""
        return self._fault

    @property
    def left(self) -> int | None:
        """How many games are still to be read after a start, when the list is not whole; None: it is."""
        return self._upkeep.left

    @property
    def url(self) -> str:
        """Where it is, for other processes to read; with the password of its database."""
        return self._engine.url.render_as_string(hide_password=False)

    @property
    def version(self) -> str:
        """A tag that is another whenever something was listed, and for another arena."""
        return f'"{self._name}-{self._upkeep.changes}"'

    @property
    def is_settled(self) -> bool:
        """Whether all that has happened is listed."""
        return self._listed >= self._happened

    def start(self) -> None:
        """Begin to keep it up."""
        self._thread.start()

    def close(self) -> None:
        """Let go of the database; what was not yet listed is found when the next arena begins."""
        with self._news:
            self._upkeep.is_stopping = True
            self._news.notify_all()
        if self._thread.ident is not None:
            self._thread.join(CLOSE_S)
        if not self._thread.is_alive():  # else it lets go itself: what it has in hand would escape this
            self._engine.dispose()

    def touch(self, game_id: str) -> None:
        """Note that a journal has changed; costs next to nothing."""
        with self._news:
            self._happened += 1
            if not self._touched:
                self._news.notify_all()
            self._touched.add(game_id)

    def ask(self, question: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Answer a question of ``listing``. Raises ArenaError where the database cannot be asked."""
        self._settle()
        try:
            if self._fault is None:
                with self._engine.connect() as connection:
                    return question(connection, *args, **kwargs)
        except PoolTimeoutError:
            raise ArenaError("too much is asked of the list of games; try again in a moment") from None
        except SQLAlchemyError as error:
            self._lose(database.reason_of(error))
        raise ArenaError(f"the list of games cannot be read now ({self._fault}); games go on")

    def _settle(self) -> None:
        """Wait a moment for what has just happened to be listed."""
        self._opened.wait(OPEN_S)
        with self._news:
            mine = self._happened
            if self._listed >= mine or (self.left or 0) > FEW:
                return
            self._waiting += 1
            self._news.notify_all()
            self._news.wait_for(lambda: self._listed >= mine or self._fault or self._upkeep.is_stopping, SETTLE_S)
            self._waiting -= 1

    # What its thread does

    def _keep_up(self) -> None:
        try:
            self._open_and_follow()
        finally:
            self._engine.dispose()  # ``close`` may not have waited for it

    def _open_and_follow(self) -> None:
        while not self._upkeep.is_stopping:
            try:
                self._open()
                self._follow()
            except SQLAlchemyError as error:
                self._lose(database.reason_of(error))
            except (HinterlandError, OSError) as error:
                self._lose(str(error))
            except Exception:
                log.exception("the index of games failed")
                self._lose("it failed, which has been noted")
            self._pause(RETRY_S)

    def _open(self) -> None:
        began = time.monotonic()
        behind = self._upkeep.open()
        if self._fault is not None:
            log.warning("the index of games is there again")
        self._fault = None
        self._opened.set()
        self._upkeep.compare(behind)
        if behind:
            log.info("%d games were listed in %.1f s", len(behind), time.monotonic() - began)

    def _follow(self) -> None:
        """List what happens, until the index is to be opened anew."""
        swept = time.monotonic()
        while not self._upkeep.is_stopping and self._fault is None and not self._upkeep.is_outdated():
            began = time.monotonic()
            self._catch_up()
            if began - swept > SWEEP_S:
                self._upkeep.sweep()
                swept = began
            self._pause(REST * (time.monotonic() - began))
            with self._news:
                self._news.wait_for(lambda: self._touched or self._upkeep.is_stopping or self._fault, LOOK_S)

    def _catch_up(self) -> None:
        end = self._upkeep.end_of_records()
        with self._news:
            happened, touched = self._happened, list(self._touched)
            self._touched.clear()
        self._upkeep.list_journals(touched)
        self._upkeep.read_records(end)
        with self._news:
            self._listed = happened
            self._news.notify_all()

    def _pause(self, seconds: float) -> None:
        with self._news:
            self._news.wait_for(lambda: self._waiting or self._upkeep.is_stopping, seconds)

    def _lose(self, why: str) -> None:
        if self._fault is None and not self._upkeep.is_stopping:
            log.warning("lists of games are missing, since their index cannot be used: %s", why)
        with self._news:
            self._fault = why
            self._news.notify_all()
        self._opened.set()
