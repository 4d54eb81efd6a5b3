"""``hinterland arena-test``: how strong a player is, as a table of shares with intervals that anybody can repeat."""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from hinterland.cli.console import print_json, progress, quitting_at_once, write_text
from hinterland.errors import BadText, HinterlandError, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.cli.arena_figures import Outcome
    from hinterland.cli.arena_games import Plan
    from hinterland.contract import Game

__all__ = ["arena_test"]

INTERRUPTED = 130
MOST_PAIRINGS, MOST_JITTER, MOST_JOBS = 100_000, 1_000, 256


def arena_test(
    game: str,
    player: str,
    /,
    *,
    against: Annotated[tuple[str, ...], Parameter(negative="")] = (),
    with_: Annotated[tuple[str, ...], Parameter(name="--with", negative="")] = (),
    vary: Annotated[tuple[str, ...], Parameter(negative="")] = (),
    pairings: int = 20,
    jitter: int | None = None,
    clock: float = 120.0,
    seed: int = 0,
    jobs: int = 1,
    record: Path | None = None,
    csv: Path | None = None,
    sandbox: Annotated[bool, Parameter(negative="")] = False,
    json: Annotated[bool, Parameter(negative="")] = False,
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
    json
        Print one JSON object.
    """
    from hinterland import catalog  # noqa: PLC0415
    from hinterland.cli import arena_games, arena_table  # noqa: PLC0415
    from hinterland.referee import record as records  # noqa: PLC0415
    from hinterland.referee.clock import TimeControl  # noqa: PLC0415

    _check("pairings", pairings, 1, MOST_PAIRINGS)
    _check("jitter", 0 if jitter is None else jitter, 0, MOST_JITTER)
    _check("seed", seed, 0, 2**63 - 1)
    _check("jobs", jobs, 1, MOST_JOBS)
    found = catalog.game(game)
    tables = _tables(found, player, against, with_, sandbox=sandbox)
    options = {name.replace("-", "_"): value for name, value in rules.items()}
    varied = _varied(vary, options)
    boards = all(arena_games.draws_boards(found, len(tables[0]), {**options, **one}) for one in varied)
    plan = arena_games.Plan(
        game=found.name,
        rows=tuple(arena_games.Row(table, one) for table in tables for one in varied),
        options=options,
        pairings=pairings,
        jitter=int(pairings > 1 and not boards) if jitter is None else jitter,
        boards=boards,
        control=TimeControl.of_seconds(clock),
        seed=seed,
        sandbox=sandbox,
    )
    arena_games.check(plan)
    if record is not None:
        records.check_writable(record)
    write_text(csv, "", mode="a")
    outcomes, stopped = _play(plan, found, jobs, record)
    write_text(csv, arena_table.to_csv(plan, outcomes))
    if json:
        print_json(arena_table.told(plan, outcomes, record, interrupted=stopped is not None))
    else:
        arena_table.show(plan, outcomes, record)
    return _code(stopped)


def _check(option: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise BadText(f"--{option} is a whole number from {least} to {most}, not {value}")


def _tables(
    game: Game, player: str, against: Sequence[str], company: Sequence[str], *, sandbox: bool
) -> list[tuple[str, ...]]:
    """Return who sits at each table. Raises HinterlandError where somebody cannot, or nobody is met."""
    from hinterland.referee.shell import seats  # noqa: PLC0415

    if not against:
        known = ", ".join(game.players)
        raise BadText(f"name an opponent, such as --against random; players of {game.name}: {known}")
    for spec in (player, *against, *company):
        seats.check_spec(game, spec, sandbox=sandbox)
    return [(player, opponent, *company) for opponent in against]


def _code(stopped: BaseException | None) -> int:
    """Return the exit code; an error that cut the test short is raised now that its figures are out."""
    if isinstance(stopped, HinterlandError):
        raise stopped
    if stopped is not None:
        sys.stderr.write("hinterland: interrupted\n")
        return INTERRUPTED
    return 0


def _varied(vary: Sequence[str], options: dict[str, str]) -> list[dict[str, str]]:
    """Return the options of the rules in which rows differ, a dict a row. Raises BadText for what makes no sense."""
    columns: dict[str, list[str]] = {}
    for text in vary:
        typed, _, listed = text.partition("=")
        name = typed.strip().removeprefix("--").replace("-", "_")
        values = [value.strip() for value in listed.split(",")]
        if not name or not all(values):
            raise BadText(f"--vary is written option=value,value, such as stones=3,5, not {shown(text)}")
        if name in columns or name in options:
            raise BadText(f"{name} is given twice: give all its values in one --vary {name}=value,value")
        if len(set(values)) < len(values):
            raise BadText(f"--vary {shown(text)} names a value twice")
        columns[name] = values
    return [dict(zip(columns, values, strict=True)) for values in product(*columns.values())]


def _play(plan: Plan, game: Game, jobs: int, record: Path | None) -> tuple[list[list[Outcome]], BaseException | None]:
    """Play a plan; return what came of each row's matches, and what cut it short, if anything did."""
    from hinterland.cli import arena_games, arena_table  # noqa: PLC0415
    from hinterland.referee import record as records  # noqa: PLC0415

    outcomes: list[list[Outcome]] = [[] for _ in plan.rows]
    with progress() as bars:
        bar = bars.add_task("preparing kernels (the first time only)", total=None)
        with quitting_at_once():
            game.warm_up()
        bars.update(bar, description="playing", total=plan.pairings * len(plan.rows))
        playing = arena_games.play_all(plan, jobs)
        try:
            for played in playing:
                if record is not None:
                    for kept in played.records:
                        records.append(record, kept)
                outcomes[played.row].append(played.outcome)
                bars.update(bar, description=arena_table.standing(plan, played.row, outcomes), advance=1)
        except (KeyboardInterrupt, HinterlandError) as stopped:
            return outcomes, stopped
        finally:
            playing.close()
    return outcomes, None
