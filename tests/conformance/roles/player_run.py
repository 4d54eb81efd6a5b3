"""A match between a good player and a hostile one, before a referee or in an arena."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import shlex
import subprocess
import time
from typing import TYPE_CHECKING

from conformance.case_watcher import CaseWatcher
from conformance.control_game import SCRIPTS, python
from conformance.measurements import left_behind
from conformance.roles.places import at_a_referee
from hinterland.host.live_match import MatchConfig
from hinterland.host.match_host import HostConfig
from hinterland.host.matchmaker import AdmissionLimits
from hinterland.host.players.program_player import START_TIMEOUT_S
from hinterland.referee.clock import TimeControl
from hinterland.referee.verdicts import Illegal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from conformance.fault_rows import FaultRow, Way
    from conformance.roles.places import Served
    from conformance.run_case import Surroundings

__all__ = ["ADMISSION", "PlayerRun", "tag_of"]

PATIENCE_S = START_TIMEOUT_S + 10.0
LATE_REPLY_S = 2.0
HELLO_S = 0.5
CROWDED = 30
"""Most connections without a name from one address."""
SETTLE_S = 0.5
"""How long after the end a dying process may still be seen."""
ADMISSION = AdmissionLimits(hello_s=HELLO_S, late_reply_s=LATE_REPLY_S, pause_s=0.5, connections_per_address=CROWDED)
"""The referee's limits."""


def tag_of(surroundings: Surroundings) -> str:
    """Return words by which processes of a run are found; they end in a port that a sandbox must keep them from."""
    return f"conformance-{secrets.token_hex(6)}:{surroundings.control_game.port}"


class PlayerRun:
    """One run with a hostile player."""

    def __init__(self, row: FaultRow, way: Way, surroundings: Surroundings) -> None:
        self.row, self.way, self.surroundings = row, way, surroundings
        self.is_program = way in ("pipes", "sandbox")
        self.protocol = "hps" if way == "hps" else "json"
        self.tokens = {name: secrets.token_hex(8) for name in ("good", "hostile")} if row.tokens else None
        self.tag = tag_of(surroundings)
        self.hostile: subprocess.Popen[bytes] | None = None
        self.seen = CaseWatcher()
        self._connected_ns: list[int] = []
        self._began_ns = 0

    async def happen(self) -> tuple[str, float | None]:
        """Play; return the fate of the hostile player, and the delay of the verdict in milliseconds."""
        async with self.hosted() as served:
            try:
                await self.play(served)
            finally:
                told = await asyncio.to_thread(self._end_hostile)
                self.take(told.decode().splitlines())
        return self.judge(served)

    def end(self) -> None:
        """Leave nothing behind."""
        self._end_hostile()

    async def left(self) -> int:
        """Count the processes of a program that are left behind."""
        return await self.settled(lambda: left_behind(self.tag)) if self.is_program else 0

    async def settled(self, count: Callable[[], int]) -> int:
        """Count, once more a moment later if something is left."""
        if not await asyncio.to_thread(count):
            return 0
        await asyncio.sleep(SETTLE_S)
        return await asyncio.to_thread(count)

    @contextlib.asynccontextmanager
    async def hosted(self) -> AsyncIterator[Served]:
        """Host the match while the context lasts."""
        plan = self.plan()
        if self.way in ("table", "table websocket", "arena"):
            assert self.surroundings.arena is not None
            async with self.surroundings.arena.table(plan, self.seen) as served:
                yield served
        else:
            async with at_a_referee(plan, self.seen, has_page=self.way in ("websocket", "watch")) as served:
                yield served

    async def play(self, served: Served) -> None:
        """Let both players join, and wait until the hostile one has its verdict."""
        self.join("good", served)
        await self.until(served, lambda: bool(self.seen.came_ns))
        self._began_ns = time.monotonic_ns()
        if not self.is_program:
            await self.start_hostile(self._argv(self._network(served)))
        await self.until(served, lambda: self.seen.is_decided(len(self.row.expected)))
        if self.seen.sent_away:
            self.join("hostile", served)
            await self.until(served, lambda: bool(self.seen.games))

    def plan(self) -> HostConfig:
        """Return the plan of the match."""
        row, surroundings = self.row, self.surroundings
        control = TimeControl(budget_ms=row.clock_ms, increment_ms=row.increment_ms)
        return HostConfig(
            config=MatchConfig(
                rules=surroundings.rules, control=control, illegal=Illegal.FORFEIT
            ),
            protocol=self.protocol,  # type: ignore[arg-type]
            own_players=(self._spec(),) if self.is_program else (),
            sandbox=self.way == "sandbox",
            admission=surroundings.admission,
            tokens=self.tokens,
        )

    def _spec(self) -> str:
        if self.row.program:
            return f"cmd:{shlex.quote(str(SCRIPTS / self.row.program))}"
        return f"cmd:{shlex.join(self._argv('pipes'))}"

    def _network(self, served: Served) -> str:
        """Return how the hostile player connects."""
        is_websocket = self.way in ("websocket", "table websocket")
        port, path = (served.page_port, f"{served.table}/join") if is_websocket else (served.port, "")
        return f"tcp:{port}:{self.protocol}:{self.tokens['hostile'] if self.tokens else ''}:{path}"

    def _argv(self, way: str, misbehaviour: str = "") -> tuple[str, ...]:
        row, rules = self.row, self.surroundings.rules
        size = str(rules.size)  # type: ignore[attr-defined]
        return (*python("misbehave.py"), misbehaviour or row.misbehaviour, way, size, str(row.clock_ms), self.tag)

    def join(self, name: str, served: Served) -> None:
        """Let a good player connect."""
        token = self.tokens[name] if self.tokens else ""
        self.surroundings.good_players.join(served.port, self.protocol, name, token)

    async def start_hostile(self, argv: tuple[str, ...]) -> None:
        """Start the hostile player in a process of its own."""
        nowhere = subprocess.DEVNULL
        self.hostile = await asyncio.to_thread(
            subprocess.Popen, argv, stdin=nowhere, stdout=subprocess.PIPE, stderr=nowhere
        )

    async def until(self, served: Served, condition: Callable[[], bool]) -> None:
        """Wait until something was seen, or nothing more can be."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                while not condition() and not served.serving.done():
                    waiting = asyncio.create_task(self.seen.changed())
                    await asyncio.wait({served.serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
                    waiting.cancel()

    def _end_hostile(self) -> bytes:
        """End the hostile player; return its output."""
        if self.hostile is None or self.hostile.returncode is not None:
            return b""
        self.hostile.kill()
        return self.hostile.communicate()[0]

    def take(self, told: list[str]) -> None:
        """Read the hostile player's output: when it connected."""
        self._connected_ns = [int(line) for line in told]

    def judge(self, served: Served) -> tuple[str, float | None]:
        """Return the fate of the hostile player, and the delay of its verdict."""
        row, seen = self.row, self.seen
        if served.error is not None:
            wait_s = START_TIMEOUT_S if row.due == "hello" else 0.0
            return "start", (time.monotonic_ns() - self._began_ns) / 1e6 - wait_s * 1000
        if seen.sent_away:
            after = [] if seen.games[:1] == ["complete"] else ["the next player could not play"]
            return ", ".join([seen.sent_away[0][1], *after]), self._late_at_the_door()
        verdict = ", ".join(seen.games) or "none"
        if verdict.startswith(tuple(row.expected[0].split("|"))) and verdict != "none" and row.due != "never":
            verdict += "" if seen.hostile_moves == row.moves else f" after {seen.hostile_moves} moves"
        return verdict, None if row.due == "never" else seen.late_ms(from_clock=row.due == "clock")

    def _late_at_the_door(self) -> float:
        wait_ns = self.surroundings.admission.hello_s * 1e9 if self.row.due == "hello" else 0
        away = zip(self.seen.sent_away, self._connected_ns, strict=False)
        return max((ns - connected_ns - wait_ns) / 1e6 for (ns, _), connected_ns in away)
