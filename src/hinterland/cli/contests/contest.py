"""``hinterland contest``: makes contests in folders, plays them, and shows how they stand."""

from __future__ import annotations

import io
import sys
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from cyclopts import App, Parameter

from hinterland.cli.console import check_whole_number, make_table, plain, print_json, print_table, say, write
from hinterland.cli.contests.plan_options import PlanOptions, make_plan
from hinterland.cli.options import RuleOptions
from hinterland.errors import BadText, quote

MAX_JOBS = 1024
FILE_ENDINGS = (".csv", ".json", ".parquet", ".txt")

contest = App(
    name="contest",
    help="""Play a contest: many matches between many players, kept in a folder.

    `hinterland contest gravity reply random hug` plays one at once; `contest new` writes a plan that you can edit
    first. A player is a built-in one, a program (`./mybot.py`, `cmd:./mybot`, `hps:./mybot`), or `connect`, a bot that
    connects with a token; `NAME=PLAYER` gives it a name. After Ctrl-C, `contest run` goes on, with unfinished matches
    anew.""",
)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How a contest is played.

    Parameters
    ----------
    jobs
        Matches to play at a time, each on processors of its own.
    cluster
        The address of a Dask scheduler, to play there instead.
    crowded
        Let players that look at a clock share processors, which disturbs them.
    absent
        What to do if programs do not start: `stop` before the first game, `skip` their matches until they start, or
        `forfeit` their games.
    watch
        Show the contest in a browser while it is played and afterwards, until Ctrl-C.
    watch_port
        The port of that page; 0 takes a free one.
    host
        The address to listen on for bots that connect; 0.0.0.0 lets other machines in.
    port
        The port for them; 0 takes a free one.
    protocol
        The protocol of these bots: `json`, or `hps`, the line protocol of the course, if the game has stones.
    """

    jobs: int = 1
    cluster: str | None = None
    crowded: bool = False
    absent: str = "stop"
    watch: bool = False
    watch_port: int = 0
    host: str = "127.0.0.1"
    port: int = 4000
    protocol: str = "json"


@contest.default
def play_at_once(
    game: str,
    /,
    *players: str,
    folder: Path | None = None,
    options: PlanOptions = PlanOptions(),
    running: RunOptions = RunOptions(),
    **rules: RuleOptions,
) -> int:
    """Make a contest in a fresh folder, play it and print the standings.

    Parameters
    ----------
    game
        The game's name.
    players
        Two or more players.
    folder
        The folder to make. Default: a fresh folder here.
    """
    made = _choose_folder(game) if folder is None else folder
    new(made, game, *players, options=options, **rules)
    return run(made, running=running)


@contest.command
def new(
    folder: Path, game: str, /, *players: str, options: PlanOptions = PlanOptions(), **rules: RuleOptions
) -> int:
    """Write FOLDER/plan.toml, which you can edit before it is run.

    Parameters
    ----------
    folder
        The folder; made if it does not exist.
    game
        The game's name.
    players
        Two or more players, the best first if the format seeds them.
    """
    from hinterland.contest import folder as folders  # noqa: PLC0415
    from hinterland.contest import schedule  # noqa: PLC0415
    from hinterland.contest.plan import make_format  # noqa: PLC0415

    plan, tokens = make_plan(game, players, options, rules)
    schedule.check(plan, make_format(plan).tables(()) or (), say)
    folders.create(folder, plan, tokens)
    say(f"{folder / 'plan.toml'} is written; `hinterland contest run {folder}` plays it")
    for name, token in tokens.items():
        say(f"the token of {name}: {token}")
    return 0


@contest.command
def run(folder: Path, /, *, running: RunOptions = RunOptions()) -> int:
    """Play the missing games of a contest, and print the standings.

    Parameters
    ----------
    folder
        The contest's folder.
    """
    from hinterland.cli.contests import show  # noqa: PLC0415
    from hinterland.cli.contests.watch_contest import serve_pages  # noqa: PLC0415
    from hinterland.cli.terminal import ConnectionNotes  # noqa: PLC0415
    from hinterland.contest import engine, starts  # noqa: PLC0415
    from hinterland.contest.connecting.network import Entrance, open_to_bots  # noqa: PLC0415
    from hinterland.contest.versions import note_versions  # noqa: PLC0415

    jobs, cluster = running.jobs, running.cluster
    check_whole_number("jobs", jobs, 1, MAX_JOBS)
    entrance = Entrance(host=running.host, port=running.port, protocol=running.protocol)
    note_versions(folder, say)
    with serve_pages(folder, running.watch_port) if running.watch else nullcontext() as pages:
        with show.open_live_contest(folder) as live:
            crowded = running.crowded or cluster is not None
            engine.check(live.contest, jobs=jobs, crowded=crowded, needs_programs=cluster is not None, note=say)
            live.get_ready()
            if cluster is None:
                starts.settle_absent(live.contest, running.absent, jobs, say)
            with open_to_bots(live.contest, entrance, jobs=jobs, observer=ConnectionNotes(), tell=say) as network:
                stopped = live.play(jobs, cluster, network)
        show.print_standings(live.contest, live.standings)
        if live.contest.was_edited():
            say(f"{folder / 'plan.toml'} was edited while the contest ran; put it back, or nothing can be added to it")
        if stopped is not None:
            raise stopped
        if waiting := live.contest.waits_for:
            say(f"the matches of {', '.join(sorted(waiting))} wait: mend them, and run the contest again")
        if pages is not None:
            pages.stay()
    return 0


@contest.command
def status(
    folder: Path, /, *, by_board: bool = False, json: bool = False
) -> int:
    """Print the progress and the standings of a contest.

    Parameters
    ----------
    folder
        The contest's folder.
    by_board
        Print separate standings for each kind of board, if the plan varies the rules.
    json
        Print one JSON object.
    """
    from hinterland.cli.contests import show  # noqa: PLC0415

    if by_board:
        if json:
            raise BadText("--by-board prints tables; `hinterland contest export … X.json --by-board` is for programs")
        read, boards = show.read_by_board(folder)
        sys.stdout.write(plain(show.describe_progress(read)) + "\n")
        for words, part in boards.parts:
            sys.stdout.write(f"\n{plain(words)}\n")
            print_table(show.make_standings_table(read, part))
        return 0
    found, standings = show.read_contest(folder)
    if json:
        print_json(show.encode_status(found, standings))
        return 0
    sys.stdout.write(plain(show.describe_progress(found)) + "\n")
    show.print_standings(found, standings)
    return 0


@contest.command
def add(folder: Path, player: str, /) -> int:
    """Add a player to a contest, if its format allows that; `contest run` then plays the new games.

    Parameters
    ----------
    folder
        The contest's folder.
    player
        The player, as in `contest new`.
    """
    from hinterland.contest.folder import add_player  # noqa: PLC0415

    token = add_player(folder, player)
    say(f"{player} is added; `hinterland contest run {folder}` plays its matches")
    if token is not None:
        say(f"its token: {token}")
    return 0




@contest.command
def versions(folder: Path, /) -> int:
    """List the versions of each program in a contest, and what each has played.

    Parameters
    ----------
    folder
        The contest's folder.
    """
    from hinterland.contest.folder import ContestFolder  # noqa: PLC0415
    from hinterland.contest.versions import count_by_version, read_lines, shorten_version  # noqa: PLC0415

    listed = make_table("player", "version", "", "games", "won", "shared", "lost")
    for row in count_by_version(read_lines(folder), ContestFolder(folder).list_records()):
        counts = map(str, (row.games, row.won, row.shared, row.lost))
        listed.add_row(plain(row.player), shorten_version(row.version), "present" if row.is_present else "", *counts)
    print_table(listed)
    return 0


@contest.command
def commit(folder: Path, /) -> int:
    """Replace the seed of a contest by a hidden one, and print the SHA-256 of it.

    Nobody can foretell the boards of the contest. After the last game `contest reveal` shows the seed, and everybody
    can check that it was drawn before the first.

    Parameters
    ----------
    folder
        The contest's folder.
    """
    from hinterland.contest.folder import ContestFolder  # noqa: PLC0415

    with ContestFolder.locked(folder) as found:
        sys.stdout.write(f"{found.hide_seed()}\n")
    say("this is the SHA-256 of the hidden seed: publish it before the first game")
    return 0


@contest.command
def reveal(folder: Path, /) -> int:
    """Print the hidden seed of a contest that is over, and write it into its plan.

    Parameters
    ----------
    folder
        The contest's folder.
    """
    from hinterland.contest.folder import ContestFolder  # noqa: PLC0415

    with ContestFolder.locked(folder) as found:
        secret = found.reveal_seed()
    sys.stdout.write(f"{secret}\n")
    say(f"its SHA-256 is the one printed by `contest commit`: printf {secret} | sha256sum")
    return 0


def _choose_folder(game: str) -> Path:
    for number in range(1, 10_000):
        folder = Path(f"{game}-contest-{number}")
        if not folder.exists():
            return folder
    raise BadText(f"there are 9999 folders called {quote(game)}-contest-… here; name another with --folder")


@contest.command
def report(folder: Path, out: Path | None = None, /) -> int:
    """Write a contest as one self-contained HTML file: standings, strengths, pairings, warnings.

    Parameters
    ----------
    folder
        The contest's folder.
    out
        The file. Default: FOLDER/report.html.
    """
    from hinterland.contest.report.contest_sums import FollowedContest  # noqa: PLC0415
    from hinterland.contest.report.fault_details import read_faults  # noqa: PLC0415
    from hinterland.contest.report.report_page import render  # noqa: PLC0415

    file = folder / "report.html" if out is None else out
    followed = FollowedContest(folder)
    view = followed.view()
    write(file, render(view, read_faults(followed.contest, view)))
    say(f"{file} is written; open it in a browser")
    return 0


@contest.command
def export(
    folder: Path,
    file: Path,
    /,
    *,
    games: bool = False,
    by_board: bool = False,
) -> int:
    """Write the standings of a contest, or its games, to a file for other tools.

    Parameters
    ----------
    folder
        The contest's folder.
    file
        The new file. Its ending chooses the format: .csv, .json, .parquet (which needs
        `pip install 'hinterland[data]'`), or .txt, as in the terminal.
    games
        Write a row for each game instead: its place, players, scores, winners, reason of the end, and times.
    by_board
        Write separate standings for each kind of board, if the plan varies the rules.
    """
    from hinterland.contest.report import export_rows  # noqa: PLC0415
    from hinterland.contest.report.contest_sums import FollowedContest  # noqa: PLC0415
    from hinterland.storage.tables.table_files import encode_rows  # noqa: PLC0415

    form = file.suffix.lower()
    if form not in FILE_ENDINGS:
        raise BadText(f"{file} should end in one of {', '.join(FILE_ENDINGS)}")
    if games and by_board:
        raise BadText("--games has a row for each game and --by-board one for each player and board; choose one")
    if form == ".txt":
        if games or by_board:
            option = "--games" if games else "--by-board"
            raise BadText(f"{option} is written as .csv, .json or .parquet, not as .txt")
        write(file, _format_standings(folder))
        return 0
    if games:
        write(file, encode_rows(form, export_rows.game_rows(folder), export_rows.GameOfContest))
    elif by_board:
        write(file, encode_rows(form, export_rows.board_rows(folder), export_rows.EntrantOnBoard))
    else:
        rows = export_rows.standing_rows(FollowedContest(folder).view())
        write(file, encode_rows(form, rows, export_rows.RankedEntrant))
    return 0


def _format_standings(folder: Path) -> str:
    """Return the standings as text, as the terminal shows them."""
    from rich.console import Console  # noqa: PLC0415

    from hinterland.cli.contests import show  # noqa: PLC0415

    contest, standings = show.read_contest(folder)
    text = io.StringIO()
    Console(file=text, width=200, highlight=False, markup=False).print(show.make_standings_table(contest, standings))
    lines = [
        show.describe_progress(contest),
        *text.getvalue().rstrip().splitlines(),
        "",
        *show.list_remarks(contest, standings),
    ]
    return "".join(f"{plain(line).rstrip()}\n" for line in lines)
