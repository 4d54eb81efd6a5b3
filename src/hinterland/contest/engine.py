"""Plays the missing games of a contest in this process, in several processes, or on a cluster."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from hinterland.contest import matches, plan_file, schedule, workers
from hinterland.contest.connecting.network import Entrance, open_to_bots
from hinterland.contest.folder import ContestFolder, create
from hinterland.contest.plan import CONNECT
from hinterland.contest.runner import run_in_any_order
from hinterland.contest.versions import note_versions
from hinterland.contract import silent
from hinterland.errors import ArenaError, BadText, HinterlandError, RecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor
    from contextlib import AbstractContextManager

    from hinterland.contest.connecting.network import Network
    from hinterland.contest.folder import UnsavedContest
    from hinterland.contest.plan import Plan
    from hinterland.contest.played import FinishedMatch, Played
    from hinterland.contest.schedule import Task
    from hinterland.referee.record import Record

DEFAULT_TASKS_IN_FLIGHT = 64
"""Greatest number of unfinished tasks that an executor has at a time, if its number of workers is unknown."""


def run(
    plan: Plan,
    folder: Path,
    *,
    executor: Executor | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    crowded: bool = False,
    hear: Callable[[FinishedMatch], None] = lambda _: None,
    entrance: Entrance | None = None,
) -> Played:
    """Play a contest's missing games, and return what has been played; the folder is created if it is missing.

    ``executor`` plays the matches. If it is None, the matches are played by the Dask cluster at the address
    ``cluster``, or else by ``jobs`` processes of this machine. ``crowded``: allow more jobs than processors even if
    players watch a clock. ``hear`` is called with each finished match. ``entrance``: where bots connect; None: at the
    default port. Raises HinterlandError.
    """
    if not (folder / "plan.toml").exists():
        create(folder, plan, {})
    note_versions(folder)
    with ContestFolder.locked(folder, hear) as contest:
        if contest.plan != plan:
            raise BadText(f"{folder} holds another plan; choose another folder")
        check(contest, jobs=jobs, crowded=crowded or executor is not None or cluster is not None)
        with open_to_bots(contest, entrance or Entrance(), jobs=jobs) as network:
            at_work: AbstractContextManager[tuple[Executor, int]] = (
                workers.open_executor(jobs, cluster, apart=network is not None)
                if executor is None
                else nullcontext((executor, DEFAULT_TASKS_IN_FLIGHT))
            )
            with at_work as (found, ahead):
                for _ in play(contest, found, ahead, network=network):
                    pass
        return contest.played


def check(
    contest: ContestFolder | UnsavedContest,
    *,
    jobs: int = 1,
    crowded: bool = False,
    needs_programs: bool = True,
    note: Callable[[str], None] = silent,
) -> None:
    """Raise HinterlandError if a program or board is missing, or if jobs would disturb players that watch a clock.

    ``crowded``: allow more ``jobs`` than processors. ``needs_programs``: whether a missing program is an error.
    ``note`` is called with messages for people. Some checks compile kernels.
    """
    plan, cores = contest.plan, len(workers.list_processors()) or jobs
    _find_paths(contest, note, needs_programs=needs_programs)
    timed = plan.timed
    if timed and jobs > cores and not crowded:
        names = ", ".join(timed[:3]) + (" …" if len(timed) > 3 else "")
        raise BadText(
            f"{jobs} jobs on {cores} processors would disturb players that look at a clock ({names});"
            f" take at most {cores} jobs, or say --crowded"
        )


def _find_paths(
    contest: ContestFolder | UnsavedContest, note: Callable[[str], None], *, needs_programs: bool
) -> None:
    """Find the folder at which a plan's relative paths begin. Raises HinterlandError for a missing program or board.

    If a plan has no line ``folder``, its paths begin at the plan's own folder. If a program or board is missing
    there, paths begin at the current folder, as in old plans. ``needs_programs`` is that of ``check``.
    """
    named = plan_file.find_paths_folder(contest.folder) if isinstance(contest, ContestFolder) else Path()
    places = (contest.paths, Path.cwd()) if named is None else (named,)
    missing: list[HinterlandError] = []
    for place in places:
        try:
            contest.plan.check_programs(place)
            schedule.check(contest.plan, contest.played.tasks.tables, folder=str(place))
        except HinterlandError as error:
            missing.append(error)
        else:
            contest.paths = place
            if missing:
                note(f"paths count from the current folder, since {plan_file.PLAN_FILE} has no line `folder = …`")
            return
    if needs_programs:
        raise missing[0]
    contest.paths = places[0]
    try:
        schedule.check(contest.plan, contest.played.tasks.tables, folder=str(contest.paths))
    except HinterlandError:
        raise missing[0] from None


def play(
    contest: ContestFolder | UnsavedContest,
    executor: Executor,
    ahead: int,
    work: Callable[[Task], list[Record]] = matches.play_task,
    network: Network | None = None,
) -> Iterator[list[Record]]:
    """Play the missing games round by round; yield their records as they finish.

    When the iterator ends, all records are on the disk.

    ``ahead``: greatest number of unfinished tasks that the executor has. ``network`` plays the matches of bots that
    connect. Matches of players in ``contest.waits_for`` are not played. A caller that stops early must suspend the
    network and call ``contest.flush()``. Raises HinterlandError.
    """
    if network is None and not contest.played.is_over:
        _refuse_connecting(contest.plan)
    contest.played.changed.clear()  # what was read of earlier versions is no news
    while not contest.played.is_over:
        number = len(contest.played.rounds)
        here = (task for task in _missing(contest) if not task.needs_network)
        there = () if network is None else network.play(_missing(contest))
        for found in run_in_any_order(work, here, executor, ahead, there):
            records = [record for played in found for record in played]
            contest.keep(records)
            yield records
        if not contest.played.is_over and len(contest.played.rounds) == number:
            if contest.played.changed:
                raise ArenaError(
                    f"changed while the contest ran: {', '.join(sorted(contest.played.changed))}; the games since then"
                    " are kept apart; run the contest again to play with the new version"
                )
            if contest.waits_for:
                break
            raise RecordError(f"round {number + 1} lacks games although all were played: they do not fit the plan")
    contest.flush()


def _missing(contest: ContestFolder | UnsavedContest) -> Iterator[Task]:
    """Yield the current round's unfinished matches, each with the folders of its players' paths and of its logs."""
    folder, logs = str(contest.paths), "" if contest.logs is None else str(contest.logs)
    return (
        msgspec.structs.replace(
            task, folder=folder, logs=logs, versions=tuple(contest.versions.get(name, "") for name in task.names)
        )
        for task in contest.played.missing()
        if contest.waits_for.isdisjoint(task.names)
    )


def _refuse_connecting(plan: Plan) -> None:
    """Raise BadText if a player connects over the network."""
    for player in plan.players:
        if player.spec == CONNECT:
            raise BadText(f"{player.name} connects over the network; `hinterland contest` plays with such players")
