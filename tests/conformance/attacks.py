"""``python -m conformance.attacks``: attacks on a real arena and a real referee, and their effect on honest people.

Attackers come from one address and honest people from others. Attackers have a lower priority, because on a machine of
their own they would take no processor from the server.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import App, Parameter

from conformance.attack_floods import ATTACKS, SOURCE, Attack, Target
from conformance.attack_targets import Arena, Referee
from conformance.attack_witnesses import Seen, quantile, witness
from hinterland.cli.console import make_table, print_table

__all__ = ["attacks"]

MOVE_MS, DEADLINE_MS, PAGE_MS, MEMORY_MIB, LOG_BYTES = 50.0, 50.0, 300.0, 100.0, 10_000
SEATED_MS = 300.0
"""How long honest players may wait for their seats beside silent sockets."""
FIRST_S = 1.0
"""Time that an attack's process takes to begin."""
HEADS = (
    "attack", "moves p50/p99", "attacked", "pages p99", "attacked", "clock", "MiB", "cpu", "waited", "log", "refused",
    "",
)  # fmt: skip


class Found(msgspec.Struct, frozen=True):
    """The measurements of one attack: honest people before, during and after it."""

    name: str
    seen: tuple[Seen, Seen, Seen]
    memory: tuple[float, float, float]
    busy: float
    """The share of the processors that the server used meanwhile."""
    waited_ms: float
    """How long the event loop waited for a processor, which excuses delays."""
    log: int
    """Bytes a minute."""

    def misses(self) -> list[str]:
        """Return the missed limits, in words."""
        before, meanwhile, after = self.seen
        usual = quantile(before.deadlines, 0.5)
        bars = (
            ("moves", quantile(meanwhile.moves, 0.99), MOVE_MS),
            ("moves after", quantile(after.moves, 0.99), MOVE_MS),
            ("pages", quantile(meanwhile.pages, 0.99), PAGE_MS),
            ("pages after", quantile(after.pages, 0.99), PAGE_MS),
            ("deadlines", max(abs(late - usual) for late in meanwhile.deadlines), DEADLINE_MS),
            ("memory", max(self.memory[1:]) - self.memory[0], MEMORY_MIB),
            ("log", self.log, LOG_BYTES),
            ("refused", meanwhile.refused + after.refused, 0),
        )
        return [f"{what} {is_so:.0f}" for what, is_so, most in bars if not is_so <= most]

    def cells(self) -> list[str]:
        """Return its row of the table."""
        before, meanwhile, _ = self.seen
        usual = quantile(before.deadlines, 0.5)
        moved = max((late - usual for late in meanwhile.deadlines), key=abs)
        return [
            self.name, _pair(before.moves), _pair(meanwhile.moves), f"{quantile(before.pages, 0.99):.0f}",
            f"{quantile(meanwhile.pages, 0.99):.0f}", f"{moved:+.0f}", " ".join(f"{mib:.0f}" for mib in self.memory),
            f"{self.busy:.0%}", f"{self.waited_ms:.0f}", str(self.log), str(meanwhile.refused),
            "; ".join(self.misses()) or "✓",
        ]  # fmt: skip


def _pair(values: list[float]) -> str:
    return f"{quantile(values, 0.5):.0f}/{quantile(values, 0.99):.0f}"


async def measured(name: str, attack: Attack, seconds: float, descriptors: int | None = None) -> Found:
    """Run one attack on an arena of its own."""
    with tempfile.TemporaryDirectory() as folder, Arena(Path(folder) / "data", descriptors) as arena:
        ids = await asyncio.to_thread(arena.finished, attack.games)
        watched, _ = arena.start()
        before = await witness(arena, seconds / 2)
        target = Target(arena.port, watched, tuple(ids))
        memory, busy, log, began = [arena.memory_mib()], arena.busy_s(), arena.said_bytes(), time.monotonic()
        waited = arena.waited_s()
        attacking = await _attacked(name, seconds + FIRST_S, target)
        await asyncio.sleep(FIRST_S)
        meanwhile = await witness(arena, seconds)
        passed = time.monotonic() - began
        memory.append(arena.memory_mib())
        busy, log = (arena.busy_s() - busy) / passed, round((arena.said_bytes() - log) * 60 / passed)
        waited = (arena.waited_s() - waited) * 1000
        await attacking.wait()
        after = await witness(arena, seconds / 2)
        memory.append(arena.memory_mib())
    return Found(name, (before, meanwhile, after), (memory[0], memory[1], memory[2]), busy, waited, log)


async def _attacked(name: str, seconds: float, target: Target) -> asyncio.subprocess.Process:
    words = ("-m", "conformance.attack_floods", name, f"{seconds}", msgspec.json.encode(target).decode())
    return await asyncio.create_subprocess_exec(sys.executable, *words, stdout=asyncio.subprocess.DEVNULL)


def seated_ms(silent: int) -> float:
    """Return how long two players wait for their seats beside silent connections."""
    with Referee() as referee, contextlib.ExitStack() as stack:
        for _ in range(silent):
            stack.enter_context(_connection(referee.port, SOURCE)).recv(100)
        began = time.monotonic()
        last = began
        for name in ("honest1", "honest2"):
            honest = stack.enter_context(_connection(referee.port, "127.0.0.3"))
            honest.recv(100)
            honest.sendall(f"{name}\n".encode())
            last, _ = referee.until(rf"^player \d is {name}\b", 30)
    return (last - began) * 1000


def _connection(port: int, address: str) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), 10, (address, 0))


def attacks(*names: str, seconds: Annotated[float, Parameter(negative="")] = 8.0) -> int:
    """Attack an arena and a referee in each way, or in some; print the effect on honest people."""
    listed, missed = make_table(*HEADS, numbers=False), 0
    for name in names or (*ATTACKS, "seats"):
        if name == "seats":
            waits = [seated_ms(0), seated_ms(590)]
            missed += waits[1] > SEATED_MS
            sys.stdout.write(f"seats: two players seated after {waits[0]:.0f} ms, beside 590 {waits[1]:.0f} ms\n")
            continue
        descriptors = 1024 if name == "descriptors" else None
        found = asyncio.run(measured(name, ATTACKS[name], seconds, descriptors))
        listed.add_row(*found.cells())
        sys.stdout.write("  ".join(found.cells()) + "\n")
        sys.stdout.flush()
        missed += bool(found.misses())
    print_table(listed)
    sys.stdout.write(f"{missed} missed\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(App(default_command=attacks)(sys.argv[1:], result_action="return_value"))
