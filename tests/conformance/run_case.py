"""One run of one case: the misbehaviour, its outcome, and what the control game noticed meanwhile."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msgspec

from conformance.measurements import waited_ms
from conformance.roles.guest_run import GuestRun
from conformance.roles.person_run import PersonRun
from conformance.roles.player_run import ADMISSION, PlayerRun
from conformance.roles.recorded_run import RecordedRun

if TYPE_CHECKING:
    from conformance.control_game import ControlGame, GoodPlayersProcess
    from conformance.fault_rows import FaultRow, Way
    from conformance.measurements import MemoryWatch
    from conformance.roles.places import ArenaPlace
    from conformance.roles.recorded_run import MatchStarter
    from hinterland.contract import Game, Rules
    from hinterland.host.matchmaker import AdmissionLimits

__all__ = ["CaseRun", "Surroundings", "run_case"]


class Surroundings(msgspec.Struct, frozen=True, kw_only=True):
    """What all runs share."""

    kind: Game
    rules: Rules
    good_players: GoodPlayersProcess
    control_game: ControlGame
    memory: MemoryWatch
    arena: ArenaPlace | None = None
    """The arena for matches and pages."""
    starter: MatchStarter | None = None
    """The starter of recorded matches."""
    admission: AdmissionLimits = ADMISSION


class CaseRun(msgspec.Struct, frozen=True, kw_only=True):
    """The observations of a run, and of the control game meanwhile."""

    verdict: str
    """The fate of the hostile player, game by game."""
    late_ms: float | None
    """Delay of the verdict; None if none was due."""
    growth_kib: float
    """Growth of the referee for each connection."""
    left: int
    """Processes and connections left behind."""
    control_ms: tuple[float, ...]
    """How long players of the control game waited, move by move."""
    control_departures: int
    """How often one of them left a game."""
    machine_ms: float = 0.0
    """How long programs of this machine waited for a processor meanwhile."""
    taken_s: float = 0.0
    """Duration of the run."""
    repeated: int = 0
    """How often it was repeated."""


async def run_case(row: FaultRow, way: Way, surroundings: Surroundings) -> CaseRun:
    """Play a row once over one way."""
    control_game = surroundings.control_game
    since_ns, waited, departures = time.monotonic_ns(), waited_ms(), control_game.departures
    run = _run(row, way, surroundings)
    try:
        surroundings.memory.begin(run, row.connections)
        verdict, late_ms = await run.happen()
        until_ns = time.monotonic_ns()
        growth_kib = surroundings.memory.growth_kib(run)
        return CaseRun(
            verdict=verdict,
            late_ms=late_ms,
            growth_kib=growth_kib,
            left=await run.left(),
            control_ms=control_game.waits_ms(since_ns, until_ns),
            control_departures=control_game.departures - departures,
            machine_ms=waited_ms() - waited,
            taken_s=(time.monotonic_ns() - since_ns) / 1e9,
        )
    finally:
        run.end()


def _run(row: FaultRow, way: Way, surroundings: Surroundings) -> PlayerRun | RecordedRun:
    if way in ("recorded", "recorded sandbox"):
        return RecordedRun(row, way, surroundings)
    match row.role:
        case "guest":
            return GuestRun(row, way, surroundings)
        case "person":
            return PersonRun(row, way, surroundings)
        case _:
            return PlayerRun(row, way, surroundings)
