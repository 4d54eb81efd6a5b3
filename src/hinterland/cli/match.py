"""``hinterland match``: plays built-in players and programs against each other."""

from __future__ import annotations

import secrets
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from hinterland.cli.console import encode_result, plain, print_json, print_result, progress, read_rules
from hinterland.cli.options import AsJson, Clock, LogsOut, RecordOut, StartOptions, open_logs
from hinterland.errors import BadText

if TYPE_CHECKING:
    from hinterland.referee.record import Record


def match(
    game: str,
    /,
    *players: str,
    clock: Clock = 120.0,
    seed: int | None = None,
    record: RecordOut = None,
    logs: LogsOut = None,
    programs: StartOptions = StartOptions(),
    watch: bool = False,
    watch_port: int = 0,
    quiet: bool = False,
    json: AsJson = False,
    **rules: Annotated[
        str,
        Parameter(
            help="Rules of the game, such as --size 500 --stones 5; `hinterland games` lists them. A graph "
            "can come from a file: --board karate.gml --length weight; --length 1 makes all edges equally long."
        ),
    ],
) -> int:
    """Play a match: each player starts one game, and the scores are added.

    Parameters
    ----------
    game
        The game's name.
    players
        Two or more players, such as `random reply`; options after a colon: `name:option=value,…`. A player
        `./mybot.py` is a file; `hinterland players` says which files can play. `cmd:./mybot --flag` is a program: it is
        started and spoken to over its pipes, in protocol json. `hps:./mybot` is one that speaks hps and connects to the
        host and port at the end of its command line; `hps:9001` waits for one.
    seed
        The same seed plays the same match. Default: a random seed.
    watch
        Show the match live in a browser, at the address that is printed, and open it. The result stays there until you
        press Enter or Ctrl-C.
    watch_port
        The port of that page; 0 takes a free one.
    quiet
        Print only the winners' names.
    """
    from hinterland import catalog  # noqa: PLC0415
    from hinterland.cli.terminal import Asides  # noqa: PLC0415
    from hinterland.contest.matches import play_match  # noqa: PLC0415
    from hinterland.contest.plan import Entrant  # noqa: PLC0415
    from hinterland.host import specs  # noqa: PLC0415
    from hinterland.host.live_match import MatchConfig  # noqa: PLC0415
    from hinterland.host.observer import Observers  # noqa: PLC0415
    from hinterland.host.readiness import get_ready, get_ready_for  # noqa: PLC0415
    from hinterland.referee import match as matches  # noqa: PLC0415
    from hinterland.referee.clock import TimeControl  # noqa: PLC0415
    from hinterland.storage.records import RecordFile  # noqa: PLC0415

    start = programs.read()
    found = catalog.game(game)
    for spec in players:
        specs.check_spec(found, spec, sandbox=start.sandbox)
    names = matches.distinct(players)
    entrants = tuple(map(Entrant, names, players))
    chosen = read_rules(found, len(players), rules)
    config = MatchConfig(rules=chosen, control=TimeControl.of_seconds(clock), seed=_choose_seed(seed))
    with (
        progress(quiet=quiet or json) as bars,
        nullcontext() if record is None else RecordFile(record) as file,
        open_logs(logs) as keeper,
    ):
        bar = bars.add_task("preparing kernels (the first time only)", total=None)
        if watch:
            get_ready(found)
        else:
            get_ready_for(found, chosen, specs.make_built_in_players(found, players))
        bars.update(bar, description="playing", total=len(players))

        def keep(kept: Record) -> None:
            if file is not None:
                file.add(kept)
            bars.advance(bar)

        def report(played: list[Record]) -> None:
            bars.stop()
            result = matches.result(found.name, names, played, None if record is None else str(record))
            if json:
                print_json({**encode_result(result), "seed": config.seed})
            elif quiet:
                sys.stdout.write(" ".join(map(plain, result.winners)) + "\n")
            else:
                print_result(result, played, f"{chosen.summary} · seed {config.seed}")

        observers = Observers([Asides(), keeper])
        if watch:
            from hinterland.cli.watch_match import WatchedMatch, play_watched  # noqa: PLC0415

            play_watched(WatchedMatch(config, entrants, observers, keep, report, start), watch_port)
        else:
            report(play_match(config, entrants, observers, Asides().print_delay, keep, programs=start))
    return 0


def _choose_seed(seed: int | None) -> int:
    if seed is None:
        return secrets.randbelow(2**31)
    if not 0 <= seed < 2**63:
        raise BadText(f"a seed is a whole number from 0 to {2**63 - 1}, not {seed}")
    return seed
