"""The games of an experiment, played on several processes: a graph at a time, all its pairings from both seats."""

from __future__ import annotations

import multiprocessing
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from hinterland.contract import Clock
from hinterland.graph import published_experiment
from hinterland.graph.players import PLAYERS
from hinterland.referee import judge
from hinterland.referee.clock import TimeControl
from hinterland.referee.shell import local

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Future

    from hinterland.graph.published_experiment import Result, Row
    from hinterland.graph.rules import Rules

__all__ = ["play", "warm_up"]

Counts = list[tuple[int, int, int, int, int]]
"""(row, wins, ties, games, late) each."""
Job = tuple[int, tuple[int, ...], "Sequence[Row]", int]
"""(seed, numbers of graphs, rows, games a row; 0 for as many as each row says)."""
GRAPHS_A_JOB = 4
AHEAD = 4
"""So many jobs for each process wait at most."""


def warm_up(rows: Sequence[Row]) -> None:
    """Compile what the players of these rows run, or load it: no player's clock pays for that in this process."""
    rules = published_experiment.board(0, 0)
    for name in sorted({name for row in rows for name in (row.player, row.opponent)}):
        position = rules.start()
        while position.to_move is not None:
            if len(position.moves) % 13 == 0:
                PLAYERS[name]().choose(position, Clock(move_ms=50), np.random.default_rng(0))
            position = position.play(position.legal_moves.sample(np.random.default_rng(len(position.moves))))
        _ = position.scores


def play(rows: Sequence[Row], games: int, seed: int, processes: int) -> Iterator[list[Result]]:
    """Play all rows, and yield the results so far whenever more are there. ``games``: a row, 0 for its own number."""
    results = [published_experiment.Result(row) for row in rows]
    graphs = max((_games(row, games) + 1) // 2 for row in rows)
    numbers = range(graphs)
    jobs = (
        (seed, tuple(numbers[first : first + GRAPHS_A_JOB]), rows, games) for first in range(0, graphs, GRAPHS_A_JOB)
    )
    for counts in _spread(jobs, processes, rows):
        for row, *more in counts:
            results[row] = results[row].plus(*more)
        yield results


def _games(row: Row, games: int) -> int:
    return games or row.games


def _spread(jobs: Iterable[Job], processes: int, rows: Sequence[Row]) -> Iterator[Counts]:
    """Run jobs in order on so many processes, with few waiting at a time."""
    if processes == 1:
        yield from map(_play_graphs, jobs)
        return
    source = iter(jobs)
    with _pool(processes, rows) as pool:
        waiting: deque[Future[Counts]] = deque(
            pool.submit(_play_graphs, job) for job in islice(source, AHEAD * processes)
        )
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(pool.submit(_play_graphs, job) for job in islice(source, 1))


@contextmanager
def _pool(processes: int, rows: Sequence[Row]) -> Iterator[ProcessPoolExecutor]:
    """Offer processes that start afresh, and drop what waits for them when something goes wrong."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=warm_up, initargs=(rows,))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _play_graphs(job: Job) -> Counts:
    seed, numbers, rows, games = job
    counts: Counts = []
    for number in numbers:
        rules = published_experiment.board(seed, number)
        for place, row in enumerate(rows):
            for seat in range(min(2, _games(row, games) - 2 * number)):
                counts.append((place, *_play_game(rules, row, seat, [seed, number, place, seat])))
    return counts


def _play_game(rules: Rules, row: Row, seat: int, seed: list[int]) -> tuple[int, int, int, int]:
    """Play one game with the row's player in a seat; return (wins, ties, games, late)."""
    players = [PLAYERS[row.player](), PLAYERS[row.opponent]()]
    control = TimeControl(budget_ms=None, move_ms=row.move_ms)
    judged = local.play_game(
        judge.begin(rules.start(), control),
        players if seat == 0 else players[::-1],
        [np.random.default_rng([*seed, player]) for player in range(2)],
    )
    assert judged.ending is not None
    winners = judged.ending.winners
    return int(winners == (seat,)), int(len(winners) == 2), 1, int(bool(judged.departures))
