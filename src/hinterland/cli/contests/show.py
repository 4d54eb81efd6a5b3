"""How a contest looks in a terminal: a bar with the time left while it is played, standings, why games were lost."""

from __future__ import annotations

import sys
from contextlib import contextmanager, suppress
from threading import Lock
from typing import TYPE_CHECKING, Any

from hinterland.cli.console import plain, print_table, progress, say, table
from hinterland.contest import engine, matches, plan_file, workers
from hinterland.contest.folder import ContestFolder
from hinterland.contest.report.sprt_verdict import sprt_verdict
from hinterland.contest.series.table_words import percent
from hinterland.contest.standings import Standings, StandingsByBoard
from hinterland.errors import HinterlandError
from hinterland.host.readiness import quit_at_once_on_signals

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rich.progress import Progress, TaskID
    from rich.table import Table

    from hinterland.contest.connecting.network import Network
    from hinterland.contest.plan import Plan
    from hinterland.contest.played import FinishedMatch
    from hinterland.contest.standings import StandingsRow

LEADERS = 3
"""So many are named beside the bar."""


class LiveContest:
    """A contest that is being played while people look on."""

    def __init__(self, plan: Plan, bars: Progress, bar: TaskID) -> None:
        self.contest: ContestFolder
        self.standings = Standings(plan)
        self._bars, self._bar = bars, bar
        self._is_open, self._lock = False, Lock()

    def hear(self, match: FinishedMatch) -> None:
        """Count a match, on whatever thread."""
        with self._lock:
            self.standings.add(match)
            if self._is_open:
                self._show()

    def opened(self, contest: ContestFolder) -> None:
        """Begin to show it."""
        self.contest = contest
        for line in contest.broken:
            say(line)
        self._is_open = True
        self._show()

    def get_ready(self) -> None:
        """Load the kernels before anybody waits for them."""
        with quit_at_once_on_signals():
            matches.warm_up_contest(self.contest)

    def play(self, jobs: int, cluster: str | None, network: Network | None) -> BaseException | None:
        """Play what is missing; return what cut it short, if anything did."""
        try:
            with workers.hired(jobs, cluster, apart=network is not None) as (executor, ahead):
                for _ in engine.play(self.contest, executor, ahead, network=network):
                    pass
        except (KeyboardInterrupt, HinterlandError) as stopped:
            return stopped
        finally:
            with suppress(HinterlandError):
                if network is not None:
                    network.suspend()
                self.contest.flush()
        return None

    def _show(self) -> None:
        played = self.contest.played
        done = len(played.tasks) - played.left
        leaders = self.standings.ranked(played.rounds)[:LEADERS]
        words = " · ".join(f"{one.name} {one.points:g}" for one in leaders)
        self._bars.update(
            self._bar, description=plain(f"round {len(played.rounds) + 1}: {words}"), completed=done,
            total=len(played.tasks),
        )  # fmt: skip


@contextmanager
def following(folder: Path) -> Iterator[LiveContest]:
    """Open a contest to be played, and show it until it is."""
    with progress() as bars:
        live = LiveContest(plan_file.read(folder)[0], bars, bars.add_task("reading what has been played", total=None))
        with ContestFolder.locked(folder, live.hear) as contest:
            live.opened(contest)
            yield live


def looked_at(folder: Path) -> tuple[ContestFolder, Standings]:
    """Read a contest without touching it."""
    standings = Standings(plan_file.read(folder)[0])
    return ContestFolder(folder, standings.add), standings


def read_by_board(folder: Path) -> tuple[ContestFolder, StandingsByBoard]:
    """Read a contest without touching it, and count each kind of board apart."""
    standings = StandingsByBoard(plan_file.read(folder)[0])
    return ContestFolder(folder, standings.add), standings


def progress_line(contest: ContestFolder) -> str:
    """Say how far a contest is."""
    played, plan = contest.played, contest.plan
    what = f"{plan.game}, {plan.format}, {len(plan.players)} players · {played.games} games played"
    if played.is_over:
        return f"{what} · over"
    done = len(played.tasks) - played.left
    return f"{what} · round {len(played.rounds) + 1}: {done} of {len(played.tasks)} matches"


def print_standings(contest: ContestFolder, standings: Standings) -> None:
    """Print who stands where, and what else there is to know."""
    print_table(standings_table(contest, standings))
    for line in remarks(contest, standings):
        sys.stdout.write(plain(line) + "\n")


def standings_table(contest: ContestFolder, standings: Standings) -> Table:
    """Return who stands where."""
    listed = table("", "player", "matches", "won", "drawn", "lost", "points", "of", "share", numbers=True)
    for place, one in enumerate(standings.ranked(contest.played.rounds), start=1):
        counts = map(str, (one.matches, one.won, one.drawn, one.lost))
        listed.add_row(str(place), plain(one.name), *counts, f"{one.points:g}", str(one.of), percent(one.share))
    return listed


def remarks(contest: ContestFolder, standings: Standings) -> Iterator[str]:
    """Say what the table does not: who left games and why, and what of the records did not count."""
    for one in standings.players:
        if one.left:
            reasons = ", ".join(f"{count} by {reason}" for reason, count in sorted(one.left.items()))
            count = f"{sum(one.left.values())} of {one.games} games"
            yield f"{one.name} left {count}: {reasons}; the first: {one.first_left}"
    if any(one.credited for one in standings.players):
        yield "where everybody else left before anything was scored, who stayed is credited with the whole board"
    played = contest.played
    if (verdict := sprt_verdict(contest.plan, played.rounds)) is not None:
        yield f"sprt: {verdict.text}"
    yield from contest.broken
    if played.void:
        yield f"{len(played.void)} games were void, and played again; the first: {played.void[0].detail}"
    if played.doubled:
        yield f"{played.doubled} records are of games that stand there already; each game counts once"
    if played.strays:
        yield f"{played.strays} records are of games that the contest does not have; they do not count"


def status_json(contest: ContestFolder, standings: Standings) -> dict[str, Any]:
    """Return how a contest stands as JSON values."""
    played = contest.played
    return {
        "game": contest.plan.game,
        "format": contest.plan.format,
        "plan": contest.plan.hash,
        "over": played.is_over,
        "rounds": len(played.rounds),
        "games": played.games,
        "matches_left_in_round": played.left,
        "standings": [_told(one) for one in standings.ranked(played.rounds)],
        "remarks": list(remarks(contest, standings)),
    }


def _told(one: StandingsRow) -> dict[str, Any]:
    return {
        "name": one.name, "points": one.points, "of": one.of, "matches": one.matches, "byes": one.byes,
        "won": one.won, "drawn": one.drawn, "lost": one.lost, "share": one.share, "games": one.games,
        "left": dict(sorted(one.left.items())),
    }  # fmt: skip
