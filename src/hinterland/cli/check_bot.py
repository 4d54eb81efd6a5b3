"""``hinterland check-bot``: checks everything that a bot needs before its first tournament."""

from __future__ import annotations

import contextlib
import math
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cyclopts import Parameter

from hinterland.cli.console import plain, print_json, read_rules
from hinterland.cli.options import AsJson, FewRuleOptions, StartOptions
from hinterland.errors import BadText, RulesError, UnknownName

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hinterland.host.check.bot_sources import BotSource
    from hinterland.host.check.check_suite import CheckRequest, Finding
    from hinterland.host.lag_monitor import LagMonitor
    from hinterland.host.processes.command import ProgramOptions

CHECKED_PROTOCOLS = ("hps", "json")
"""The protocols in which bots are checked. The older dialects of hps cannot be checked."""
STATE_SIGNS = {"passed": "✓", "failed": "✗", "skipped": "–"}


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ReachOptions:
    """How the bot is reached, and how much time it has.

    Parameters
    ----------
    protocol
        For `tcp`: `hps` or `json`. Default: hps if the game has stones, else json.
    host
        For `tcp`: the address to listen on.
    port
        For `tcp`: the port; 0 takes a free one.
    clock
        Seconds of the bot for a whole game.
    hello
        Seconds that the bot has to introduce itself. Default: as in a match, 5 over TCP, 10 for a program that is
        started.
    wait
        For `tcp`: seconds to wait for the bot's connection.
    """

    protocol: str | None = None
    host: str = "127.0.0.1"
    port: int = 9000
    clock: float = 120.0
    hello: float | None = None
    wait: float = 120.0


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class CheckedProgramOptions(StartOptions):
    """How the bot is started, if it is a program.

    Parameters
    ----------
    sandbox
        Start the program in a sandbox, without network and without the files of others.
    memory
        MiB of memory for a program that is started, with all its processes. Default: half of this machine's memory,
        8192 at most.
    """


def check_bot(
    player: str,
    /,
    *,
    game: str = "gravity",
    reach: ReachOptions = ReachOptions(),
    programs: CheckedProgramOptions = CheckedProgramOptions(),
    without: tuple[str, ...] = (),
    json: AsJson = False,
    **rules: FewRuleOptions,
) -> int:
    """Check that a bot introduces itself, plays whole games legally and in time, and more.

    Exit code 0: all checks that were made passed; 1: some failed, or no bot came; 2: wrong use.

    Parameters
    ----------
    player
        `./mybot.py` is a file; `cmd:PROGRAM ARGUMENT…` starts a program and speaks JSON over its pipes; `hps:PROGRAM
        ARGUMENT…` starts one that connects to the host and port at the end of its command line and speaks hps; `tcp`,
        or `hps:PORT`, waits for a bot to connect; any other name is a built-in player.
    game
        The game's name.
    without
        Leave a check out, such as `--without weighted`; may be repeated.
    """
    import asyncio  # noqa: PLC0415

    from hinterland.host.check.check_suite import CHECKS  # noqa: PLC0415
    from hinterland.host.lag_monitor import LagMonitor  # noqa: PLC0415
    from hinterland.host.processes.control_group import describe_memory_counting  # noqa: PLC0415
    from hinterland.host.processes.memory_usage import MIB  # noqa: PLC0415
    from hinterland.host.readiness import get_ready_for  # noqa: PLC0415
    from hinterland.host.specs import make_built_in_players  # noqa: PLC0415

    started = programs.read()
    for name in without:
        if name not in CHECKS:
            raise UnknownName("check", name, CHECKS)
    request = _make_request(game, reach.clock, tuple(name for name in CHECKS if name not in without), rules)
    lag_monitor = LagMonitor()
    with contextlib.ExitStack() as stack:
        bots = _make_bot_source(player, request, lag_monitor, stack, reach, started)
        get_ready_for(request.kind, request.rules, make_built_in_players(request.kind, _list_players(player)))
        findings = asyncio.run(_run(request, bots, lag_monitor, (lambda _: None) if json else _print))
    memory_mib = bots.peak_bytes // MIB or None
    failed = sum(found.state == "failed" for found in findings)
    if json:
        print_json(
            {"player": player, "game": game, "failed": failed, "memory_mib": memory_mib, "checks": findings}
        )
    else:
        if memory_mib is not None:
            used = f"it used at most {memory_mib} of its {started.limits.memory_mib} MiB of memory"
            sys.stdout.write(f"{used}; {describe_memory_counting()}\n")
        sys.stdout.write(_summarise(findings))
    nobody_came = all(found.state == "skipped" for found in findings)
    return int(failed > 0 or nobody_came)


def _list_players(player: str) -> tuple[str, ...]:
    from hinterland.host.check.check_games import OPPONENT_SPEC  # noqa: PLC0415

    return (OPPONENT_SPEC,) if player == "tcp" else (OPPONENT_SPEC, player)


def _make_request(game: str, clock: float, checks: tuple[str, ...], rules: dict[str, str]) -> CheckRequest:
    from hinterland import catalog  # noqa: PLC0415
    from hinterland.contract import read_value  # noqa: PLC0415
    from hinterland.host.check.check_suite import CheckRequest  # noqa: PLC0415
    from hinterland.referee.clock import TimeControl  # noqa: PLC0415

    kind = catalog.game(game)
    players = read_value(rules.pop("players", "2"))
    if type(players) is not int:
        raise BadText(f"--players is a whole number, not {players!r}")
    control = TimeControl.of_seconds(clock)
    return CheckRequest(kind=kind, rules=read_rules(kind, players, rules), control=control, checks=checks)


def _make_bot_source(
    player: str,
    request: CheckRequest,
    lag_monitor: LagMonitor,
    stack: contextlib.ExitStack,
    reach: ReachOptions,
    started: ProgramOptions,
) -> BotSource:
    """Return an object that starts the bot or waits for its connection. Raises HinterlandError if it cannot."""
    from hinterland import catalog  # noqa: PLC0415
    from hinterland.contract import StoneRules  # noqa: PLC0415
    from hinterland.host.check import bot_sources  # noqa: PLC0415
    from hinterland.host.match_host import SESSIONS  # noqa: PLC0415
    from hinterland.host.matchmaker import AdmissionLimits  # noqa: PLC0415
    from hinterland.host.network.tcp import listen  # noqa: PLC0415
    from hinterland.host.players.connecting_program import HPS_PREFIX, port_of  # noqa: PLC0415
    from hinterland.host.players.program_player import START_TIMEOUT_S  # noqa: PLC0415
    from hinterland.host.processes.command import Command  # noqa: PLC0415
    from hinterland.host.specs import check_spec, is_piped, make_command  # noqa: PLC0415

    protocol, host, port, hello_s = reach.protocol, reach.host, reach.port, reach.hello
    if player.startswith(HPS_PREFIX):
        check_spec(request.kind, player, sandbox=started.sandbox)
        if protocol not in (None, "hps"):
            raise BadText("a player hps:… speaks hps; leave --protocol out")
        awaited = port_of(player)
        if awaited is None:
            listener = stack.enter_context(contextlib.closing(listen("127.0.0.1", 0)))
            command = Command.parse(player, prefix=HPS_PREFIX, limits=started.limits)
            start_s = START_TIMEOUT_S if hello_s is None else hello_s
            return bot_sources.ConnectingSource(request.kind, command, listener, lag_monitor, start_s)
        player, protocol, host, port = "tcp", "hps", "127.0.0.1", awaited
    if player != "tcp" and protocol not in (None, "json"):
        raise BadText("--protocol is for bots that connect (check-bot tcp); programs over pipes speak json")
    if is_piped(player):
        command = make_command(player, started)
        command.program()
        start_s = START_TIMEOUT_S if hello_s is None else hello_s
        return bot_sources.ProgramSource(request.kind, command, lag_monitor, start_s)
    if player != "tcp":
        catalog.player(request.kind, player)
        return bot_sources.InProcessSource(request.kind, player)
    spoken = protocol or ("hps" if isinstance(request.rules, StoneRules) else "json")
    if spoken not in CHECKED_PROTOCOLS:
        raise UnknownName("protocol", spoken, CHECKED_PROTOCOLS)
    if spoken == "hps" and not isinstance(request.rules, StoneRules):
        raise RulesError(f"protocol hps is for games with stones; check {request.kind.name} with --protocol json")
    listener = stack.enter_context(contextlib.closing(listen(host, port)))
    hello_s = AdmissionLimits().hello_s if hello_s is None else hello_s
    return bot_sources.TcpSource(request.kind, listener, SESSIONS[spoken], lag_monitor, hello_s, reach.wait, _say)


async def _run(
    request: CheckRequest, bots: BotSource, lag_monitor: LagMonitor, tell: Callable[[Finding], None]
) -> list[Finding]:
    import asyncio  # noqa: PLC0415

    from hinterland.cli.run_referee import describe_loop_error  # noqa: PLC0415
    from hinterland.host.check.check_suite import CheckSuite  # noqa: PLC0415

    asyncio.get_running_loop().set_exception_handler(lambda _, context: _say(describe_loop_error(context)))
    suite = CheckSuite(request, bots, lag_monitor, tell)
    _say(f"this takes {_describe_duration(suite.most_s)} at most, if the bot uses all its time in every game")
    return await suite.run()


def _describe_duration(seconds: float) -> str:
    minutes = math.ceil(seconds / 60)
    return f"{minutes} minutes" if minutes > 2 else f"{math.ceil(seconds)} s"


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _print(found: Finding) -> None:
    reason = f": {plain(found.reason)}" if found.reason else ""
    lines = [f"{STATE_SIGNS[found.state]} {found.title}{reason}"]
    if found.conversation:
        lines += ["    the last lines (< to the bot, > from it):", *(f"    {line}" for line in found.conversation)]
    if found.stderr:
        lines += ["    the last lines of its standard error:", *(f"    {line}" for line in found.stderr)]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def _summarise(findings: Sequence[Finding]) -> str:
    counts = {state: sum(found.state == state for found in findings) for state in STATE_SIGNS}
    failed = [found.check for found in findings if found.state == "failed"]
    summary = f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} not tried"
    return f"{summary}{': ' + ', '.join(failed) if failed else ''}\n"
