"""A visit to the zoo: rows, over carriers, several runs each and several at a time, in one referee."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import msgspec

from hinterland import catalog
from hinterland.errors import ArenaError, UnknownName
from hinterland.referee.shell import sandbox
from hinterland.referee.shell.zoo import stage, verdicts
from hinterland.referee.shell.zoo.beside import Beside, Company
from hinterland.referee.shell.zoo.measure import Memory
from hinterland.referee.shell.zoo.rows import CARRIERS, ROWS, Carrier, Row, Way
from hinterland.referee.shell.zoo.verdicts import Line, Visit

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from hinterland.referee.shell.lobby import Doors
    from hinterland.referee.shell.zoo.stage import Setting

__all__ = ["Wish", "can_sandbox", "chosen", "visit"]

STONES, STONES_BESIDE = 4, 30
WAITING, APART_S = 5, 0.1
"""So many times as many runs may go on that only wait for a time at the door to pass, started so far apart."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What a visitor wants to see."""

    rows: tuple[Row, ...] = ROWS
    """Which rows."""
    carriers: tuple[Carrier, ...] = CARRIERS
    """Over what."""
    runs: int = 1
    """How often each."""
    at_once: int = 4
    """How many runs go on at a time."""
    repeats: int = 3
    """How often a run that missed may be played again because the machine was busy with other work."""
    size: int = 16
    """Cells a side of the boards."""
    patience: float = 1.0
    """So many times as late as allowed may things be: for tests beside other work."""
    doors: Doors = stage.DOORS
    """What the referee allows."""

    @property
    def pairs(self) -> list[tuple[Row, Way]]:
        """Each row with each way it is played over."""
        return [(row, way) for row in self.rows for way in row.ways if _carrier(way) in self.carriers]


def chosen(words: Sequence[str]) -> tuple[Row, ...]:
    """Return the rows that words name, by number or deed; all for no words. Raises UnknownName."""
    known = dict.fromkeys(name for row in ROWS for name in (str(row.number), row.deed))
    for word in words:
        if word not in known:
            raise UnknownName("row of the zoo", word, known)
    return tuple(row for row in ROWS if not words or str(row.number) in words or row.deed in words)


async def can_sandbox() -> str:
    """Return why programs cannot be put into a sandbox here; empty where they can."""
    try:
        await sandbox.check()
    except ArenaError as error:
        return str(error)
    return ""


async def visit(wish: Wish, tell: Callable[[], object] = lambda: None) -> list[Line]:
    """Play all runs; ``tell`` is called when one is over. Returns a line for each row and way."""
    kind = catalog.game("gravity")
    kind.warm_up()
    rules = kind.rules.from_json({"size": wish.size, "stones": STONES, "spacing": 2})
    stones = min(STONES_BESIDE, (wish.size // 2) ** 2 // 2)
    beside_rules = kind.rules.from_json({"size": wish.size, "stones": stones, "spacing": 2})
    async with Company.open(wish.size) as company, Beside(kind, beside_rules, company).playing() as beside:
        setting = stage.Setting(
            kind=kind, rules=rules, company=company, beside=beside, memory=Memory(), doors=wish.doors
        )
        busy, waiting = asyncio.Semaphore(wish.at_once), asyncio.Semaphore(WAITING * wish.at_once)

        async def run(row: Row, way: Way) -> Visit:
            async with waiting if row.due == "hello" else busy:
                if row.due == "hello":
                    async with busy:  # they do not all start, and end, in the same moment
                        await asyncio.sleep(APART_S)
                seen = await _seen(row, way, setting)
                repeated = 0
                while repeated < wish.repeats and verdicts.is_worth_repeating(row, seen, wish.patience):
                    repeated += 1
                    seen = msgspec.structs.replace(await _seen(row, way, setting), repeated=repeated)
            tell()
            return seen

        await _rehearse(run)
        pairs = wish.pairs
        visits = await asyncio.gather(*(run(row, way) for _ in range(wish.runs) for row, way in pairs))
    return [
        verdicts.line(row, way, visits[place :: len(pairs)], wish.patience) for place, (row, way) in enumerate(pairs)
    ]


async def _seen(row: Row, way: Way, setting: Setting) -> Visit:
    """Play a run and look at the game beside."""
    beside = setting.beside
    faults = beside.faults
    outcome = await stage.play(row, way, setting)
    times = beside.latencies_ms(outcome.since_ns, outcome.until_ns)
    return Visit(outcome=outcome, beside_ms=times, beside_faults=beside.faults - faults)


async def _rehearse(run: Callable[[Row, Way], Awaitable[Visit]]) -> None:
    """Let everything that is loaded and allocated only once be so before anything is measured."""
    control = ROWS[0]
    for way in control.ways:
        if way != "sandbox" and (way != "pipes" or os.name == "posix"):
            await run(control, way)


def _carrier(way: Way) -> Carrier:
    return "tcp" if way in ("hps", "json") else way  # type: ignore[return-value]
