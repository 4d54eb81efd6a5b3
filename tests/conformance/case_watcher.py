"""Observes a match with a hostile player, with the moments of all events."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from hinterland.host.observer import Observer
from hinterland.host.player_connection import PlayerConnection
from hinterland.referee import judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.host.live_game import LiveGame
    from hinterland.referee.record import Record

__all__ = ["CaseWatcher"]

HOSTILE = 1
"""The number of the hostile player: it comes second."""
NOTES = {"not_protocol": "not protocol", "token is unknown": "unknown token", "no name within": "no name"}


class CaseWatcher(Observer):
    """Keeps all events with the moment they were heard."""

    def __init__(self) -> None:
        self.came_ns: list[int] = []
        """When players took their seats."""
        self.sent_away: list[tuple[int, str]] = []
        """When a connection was sent away, and why."""
        self.games: list[str] = []
        """The fate of the hostile player in each game."""
        self.hostile_moves = 0
        """Number of its moves in the first game."""
        self._asked_ns = 0
        self._budget_ns = 0
        self._is_asked = False
        self._left: tuple[int, str] | None = None
        self._first: tuple[int, int, int] | None = None
        self._ends = 0
        self._changed = asyncio.Event()

    async def changed(self) -> None:
        """Wait until there is something new."""
        self._changed.clear()
        await self._changed.wait()

    def is_decided(self, games: int) -> bool:
        """Say whether this many games are over, or the hostile player was never admitted."""
        return len(self.games) >= games or bool(self.sent_away)

    def late_ms(self, *, from_clock: bool) -> float | None:
        """Return the delay of the first game's verdict, from the request or from the end of the time."""
        if self._first is None:
            return None
        asked_ns, left_ns, budget_ns = self._first
        return (left_ns - asked_ns - (budget_ns if from_clock else 0)) / 1e6

    def on_join(self, player: PlayerConnection, origin: str) -> None:
        self.came_ns.append(time.monotonic_ns())
        self._changed.set()

    def on_note(self, line: str) -> None:
        for words, verdict in NOTES.items():
            if words in line:
                self.sent_away.append((time.monotonic_ns(), verdict))
        self._changed.set()

    def on_effects(self, game: LiveGame, effects: Sequence[judge.Effect]) -> None:
        now_ns = time.monotonic_ns()
        for effect in effects:
            match effect:
                case judge.Request(seat, _, clock) if game.players[seat].number == HOSTILE:
                    self._asked_ns = now_ns
                    self._is_asked = True
                    self._budget_ns = ((clock.left_ms or 0) + game.players[seat].grace_ms) * 1_000_000
                case judge.Played(seat) if game.players[seat].number == HOSTILE and game.number == 1:
                    self.hostile_moves += 1
                case judge.Request():
                    self._is_asked = False
                case judge.Delayed(lag_ns) if self._is_asked:
                    self._budget_ns += lag_ns  # in which the referee stood still: no player is charged for it
                case judge.Departure(seat, verdict):
                    is_hostile = game.players[seat].number == HOSTILE
                    self._left = (now_ns, str(verdict) if is_hostile else f"the good player lost by {verdict}")
                case judge.Ended():
                    self._ends += 1

    def on_game_over(self, game: LiveGame, record: Record) -> None:
        verdict = str(record.reason) if self._left is None else self._left[1]
        self.games.append(verdict if self._ends == 1 else f"{verdict}, ended {self._ends} times")
        if game.number == 1 and self._left is not None:
            self._first = (self._asked_ns, self._left[0], self._budget_ns)
        self._left, self._ends = None, 0
        self._changed.set()
