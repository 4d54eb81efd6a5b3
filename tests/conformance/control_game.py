"""The control game: two good players whose moves are timed while the same referee deals with hostile ones."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from hinterland.host.live_match import MatchConfig
from hinterland.host.match_host import HostConfig, MatchHost
from hinterland.host.network.tcp import listen
from hinterland.host.observer import Observer
from hinterland.referee import judge
from hinterland.referee.clock import TimeControl

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from hinterland.contract import Game, Rules
    from hinterland.host.live_game import LiveGame

__all__ = ["SCRIPTS", "ControlGame", "GoodPlayersProcess", "python"]

SCRIPTS = Path(__file__).parent / "scripts"
PAUSE_MS = 12
"""Thinking time of the good players of the control game."""
MOST_TIMES = 1_000_000
FOR_EVER = 1_000_000


def python(script: str) -> tuple[str, ...]:
    """Return the command line of a script of the suite; it starts in a few milliseconds."""
    return (sys.executable, "-S", "-E", "-I", str(SCRIPTS / script))


class GoodPlayersProcess:
    """The process in which all good players live."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.times: deque[tuple[int, int]] = deque(maxlen=MOST_TIMES)
        """For the control game: when a player was asked, and how long after its opponent's move, in nanoseconds."""

    @classmethod
    @contextlib.asynccontextmanager
    async def open(cls, size: int) -> AsyncIterator[GoodPlayersProcess]:
        """Start it. ``size``: side of every board, in cells."""
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*python("good_players.py"), str(size), stdin=pipe, stdout=pipe)
        good_players = cls(process)
        listening = asyncio.create_task(good_players._listen())
        try:
            yield good_players
        finally:
            assert process.stdin is not None
            process.stdin.close()
            await listening
            await process.wait()

    def join(self, port: int, protocol: str, name: str, token: str = "", pause_ms: int = 0) -> None:
        """Let a good player connect."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{port} {protocol} {name} {token or '-'} {pause_ms}\n".encode())

    async def _listen(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            asked_ns, late_ns = line.split()
            self.times.append((int(asked_ns), int(late_ns)))


class ControlGame(Observer):
    """The control game, played again and again, which it observes."""

    def __init__(self, kind: Game, rules: Rules, good_players: GoodPlayersProcess) -> None:
        self._good_players = good_players
        control = TimeControl(budget_ms=120_000)
        config = MatchConfig(rules=rules, control=control)
        self._plan = HostConfig(config=config, protocol="json", matches=FOR_EVER)
        self.port = 0
        """The port of its players; programs in a sandbox must not reach it."""
        self.departures = 0
        """How many times a good player left a game."""

    @contextlib.asynccontextmanager
    async def playing(self) -> AsyncIterator[ControlGame]:
        """Play while the context lasts."""
        listener = listen("127.0.0.1", 0)
        self.port = listener.port
        host = MatchHost(self._plan, self)
        serving = asyncio.create_task(host.serve(listener))
        self._let_two_come()
        try:
            yield self
        finally:
            serving.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await serving

    def waits_ms(self, since_ns: int, until_ns: int) -> tuple[float, ...]:
        """Return how long the players waited for the referee, for each move in a period."""
        times = self._good_players.times
        return tuple(late_ns / 1e6 for asked_ns, late_ns in times if since_ns <= asked_ns <= until_ns)

    def on_effects(self, game: LiveGame, effects: Sequence[judge.Effect]) -> None:
        self.departures += sum(isinstance(effect, judge.Departure) for effect in effects)

    def on_match_over(self, result: object) -> None:
        self._let_two_come()

    def _let_two_come(self) -> None:
        for name in ("left", "right"):
            self._good_players.join(self.port, "json", name, pause_ms=PAUSE_MS)
