"""Exact play: the value of a position, its best moves, and how the game goes on.

The value is what the mover will still gain less what its opponent will, when both play best. Questions "is the value at
least this?" (see null_window.py) narrow the value down; each answer is a better bound. So a search that has to stop
early still gives bounds. A solver is kept for a while: what it has learnt about a game helps with later positions of
the game.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from queue import Empty, SimpleQueue

import msgspec

from hinterland import search_clock
from hinterland.contract.numbers import as_int
from hinterland.dots.rules import Line, Position, Rules
from hinterland.dots.solver.study import Study
from hinterland.dots.solver.transpositions import GrowingTable
from hinterland.errors import ArenaError, RulesError, quote

MEMORY_MB = 256
CACHED_GAMES = 2
"""Number of games whose solvers are kept; the least recently used solver is dropped first."""


class Solution(msgspec.Struct, frozen=True):
    """What is known of a position. Only points still to come count; values are for the seat to move."""

    value: int | None
    """The mover's score less its opponent's, under best play; None if time ran out first."""
    low: int
    """A lower bound of the value."""
    high: int
    """An upper bound of the value."""
    best: tuple[Line, ...]
    """Moves that keep the value: if ``exact`` is true, all such moves, otherwise those found."""
    line: tuple[Line, ...]
    """The next moves under best play; if ``exact`` is true, until the end of the game."""
    values: tuple[tuple[Line, int], ...] | None
    """The value of each legal move, if requested and found."""
    exact: bool
    """Whether everything requested was found."""
    nodes: int
    """Number of positions visited."""
    seconds: float
    """How long the search took."""


def solve(
    position: Position,
    seconds: float | None = None,
    memory_mb: int = MEMORY_MB,
    *,
    threads: int = 1,
    all_moves: bool = False,
) -> Solution:
    """Solve a position within ``seconds``; with ``all_moves``, find the value of every move, too.

    ``threads``: number of searches in parallel, which share one table; they change the number of positions visited, not
    the result. Raises RulesError for an invalid argument, for more dots than the solver takes, or if a seat has left;
    ArenaError if the machine lacks the memory.
    """
    return Solver(memory_mb, threads).solve(position, seconds, all_moves=all_moves)


class Solver(GrowingTable):
    """Solves any number of positions of any boards with one transposition table."""

    def __init__(self, memory_mb: int = MEMORY_MB, threads: int = 1) -> None:
        memory_mb, threads = as_int(memory_mb), as_int(threads)
        for name, value in (("memory_mb", memory_mb), ("threads", threads)):
            if type(value) is not int or value < 1:
                raise RulesError(f"{name} must be a whole number from 1 on, not {quote(value)}")
        there = _machine_memory_mb()
        if memory_mb > there:
            raise ArenaError(f"a table of {memory_mb} MB is too large for this machine, which has {there} MB of memory")
        super().__init__(memory_mb)
        self.threads = threads
        """Number of parallel searches for each question."""

    def solve(self, position: Position, seconds: float | None = None, *, all_moves: bool = False) -> Solution:
        """Solve a position; see ``solve``."""
        _check_request(position, seconds)
        if position.to_move is None:
            return Solution(0, 0, 0, (), (), () if all_moves else None, exact=True, nodes=0, seconds=0.0)
        began_s = search_clock.now_s()
        study = self.study(position, seconds)
        exact = study.run(all_moves=all_moves)
        return Solution(
            value=study.low if study.low == study.high else None,
            low=study.low,
            high=study.high,
            best=tuple(study.best),
            line=tuple(study.line),
            values=None if study.values is None else tuple(study.values),
            exact=exact,
            nodes=study.nodes,
            seconds=search_clock.now_s() - began_s,
        )

    def study(self, position: Position, seconds: float | None = None, lead: int = 0) -> Study:
        """Begin to study a position that is not over, for ``seconds`` from now on; raises as ``solve`` does.

        ``lead``: how much the mover is ahead; with it, questions that decide who wins the game come first.
        """
        _check_request(position, seconds)
        return Study(position, self, self.threads, seconds, lead)


def _check_request(position: Position, seconds: float | None) -> None:
    if seconds is not None and (type(seconds) not in (int, float) or not 0 <= seconds < float("inf")):
        raise RulesError(f"seconds must be a number from 0 on, or None, not {quote(seconds)}")
    if position.withdrawn:
        raise RulesError(f"seat {position.withdrawn[0]} has left: there is no game of two to solve")
    most = -(-sum(range(len(position.dots), 2, -3)) // 2)
    fewest = min(position.rules.turns - position.turns_of(seat) for seat in (0, 1))
    if position.to_move is not None and fewest < most:
        raise RulesError("too many turns were lost: the game may end before its dots are gone, so it cannot be solved")


def _machine_memory_mb() -> int:
    if not hasattr(os, "sysconf"):
        return 2**20
    return int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")) >> 20


@contextmanager
def solver_for(rules: Rules, memory_mb: int) -> Iterator[Solver]:
    """Lend the solver that is kept for a game; if there is none, or it is in use, lend a new one.

    Raises as ``Solver`` does.
    """
    kept = _idle_solvers(rules, memory_mb)
    try:
        solver = kept.get_nowait()
    except Empty:
        solver = Solver(memory_mb)
    try:
        yield solver
    finally:
        if kept.empty():
            kept.put(solver)


@lru_cache(CACHED_GAMES)
def _idle_solvers(rules: Rules, memory_mb: int) -> SimpleQueue[Solver]:  # noqa: ARG001  (they are the cache's key)
    return SimpleQueue()
