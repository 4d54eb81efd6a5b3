"""``hinterland experiment``: repeats a published experiment, and prints its tables beside ours."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from hinterland.cli.console import check_whole_number, make_table, print_table, write
from hinterland.cli.options import RecordOut
from hinterland.contest.wording import format_interval, format_percent
from hinterland.errors import BadText, UnknownName

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.contest.plan import Plan
    from hinterland.contest.played import FinishedMatch
    from hinterland.graph.published_experiment import PublishedRow, RowResult

EXPERIMENTS = ("voronoi-on-graphs",)
MAX_GAMES, MAX_JOBS = 100_000, 256


def experiment(
    name: str,
    /,
    *,
    games: int = 0,
    jobs: int = 0,
    seed: int = 0,
    without: tuple[str, ...] = (),
    strong: bool = False,
    record: RecordOut = None,
    csv: Path | None = None,
    plot: Path | None = None,
) -> int:
    """Repeat a published experiment, and print its tables beside ours with 95 % intervals.

    Parameters
    ----------
    name
        The experiment: voronoi-on-graphs.
    games
        Games of each pairing, an even number, since both players start equally often; 0: as many as in the paper.
    jobs
        Processes to play on; 0: one for each processor.
    seed
        The same seed draws the same graphs.
    without
        Leave out the rows of this player; may be repeated.
    strong
        Add rows for our strongest player, which takes much longer.
    csv
        Write the figures to this file as well.
    plot
        Draw the figures into this SVG file as well.
    """
    if name not in EXPERIMENTS:
        raise UnknownName("experiment", name, EXPERIMENTS)
    check_whole_number("games", games, 0, MAX_GAMES)
    check_whole_number("jobs", jobs, 0, MAX_JOBS)
    check_whole_number("seed", seed, 0, 2**63 - 1)
    from hinterland import jit  # noqa: PLC0415
    from hinterland.cli.contests.show import play_plans  # noqa: PLC0415
    from hinterland.graph import published_experiment as published  # noqa: PLC0415
    from hinterland.storage.records import RecordFile  # noqa: PLC0415

    rows = _choose_rows(published.PAPER_ROWS + (published.OUR_ROWS if strong else ()), without)
    for path in (csv, plot):
        write(path, "", mode="a")
    sums = [RowSums(row) for row in rows]
    plans = [(make_plan(row, games, seed), one.add) for row, one in zip(rows, sums, strict=True)]
    with nullcontext() if record is None else RecordFile(record) as file:
        stopped = play_plans(plans, jobs or jit.cores(), file)
    if stopped is not None:
        raise stopped
    results = [one.result for one in sums]
    sys.stdout.write(f"the paper: {published.SOURCE}\n{published.MISSING}\n")
    sys.stdout.write(f"100 vertices, density 0.1, 10 tokens each, every graph from both seats; seed {seed}\n")
    _print(results)
    write(csv, published.to_csv(results))
    write(plot, published.plot(results))
    return 0


def make_plan(row: PublishedRow, games: int, seed: int) -> Plan:
    """Make a plan for a row of the paper's table. Each match has a graph of its own, on which each player starts once.

    ``games``: number of games, rounded up to whole matches; 0: as many as in the paper.
    """
    from hinterland.contest.plan import Entrant, Plan  # noqa: PLC0415
    from hinterland.graph import published_experiment as published  # noqa: PLC0415
    from hinterland.referee.clock import TimeControl  # noqa: PLC0415

    opponent = row.opponent if row.opponent != row.player else f"{row.opponent}#2"
    return Plan(
        game="graph",
        players=(Entrant(row.player, row.player), Entrant(opponent, row.opponent)),
        pairings=((games or row.games) + 1) // 2,
        rules=dict(published.BOARD),
        boards=True,
        clock=TimeControl(budget_ms=None, move_ms=row.move_ms),
        seed=seed,
    )


class RowSums:
    """The results of a row so far. As in the paper games are counted, not matches."""

    def __init__(self, row: PublishedRow) -> None:
        self._row = row
        self._wins = self._ties = self._games = self._left = 0

    def add(self, match: FinishedMatch) -> str:
        """Count the games of a match; return the results of the row so far in a few words."""
        for record in match.records:
            seat = record.players.index(match.task.names[0])
            self._games += 1
            self._wins += record.winners == (seat,)
            self._ties += len(record.winners) == 2
            self._left += len(record.departures)
        return f"{self._row.name}: won {self._wins} of {self._games}"

    @property
    def result(self) -> RowResult:
        """The results of the row, together with the paper's row."""
        from hinterland.graph.published_experiment import RowResult  # noqa: PLC0415

        return RowResult(self._row, self._wins, self._ties, self._games, self._left)


def _choose_rows(rows: Sequence[PublishedRow], without: Sequence[str]) -> list[PublishedRow]:
    for player in without:
        if player not in {row.player for row in rows}:
            raise UnknownName("player of the experiment", player, dict.fromkeys(row.player for row in rows))
    kept = [row for row in rows if row.player not in without]
    if not kept:
        raise BadText("no row is left to play; leave --without out, or name fewer players")
    return kept


def _print(results: Sequence[RowResult]) -> None:
    for name in dict.fromkeys(result.row.table for result in results):
        listed = make_table(
            "pairing", "games", "wins", "losses", "ties", "ours", "95 %", "the paper", "95 % ", "difference", "agree"
        )
        for result in (result for result in results if result.row.table == name):
            listed.add_row(
                result.row.name,
                f"{result.games:,}",
                f"{result.wins:,}",
                f"{result.losses:,}",
                f"{result.ties:,}",
                format_percent(result.share),
                format_interval(result.interval),
                format_percent(result.row.share),
                format_interval(result.published),
                format_interval(result.difference),
                {True: "yes", False: "no", None: "-"}[result.agrees],
            )
        sys.stdout.write(f"\n{name}\n")
        print_table(listed)
    if late := sum(result.late for result in results):
        sys.stdout.write(f"{late} games ended because a player was late, failed or broke a rule\n")
