"""Makes the chair for a player's spec: ``cmd:…`` is a program, ``hps:…`` a bot that connects, all else of the house."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from hinterland import catalog
from hinterland.errors import RulesError
from hinterland.referee.shell.admission import Admission
from hinterland.referee.shell.command import PREFIX, Command
from hinterland.referee.shell.connecting import HPS, AwaitedChair, ConnectingChair, port_of
from hinterland.referee.shell.heartbeat import Heartbeat
from hinterland.referee.shell.house import HouseChair
from hinterland.referee.shell.lobby import Doors
from hinterland.referee.shell.play import MatchInPlay, Terms, farewell
from hinterland.referee.shell.program import ProgramChair

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from hinterland.contract import Game
    from hinterland.referee.record import Record
    from hinterland.referee.shell.chair import Chair
    from hinterland.referee.shell.watcher import Watcher

__all__ = ["check_spec", "is_program", "make_chair", "opened", "play_match"]


def is_program(spec: str) -> bool:
    """Say whether a spec names a program, which is no part of this process."""
    return spec.startswith((PREFIX, HPS))


def check_spec(kind: Game, spec: str, *, sandbox: bool = False) -> None:
    """Raise HinterlandError unless a player can be made of a spec; a program must be there."""
    if spec.startswith(HPS):
        _check_hps(kind, spec, sandbox=sandbox)
    elif is_program(spec):
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
    pause_s: float = Doors().pause_s,
) -> Chair:
    """Make the chair of a player that does not come by itself. Raises HinterlandError unless there is such a player."""
    seat = (terms.kind, terms.rules, number, name)
    if spec.startswith(HPS):
        port = port_of(spec)
        if port is not None:
            return AwaitedChair(*seat, port, heartbeat, watcher, pause_s=pause_s)
        return ConnectingChair(*seat, Command.parse(spec, prefix=HPS), heartbeat, watcher, pause_s=pause_s)
    if is_program(spec):
        command = Command.parse(spec, sandbox=sandbox)
        return ProgramChair(*seat, command, heartbeat, watcher)
    return HouseChair(terms.kind, number, name, spec, terms.seed or 0)


def _check_hps(kind: Game, spec: str, *, sandbox: bool) -> None:
    if "stones" not in kind.rules.__struct_fields__:
        raise RulesError(f"hps is for games with stones, {kind.name} has none; a bot of {kind.name} is named cmd:…")
    if port_of(spec) is None:
        Command.parse(spec, prefix=HPS).program()
        if sandbox:
            raise RulesError("a bot of hps connects, and in a sandbox there is no network: leave --sandbox out")


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
) -> list[Record]:
    """Play a match between programs and players of the house. ``keep`` gets each record before the next game begins."""
    heartbeat = Heartbeat()
    chairs = [
        make_chair(terms, number, name, spec, heartbeat, watcher, sandbox=sandbox)
        for number, (name, spec) in enumerate(zip(names, specs, strict=True))
    ]
    async with opened(chairs):
        playing = MatchInPlay(terms, chairs, heartbeat, Admission(1, heartbeat), watcher, keep=keep)
        last_words = farewell(await playing.play())
        for chair in chairs:
            chair.farewell(last_words)
    return playing.records
