"""The conformance suite: rows, over carriers, several runs each and several at a time, in one referee."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, TypeVar

import msgspec

from conformance import case_reports
from conformance.control_game import ControlGame, GoodPlayersProcess
from conformance.fault_rows import CARRIERS, ROWS, Carrier, FaultRow, Way
from conformance.measurements import MemoryWatch, open_descriptors
from conformance.roles.places import ArenaPlace
from conformance.roles.player_run import ADMISSION, SETTLE_S
from conformance.roles.recorded_run import MatchStarter
from conformance.run_case import CaseRun, Surroundings, run_case
from hinterland import catalog
from hinterland.errors import UnknownName

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection, Sequence

    from conformance.case_reports import CaseReport
    from hinterland.host.matchmaker import AdmissionLimits

__all__ = ["Suite", "chosen", "run_suite"]

T = TypeVar("T")
STONES, CONTROL_STONES = 4, 30
WAITING, APART_S = 5, 0.1
"""Factor on the number of runs that only wait at the port, and the pause between their starts."""


class Suite(msgspec.Struct, frozen=True, kw_only=True):
    """What to run, and how often."""

    rows: tuple[FaultRow, ...] = ROWS
    """The rows."""
    carriers: tuple[Carrier, ...] = CARRIERS
    """The carriers."""
    runs: int = 1
    """Runs of each case."""
    at_once: int = 4
    """Runs at a time."""
    repeats: int = 3
    """How often a run may be repeated that was late, or grew, while the machine was busy."""
    size: int = 16
    """Side of the boards, in cells."""
    patience: float = 1.0
    """Factor on the allowed delays, for tests beside other work."""
    admission: AdmissionLimits = ADMISSION
    """The referee's limits."""

    @property
    def cases(self) -> list[tuple[FaultRow, Way]]:
        """Each row with each of its ways."""
        return [(row, way) for row in self.rows for way in row.ways if _carrier(way) in self.carriers]


def chosen(words: Sequence[str]) -> tuple[FaultRow, ...]:
    """Return the rows that words name, by number or misbehaviour; all for no words. Raises UnknownName."""
    known = dict.fromkeys(name for row in ROWS for name in (str(row.number), row.misbehaviour))
    for word in words:
        if word not in known:
            raise UnknownName("row of the suite", word, known)
    return tuple(row for row in ROWS if not words or str(row.number) in words or row.misbehaviour in words)


async def run_suite(suite: Suite, tell: Callable[[], object] = lambda: None) -> list[CaseReport]:
    """Play all runs; ``tell`` is called when one is over. Returns a report of each case."""
    cases = suite.cases
    async with _surroundings(suite) as surroundings:
        runner = _Runner(suite, surroundings)
        await runner.rehearse()
        before = open_descriptors()
        runs = await asyncio.gather(*(runner.run(row, way, tell) for _ in range(suite.runs) for row, way in cases))
        more = await _more_descriptors(before)
    reports = [
        case_reports.report(row, way, runs[place :: len(cases)], suite.patience)
        for place, (row, way) in enumerate(cases)
    ]
    return [*reports[:-1], case_reports.with_descriptors(reports[-1], more)]


async def _more_descriptors(before: int) -> int:
    """Return how many more descriptors are open than before, after a moment for closing ones."""
    for _ in range(10):
        if (more := open_descriptors() - before) <= case_reports.MOST_DESCRIPTORS:
            break
        await asyncio.sleep(SETTLE_S)
    return more


@contextlib.asynccontextmanager
async def _surroundings(suite: Suite) -> AsyncIterator[Surroundings]:
    """Make what all runs share, and let the control game go on while the context lasts."""
    kind = catalog.game("gravity")
    kind.warm_up()
    rules = kind.rules.from_json({"size": suite.size, "stones": STONES, "spacing": 2})
    stones = min(CONTROL_STONES, (suite.size // 2) ** 2 // 2)
    control_rules = kind.rules.from_json({"size": suite.size, "stones": stones, "spacing": 2})
    ways = {way for _, way in suite.cases}
    async with (
        _where(ways & {"table", "table websocket", "arena"}, ArenaPlace.open) as arena,
        _where(ways & {"recorded", "recorded sandbox"}, MatchStarter.open) as starter,
        GoodPlayersProcess.open(suite.size) as good_players,
        ControlGame(kind, control_rules, good_players).playing() as control_game,
    ):
        yield Surroundings(
            kind=kind, rules=rules, good_players=good_players, control_game=control_game, memory=MemoryWatch(),
            arena=arena, starter=starter, admission=suite.admission,
        )  # fmt: skip


def _where(
    wanted: Collection[Way], opened: Callable[[], contextlib.AbstractAsyncContextManager[T]]
) -> contextlib.AbstractAsyncContextManager[T | None]:
    """Open the parts that the carriers need."""
    return opened() if wanted else contextlib.nullcontext()


class _Runner:
    """Plays runs, several at a time. Runs that only wait begin at once, a little apart."""

    def __init__(self, suite: Suite, surroundings: Surroundings) -> None:
        self._suite, self._surroundings = suite, surroundings
        self._busy, self._waiting = asyncio.Semaphore(suite.at_once), asyncio.Semaphore(WAITING * suite.at_once)
        self._apart, self._alone = asyncio.Lock(), asyncio.Lock()

    async def rehearse(self) -> None:
        """Let everything that is loaded and allocated only once be so before the measurements."""
        played = {way for _, way in self._suite.cases}
        ways = [way for way in ROWS[0].ways if way != "sandbox" and way in played]
        first: dict[object, tuple[FaultRow, Way]] = {way: (ROWS[0], way) for way in ways}
        first |= {(row.role, way): (row, way) for row, way in reversed(self._suite.cases) if row.role != "player"}
        await asyncio.gather(*(run_case(row, way, self._surroundings) for row, way in first.values()))

    async def run(self, row: FaultRow, way: Way, tell: Callable[[], object]) -> CaseRun:
        """Play a run when it is its turn."""
        waits = row.due == "hello"
        alone = self._alone if row.is_alone else contextlib.nullcontext()
        async with alone, self._waiting if waits else self._busy:
            if waits:
                async with self._apart:  # they do not all start, and end, in the same moment
                    await asyncio.sleep(APART_S)
            run = await self._run_until_in_time(row, way)
        tell()
        return run

    async def _run_until_in_time(self, row: FaultRow, way: Way) -> CaseRun:
        """Play a run; if it was only late, or only grew, on a busy machine, repeat it."""
        run = await run_case(row, way, self._surroundings)
        for repeated in range(1, self._suite.repeats + 1):
            if not case_reports.may_be_measured_again(row, way, run, self._suite.patience):
                break
            run = msgspec.structs.replace(await run_case(row, way, self._surroundings), repeated=repeated)
        return run


def _carrier(way: Way) -> Carrier:
    match way:
        case "hps" | "json":
            return "tcp"
        case "table" | "table websocket":
            return "tables"
        case "recorded":
            return "record"
        case "recorded sandbox":
            return "sandbox"
        case _:
            return way
