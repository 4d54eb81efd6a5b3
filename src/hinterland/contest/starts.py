"""Finds the players of a contest that do not start, before anything is played."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from hinterland import catalog
from hinterland.contest.plan import CONNECT, check_entrant
from hinterland.contract import silent
from hinterland.errors import ArenaError, HinterlandError, UnknownName
from hinterland.host import specs
from hinterland.host.lag_monitor import LagMonitor
from hinterland.host.observer import Observer
from hinterland.host.players.connecting_program import HPS_PREFIX, port_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from hinterland.contest.folder import ContestFolder
    from hinterland.contest.plan import Entrant, Plan
    from hinterland.contest.schedule import Task

STOP, SKIP, FORFEIT = "stop", "skip", "forfeit"
WAYS = (STOP, SKIP, FORFEIT)
"""What to do if players do not start: play nothing, let their matches wait, or count their games as lost."""


def settle_absent(contest: ContestFolder, way: str, at_once: int, note: Callable[[str], None] = silent) -> None:
    """Start each program of a contest once, and do what ``way`` says if some do not start.

    ``at_once``: number of programs to start at a time. ``note`` is called with a line for each that does not start.
    Raises ArenaError if ``way`` is ``stop`` and a program does not start, UnknownName for an unknown way.
    """
    if way not in WAYS:
        raise UnknownName("way to treat players that do not start", way, WAYS)
    contest.waits_for = frozenset()
    absent = {} if contest.played.is_over else find_absent(contest, at_once)
    for reason in absent.values():
        note(reason)
    if absent and way == STOP:
        count = f"{len(absent)} of {len(contest.plan.players)} players"
        raise ArenaError(
            f"{count} do not start, so nothing was played: {', '.join(absent)}; mend them, or go on: --absent skip lets"
            " their matches wait, --absent forfeit counts their games as lost"
        )
    if way == SKIP:
        contest.waits_for = frozenset(absent)


def find_absent(contest: ContestFolder, at_once: int) -> dict[str, str]:
    """Start each program of a contest once; return why each one that fails does not start, by the player's name."""
    absent = find_missing(contest.plan, contest.paths)
    task = next(contest.played.missing(), None)
    programs = [player for player in contest.plan.players if _is_startable(player) and player.name not in absent]
    if task is None or not programs:
        return absent
    task = msgspec.structs.replace(task, folder=str(contest.paths))
    return absent | asyncio.run(_start_all(task, programs, at_once))


def find_missing(plan: Plan, folder: Path) -> dict[str, str]:
    """Return why players cannot be started at all, by name; relative paths begin at ``folder``."""
    missing = {}
    for player in plan.players:
        try:
            check_entrant(catalog.game(plan.game), player, sandbox=plan.sandbox, folder=folder)
        except HinterlandError as error:
            missing[player.name] = str(error)
    return missing


def _is_startable(player: Entrant) -> bool:
    """Say whether a player is a program that the contest starts itself."""
    is_awaited = player.spec.startswith(HPS_PREFIX) and port_of(player.spec) is not None
    return player.spec != CONNECT and specs.is_program(player.spec) and not is_awaited


async def _start_all(task: Task, programs: Sequence[Entrant], at_once: int) -> dict[str, str]:
    config, places, lag_monitor = task.config(), asyncio.Semaphore(at_once), LagMonitor()

    async def start(player: Entrant) -> str:
        """Start a program and end it again; return why it does not start, or an empty text."""
        async with places:
            try:
                seated = specs.make_player(
                    config, 0, player.name, player.spec, lag_monitor, Observer(), programs=task.programs
                )
                async with specs.open_players([seated]):
                    return ""
            except HinterlandError as error:
                return str(error)

    reasons = await asyncio.gather(*map(start, programs))
    return {player.name: reason for player, reason in zip(programs, reasons, strict=True) if reason}
