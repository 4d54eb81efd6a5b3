"""Chooses which game of a host's running matches is shown.

With several matches at once, one is shown until it is over, then the next. The end of a game stays for a moment before
the next game is shown, however soon that begins.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from hinterland.host.live_game import LiveGame
from hinterland.referee.match import Result
from hinterland.web.matches.match_state import MatchGame, MatchState

MATCH_LINGER_FACTOR = 2
"""How much longer the end of a match stays than that of a game, if other matches are running."""
MAX_FOLLOWED_MATCHES = 256
"""Matches followed at once; the latest of more are not shown."""


class ShownMatches:
    """Follows matches; belongs to an event loop."""

    def __init__(self, linger_s: float, is_awaited: Callable[[], bool], turned: Callable[[], None]) -> None:
        """Follow none yet. ``linger_s``: how long the end of a game stays.

        ``is_awaited``: whether somebody waits for another match; ``turned`` is called when another game is shown.
        """
        self.running: dict[int, MatchState] = {}
        """The running matches, by number."""
        self.begun_count = 0
        """Number of matches begun."""
        self.game: MatchGame | None = None
        """The game shown."""
        self._linger_s = linger_s
        self._is_awaited = is_awaited
        self._turned = turned
        self._switch: asyncio.TimerHandle | None = None

    def begin(self, number: int, names: Sequence[str]) -> MatchState | None:
        """Begin to follow a match; return it, or None if there are too many."""
        self.begun_count += 1
        if len(self.running) >= MAX_FOLLOWED_MATCHES:
            return None
        self.running[number] = MatchState(number, names)
        return self.running[number]

    def end(self, result: Result) -> None:
        """Note the winners, and forget the match."""
        over = self.running.pop(result.number, None)
        if over is not None:
            over.end(result)

    def find_game(self, game: LiveGame) -> MatchGame | None:
        """Return a game if it is the latest of a followed match."""
        match = self.running.get(game.match)
        return match.game if match is not None and match.game is not None and match.game.game is game else None

    @property
    def match_between_games(self) -> MatchState | None:
        """The latest match if it has no game yet, as after a restart of its host."""
        latest = next(reversed(self.running.values()), None)
        return latest if latest is not None and latest.game is None else None

    @property
    def shows_match_end(self) -> bool:
        """Say whether the game shown is the last of its match."""
        shown = self.game
        return shown is not None and shown.match.result is not None and shown is shown.match.game

    def show_current(self) -> None:
        """Show the current game, or do so once the end of the game shown has stayed long enough."""
        if self.game is None or self.game.ended_s is None:
            self._switch_game()
        elif self._switch is None:
            self._move_on_at(self.game.ended_s + self._linger_s)

    def _move_on_at(self, moment_s: float) -> None:
        wait_s = max(moment_s - time.monotonic(), 0.0)
        self._switch = asyncio.get_running_loop().call_later(wait_s, self._move_on)

    def _move_on(self) -> None:
        """Switch from a finished game to the next of its match, or from a finished match to another."""
        self._switch = None
        if self.game is not None and self.game.ended_s is not None and self.shows_match_end:
            leave_s = self.game.ended_s + self._linger_s * MATCH_LINGER_FACTOR
            if leave_s > time.monotonic():
                self._move_on_at(leave_s)
                return
        if self._switch_game():
            self._turned()

    def _switch_game(self) -> bool:
        """Show the next game; say whether there is one."""
        shown = self.game
        if shown is not None and not self.shows_match_end:
            following = shown.match.game
        else:
            following = next((match.game for match in self.running.values() if match.game is not None), None)
            if following is None and shown is not None and self._is_awaited():
                self.game = None
                return True
        if following is None or following is shown:
            return False
        self.game = following
        return True
