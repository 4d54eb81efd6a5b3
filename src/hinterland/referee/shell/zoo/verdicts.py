"""Judges the judge: compares what was seen of a row with what must be, and says what misses."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.referee.shell.zoo.rows import Row, Way
    from hinterland.referee.shell.zoo.stage import Outcome

__all__ = ["Line", "Visit", "is_expected", "is_worth_repeating", "line", "p99"]

MOST_LATE_MS = 50.0
"""So late after it was due may a verdict come."""
MOST_GROWTH_KIB = 1024.0
"""By so much may the referee grow, a connection."""
MOST_BESIDE_MS = 50.0
"""So long may the players of the game beside wait for the referee."""


BUSY_MS = 10.0
"""When programs waited so long for a processor during a run, what missed may be the machine's fault."""


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    """A run, and what was seen of the game beside meanwhile."""

    outcome: Outcome
    """What came of the run."""
    beside_ms: Sequence[float]
    """How long players of the game beside waited, move by move."""
    beside_faults: int
    """How often one of them left a game."""
    repeated: int = 0
    """How often it was played again."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen of a row over one way, in all its runs, and what is wrong with it."""

    number: int
    """Of the fault."""
    name: str
    """The fault in words."""
    deed: str
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
    """Processes left behind, all runs together."""
    beside_ms: float
    """How long the players of the game beside waited, 99th percentile of the moves."""
    beside_faults: int
    """How often one of them left a game."""
    repeated: int = 0
    """How many runs were played again because the machine was busy with other work."""
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


def is_worth_repeating(row: Row, seen: Visit, patience: float = 1.0) -> bool:
    """Say whether a run missed, and the machine was too busy to blame the referee for it."""
    outcome = seen.outcome
    is_late = outcome.late_ms is not None and outcome.late_ms > MOST_LATE_MS * patience
    is_wrong = not is_expected(outcome.verdict, row.expected)
    return (is_late or is_wrong or p99(seen.beside_ms) > MOST_BESIDE_MS * patience) and outcome.machine_ms > BUSY_MS


def line(row: Row, way: Way, visits: Sequence[Visit], patience: float = 1.0) -> Line:
    """Judge the runs of a row. ``patience``: so many times as late as allowed may things be."""
    outcomes = [visit.outcome for visit in visits]
    beside_ms = [ms for visit in visits for ms in visit.beside_ms]
    verdicts = [", ".join(outcome.verdict.split(", ")[: len(row.expected)]) for outcome in outcomes]
    wrong = [o.verdict for o in outcomes if not is_expected(o.verdict, row.expected)]
    late = [max(outcome.late_ms, 0.0) for outcome in outcomes if outcome.late_ms is not None]
    seen = Line(
        number=row.number,
        name=row.name,
        deed=row.deed,
        way=way,
        runs=len(outcomes),
        expected=", ".join(row.expected),
        verdict=(wrong or verdicts or ["none"])[0],
        late_ms=round(p99(late), 1) if late else None,
        growth_kib=round(max((outcome.growth_kib for outcome in outcomes), default=0.0), 1),
        left=sum(outcome.left for outcome in outcomes),
        beside_ms=round(p99(beside_ms), 1),
        beside_faults=sum(visit.beside_faults for visit in visits),
        repeated=sum(visit.repeated for visit in visits),
    )
    return msgspec.structs.replace(seen, misses=tuple(_misses(row, seen, len(wrong), patience)))


def _misses(row: Row, seen: Line, wrong: int, patience: float) -> list[str]:
    missed = []
    if wrong:
        missed.append(f"{wrong} of {seen.runs} runs: {seen.verdict} where {seen.expected} was due")
    if row.due != "never" and seen.late_ms is None and not wrong:
        missed.append("no verdict was timed")
    if seen.late_ms is not None and seen.late_ms > MOST_LATE_MS * patience:
        missed.append(f"the verdict came {seen.late_ms:g} ms late")
    if seen.left:
        missed.append(f"{seen.left} processes were left behind")
    if seen.growth_kib > MOST_GROWTH_KIB:
        missed.append(f"the referee grew by {seen.growth_kib:g} KiB a connection")
    if seen.beside_faults:
        missed.append(f"a player of the game beside left it, {seen.beside_faults} times")
    if seen.beside_ms > MOST_BESIDE_MS * patience:
        missed.append(f"the players of the game beside waited {seen.beside_ms:g} ms")
    return missed
