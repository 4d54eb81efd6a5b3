"""Judges the events of a game and writes them to its journal, on a thread, before their effects are announced."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from hinterland.errors import HinterlandError
from hinterland.host.live_game import Commit
from hinterland.host.player_connection import PlayerConnection
from hinterland.host.thread_pools import Share
from hinterland.referee import judge
from hinterland.storage.game_setup import Setup
from hinterland.storage.journal import Clocked, Journal, journal_lines, left_ms

log = logging.getLogger("hinterland.host")
Finish = Callable[["Setup", judge.Judged, "Journal"], None]
"""Keeps the record of a finished game."""
MAX_JOURNAL_LINES_TO_TAKE_BACK = 50_000
"""Largest number of journal lines with which a move can be taken back, so that no file grows without end."""


class MatchStore(Protocol):
    """Keeps a match so that it can go on after a crash."""

    async def record_players(self, players: Sequence[PlayerConnection]) -> None:
        """Note who plays. Raises ArenaError if that cannot be written."""

    async def begin_game(
        self, number: int, players: Sequence[PlayerConnection], started: str
    ) -> tuple[str, Commit]:
        """Begin the journal of a game, numbered from 1. Return the game's id and its commit. Raises ArenaError."""


class JournalCommit:
    """Judges the events of one game and keeps its journal. Without a journal nothing is kept."""

    def __init__(
        self,
        setup: Setup,
        threads: Share,
        journal: Journal | None = None,
        finish: Finish = lambda *_: None,
        dropped: Callable[[], object] = lambda: None,
    ) -> None:
        """``finish`` keeps the record at the end; ``dropped`` is called when the journal is closed."""
        self._setup = setup
        self._threads = threads
        self._journal = journal
        self._finish = finish
        self._dropped = dropped

    @property
    def is_full(self) -> bool:
        """Whether the journal is too long to take back moves."""
        return self._journal is not None and self._journal.lines > MAX_JOURNAL_LINES_TO_TAKE_BACK

    async def __call__(self, game: judge.Judged, event: judge.Event, now_ns: int) -> judge.Step:
        """Write an event to the disk; return the game after the event. Raises ArenaError if it cannot be written."""
        return await self._threads.run(self._commit, game, event, now_ns)

    def _commit(self, game: judge.Judged, event: judge.Event, now_ns: int) -> judge.Step:
        after, effects = judge.step(game, event, now_ns)
        if self._journal is not None and (lines := journal_lines(effects, after)):
            self._journal.write(lines)
            if after.ending is not None:
                self._record(after, self._journal)
        return after, effects

    def _record(self, game: judge.Judged, journal: Journal) -> None:
        try:
            self._finish(self._setup, game, journal)
        except HinterlandError as error:
            log.warning("%s; the record is added when the arena starts again", error)

    async def suspend(self, game: judge.Judged, now_ns: int) -> None:
        """Write the time that the turn has used so far, from which the clock will go on, and close the journal."""
        await self._threads.run(self._suspend, game, now_ns)
        self.drop()

    def _suspend(self, game: judge.Judged, now_ns: int) -> None:
        clocks = game.clocks
        if self._journal is not None and clocks.running is not None and clocks.control.budget_ms is not None:
            left = [clocks.left_now_ns(seat, now_ns) for seat in range(len(clocks.left_ns))]
            try:
                self._journal.write([Clocked(left_ms(left))])
            except HinterlandError as error:
                log.warning("%s", error)

    def drop(self) -> None:
        """Close the journal as it is."""
        if self._journal is not None:
            self._journal.close()
            self._journal = None
        self._dropped()
