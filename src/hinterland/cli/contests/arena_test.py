"""``hinterland arena-test``: how strong a player is, as a table of shares with intervals that anybody can repeat."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from hinterland.cli.console import plain, print_json, print_table, say, table, typed, whole, write
from hinterland.contest.series.table_words import between, percent
from hinterland.errors import BadText, quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hinterland.contest.plan import Plan
    from hinterland.contest.series.table import Table
    from hinterland.contract import Game

MOST_PAIRINGS, MOST_JITTER, MOST_JOBS = 100_000, 1_000, 256


def arena_test(
    game: str,
    player: str,
    /,
    *,
    against: tuple[str, ...] = (),
    with_: Annotated[tuple[str, ...], Parameter(name="--with")] = (),
    vary: tuple[str, ...] = (),
    pairings: int = 20,
    jitter: int | None = None,
    clock: float = 120.0,
    seed: int = 0,
    jobs: int = 1,
    record: Path | None = None,
    csv: Path | None = None,
    sandbox: bool = False,
    memory: int | None = None,
    json: bool = False,
    **rules: Annotated[
        str, Parameter(help="Rules of the game, such as --size 500 --stones 5; `hinterland games` lists them.")
    ],
) -> int:
    """Test how strong a player is: a table of its matches against others, with 95 % intervals.

    A pairing is a match from one opening or on one board: a game a player, seats rotated so that each starts once,
    scores added. The same seed plays the same pairings; players that look at a clock may still play them otherwise.
    Ctrl-C prints what was played so far.

    Parameters
    ----------
    game
        The game's name.
    player
        The player to test, such as `reply` or `search:seconds=2`; `cmd:./mybot` and `hps:./mybot` are programs,
        as in a match.
    against
        Whom it meets; give it once for each opponent, each gets rows of its own.
    with_
        Who else sits at every table, for games of three or more; may be given more than once.
    vary
        An option of the rules and the values to go through, such as `stones=3,5,10`: a row each; may be given again
        with another option.
    pairings
        Matches a row.
    jitter
        So many first moves of a pairing are drawn at random, the same in each of its games. Left out, it is 1, or 0 for
        a single pairing and where each pairing has another board (graph and dots without --board-seed).
    clock
        Seconds each player has for a whole game.
    seed
        The same seed draws the same boards and openings.
    jobs
        Matches to play at a time. Players that look at a clock disturb one another, the more so the fewer processors
        there are: leave it at 1 to measure those.
    record
        Append each game to this file, one line of JSON a game.
    csv
        Write the table to this file as well.
    sandbox
        Start programs in bubblewrap: no network, nothing of this machine but what they need to run.
    memory
        MiB of memory that each program may use, with all its processes. Default: half of this machine's,
        at most 8192.
    json
        Print one JSON object.
    """
    from hinterland import catalog  # noqa: PLC0415
    from hinterland.cli.contests.play_plan import play_plans  # noqa: PLC0415
    from hinterland.contest import plan as contest  # noqa: PLC0415
    from hinterland.contest import schedule  # noqa: PLC0415
    from hinterland.contest.series.table import Table  # noqa: PLC0415
    from hinterland.host.processes.process_limits import ProcessLimits  # noqa: PLC0415
    from hinterland.referee import match  # noqa: PLC0415
    from hinterland.referee.clock import TimeControl  # noqa: PLC0415
    from hinterland.storage.records import RecordFile  # noqa: PLC0415

    whole("pairings", pairings, 1, MOST_PAIRINGS)
    whole("jitter", jitter or 0, 0, MOST_JITTER)
    whole("seed", seed, 0, 2**63 - 1)
    whole("jobs", jobs, 1, MOST_JOBS)
    found = catalog.game(game)
    _check_players(found, (player, *against, *with_), against, sandbox=sandbox)
    options = typed(rules)
    varied = varied_rules(vary, options)
    others = tuple(range(len(against) + 1, len(against) + 1 + len(with_)))
    tables = tuple((0, opponent, *others) for opponent in range(1, len(against) + 1))
    plan = contest.Plan(
        game=found.name,
        players=tuple(map(contest.Entrant, match.distinct((player, *against, *with_)), (player, *against, *with_))),
        format="tables",
        options={"given": tables},
        pairings=pairings,
        rules=options,
        vary=varied,
        clock=TimeControl.of_seconds(clock),
        seed=seed,
        sandbox=sandbox,
        limits=ProcessLimits.of_memory(memory),
    )
    plan = contest.with_beginnings(plan, len(tables[0]), jitter)
    plan.check()
    plan.check_programs(Path())
    schedule.check(plan, tables, say)
    write(csv, "", mode="a")
    played = Table(plan, tables)
    with nullcontext() if record is None else RecordFile(record) as file:
        stopped = play_plans([(plan, played.add)], jobs, file)
    write(csv, played.to_csv())
    if json:
        print_json(played.to_json(record=None if record is None else str(record), interrupted=stopped is not None))
    else:
        _show(plan, played, record)
    if stopped is not None:
        raise stopped
    return 0


def _check_players(game: Game, players: Sequence[str], against: Sequence[str], *, sandbox: bool) -> None:
    """Raise HinterlandError where somebody cannot sit at a table, or nobody is met."""
    from hinterland.host.players import specs  # noqa: PLC0415

    if not against:
        known = ", ".join(game.players)
        raise BadText(f"name an opponent, such as --against random; players of {game.name}: {known}")
    for spec in players:
        specs.check_spec(game, spec, sandbox=sandbox)


def varied_rules(vary: Sequence[str], options: Mapping[str, object]) -> dict[str, tuple[object, ...]]:
    """Return options of the rules and the values they go through. Raises BadText for what makes no sense."""
    from hinterland.contract import read_value  # noqa: PLC0415

    columns: dict[str, tuple[object, ...]] = {}
    for text in vary:
        typed, _, listed = text.partition("=")
        name = typed.strip().removeprefix("--").replace("-", "_")
        values = [value.strip() for value in listed.split(",")]
        if not name or not all(values):
            raise BadText(f"--vary is written option=value,value, such as stones=3,5, not {quote(text)}")
        if name in columns or name in options:
            raise BadText(f"{name} is given twice: give all its values in one --vary {name}=value,value")
        if len(set(values)) < len(values):
            raise BadText(f"--vary {quote(text)} names a value twice")
        columns[name] = tuple(map(read_value, values))
    return columns


def _show(plan: Plan, played: Table, record: Path | None) -> None:
    """Print the table, narrow enough for a terminal, and under it what else there is to know."""
    rows = played.rows()
    player, *others = rows[0][0].players
    rules = " ".join([plan.game, *(f"{name}={plain(str(value))}" for name, value in plan.rules.items())])
    pairings = "1 pairing" if plan.pairings == 1 else f"{plan.pairings} pairings"
    clock = f"{(plan.clock.budget_ms or 0) / 1000:g} s each"
    headline = f"{player} at {rules} · {pairings} a row, {len(others) + 1} games each · {clock} · seed {plan.seed}"
    sys.stdout.write(plain(headline) + "\n")
    listed = table("against", *plan.vary, "won", "drawn", "lost", "won, 95 %", "share", "share, 95 %")
    for row, sums in rows:
        listed.add_row(
            plain(row.against),
            *(plain(str(value)) for value in row.varied.values()),
            *map(str, (sums.won, sums.drawn, sums.lost)),
            between(sums.won_interval, 0),
            percent(sums.share),
            between(sums.share_interval),
        )
    print_table(listed)
    for line in (*played.remarks(), *(() if record is None else [f"recorded in {record}"])):
        sys.stdout.write(plain(line) + "\n")
