"""Shows a contest or a series in a terminal: a progress bar, standings, and why players left games."""

from __future__ import annotations

import sys
from contextlib import contextmanager, suppress
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any

from hinterland.cli.console import make_table, plain, print_table, progress, say
from hinterland.cli.terminal import Asides
from hinterland.contest import engine, matches, plan_file, workers
from hinterland.contest.folder import ContestFolder, UnsavedContest
from hinterland.contest.report.sprt_verdict import make_sprt_verdict
from hinterland.contest.standings import Standings, StandingsByBoard
from hinterland.contest.wording import format_percent
from hinterland.errors import HinterlandError
from hinterland.host.readiness import quit_at_once_on_signals
from hinterland.storage import log_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from rich.progress import Progress, TaskID
    from rich.table import Table

    from hinterland.contest.connecting.network import Network
    from hinterland.contest.plan import Plan
    from hinterland.contest.played import FinishedMatch
    from hinterland.contest.standings import StandingsRow
    from hinterland.storage.records import RecordFile

SHOWN_LEADERS = 3
"""Number of leaders named beside the progress bar."""


class LiveContest:
    """A contest that is played, with a progress bar that names the leaders."""

    def __init__(self, plan: Plan, bars: Progress, bar: TaskID) -> None:
        self.contest: ContestFolder
        self.standings = Standings(plan)
        self._bars, self._bar = bars, bar
        self._is_open, self._lock = False, Lock()

    def count_match(self, match: FinishedMatch) -> None:
        """Count a finished match; may be called on any thread."""
        with self._lock:
            self.standings.add(match)
            if self._is_open:
                self._show()

    def show_contest(self, contest: ContestFolder) -> None:
        """Begin to show the contest."""
        self.contest = contest
        for line in contest.broken:
            say(line)
        self._is_open = True
        self._show()

    def get_ready(self) -> None:
        """Load the kernels before the first game."""
        with quit_at_once_on_signals():
            matches.warm_up_contest(self.contest)

    def play(self, jobs: int, cluster: str | None, network: Network | None) -> BaseException | None:
        """Play the missing games; return the exception that stopped the play, if any."""
        try:
            with workers.open_executor(jobs, cluster, apart=network is not None) as (executor, ahead):
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
        leaders = self.standings.rank_players(played.rounds)[:SHOWN_LEADERS]
        words = " · ".join(f"{one.name} {one.points:g}" for one in leaders)
        self._bars.update(
            self._bar, description=plain(f"round {len(played.rounds) + 1}: {words}"), completed=done,
            total=len(played.tasks),
        )  # fmt: skip


@contextmanager
def open_live_contest(folder: Path) -> Iterator[LiveContest]:
    """Open a contest to play it, and show its progress within the context."""
    with progress() as bars:
        live = LiveContest(plan_file.read(folder)[0], bars, bars.add_task("reading what has been played", total=None))
        with ContestFolder.locked(folder, live.count_match) as contest:
            live.show_contest(contest)
            yield live


def play_plans(
    plans: Sequence[tuple[Plan, Callable[[FinishedMatch], str]]], jobs: int, file: RecordFile | None = None
) -> BaseException | None:
    """Play plans of one game on several processes; return the exception that stopped the play, if any.

    The function beside a plan is called for each of the plan's finished matches: it counts the match, and returns a
    short text for the progress bar.
    """
    with progress() as bars:
        bar = bars.add_task("preparing kernels (the first time only)", total=None)

        def hear(count: Callable[[FinishedMatch], str], match: FinishedMatch) -> None:
            bars.update(bar, description=plain(count(match)), advance=1)

        contests = [UnsavedContest(plan, file, partial(hear, count)) for plan, count in plans]
        with quit_at_once_on_signals():
            matches.warm_up_contest(contests[0])
        bars.update(bar, description="playing", total=sum(len(contest.played.tasks) for contest in contests))
        work = partial(matches.play_task, observer=Asides(), watch=Asides().print_delay)
        try:
            with workers.open_executor(jobs) as (executor, ahead):
                for contest in contests:
                    for _ in engine.play(contest, executor, ahead, work):
                        pass
        except (KeyboardInterrupt, HinterlandError) as stopped:
            return stopped
    return None


def read_contest(folder: Path) -> tuple[ContestFolder, Standings]:
    """Read a contest without changing it."""
    standings = Standings(plan_file.read(folder)[0])
    return ContestFolder(folder, standings.add), standings


def read_by_board(folder: Path) -> tuple[ContestFolder, StandingsByBoard]:
    """Read a contest without changing it, and count each kind of board separately."""
    standings = StandingsByBoard(plan_file.read(folder)[0])
    return ContestFolder(folder, standings.add), standings


def describe_progress(contest: ContestFolder) -> str:
    """Describe the progress of a contest."""
    played, plan = contest.played, contest.plan
    what = f"{plan.game}, {plan.format}, {len(plan.players)} players · {played.games} games played"
    if played.is_over:
        return f"{what} · over"
    done = len(played.tasks) - played.left
    return f"{what} · round {len(played.rounds) + 1}: {done} of {len(played.tasks)} matches"


def print_standings(contest: ContestFolder, standings: Standings) -> None:
    """Print the standings, and the remarks below them."""
    print_table(make_standings_table(contest, standings))
    for line in list_remarks(contest, standings):
        sys.stdout.write(plain(line) + "\n")


def make_standings_table(contest: ContestFolder, standings: Standings) -> Table:
    """Return the standings as a table."""
    listed = make_table("", "player", "matches", "won", "drawn", "lost", "points", "of", "share", numbers=True)
    for place, one in enumerate(standings.rank_players(contest.played.rounds), start=1):
        counts = map(str, (one.matches, one.won, one.drawn, one.lost))
        listed.add_row(str(place), plain(one.name), *counts, f"{one.points:g}", str(one.of), format_percent(one.share))
    return listed


def list_remarks(contest: ContestFolder, standings: Standings) -> Iterator[str]:
    """Yield remarks on the standings: who left games and why, and which records did not count."""
    for one in standings.players:
        if one.left:
            reasons = ", ".join(f"{count} by {reason}" for reason, count in sorted(one.left.items()))
            count = f"{sum(one.left.values())} of {one.games} games"
            first = one.departures[0]
            log = contest.folder / log_folder.FOLDER / log_folder.log_name(first.address, first.reason)
            where = f"; its log: {log}" if log.is_file() else ""
            yield f"{one.name} left {count}: {reasons}; the first, game {first.address}: {first.words}{where}"
    if any(one.credited for one in standings.players):
        yield "if all others left before anybody scored, the remaining players are credited with the whole board"
    played = contest.played
    if (verdict := make_sprt_verdict(contest.plan, played.rounds)) is not None:
        yield f"sprt: {verdict.text}"
    yield from contest.broken
    if played.void:
        yield f"{len(played.void)} games were void, and played again; the first: {played.void[0].detail}"
    if played.doubled:
        yield f"{played.doubled} records are of games with an earlier record; each game counts once"
    if played.strays:
        yield f"{played.strays} records are of games that the contest does not have; they do not count"


def encode_status(contest: ContestFolder, standings: Standings) -> dict[str, Any]:
    """Return the state of a contest as JSON values."""
    played = contest.played
    return {
        "game": contest.plan.game,
        "format": contest.plan.format,
        "plan": contest.plan.hash,
        "over": played.is_over,
        "rounds": len(played.rounds),
        "games": played.games,
        "matches_left_in_round": played.left,
        "standings": [_encode_row(one) for one in standings.rank_players(played.rounds)],
        "remarks": list(list_remarks(contest, standings)),
    }


def _encode_row(one: StandingsRow) -> dict[str, Any]:
    return {
        "name": one.name, "points": one.points, "of": one.of, "matches": one.matches, "byes": one.byes,
        "won": one.won, "drawn": one.drawn, "lost": one.lost, "share": one.share, "games": one.games,
        "left": dict(sorted(one.left.items())),
    }  # fmt: skip
