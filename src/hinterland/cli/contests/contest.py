"""``hinterland contest``: contests in folders, made, played, looked at and gone on with."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from hinterland.cli.console import plain, print_json, print_table, say, whole
from hinterland.cli.contests import contest_files
from hinterland.cli.contests.plan_options import PlanOptions, plan_of
from hinterland.errors import BadText, quote

MOST_JOBS = 1024
USUAL = PlanOptions()
RuleOptions = Annotated[
    str, Parameter(help="Rules of the game, such as --size 500 --stones 5; `hinterland games` lists them.")
]

contest = App(
    name="contest",
    help="""Play a contest: many matches between many players, in a folder that survives anything.

    `hinterland contest gravity reply random hug` plays one at once; `contest new` writes a plan to be edited first. A
    player is one of the house, a program (`cmd:./mybot`, `hps:./mybot`), or `connect`, a bot that comes over the
    network with a token; `NAME=PLAYER` gives it a name. Ctrl-C loses nothing: `contest run` goes on.""",
)


@Parameter(name="*")
@dataclass(kw_only=True)
class RunOptions:
    """How what is missing is played.

    Parameters
    ----------
    jobs
        Matches to play at a time, each on processors of its own.
    cluster
        The address of a Dask scheduler, to play there instead.
    crowded
        Let players that look at a clock share processors, which disturbs them.
    watch
        Show the contest in a browser while it is played, and after, until Ctrl-C.
    watch_port
        The port of that page; a free one when left out.
    host
        Where to listen for bots that connect; 0.0.0.0 lets other machines in.
    port
        The port for them; 0 takes a free one.
    protocol
        How they are spoken to: `json`, or `hps`, the line protocol of the course, where the game has stones.
    """

    jobs: int = 1
    cluster: str | None = None
    crowded: bool = False
    watch: Annotated[bool, Parameter(negative="")] = False
    watch_port: int = 0
    host: str = "127.0.0.1"
    port: int = 4000
    protocol: str = "json"


AS_USUAL = RunOptions()


@contest.default
def at_once(
    game: str,
    /,
    *players: str,
    folder: Path | None = None,
    options: PlanOptions = USUAL,
    running: RunOptions = AS_USUAL,
    **rules: RuleOptions,
) -> int:
    """Make a contest in a fresh folder, play it and print how it ended.

    Parameters
    ----------
    game
        The game's name.
    players
        Two or more.
    folder
        Where to; a fresh folder here when left out.
    """
    made = _fresh(game) if folder is None else folder
    new(made, game, *players, options=options, **rules)
    return run(made, running=running)


@contest.command
def new(folder: Path, game: str, /, *players: str, options: PlanOptions = USUAL, **rules: RuleOptions) -> int:
    """Write FOLDER/plan.toml, to be read and edited until it is run.

    Parameters
    ----------
    folder
        Where to; made if need be.
    game
        The game's name.
    players
        Two or more, the best first where seeds matter.
    """
    from hinterland.contest import folder as folders  # noqa: PLC0415
    from hinterland.contest import schedule  # noqa: PLC0415
    from hinterland.contest.plan import form_of  # noqa: PLC0415

    plan, tokens = plan_of(game, players, options, rules)
    schedule.check(plan, form_of(plan).tables(()) or (), say)
    folders.create(folder, plan, tokens)
    say(f"{folder / 'plan.toml'} is written; `hinterland contest run {folder}` plays it")
    for name, token in tokens.items():
        say(f"the token of {name}: {token}")
    return 0


@contest.command
def run(folder: Path, /, *, running: RunOptions = AS_USUAL) -> int:
    """Play what is missing of a contest, and print the standings.

    Parameters
    ----------
    folder
        The contest's.
    """
    from hinterland.cli.contests import show  # noqa: PLC0415
    from hinterland.cli.contests.strangers import Strangers  # noqa: PLC0415
    from hinterland.cli.contests.watch_contest import watched  # noqa: PLC0415
    from hinterland.contest import engine  # noqa: PLC0415
    from hinterland.contest.connecting.network import Entrance, open_to_bots  # noqa: PLC0415

    jobs, cluster = running.jobs, running.cluster
    whole("jobs", jobs, 1, MOST_JOBS)
    entrance = Entrance(host=running.host, port=running.port, protocol=running.protocol)
    with watched(folder, running.watch_port) if running.watch else nullcontext() as pages:
        with show.following(folder) as live:
            engine.check(live.contest, jobs=jobs, crowded=running.crowded or cluster is not None, note=say)
            live.get_ready()
            with open_to_bots(live.contest, entrance, jobs=jobs, observer=Strangers(), tell=say) as network:
                stopped = live.play(jobs, cluster, network)
        show.print_standings(live.contest, live.standings)
        if live.contest.was_edited():
            say(f"{folder / 'plan.toml'} was edited while the contest ran; put it back, or nothing can be added to it")
        if stopped is not None:
            raise stopped
        if pages is not None:
            pages.stay()
    return 0


@contest.command
def status(
    folder: Path, /, *, by_board: Annotated[bool, Parameter(negative="")] = False, json: bool = False
) -> int:
    """Say how far a contest is, and how it stands.

    Parameters
    ----------
    folder
        The contest's.
    by_board
        Standings for each kind of board apart, where the plan varies the rules.
    json
        Print one JSON object.
    """
    from hinterland.cli.contests import show  # noqa: PLC0415

    if by_board:
        if json:
            raise BadText("--by-board prints tables; `hinterland contest export … X.json --by-board` is for programs")
        read, boards = show.read_by_board(folder)
        sys.stdout.write(plain(show.progress_line(read)) + "\n")
        for words, part in boards.parts:
            sys.stdout.write(f"\n{plain(words)}\n")
            print_table(show.standings_table(read, part))
        return 0
    found, standings = show.looked_at(folder)
    if json:
        print_json(show.status_json(found, standings))
        return 0
    sys.stdout.write(plain(show.progress_line(found)) + "\n")
    show.print_standings(found, standings)
    return 0


@contest.command
def add(folder: Path, player: str, /) -> int:
    """Add a player to a contest, where its format allows that; `contest run` then plays what is new.

    Parameters
    ----------
    folder
        The contest's.
    player
        Who, as in `contest new`.
    """
    from hinterland.contest.additions import add_player  # noqa: PLC0415

    token = add_player(folder, player)
    say(f"{player} is added; `hinterland contest run {folder}` plays its matches")
    if token is not None:
        say(f"its token: {token}")
    return 0


contest.command(contest_files.report)
contest.command(contest_files.export)


def _fresh(game: str) -> Path:
    """Name a folder that is not there."""
    for number in range(1, 10_000):
        folder = Path(f"{game}-contest-{number}")
        if not folder.exists():
            return folder
    raise BadText(f"there are 9999 folders called {quote(game)}-contest-… here; name another with --folder")
