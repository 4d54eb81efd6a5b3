"""The matches of an arena test: which there are, from which openings, and who plays them on how many processes.

A pairing is a match: one game a player, seats rotated. Pairing k of every row has the same seed, and so the same board
or opening: rows differ in the opponents and rules alone, not in luck. All rows play pairing 1 before any plays
pairing 2, so that a test cut short has something of every row.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from hinterland import catalog
from hinterland.cli.arena_figures import Outcome, outcome_of
from hinterland.cli.match import play, rules_of
from hinterland.dice import Dice
from hinterland.errors import ArenaError, BadText, HinterlandError
from hinterland.referee import match as matches
from hinterland.referee.shell.command import USUAL
from hinterland.referee.shell.limits import ProcessLimits
from hinterland.referee.shell.play import Terms

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from concurrent.futures import Future

    from hinterland.contract import Game, Move, Rules
    from hinterland.referee.clock import TimeControl
    from hinterland.referee.record import Record

__all__ = ["Plan", "Played", "Row", "check", "draws_boards", "play_all", "seeds"]

AHEAD = 2
"""So many matches for each process wait at most."""


class Row(msgspec.Struct, frozen=True):
    """One row of the table."""

    players: tuple[str, ...]
    """Specs: the player tested, and who else sits at the table."""
    varied: dict[str, str]
    """The options of the rules in which rows differ, as typed."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be played."""

    game: str
    """The game's name."""
    rows: tuple[Row, ...]
    """The rows of the table."""
    options: dict[str, str]
    """The options of the rules that all rows share, as typed."""
    pairings: int
    """Matches a row."""
    jitter: int
    """So many first moves of each game are drawn at random, the same for all games of a match."""
    boards: bool
    """Whether each pairing has another board, drawn by its seed."""
    control: TimeControl
    """How much time there is."""
    seed: int
    """Of the whole test."""
    sandbox: bool = False
    """Whether programs run in a sandbox."""
    limits: ProcessLimits = USUAL
    """What each program may use."""


Job = tuple[Plan, int, int, int]
"""(plan, number of the row, number of the pairing, its seed)."""


class Played(msgspec.Struct, frozen=True):
    """A finished match."""

    row: int
    """The number of its row."""
    outcome: Outcome
    """What came of it."""
    records: tuple[Record, ...]
    """Its games."""


def seeds(seed: int, pairings: int) -> list[int]:
    """Return the seeds of the pairings; the first is that of the test, so one pairing is what ``match`` plays."""
    return [seed, *Dice(seed).below(2**31, pairings - 1).tolist()]


def draws_boards(game: Game, players: int, options: dict[str, str]) -> bool:
    """Say whether another seed gives another board: the game has one, and the options ask for none."""
    name = game.rules.drawn_by
    if name is None or name in options:
        return False
    try:
        first, second = (rules_of(game, players, {**options, name: seed}) for seed in "01")
    except HinterlandError:
        return False
    return first != second


def check(plan: Plan) -> None:
    """Raise HinterlandError unless every row can be played, openings included."""
    known = seeds(plan.seed, plan.pairings)
    for row in plan.rows:
        for seed in known if plan.jitter else known[:1]:
            _opening(plan, _rules(plan, row, seed), seed)


def play_all(plan: Plan, processes: int) -> Generator[Played]:
    """Play all matches and yield them in order, pairing by pairing."""
    jobs = (
        (plan, row, number, seed)
        for number, seed in enumerate(seeds(plan.seed, plan.pairings))
        for row in range(len(plan.rows))
    )
    if processes == 1:
        yield from map(_play, jobs)
    else:
        yield from _spread(plan.game, jobs, processes)


def _rules(plan: Plan, row: Row, seed: int) -> Rules:
    game = catalog.game(plan.game)
    options = {**plan.options, **row.varied}
    if plan.boards and game.rules.drawn_by is not None:
        options[game.rules.drawn_by] = str(seed)
    return rules_of(game, len(row.players), options)


def _opening(plan: Plan, rules: Rules, seed: int) -> tuple[Move, ...]:
    """Draw the first moves. Raises BadText where they would leave none to the players."""
    # A player draws from (seed, game, player): no match has a game of this number.
    rng = np.random.default_rng([seed, rules.players, 0])
    position = rules.start()
    while position.to_move is not None:
        if len(position.moves) == plan.jitter:
            return tuple(move for _, move in position.moves)
        position = position.play(position.legal_moves.sample(rng))
    raise BadText(
        f"--jitter {plan.jitter} leaves the players no move: {rules.summary} can be over after {len(position.moves)}"
    )


def _play(job: Job) -> Played:
    plan, number, _, seed = job
    row = plan.rows[number]
    rules = _rules(plan, row, seed)
    opening = _opening(plan, rules, seed)
    terms = Terms(kind=catalog.game(plan.game), rules=rules, control=plan.control, seed=seed, opening=opening)
    names = matches.distinct(row.players)
    records = play(terms, row.players, names, lambda _: None, sandbox=plan.sandbox, limits=plan.limits)
    winners = matches.result(plan.game, names, records, None).winners
    return Played(number, outcome_of(records, names, winners, len(opening)), tuple(records))


def _spread(game: str, jobs: Iterable[Job], processes: int) -> Generator[Played]:
    """Run jobs on so many processes, with few waiting at a time; when it is not run to its end, they are ended."""
    source = iter(jobs)
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_begin, initargs=(game,))
    done = False
    try:
        waiting: deque[Future[Played]] = deque(
            pool.submit(_play, job) for job in islice(source, (1 + AHEAD) * processes)
        )
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(pool.submit(_play, job) for job in islice(source, 1))
        done = True
    except BrokenExecutor:
        raise ArenaError("a process that played was ended from outside; fewer --jobs need less memory") from None
    finally:
        if not done:
            for child in multiprocessing.active_children():
                child.terminate()
        pool.shutdown(cancel_futures=True)


def _begin(game: str) -> None:
    """Load the kernels, leave Ctrl-C to the parent, and end with it however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    catalog.game(game).warm_up()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
