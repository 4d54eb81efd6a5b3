"""Judges the judge: compares what was seen of a case with what must be, and says what misses."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.fault_rows import FaultRow, Way
    from conformance.run_case import CaseRun

__all__ = ["CaseReport", "is_expected", "may_be_measured_again", "p99", "report", "with_descriptors"]

MOST_LATE_MS = 50.0
"""So late after it was due may a verdict come."""
MOST_GROWTH_KIB = 1024.0
"""By so much may the referee grow, a connection."""
MOST_CONTROL_MS = 50.0
"""So long may the players of the control game wait for the referee."""
MOST_DESCRIPTORS = 8
"""So many more may be open at the end: those of the control game's next connections."""
RECORDED = ("recorded", "recorded sandbox")
"""Where records tell what became of a player, but not when."""
BUSY_MS = 10.0
"""When programs waited so long for a processor during a run, that something was late may be the machine's fault."""


class CaseReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen of a row over one way, in all its runs, and what is wrong with it."""

    number: int
    """Of the fault."""
    name: str
    """The fault in words."""
    misbehaviour: str
    """What the hostile player did."""
    way: Way
    """Over what."""
    runs: int
    """How many runs there were."""
    expected: str
    """What must become of the hostile player, game by game."""
    verdict: str
    """What became of it: what is not expected, where there was such a run."""
    late_ms: float | None
    """How late the verdict was, 99th percentile of the runs; None where none was due."""
    growth_kib: float
    """By how much the referee grew, a connection, at most."""
    left: int
    """Processes and connections left behind, all runs together."""
    control_ms: float
    """How long the players of the control game waited, 99th percentile of the moves."""
    control_departures: int
    """How often one of them left a game."""
    taken_s: float
    """How long the longest run took."""
    repeated: int
    """How often something was late on a busy machine and was measured again."""
    misses: tuple[str, ...] = ()
    """What is wrong; empty where all is well."""


def p99(values: Sequence[float]) -> float:
    """Return the 99th percentile, the nearest rank; 0 of nothing."""
    return sorted(values)[math.ceil(0.99 * len(values)) - 1] if values else 0.0


def is_expected(verdict: str, expected: Sequence[str]) -> bool:
    """Say whether a verdict, game by game, is as expected. Games of which nothing is expected do not count."""
    told = verdict.split(", ")
    return len(told) >= len(expected) and all(
        game in wanted.split("|") for game, wanted in zip(told, expected, strict=False)
    )


def may_be_measured_again(row: FaultRow, way: Way, run: CaseRun, patience: float = 1.0) -> bool:
    """Say whether a run was late and nothing else, on a machine too busy to blame the referee for it.

    What else is wrong with a run stands as it was seen.
    """
    seen = _seen(row, way, [run])
    return run.machine_ms > BUSY_MS and not _wrongs(row, seen, [run]) and bool(_late(seen, patience))


def report(row: FaultRow, way: Way, runs: Sequence[CaseRun], patience: float = 1.0) -> CaseReport:
    """Judge the runs of a case. ``patience``: so many times as late as allowed may things be."""
    seen = _seen(row, way, runs)
    return msgspec.structs.replace(seen, misses=(*_wrongs(row, seen, runs), *_late(seen, patience)))


def with_descriptors(last: CaseReport, more: int) -> CaseReport:
    """Return the last report; where all runs together have left descriptors open, it tells."""
    if more <= MOST_DESCRIPTORS:
        return last
    words = f"{more} descriptors more are open than before all runs"
    return msgspec.structs.replace(last, misses=(*last.misses, words))


def _seen(row: FaultRow, way: Way, runs: Sequence[CaseRun]) -> CaseReport:
    late = [max(run.late_ms, 0.0) for run in runs if run.late_ms is not None]
    right = [", ".join(run.verdict.split(", ")[: len(row.expected)]) for run in runs]
    return CaseReport(
        number=row.number,
        name=row.name,
        misbehaviour=row.misbehaviour,
        way=way,
        runs=len(runs),
        expected=", ".join(row.expected),
        verdict=(_unexpected(row, runs) or right)[0],
        late_ms=round(p99(late), 1) if late else None,
        growth_kib=round(max(run.growth_kib for run in runs), 1),
        left=sum(run.left for run in runs),
        control_ms=round(p99([ms for run in runs for ms in run.control_ms]), 1),
        control_departures=sum(run.control_departures for run in runs),
        taken_s=round(max(run.taken_s for run in runs), 2),
        repeated=sum(run.repeated for run in runs),
    )


def _unexpected(row: FaultRow, runs: Sequence[CaseRun]) -> list[str]:
    return [run.verdict for run in runs if not is_expected(run.verdict, row.expected)]


def _wrongs(row: FaultRow, seen: CaseReport, runs: Sequence[CaseRun]) -> list[str]:
    """Return what is wrong whatever else the machine had to do."""
    found = []
    if wrong := _unexpected(row, runs):
        found.append(f"{len(wrong)} of {seen.runs} runs: {seen.verdict} where {seen.expected} was due")
    elif row.due != "never" and seen.late_ms is None and seen.way not in RECORDED:
        found.append("no verdict was timed")
    if seen.left:
        found.append(f"{seen.left} processes or connections were left behind")
    if seen.growth_kib > MOST_GROWTH_KIB:
        found.append(f"the referee grew by {seen.growth_kib:g} KiB a connection")
    if seen.control_departures:
        found.append(f"a player of the control game left it, {seen.control_departures} times")
    return found


def _late(seen: CaseReport, patience: float) -> list[str]:
    """Return what came too late."""
    found = []
    if seen.late_ms is not None and seen.late_ms > MOST_LATE_MS * patience:
        found.append(f"the verdict came {seen.late_ms:g} ms late")
    if seen.control_ms > MOST_CONTROL_MS * patience:
        found.append(f"the players of the control game waited {seen.control_ms:g} ms")
    return found
