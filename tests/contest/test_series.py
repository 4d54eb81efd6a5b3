"""A small contest on one process, on several, and on a Dask cluster: the same records."""

import logging
import multiprocessing
import os
import signal
import time

import msgspec
import pytest

from hinterland.contest import engine, workers
from hinterland.contest.folder import UnsavedContest
from hinterland.contest.plan import Entrant, Plan
from hinterland.contest.runner import run
from hinterland.errors import ArenaError
from hinterland.referee import record

pytestmark = pytest.mark.once

PLAN = Plan(
    game="dots",
    players=tuple(map(Entrant, ("ann", "bob", "cas"), ("random", "random", "closer"))),
    pairings=4,
    rules={"dots": 6},
    boards=True,
    seed=5,
)


def bare(game):
    """Return a record without the fields that differ between two runs."""
    return record.sealed(msgspec.structs.replace(game, times=record.Times(started="", ms=())))


def played(jobs, cluster=None, after_each=lambda: None):
    """Play the plan; return its games in the order of a single process, and the final state.

    ``after_each`` is called after each match.
    """
    found = []
    contest = UnsavedContest(PLAN, None, found.append)
    with workers.open_executor(jobs, cluster) as (executor, ahead):
        for _ in engine.play(contest, executor, ahead):
            after_each()
    matches = sorted(found, key=lambda match: match.task.place.task)
    return [bare(game) for match in matches for game in match.records], contest.played


@pytest.fixture(scope="module")
def alone():
    return played(1)


@pytest.fixture
def cluster():
    """A cluster for each test: after its workers were killed, a cluster may have fewer."""
    distributed, dask = pytest.importorskip("distributed"), pytest.importorskip("dask")
    # On a busy machine a worker needs longer to start again than Dask usually waits before it gives up the worker.
    patience = dask.config.set({"distributed.deploy.lost-worker-timeout": "10 minutes"})
    with patience, distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=logging.CRITICAL
    ) as found:
        yield found


def test_tables_take_turns_and_a_pairing_has_one_board(alone):
    games, state = alone
    assert state.is_over
    assert state.games == len(games) == 3 * 4 * 2
    assert [game.number for game in games] == [1, 2] * 12
    pairs = [frozenset(game.players) for game in games[::2]]
    assert pairs[:3] * 4 == pairs
    boards = [str(game.rules) for game in games]
    assert [len(set(boards[first : first + 6])) for first in range(0, 24, 6)] == [1] * 4
    assert len(set(boards)) == 4


def test_several_processes_play_what_one_plays(alone):
    games, state = played(3)
    assert (games, state.rounds) == (alone[0], alone[1].rounds)


@pytest.mark.thorough
def test_a_contest_goes_on_after_its_processes_were_killed_ten_times(alone):
    killed = []

    def kill_all():
        for process in multiprocessing.active_children():
            if process.pid not in killed:
                killed.append(process.pid)
                process.kill()

    games, state = played(2, after_each=kill_all)
    assert (games, state.rounds) == (alone[0], alone[1].rounds)
    assert len(killed) >= 10


@pytest.mark.thorough
def test_a_cluster_plays_what_one_process_plays(alone, cluster):
    games, state = played(1, cluster.scheduler_address)
    assert (games, state.rounds) == (alone[0], alone[1].rounds)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("times", [2, pytest.param(10, marks=pytest.mark.thorough)])
def test_a_contest_goes_on_after_the_workers_of_a_cluster_were_killed(alone, cluster, times):
    """Others play their matches, which count once. Both workers die after a match, whenever both are back."""
    killed = []

    def are_back(pids):
        return len(cluster.scheduler.workers) == 2 and not pids.intersection([None, *killed])

    def kill_both():
        if len(killed) == 2 * times:
            return
        while not are_back(pids := {one.pid for one in cluster.workers.values()}):
            time.sleep(0.05)
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)

    games, state = played(1, cluster.scheduler_address, kill_both)
    assert len(killed) == 2 * times
    assert (games, state.rounds) == (alone[0], alone[1].rounds)


@pytest.mark.thorough
def test_a_task_that_kills_every_worker_is_told_in_one_line(cluster):
    told = r"^the workers at 'tcp://[^\n]+' ended before their work: [^\n]+$"
    opening = workers.open_executor(1, cluster.scheduler_address)
    with pytest.raises(ArenaError, match=told), opening as (executor, ahead):
        list(run(gone, [1], executor, ahead))


def gone(_):
    os._exit(1)
