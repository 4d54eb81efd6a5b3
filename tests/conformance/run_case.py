"""One run of one case: a match between a good player and a hostile one, and what was seen of it."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import shlex
import subprocess
import time
from typing import TYPE_CHECKING

import msgspec

from conformance.case_watcher import CaseWatcher
from conformance.control_game import SCRIPTS, python
from conformance.measurements import left_behind, waited_ms
from hinterland.errors import ArenaError
from hinterland.host.live_match import MatchConfig
from hinterland.host.lobby import AdmissionLimits
from hinterland.host.match_host import HostConfig, MatchHost
from hinterland.host.network.tcp import listen
from hinterland.host.players.program_player import START_S
from hinterland.referee.clock import TimeControl
from hinterland.referee.verdicts import Illegal

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.control_game import ControlGame, GoodPlayersProcess
    from conformance.fault_rows import FaultRow, Way
    from conformance.measurements import MemoryWatch
    from hinterland.contract import Game, Rules

__all__ = ["CaseRun", "Surroundings", "run_case"]

PATIENCE_S = START_S + 10.0
LATE_REPLY_S = 2.0
HELLO_S = 0.5
CROWDED = 30
"""How many connections one address may have that have said no name."""
SETTLE_S = 0.5
"""How long after the end a dying process may still be seen."""
DOORS = AdmissionLimits(hello_s=HELLO_S, late_reply_s=LATE_REPLY_S, pause_s=0.5, connections_per_address=CROWDED)
"""What the referee allows."""


class Surroundings(msgspec.Struct, frozen=True, kw_only=True):
    """What all runs share."""

    kind: Game
    rules: Rules
    good_players: GoodPlayersProcess
    control_game: ControlGame
    memory: MemoryWatch
    admission: AdmissionLimits = DOORS


class CaseRun(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen of a run, and of the control game meanwhile."""

    verdict: str
    """What became of the hostile player, game by game."""
    late_ms: float | None
    """How long after it was due the verdict came; None where none was due."""
    growth_kib: float
    """By how much the referee grew, a connection."""
    left: int
    """Processes left behind."""
    control_ms: tuple[float, ...]
    """How long players of the control game waited, move by move."""
    control_departures: int
    """How often one of them left a game."""
    machine_ms: float = 0.0
    """How long programs of this machine waited for a processor meanwhile."""
    taken_s: float = 0.0
    """How long the run took."""
    repeated: int = 0
    """How often it was measured again."""


async def run_case(row: FaultRow, way: Way, surroundings: Surroundings) -> CaseRun:
    """Play a row once over one way."""
    match = _Match(row, way, surroundings)
    try:
        return await match.play()
    finally:
        match.end()


class _Match:
    def __init__(self, row: FaultRow, way: Way, surroundings: Surroundings) -> None:
        self._row, self._way, self._surroundings = row, way, surroundings
        self._is_program = way in ("pipes", "sandbox")
        self._protocol = "json" if self._is_program else way
        self._tokens = {name: secrets.token_hex(8) for name in ("good", "hostile")} if row.tokens else None
        self._listener = listen("127.0.0.1", 0)
        self._port: int = self._listener.getsockname()[1]
        self._tag = f"conformance-{secrets.token_hex(6)}:{self._port}"
        self._hostile: subprocess.Popen[bytes] | None = None
        self._connected_ns: list[int] = []
        self._seen = CaseWatcher()
        self._began_ns = 0

    async def play(self) -> CaseRun:
        control_game = self._surroundings.control_game
        since_ns, waited, departures = time.monotonic_ns(), waited_ms(), control_game.departures
        error = await self._host_match()
        until_ns = time.monotonic_ns()
        growth_kib = self._surroundings.memory.growth_kib(self)
        verdict, late_ms = self._judge(error, until_ns)
        return CaseRun(
            verdict=verdict,
            late_ms=late_ms,
            growth_kib=growth_kib,
            left=await self._left(),
            control_ms=control_game.waits_ms(since_ns, until_ns),
            control_departures=control_game.departures - departures,
            machine_ms=waited_ms() - waited,
            taken_s=(time.monotonic_ns() - since_ns) / 1e9,
        )

    def end(self) -> None:
        """Leave nothing behind."""
        self._listener.close()
        if self._hostile is not None and self._hostile.returncode is None:
            self._hostile.kill()
            self._hostile.communicate()

    async def _host_match(self) -> ArenaError | None:
        """Host the match until the hostile player has its verdict; return what the host ended of."""
        serving = asyncio.create_task(MatchHost(self._plan(), self._seen).serve(self._listener))
        self._surroundings.memory.begin(self, self._row.connections)
        self._join("good")
        await self._until(serving, lambda: bool(self._seen.came_ns))
        self._began_ns = time.monotonic_ns()
        if not self._is_program:
            await self._start_hostile()
        await self._until(serving, lambda: self._seen.is_decided(len(self._row.expected)))
        if self._seen.sent_away:
            self._join("hostile")
            await self._until(serving, lambda: bool(self._seen.games))
        return await self._stop(serving)

    def _plan(self) -> HostConfig:
        row, surroundings = self._row, self._surroundings
        control = TimeControl(budget_ms=row.clock_ms, increment_ms=row.increment_ms)
        return HostConfig(
            config=MatchConfig(
                kind=surroundings.kind, rules=surroundings.rules, control=control, illegal=Illegal.FORFEIT
            ),
            protocol=self._protocol,  # type: ignore[arg-type]
            house=(self._spec(),) if self._is_program else (),
            sandbox=self._way == "sandbox",
            admission=surroundings.admission,
            tokens=self._tokens,
        )

    def _spec(self) -> str:
        if self._row.program:
            return f"cmd:{shlex.quote(str(SCRIPTS / self._row.program))}"
        return f"cmd:{shlex.join(self._argv('pipes'))}"

    def _argv(self, way: str) -> tuple[str, ...]:
        row, rules = self._row, self._surroundings.rules
        size = str(rules.size)  # type: ignore[attr-defined]
        return (*python("misbehave.py"), row.misbehaviour, way, size, str(row.clock_ms), self._tag)

    def _join(self, name: str) -> None:
        token = self._tokens[name] if self._tokens else ""
        self._surroundings.good_players.join(self._port, self._protocol, name, token)

    async def _start_hostile(self) -> None:
        token = self._tokens["hostile"] if self._tokens else ""
        argv = self._argv(f"tcp:{self._port}:{self._protocol}:{token}")
        nowhere = subprocess.DEVNULL
        self._hostile = await asyncio.to_thread(
            subprocess.Popen, argv, stdin=nowhere, stdout=subprocess.PIPE, stderr=nowhere
        )

    async def _until(self, serving: asyncio.Task[object], condition: Callable[[], bool]) -> None:
        """Wait until something was seen, or nothing more can be."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                while not condition() and not serving.done():
                    waiting = asyncio.create_task(self._seen.changed())
                    await asyncio.wait({serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
                    waiting.cancel()

    async def _stop(self, serving: asyncio.Task[object]) -> ArenaError | None:
        """End the hostile player, then the host; return what the host ended of."""
        if self._hostile is not None:
            self._hostile.kill()
            told, _ = await asyncio.to_thread(self._hostile.communicate)
            self._connected_ns = [int(line) for line in told.split()]
        serving.cancel()
        try:
            await serving
        except ArenaError as error:
            return error
        except asyncio.CancelledError:
            pass
        return None

    async def _left(self) -> int:
        if not self._is_program or not await asyncio.to_thread(left_behind, self._tag):
            return 0
        await asyncio.sleep(SETTLE_S)
        return await asyncio.to_thread(left_behind, self._tag)

    def _judge(self, error: ArenaError | None, until_ns: int) -> tuple[str, float | None]:
        """Say what became of the hostile player, and how late."""
        row, seen = self._row, self._seen
        if error is not None:
            wait_s = START_S if row.due == "hello" else 0.0
            return "start", (until_ns - self._began_ns) / 1e6 - wait_s * 1000
        if seen.sent_away:
            after = [] if seen.games[:1] == ["complete"] else ["the next player could not play"]
            return ", ".join([seen.sent_away[0][1], *after]), self._late_at_the_door()
        verdict = ", ".join(seen.games) or "none"
        if verdict.startswith(tuple(row.expected[0].split("|"))) and verdict != "none" and row.due != "never":
            verdict += "" if seen.hostile_moves == row.moves else f" after {seen.hostile_moves} moves"
        return verdict, None if row.due == "never" else seen.late_ms(from_clock=row.due == "clock")

    def _late_at_the_door(self) -> float:
        wait_ns = self._surroundings.admission.hello_s * 1e9 if self._row.due == "hello" else 0
        away = zip(self._seen.sent_away, self._connected_ns, strict=False)
        return max((ns - connected_ns - wait_ns) / 1e6 for (ns, _), connected_ns in away)
