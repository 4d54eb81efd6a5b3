"""Judges the judge: compares the observations of a case with what must happen, and reports misses."""

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
"""Most delay of a verdict."""
MOST_GROWTH_KIB = 1024.0
"""Most growth of the referee for each connection."""
MOST_CONTROL_MS = 50.0
"""Most time that the players of the control game may wait for the referee."""
MOST_DESCRIPTORS = 8
"""Most additional descriptors at the end: those of the control game's next connections."""
RECORDED = ("recorded", "recorded sandbox")
"""Ways in which records tell the fate of a player, but not the moment."""
BUSY_MS = 10.0
"""Time that programs waited for a processor in a run, above which delays may be the machine's fault."""


class CaseReport(msgspec.Struct, frozen=True, kw_only=True):
    """The observations of a row over one way, in all its runs, and their misses."""

    number: int
    """Number of the fault."""
    name: str
    """The fault in words."""
    misbehaviour: str
    """What the hostile player did."""
    way: Way
    """The carrier and protocol."""
    runs: int
    """Number of runs."""
    expected: str
    """What must happen to the hostile player, game by game."""
    verdict: str
    """What happened to it; an unexpected fate, if there was one."""
    late_ms: float | None
    """Delay of the verdict, 99th percentile of the runs; None if none was due."""
    growth_kib: float
    """Greatest growth of the referee for each connection."""
    left: int
    """Processes and connections left behind, in all runs together."""
    control_ms: float
    """Waiting time of the players of the control game, 99th percentile of the moves."""
    control_departures: int
    """How often one of them left a game."""
    taken_s: float
    """Duration of the longest run."""
    repeated: int
    """How often a run was repeated, because the machine was busy."""
    misses: tuple[str, ...] = ()
    """What is wrong; empty if nothing is."""


def p99(values: Sequence[float]) -> float:
    """Return the 99th percentile, by nearest rank; 0 for no values."""
    return sorted(values)[math.ceil(0.99 * len(values)) - 1] if values else 0.0


def is_expected(verdict: str, expected: Sequence[str]) -> bool:
    """Say whether a verdict, game by game, is as expected. Games without an expectation do not count."""
    told = verdict.split(", ")
    return len(told) >= len(expected) and all(
        game in wanted.split("|") for game, wanted in zip(told, expected, strict=False)
    )


def may_be_measured_again(row: FaultRow, way: Way, run: CaseRun, patience: float = 1.0) -> bool:
    """Say whether a run on a busy machine was only late, or only grew.

    There a delay need not be the referee's. Nor need growth be the guest's: Python asks the system for a MiB at a time,
    and whatever else goes on meanwhile may cause that. What a connection costs is seen each time. Other faults of a run
    are never excused.
    """
    seen = _seen(row, way, [run])
    wrongs, late = _wrongs(row, seen, [run]), _late(seen, patience)
    is_excusable = wrongs == _growth(seen) and not late if wrongs else bool(late)
    return run.machine_ms > BUSY_MS and is_excusable


def report(row: FaultRow, way: Way, runs: Sequence[CaseRun], patience: float = 1.0) -> CaseReport:
    """Judge the runs of a case. ``patience``: factor on the allowed delays."""
    seen = _seen(row, way, runs)
    return msgspec.structs.replace(seen, misses=(*_wrongs(row, seen, runs), *_late(seen, patience)))


def with_descriptors(last: CaseReport, more: int) -> CaseReport:
    """Return the last report, with a miss if all runs together have left descriptors open."""
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
    """Return the misses that a busy machine does not excuse."""
    found = []
    if wrong := _unexpected(row, runs):
        found.append(f"{len(wrong)} of {seen.runs} runs: {seen.verdict} where {seen.expected} was due")
    elif row.due != "never" and seen.late_ms is None and seen.way not in RECORDED:
        found.append("no verdict was timed")
    if seen.left:
        found.append(f"{seen.left} processes or connections were left behind")
    found += _growth(seen)
    if seen.control_departures:
        found.append(f"a player of the control game left it, {seen.control_departures} times")
    return found


def _growth(seen: CaseReport) -> list[str]:
    grown = seen.growth_kib > MOST_GROWTH_KIB
    return [f"the referee grew by {seen.growth_kib:g} KiB a connection"] if grown else []


def _late(seen: CaseReport, patience: float) -> list[str]:
    """Return the delays that are too long."""
    found = []
    if seen.late_ms is not None and seen.late_ms > MOST_LATE_MS * patience:
        found.append(f"the verdict came {seen.late_ms:g} ms late")
    if seen.control_ms > MOST_CONTROL_MS * patience:
        found.append(f"the players of the control game waited {seen.control_ms:g} ms")
    return found
