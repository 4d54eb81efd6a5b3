"""One run of one row: a match between a healthy player and a hostile one, and what was seen of it."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import shlex
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from hinterland.errors import ArenaError
from hinterland.referee.clock import TimeControl
from hinterland.referee.judge import Illegal
from hinterland.referee.shell.host import Host, Plan
from hinterland.referee.shell.lobby import Doors
from hinterland.referee.shell.play import Terms
from hinterland.referee.shell.program import START_S
from hinterland.referee.shell.tcp import listen
from hinterland.referee.shell.zoo.beside import python
from hinterland.referee.shell.zoo.measure import left_behind, waited_ms
from hinterland.referee.shell.zoo.seen import Seen

if TYPE_CHECKING:
    from hinterland.contract import Game, Rules
    from hinterland.referee.shell.zoo.beside import Beside, Company
    from hinterland.referee.shell.zoo.measure import Memory
    from hinterland.referee.shell.zoo.rows import Row, Way

__all__ = ["Outcome", "Setting", "play"]

PATIENCE_S = START_S + 10.0
OWING_S = 2.0
HELLO_S = 0.5
CROWDED = 30
"""How many connections one address may have that have said no name."""
SETTLE_S = 0.5
"""How long after the end a dying process may still be seen."""
DOORS = Doors(hello_s=HELLO_S, owing_s=OWING_S, pause_s=0.5, connections_per_address=CROWDED)
"""What the referee allows."""


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """What all runs share."""

    kind: Game
    rules: Rules
    company: Company
    beside: Beside
    memory: Memory
    doors: Doors = DOORS


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a run."""

    verdict: str
    """What became of the hostile player, game by game."""
    late_ms: float | None
    """How long after it was due the verdict came; None where none was due."""
    growth_kib: float
    """By how much the referee grew, a connection."""
    left: int
    """Processes left behind."""
    since_ns: int
    """When it began."""
    until_ns: int
    """When it was over."""
    machine_ms: float = 0.0
    """How long programs of this machine waited for a processor meanwhile."""


async def play(row: Row, way: Way, setting: Setting) -> Outcome:
    """Play a run."""
    run = _Run(row, way, setting)
    try:
        return await run.play()
    finally:
        run.end()


class _Run:
    def __init__(self, row: Row, way: Way, setting: Setting) -> None:
        self._row, self._way, self._setting = row, way, setting
        self._is_program = way in ("pipes", "sandbox")
        self._protocol = "json" if self._is_program else way
        self._tokens = {name: secrets.token_hex(8) for name in ("healthy", "hostile")} if row.tokens else None
        self._listener = listen("127.0.0.1", 0)
        self._port: int = self._listener.getsockname()[1]
        self._mark = f"zoo-{secrets.token_hex(6)}:{self._port}"
        self._hostile: subprocess.Popen[bytes] | None = None
        self._marks_ns: list[int] = []
        self._seen = Seen()
        self._began_ns = 0

    async def play(self) -> Outcome:
        since_ns, waited = time.monotonic_ns(), waited_ms()
        host = Host(self._plan(), self._seen)
        serving = asyncio.create_task(host.serve(self._listener))
        self._setting.memory.begin(self, self._row.connections)
        self._join("healthy")
        await self._until(serving, lambda: self._seen.came_ns)
        self._began_ns = time.monotonic_ns()
        if not self._is_program:
            await self._start_hostile()
        await self._until(serving, lambda: self._seen.is_decided(len(self._row.expected)))
        if self._seen.sent_away:
            self._join("hostile")
            await self._until(serving, lambda: self._seen.games)
        error = await self._stop(serving)
        until_ns = time.monotonic_ns()
        growth_kib = self._setting.memory.growth_kib(self)
        verdict, late_ms = self._judge(error, until_ns)
        return Outcome(
            verdict=verdict,
            late_ms=late_ms,
            growth_kib=growth_kib,
            left=await self._left(),
            since_ns=since_ns,
            until_ns=until_ns,
            machine_ms=waited_ms() - waited,
        )

    def end(self) -> None:
        """Leave nothing behind."""
        self._listener.close()
        if self._hostile is not None and self._hostile.returncode is None:
            self._hostile.kill()
            self._hostile.communicate()

    def _plan(self) -> Plan:
        row, setting = self._row, self._setting
        control = TimeControl(budget_ms=row.clock_ms, increment_ms=row.increment_ms)
        return Plan(
            terms=Terms(kind=setting.kind, rules=setting.rules, control=control, illegal=Illegal.FORFEIT),
            protocol=self._protocol,  # type: ignore[arg-type]
            house=(self._spec(),) if self._is_program else (),
            sandbox=self._way == "sandbox",
            doors=setting.doors,
            tokens=self._tokens,
        )

    def _spec(self) -> str:
        if self._row.program:
            return f"cmd:{shlex.quote(str(Path(__file__).parent / self._row.program))}"
        return f"cmd:{shlex.join(self._argv('pipes'))}"

    def _argv(self, way: str) -> tuple[str, ...]:
        rules = self._setting.rules
        size = str(rules.size)  # type: ignore[attr-defined]
        return (*python("hostile.py"), self._row.deed, way, size, str(self._row.clock_ms), self._mark)

    def _join(self, name: str) -> None:
        token = self._tokens[name] if self._tokens else ""
        self._setting.company.join(self._port, self._protocol, name, token)

    async def _start_hostile(self) -> None:
        token = self._tokens["hostile"] if self._tokens else ""
        argv = self._argv(f"tcp:{self._port}:{self._protocol}:{token}")
        nowhere = subprocess.DEVNULL
        self._hostile = await asyncio.to_thread(
            subprocess.Popen, argv, stdin=nowhere, stdout=subprocess.PIPE, stderr=nowhere
        )

    async def _until(self, serving: asyncio.Task[object], condition: object) -> None:
        """Wait until something was seen, or nothing more can be."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                while not condition() and not serving.done():  # type: ignore[operator]
                    waiting = asyncio.create_task(self._seen.changed())
                    await asyncio.wait({serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
                    waiting.cancel()

    async def _stop(self, serving: asyncio.Task[object]) -> ArenaError | None:
        """End the host, and the hostile player first; return what the host ended of."""
        if self._hostile is not None:
            self._hostile.kill()
            told, _ = await asyncio.to_thread(self._hostile.communicate)
            self._marks_ns = [int(line) for line in told.split()]
        serving.cancel()
        try:
            await serving
        except ArenaError as error:
            return error
        except asyncio.CancelledError:
            pass
        return None

    async def _left(self) -> int:
        if not self._is_program or not await asyncio.to_thread(left_behind, self._mark):
            return 0
        await asyncio.sleep(SETTLE_S)
        return await asyncio.to_thread(left_behind, self._mark)

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
        wait_ns = self._setting.doors.hello_s * 1e9 if self._row.due == "hello" else 0
        away = zip(self._seen.sent_away, self._marks_ns, strict=False)
        return max((ns - mark_ns - wait_ns) / 1e6 for (ns, _), mark_ns in away)
