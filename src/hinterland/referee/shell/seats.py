"""Makes the chair for a player's spec: a program where it begins with ``cmd:``, else a player of the house."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from hinterland import catalog
from hinterland.referee.shell.admission import Admission
from hinterland.referee.shell.command import PREFIX, USUAL, Command
from hinterland.referee.shell.heartbeat import Heartbeat
from hinterland.referee.shell.house import HouseChair
from hinterland.referee.shell.play import MatchInPlay, Terms
from hinterland.referee.shell.program import ProgramChair

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from hinterland.contract import Game
    from hinterland.referee.record import Record
    from hinterland.referee.shell.chair import Chair
    from hinterland.referee.shell.limits import ProcessLimits
    from hinterland.referee.shell.watcher import Watcher

__all__ = ["check_spec", "is_program", "make_chair", "opened", "play_match"]


def is_program(spec: str) -> bool:
    """Say whether a spec starts a program."""
    return spec.startswith(PREFIX)


def check_spec(kind: Game, spec: str) -> None:
    """Raise HinterlandError unless a player can be made of a spec; a program must be there."""
    if is_program(spec):
        Command.parse(spec).program()
    else:
        catalog.player(kind, spec)


def make_chair(
    terms: Terms,
    number: int,
    name: str,
    spec: str,
    heartbeat: Heartbeat,
    watcher: Watcher,
    *,
    sandbox: bool = False,
    limits: ProcessLimits = USUAL,
) -> Chair:
    """Make the chair of a player that comes over no network. Raises HinterlandError unless there is such a player."""
    if is_program(spec):
        command = Command.parse(spec, sandbox=sandbox, limits=limits)
        return ProgramChair(terms.kind, terms.rules, number, name, command, heartbeat, watcher)
    return HouseChair(terms.kind, number, name, spec, terms.seed or 0)


@asynccontextmanager
async def opened(chairs: Sequence[Chair]) -> AsyncIterator[None]:
    """Get chairs ready, and leave nothing of them behind. Raises ArenaError where a program cannot be started."""
    try:
        for chair in chairs:
            await chair.open()
        yield
    finally:
        await asyncio.gather(*(chair.close() for chair in chairs))


async def play_match(
    terms: Terms,
    specs: Sequence[str],
    names: Sequence[str],
    watcher: Watcher,
    keep: Callable[[Record], None] | None = None,
    *,
    sandbox: bool = False,
    limits: ProcessLimits = USUAL,
) -> list[Record]:
    """Play a match between programs and players of the house. ``keep`` gets each record before the next game begins."""
    heartbeat = Heartbeat()
    chairs = [
        make_chair(terms, number, name, spec, heartbeat, watcher, sandbox=sandbox, limits=limits)
        for number, (name, spec) in enumerate(zip(names, specs, strict=True))
    ]
    async with opened(chairs):
        playing = MatchInPlay(terms, chairs, heartbeat, Admission(1, heartbeat), watcher, keep=keep)
        await playing.play()
    return playing.records
