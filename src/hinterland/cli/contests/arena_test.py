"""``hinterland arena-test``: the strength of a player, as a repeatable table of shares with intervals."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from hinterland.cli.console import (
    check_whole_number,
    make_table,
    plain,
    print_json,
    print_table,
    read_typed_values,
    say,
    write,
)
from hinterland.cli.options import AsJson, Clock, RecordOut, RuleOptions, SandboxOptions
from hinterland.contest.wording import format_interval, format_percent
from hinterland.errors import BadText, quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hinterland.contest.plan import Plan
    from hinterland.contest.series import SeriesResults
    from hinterland.contract import Game

MAX_PAIRINGS, MAX_JITTER, MAX_JOBS = 100_000, 1_000, 256


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
    clock: Clock = 120.0,
    seed: int = 0,
    jobs: int = 1,
    record: RecordOut = None,
    csv: Path | None = None,
    programs: SandboxOptions = SandboxOptions(),
    json: AsJson = False,
    **rules: RuleOptions,
) -> int:
    """Test the strength of a player: a table of its matches against others, with 95 % intervals.

    A pairing is a match from one opening or on one board: each player starts one game, and the scores are added. The
    same seed plays the same pairings; players that look at a clock may still play them differently. Ctrl-C prints the
    results so far.

    Parameters
    ----------
    game
        The game's name.
    player
        The player to test, such as `reply` or `search:seconds=2`; `./mybot.py`, `cmd:./mybot` and `hps:./mybot`
        are programs, as in a match.
    against
        An opponent; may be repeated, and each has its own rows.
    with_
        A further player in every match, for games of three or more; may be repeated.
    vary
        An option of the rules and its values, such as `stones=3,5,10`: one row for each value; may be repeated with
        another option.
    pairings
        Number of matches for each row.
    jitter
        First moves of a pairing that are drawn at random, the same in each of its games. Default: 1, or 0 for a single
        pairing and if each pairing has another board (graph and dots without --board-seed).
    seed
        The same seed draws the same boards and openings.
    jobs
        Matches to play at a time. Players that look at a clock disturb one another if they share processors: to measure
        such players, leave it at 1.
    csv
        Write the table to this file as well.
    """
    from hinterland import catalog  # noqa: PLC0415
    from hinterland.cli.contests.show import play_plans  # noqa: PLC0415
    from hinterland.contest import plan as contest  # noqa: PLC0415
    from hinterland.contest import schedule  # noqa: PLC0415
    from hinterland.contest.series import SeriesResults  # noqa: PLC0415
    from hinterland.host.processes.process_limits import ProcessLimits  # noqa: PLC0415
    from hinterland.referee import match  # noqa: PLC0415
    from hinterland.referee.clock import TimeControl  # noqa: PLC0415
    from hinterland.storage.records import RecordFile  # noqa: PLC0415

    check_whole_number("pairings", pairings, 1, MAX_PAIRINGS)
    check_whole_number("jitter", jitter or 0, 0, MAX_JITTER)
    check_whole_number("seed", seed, 0, 2**63 - 1)
    check_whole_number("jobs", jobs, 1, MAX_JOBS)
    found = catalog.game(game)
    _check_players(found, (player, *against, *with_), against, sandbox=programs.sandbox)
    options = read_typed_values(rules)
    varied = read_varied_rules(vary, options)
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
        sandbox=programs.sandbox,
        limits=ProcessLimits.of_memory(programs.memory),
    )
    plan = contest.vary_beginnings(plan, len(tables[0]), jitter)
    plan.check()
    plan.check_programs(Path())
    schedule.check(plan, tables, say)
    write(csv, "", mode="a")
    played = SeriesResults(plan, tables)
    with nullcontext() if record is None else RecordFile(record) as file:
        stopped = play_plans([(plan, played.add)], jobs, file)
    write(csv, played.to_csv())
    if json:
        print_json(played.to_json(record=None if record is None else str(record), interrupted=stopped is not None))
    else:
        _print(plan, played, record)
    if stopped is not None:
        raise stopped
    return 0


def _check_players(game: Game, players: Sequence[str], against: Sequence[str], *, sandbox: bool) -> None:
    """Raise HinterlandError if a player is unknown, or no opponent is given."""
    from hinterland.host import specs  # noqa: PLC0415

    if not against:
        known = ", ".join(game.players)
        raise BadText(f"name an opponent, such as --against random; players of {game.name}: {known}")
    for spec in players:
        specs.check_spec(game, spec, sandbox=sandbox)


def read_varied_rules(vary: Sequence[str], options: Mapping[str, object]) -> dict[str, tuple[object, ...]]:
    """Return the options of the rules that ``--vary`` names, each with its values.

    Raises BadText for an invalid option.
    """
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


def _print(plan: Plan, played: SeriesResults, record: Path | None) -> None:
    """Print the table, narrow enough for a terminal, and below it remarks."""
    player, *others = played.rows[0].specs
    rules = " ".join([plan.game, *(f"{name}={plain(str(value))}" for name, value in plan.rules.items())])
    pairings = "1 pairing" if plan.pairings == 1 else f"{plan.pairings} pairings"
    clock = f"{(plan.clock.budget_ms or 0) / 1000:g} s each"
    headline = f"{player} at {rules} · {pairings} a row, {len(others) + 1} games each · {clock} · seed {plan.seed}"
    sys.stdout.write(plain(headline) + "\n")
    listed = make_table("against", *plan.vary, "won", "drawn", "lost", "won, 95 %", "share", "share, 95 %")
    for row in played.rows:
        listed.add_row(
            plain(row.against),
            *(plain(str(value)) for value in row.varied.values()),
            *map(str, (row.won, row.drawn, row.lost)),
            format_interval(row.won_interval, 0),
            format_percent(row.share),
            format_interval(row.share_interval),
        )
    print_table(listed)
    for line in (*played.remarks(), *(() if record is None else [f"recorded in {record}"])):
        sys.stdout.write(plain(line) + "\n")
