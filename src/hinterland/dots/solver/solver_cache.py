"""A cache of solvers: what a solver learns about a game helps with the rest of the game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from queue import Empty, SimpleQueue

from hinterland.dots.rules import Rules
from hinterland.dots.solver.solutions import Solver

CACHED_GAMES = 2
"""Number of games whose solvers are kept; the least recently used is dropped."""


@contextmanager
def solver_for(rules: Rules, memory_mb: int) -> Iterator[Solver]:
    """Lend the solver of a game; a new one if none is cached or it is in use. Raises as ``Solver`` does."""
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
