"""Where events are judged and written down, on a thread, before anybody hears of them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from hinterland.errors import HinterlandError
from hinterland.referee import judge
from hinterland.web import journal

if TYPE_CHECKING:
    from hinterland.web.journal import Journal
    from hinterland.web.seating import Setup

__all__ = ["Desk", "Finish"]

log = logging.getLogger("hinterland.web")
Finish = Callable[["Setup", judge.Judged, "Journal"], None]
"""Keeps the record of a finished game."""
MOST_LINES = 50_000
"""Of a journal: past this nothing can be taken back, so that no file grows for ever."""


class Desk:
    """Judges the events of one game and keeps its journal; without a journal nothing is kept."""

    def __init__(self, setup: Setup, book: Journal | None = None, finish: Finish = lambda *_: None) -> None:
        self._setup = setup
        self._book = book
        self._finish = finish

    @property
    def is_full(self) -> bool:
        """Say whether the journal is too long for anything to be taken back."""
        return self._book is not None and self._book.lines > MOST_LINES

    def decide(self, game: judge.Judged, event: judge.Event, now_ns: int) -> judge.Step:
        """Return the game after an event that is on the disk. Raises ArenaError where the disk does not take it.

        A person may try again after an illegal move; a program may not.
        """
        after, effects = judge.step(game, event, now_ns)
        for effect in effects:
            if isinstance(effect, judge.Refused) and effect.seat not in self._setup.persons:
                words = f"{self._setup.seats[effect.seat].name}: {effect.detail}"
                after, effects = judge.step(game, judge.Fault(effect.seat, judge.Verdict.ILLEGAL, words), now_ns)
        if self._book is not None and (lines := journal.lines_of(effects, after)):
            self._book.write(lines)
            if after.ending is not None:
                self._record(after, self._book)
        return after, effects

    def _record(self, game: judge.Judged, book: Journal) -> None:
        try:
            self._finish(self._setup, game, book)
        except HinterlandError as error:
            log.warning("%s; the record is added when the arena starts again", error)

    def put_away(self, game: judge.Judged, now_ns: int) -> None:
        """Close the journal; what the turn has used so far is kept in it, so that the clock goes on from there."""
        if self._book is None:
            return
        clocks = game.clocks
        if clocks.running is not None and clocks.control.budget_ms is not None:
            left = [clocks.left_now_ns(seat, now_ns) for seat in range(len(clocks.left_ns))]
            try:
                self._book.write([journal.Clocked(journal.left_ms(left))])
            except HinterlandError as error:
                log.warning("%s", error)
        self.drop()

    def drop(self) -> None:
        """Close the journal as it is."""
        if self._book is not None:
            self._book.close()
            self._book = None
