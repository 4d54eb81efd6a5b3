"""``hinterland referee``: waits for players over TCP and plays matches between them."""

from __future__ import annotations

import contextlib
import secrets
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import Parameter

from hinterland.cli.console import read_rules
from hinterland.cli.options import Clock, FewRuleOptions, LogsOut, RecordOut, StartOptions, open_logs
from hinterland.errors import ArenaError, BadText, UnknownName

if TYPE_CHECKING:
    from hinterland.host.match_host import HostConfig
    from hinterland.host.matchmaker import AdmissionLimits

MAX_WAIT_S = 3600.0


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class RefereeOptions:
    """The players, the port at which they connect, and the habits of the referee.

    Parameters
    ----------
    players
        Number of players of a match.
    seat
        Seat a built-in player, such as `--seat reply`, or a program: `--seat ./mybot.py`, `--seat 'cmd:./mybot -x'`, or
        `--seat 'hps:./mybot'` for one that connects. May be repeated; the other players come over TCP.
    host
        The address to listen on; 0.0.0.0 lets other machines in.
    port
        The port; 0 takes a free one.
    protocol
        `hps`, the line protocol of the course, its older dialects `hps-2016` and `hps-2018`, or `json`, for every game.
        Default: hps if the game has stones, else json.
    increment
        Seconds that each move adds.
    illegal
        Cost of an illegal move: `forfeit` the game, `skip` the turn, or only time: `retry`, up to 20 times a
        turn. Default, as in the course: retry in hps, forfeit in hps-2016, skip in hps-2018; forfeit in json.
    pause
        Seconds between two games in hps and hps-2018, for clients that read two packets as one. Default: 2.
    hello
        Seconds that a player has to send its name after connecting. Default: 5.
    """

    players: int = 2
    seat: tuple[str, ...] = ()
    host: str = "127.0.0.1"
    port: int = 9000
    protocol: str | None = None
    clock: Clock = 120.0
    increment: float = 0.0
    illegal: str | None = None
    pause: float | None = None
    hello: float | None = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class SeatedProgramOptions(StartOptions):
    """How the programs of ``--seat`` are started.

    Parameters
    ----------
    sandbox
        Start programs of `--seat` in bubblewrap: no network, nothing of this machine but what they need to run.
    memory
        MiB of memory for each program of `--seat`, with all its processes. Default: half of this machine's memory,
        8192 at most.
    """


def referee(
    game: str,
    /,
    *,
    options: RefereeOptions = RefereeOptions(),
    confirm: bool = False,
    token: Path | None = None,
    record: RecordOut = None,
    logs: LogsOut = None,
    artworks: Path | None = None,
    matches: int = 1,
    programs: SeatedProgramOptions = SeatedProgramOptions(),
    watch: bool = False,
    watch_port: int = 8000,
    json: bool = False,
    **rules: FewRuleOptions,
) -> int:
    """Wait for players over TCP, and play a match between them.

    Each player starts one game; the scores are added. Ctrl-C lets the running game finish; a second Ctrl-C ends it.

    Parameters
    ----------
    game
        The game's name.
    confirm
        Wait for Enter before a match begins.
    token
        A file of lines `name token`: players must show a token, and may come back with it. The default protocol
        is then json.
    artworks
        Save a picture of every finished board in this directory.
    matches
        Number of matches, each with the next players that connect; several go on at once.
    watch
        Show everything live in a browser, at the address that is printed; for a projector.
    watch_port
        The port of that page; 0 takes a free one.
    json
        Print one JSON object a match on stdout.
    """
    import asyncio  # noqa: PLC0415

    from hinterland.cli import run_referee  # noqa: PLC0415
    from hinterland.cli.terminal import Terminal  # noqa: PLC0415
    from hinterland.host.network.tcp import listen  # noqa: PLC0415
    from hinterland.host.readiness import get_ready, get_ready_for  # noqa: PLC0415
    from hinterland.host.specs import make_built_in_players  # noqa: PLC0415
    from hinterland.storage.records import RecordFile  # noqa: PLC0415

    if matches < 1:
        raise BadText(f"--matches is a whole number from 1, not {matches}")
    plan = _make_plan(game, options, token, rules, matches, programs)
    with contextlib.ExitStack() as stack:
        records = None
        if record is not None:
            records = stack.enter_context(RecordFile(record))
            if records.torn_bytes:
                sys.stderr.write(f"the last line of {record}, cut short by a crash, was removed\n")
        artist = None if artworks is None else stack.enter_context(run_referee.ArtworkSaver(artworks, sys.stderr.write))
        listener = stack.enter_context(contextlib.closing(listen(options.host, options.port)))
        terminal = Terminal(plan, as_json=json)
        terminal.say("getting ready (compiling takes a minute the first time)")
        if watch:
            get_ready(plan.config.kind)
        else:
            get_ready_for(plan.config.kind, plan.config.rules, make_built_in_players(plan.config.kind, options.seat))
        page = (options.host, watch_port) if watch else None
        keeper = stack.enter_context(open_logs(logs))
        observers = [terminal, keeper] if artist is None else [terminal, keeper, artist]
        return asyncio.run(run_referee.play(plan, terminal, observers, listener, records, page, confirm=confirm))


def _make_plan(
    game: str,
    options: RefereeOptions,
    token: Path | None,
    rules: dict[str, str],
    matches: int,
    programs: StartOptions,
) -> HostConfig:
    """Read the options. Raises HinterlandError that names the wrong option."""
    from hinterland import catalog  # noqa: PLC0415
    from hinterland.host.live_match import MatchConfig  # noqa: PLC0415
    from hinterland.host.match_host import HostConfig, default_protocol  # noqa: PLC0415
    from hinterland.referee.clock import TimeControl  # noqa: PLC0415
    from hinterland.referee.judge import Illegal  # noqa: PLC0415

    admission = _read_admission_limits(options.pause, options.hello)
    started = programs.read()
    kind = catalog.game(game)
    players, illegal = options.players, options.illegal
    if illegal is not None and illegal not in tuple(Illegal):
        raise UnknownName("cost of an illegal move", illegal, Illegal)
    config = MatchConfig(
        rules=read_rules(kind, players, rules),
        control=TimeControl.of_seconds(options.clock, options.increment),
        illegal=None if illegal is None else Illegal(illegal),
        seed=secrets.randbelow(2**31) if options.seat else None,
    )
    tokens = None if token is None else _read_tokens(token, players - len(options.seat))
    spoken = options.protocol or default_protocol(config, needs_tokens=tokens is not None)
    plan = HostConfig(
        config=config,
        protocol=spoken,  # type: ignore[arg-type]
        own_players=options.seat,
        sandbox=started.sandbox,
        limits=started.limits,
        matches=matches,
        admission=admission,
        tokens=tokens,
    )
    plan.check()
    return plan


def _read_admission_limits(pause_s: float | None, hello_s: float | None) -> AdmissionLimits:
    """Read the two waiting times. Raises BadText."""
    from hinterland.host.matchmaker import AdmissionLimits  # noqa: PLC0415

    usual = AdmissionLimits()
    pause_s = usual.pause_s if pause_s is None else pause_s
    hello_s = usual.hello_s if hello_s is None else hello_s
    for option, seconds, least in (("pause", pause_s, 0.0), ("hello", hello_s, 0.1)):
        if not least <= seconds <= MAX_WAIT_S:
            raise BadText(f"--{option} is a number of seconds from {least:g} to {MAX_WAIT_S:g}, not {seconds:g}")
    return AdmissionLimits(pause_s=pause_s, hello_s=hello_s)


def _read_tokens(file: Path, players: int) -> dict[str, str]:
    from hinterland.referee.protocol.names import parse_tokens  # noqa: PLC0415

    try:
        return parse_tokens(file.read_text(encoding="utf-8"), players)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise ArenaError(f"{file} cannot be read: {reason}") from None
