"""Passes finished games from the thread that plays them to the thread that keeps them."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hinterland.referee.record import Record


class Deliveries:
    """A queue of games, read through one future at a time. Any thread may put games in."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._come: list[Record] = []
        self._handed: list[Record] = []
        self._error: BaseException | None = None
        self._asked: Future[list[Record]] | None = None

    def put(self, record: Record) -> None:
        """Add a game."""
        with self._lock:
            self._come.append(record)
            self._answer()

    def fail(self, error: BaseException) -> None:
        """End the queue with an error."""
        with self._lock:
            self._error = self._error or error
            self._answer()

    def next_games(self) -> Future[list[Record]]:
        """Return a future of the next games; it raises the error of ``fail``. Earlier games count as kept."""
        with self._lock:
            self._handed, self._asked = [], Future()
            asked = self._asked
            self._answer()
        return asked

    def take_rest(self) -> list[Record]:
        """Return all games that may not be kept yet: those of the last future, and those not yet read."""
        with self._lock:
            found, self._handed, self._come = [*self._handed, *self._come], [], []
        return found

    def _answer(self) -> None:
        if self._asked is None or not (self._come or self._error):
            return
        asked, self._asked = self._asked, None
        if not asked.set_running_or_notify_cancel():
            return
        if self._come:
            self._handed, self._come = self._come, []
            asked.set_result(self._handed)
        else:
            asked.set_exception(self._error)
