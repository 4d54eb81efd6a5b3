"""Plays series of matches with a progress bar, for the commands that need it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hinterland.cli.console import plain, progress
from hinterland.cli.terminal import Asides
from hinterland.contest import engine, matches, workers
from hinterland.contest.folder import UnsavedContest
from hinterland.errors import HinterlandError
from hinterland.host.readiness import quit_at_once_on_signals

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hinterland.contest.plan import Plan
    from hinterland.contest.played import FinishedMatch
    from hinterland.storage.records import RecordFile


def play_plans(
    plans: Sequence[tuple[Plan, Callable[[FinishedMatch], str]]], jobs: int, file: RecordFile | None = None
) -> BaseException | None:
    """Play plans of one game on several processes; return the exception that stopped them, if any.

    Each plan comes with a function that counts its matches and returns a short text for the bar.
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
