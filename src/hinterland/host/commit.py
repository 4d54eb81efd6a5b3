"""Judges the events of a game on a thread, and writes them to the game's journal before their effects are announced."""

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
"""A function that stores the record of a finished game."""
MAX_JOURNAL_LINES_TO_TAKE_BACK = 50_000
"""Once a journal has more lines than this, no move can be taken back: players could otherwise move and take back for
ever, and the file would grow without end."""


class MatchStore(Protocol):
    """Writes a match to the disk, so that it can go on after a crash."""

    async def record_players(self, players: Sequence[PlayerConnection]) -> None:
        """Write down who plays. Raises ArenaError if that fails."""

    async def begin_game(
        self, number: int, players: Sequence[PlayerConnection], started: str
    ) -> tuple[str, Commit]:
        """Begin the journal of game ``number`` (from 1); return the game's id and its ``Commit``. Raises ArenaError."""


class JournalCommit:
    """Judges the events of one game and writes them to the journal, if there is one."""

    def __init__(
        self,
        setup: Setup,
        threads: Share,
        journal: Journal | None = None,
        finish: Finish = lambda *_: None,
        dropped: Callable[[], object] = lambda: None,
    ) -> None:
        """``finish`` stores the record of the finished game; ``dropped`` is called when the journal is closed."""
        self._setup = setup
        self._threads = threads
        self._journal = journal
        self._finish = finish
        self._dropped = dropped

    @property
    def is_full(self) -> bool:
        """Whether the journal is so long that moves can no longer be taken back."""
        return self._journal is not None and self._journal.lines > MAX_JOURNAL_LINES_TO_TAKE_BACK

    async def __call__(self, game: judge.Judged, event: judge.Event, now_ns: int) -> judge.Step:
        """Judge an event, write its effects to the disk and return them with the new game. Raises ArenaError."""
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
        """Write the time that each seat has left, with which its clock will go on, and close the journal."""
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
        """Close the journal without writing more to it."""
        if self._journal is not None:
            self._journal.close()
            self._journal = None
        self._dropped()
