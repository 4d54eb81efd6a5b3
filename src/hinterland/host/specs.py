"""Makes a player from its spec.

``./mybot.py`` is a file, ``cmd:…`` a program, ``hps:…`` a bot that connects, and any other a built-in player.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import hinterland
from hinterland import catalog
from hinterland.contract import Game, Player, StoneRules
from hinterland.errors import ArenaError, HinterlandError, RulesError, quote
from hinterland.host.lag_monitor import Admission, LagMonitor
from hinterland.host.live_match import Keeping, LiveMatch, MatchConfig, MatchLength, make_farewell
from hinterland.host.matchmaker import AdmissionLimits
from hinterland.host.observer import Observer
from hinterland.host.player_connection import PlayerConnection
from hinterland.host.players.connecting_program import HPS_PREFIX, AwaitedPlayer, ConnectingProgram, port_of
from hinterland.host.players.in_process import InProcessPlayer
from hinterland.host.players.program_player import ProgramPlayer
from hinterland.host.processes import player_file
from hinterland.host.processes.command import COMMAND_PREFIX, USUAL_START, Command, ProgramOptions
from hinterland.referee import match
from hinterland.referee.protocol import session
from hinterland.referee.record import Record
from hinterland.referee.verdicts import Verdict


def is_program(spec: str) -> bool:
    """Say whether a spec names a program outside this process."""
    return spec.startswith(HPS_PREFIX) or is_piped(spec)


def name_player(spec: str) -> str:
    """Return a short name for the player of a spec."""
    return Path(spec).stem if player_file.is_player_file(spec) else spec


def is_piped(spec: str) -> bool:
    """Say whether a spec names a program that speaks over its pipes: a file, or a command."""
    return spec.startswith(COMMAND_PREFIX) or player_file.is_player_file(spec)


def make_command(spec: str, programs: ProgramOptions = USUAL_START) -> Command:
    """Return the command that starts a program. Raises HinterlandError if the spec is wrong."""
    if spec.startswith(HPS_PREFIX):
        return Command.parse(spec, prefix=HPS_PREFIX, cwd=programs.folder, limits=programs.limits)
    if not player_file.is_player_file(spec):
        return Command.parse(spec, cwd=programs.folder, sandbox=programs.sandbox, limits=programs.limits)
    argv = player_file.make_argv(spec, Path(programs.folder))
    if programs.sandbox and player_file.is_run_by_runner(argv) and not _is_seen_in_sandbox():
        raise ArenaError(
            f"{quote(spec)} runs with Hinterland and its compiled kernels, which a sandbox shows only if they come from"
            " a wheel for this platform; install one (make wheel), or leave --sandbox out"
        )
    return Command(argv=argv, cwd=programs.folder, sandbox=programs.sandbox, limits=programs.limits)


def _is_seen_in_sandbox() -> bool:
    from hinterland import jit  # noqa: PLC0415

    return Path(hinterland.__file__).is_relative_to(Path(sys.prefix)) and jit.SHIPPED.is_dir()


def check_spec(kind: Game, spec: str, *, sandbox: bool = False, folder: Path | None = Path()) -> None:
    """Raise HinterlandError unless a player can be made from a spec.

    If the spec names a program, the program must exist, as seen from ``folder``; None skips this check.
    """
    if spec.startswith(HPS_PREFIX):
        _check_hps(kind, spec, sandbox=sandbox, folder=folder)
    elif is_piped(spec):
        if folder is not None:
            make_command(spec, ProgramOptions(folder=str(folder), sandbox=sandbox)).program()
        elif not player_file.is_player_file(spec):
            Command.parse(spec)
    else:
        catalog.player(kind, spec)


def make_built_in_players(kind: Game, players: Iterable[str]) -> list[Player]:
    """Make the built-in players among these specs; skip programs."""
    return [catalog.player(kind, spec) for spec in players if not is_program(spec)]


def make_player(
    config: MatchConfig,
    number: int,
    name: str,
    spec: str,
    lag_monitor: LagMonitor,
    observer: Observer,
    *,
    programs: ProgramOptions = USUAL_START,
    pause_s: float = AdmissionLimits().pause_s,
) -> PlayerConnection:
    """Make a player that the host itself seats. Raises HinterlandError if the spec names no player."""
    seat = (config.kind, config.rules, number, name)
    if spec.startswith(HPS_PREFIX):
        port = port_of(spec)
        if port is not None:
            return AwaitedPlayer(*seat, port, lag_monitor, observer, pause_s=pause_s)
        return ConnectingProgram(*seat, make_command(spec, programs), lag_monitor, observer, pause_s=pause_s)
    if is_program(spec):
        return ProgramPlayer(*seat, make_command(spec, programs), lag_monitor, observer)
    return InProcessPlayer(config.kind, number, name, spec, config.seed or 0)


def _check_hps(kind: Game, spec: str, *, sandbox: bool, folder: Path | None) -> None:
    if not issubclass(kind.rules, StoneRules):
        raise RulesError(f"hps is for games with stones, {kind.name} has none; start its bot with cmd:…")
    if port_of(spec) is None:
        command = Command.parse(spec, prefix=HPS_PREFIX, cwd=str(folder or "."))
        if folder is not None:
            command.program()
        if sandbox:
            raise RulesError("a bot of hps connects, and in a sandbox there is no network: leave --sandbox out")


def seat_player(
    config: MatchConfig,
    number: int,
    name: str,
    spec: str,
    lag_monitor: LagMonitor,
    observer: Observer,
    *,
    programs: ProgramOptions,
    pause_s: float = AdmissionLimits().pause_s,
) -> PlayerConnection:
    """Make a player as ``make_player`` does; a program that cannot be started is absent if it need not start."""
    try:
        return make_player(
            config, number, name, spec, lag_monitor, observer, programs=programs, pause_s=pause_s
        )
    except HinterlandError as error:
        if programs.must_start or not is_program(spec):
            raise
        absent = PlayerConnection(number, name)
        absent.absence = (Verdict.START, str(error))
        return absent


@asynccontextmanager
async def open_players(players: Sequence[PlayerConnection], *, must_start: bool = True) -> AsyncIterator[None]:
    """Open the players, and close them when the context ends. Raises ArenaError if a player cannot be opened.

    If a program need not start (``must_start``), it is opened when its first game begins, which it forfeits if it does
    not start then.
    """
    try:
        for player in players:
            if must_start or not player.is_opened_by_game:
                await player.open()
        yield
    finally:
        await asyncio.gather(*(player.close() for player in players))


async def play_out(
    playing: LiveMatch,
    guests: Sequence[PlayerConnection],
    own: Sequence[PlayerConnection],
    *,
    must_start: bool = True,
) -> match.Result:
    """Play a match to its end and dismiss all players.

    ``own``: the host's players, which are opened before the match and closed after it. ``guests``: players that have
    connected. ``must_start`` is that of ``open_players``. Raises HinterlandError if the match cannot go on.
    """
    last_words = session.Farewell(detail="the referee had to end the match")
    try:
        async with open_players(own, must_start=must_start):
            result = await playing.play()
            last_words = make_farewell(result)
            for player in own:
                player.dismiss(last_words)
    except HinterlandError as error:
        last_words = session.Farewell(detail=f"the referee had to end the match: {error}")
        raise
    finally:
        for player in guests:
            player.dismiss(last_words)
    return result


async def play_match(
    config: MatchConfig,
    specs: Sequence[str],
    names: Sequence[str],
    observer: Observer,
    keep: Callable[[Record], None] | None = None,
    *,
    games: Sequence[int] | None = None,
    programs: ProgramOptions = USUAL_START,
) -> list[Record]:
    """Play a match between programs and built-in players. ``keep`` gets each record before the next game begins.

    ``games``: numbers of the games to play; the first game is 0. None: all games.
    """
    lag_monitor = LagMonitor()
    players = [
        seat_player(config, number, name, spec, lag_monitor, observer, programs=programs)
        for number, (name, spec) in enumerate(zip(names, specs, strict=True))
    ]
    playing = LiveMatch(
        config, players, lag_monitor, Admission(1, lag_monitor), observer,
        1, MatchLength(games=games, may_end_early=games is None), Keeping(keep=keep),
    )  # fmt: skip
    await play_out(playing, (), players, must_start=programs.must_start)
    return playing.records
