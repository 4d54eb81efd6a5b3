"""``hinterland experiment``: a published experiment played again, its tables beside ours."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from hinterland.cli.console import print_table, progress, table, write_text
from hinterland.errors import BadText, UnknownName

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.graph.published_experiment import Result, Row

__all__ = ["experiment"]

EXPERIMENTS = ("voronoi-on-graphs",)
MOST_GAMES, MOST_JOBS = 100_000, 256


def experiment(
    name: str,
    /,
    *,
    games: int = 0,
    jobs: int = 0,
    seed: int = 0,
    without: Annotated[tuple[str, ...], Parameter(negative="")] = (),
    strong: Annotated[bool, Parameter(negative="")] = False,
    csv: Path | None = None,
    plot: Path | None = None,
) -> int:
    """Play a published experiment again, and print its tables beside ours with 95 % intervals.

    Parameters
    ----------
    name
        The experiment: voronoi-on-graphs.
    games
        Games a pairing, from both seats in turn; 0 for as many as the paper played.
    jobs
        Processes to play on; 0 for one a processor.
    seed
        The same seed draws the same graphs.
    without
        Leave out the rows of this player; may be given more than once.
    strong
        Add rows for the house's strongest player, which take their time.
    csv
        Write the figures to this file as well.
    plot
        Draw them into this SVG file as well.
    """
    if name not in EXPERIMENTS:
        raise UnknownName("experiment", name, EXPERIMENTS)
    _check("games", games, MOST_GAMES)
    _check("jobs", jobs, MOST_JOBS)
    _check("seed", seed, 2**63 - 1)
    from hinterland.graph import published_experiment as told  # noqa: PLC0415

    rows = _rows(told.PAPER + (told.OURS if strong else ()), without)
    for path in (csv, plot):
        write_text(path, "", mode="a")
    results = _play(rows, games, seed, jobs)
    sys.stdout.write(f"100 vertices, density 0.1, 10 tokens each, every graph from both seats; seed {seed}\n")
    _print(results)
    write_text(csv, told.to_csv(results))
    write_text(plot, told.plot(results))
    return 0


def _check(option: str, value: int, most: int) -> None:
    if not 0 <= value <= most:
        raise BadText(f"--{option} is a whole number from 0 to {most}, not {value}")


def _rows(rows: Sequence[Row], without: Sequence[str]) -> list[Row]:
    for player in without:
        if player not in {row.player for row in rows}:
            raise UnknownName("player of the experiment", player, dict.fromkeys(row.player for row in rows))
    kept = [row for row in rows if row.player not in without]
    if not kept:
        raise BadText("no row is left to play; leave --without out, or name fewer players")
    return kept


def _play(rows: Sequence[Row], games: int, seed: int, jobs: int) -> list[Result]:
    from hinterland import jit  # noqa: PLC0415
    from hinterland.cli import experiment_games  # noqa: PLC0415

    results: list[Result] = []
    with progress() as bars:
        bar = bars.add_task("preparing kernels (the first time only)", total=None)
        experiment_games.warm_up(rows)
        bars.update(bar, description="playing", total=sum(games or row.games for row in rows))
        for results in experiment_games.play(rows, games, seed, jobs or jit.cores()):
            bars.update(bar, completed=sum(result.games for result in results))
    return results


def _print(results: Sequence[Result]) -> None:
    for name in dict.fromkeys(result.row.table for result in results):
        listed = table("pairing", "games", "wins", "ties", "ours", "95 %", "the paper", "95 % ", "agree")
        for result in (result for result in results if result.row.table == name):
            published = result.published
            listed.add_row(
                result.row.name,
                f"{result.games:,}",
                f"{result.wins:,}",
                f"{result.ties:,}",
                f"{100 * result.share:.1f} %",
                _between(result.interval),
                "-" if result.row.share is None else f"{100 * result.row.share:.1f} %",
                "-" if published is None else _between(published),
                {True: "yes", False: "no", None: "-"}[result.agrees],
            )
        sys.stdout.write(f"\n{name}\n")
        print_table(listed)
    if late := sum(result.late for result in results):
        sys.stdout.write(f"{late} games ended because a player was late, failed or broke a rule\n")


def _between(bounds: tuple[float, float]) -> str:
    return f"{100 * bounds[0]:.1f} to {100 * bounds[1]:.1f}"
