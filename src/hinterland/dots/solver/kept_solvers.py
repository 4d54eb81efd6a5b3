"""Solvers that are kept from move to move: what one found out about a game is of use for the rest of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from queue import Empty, SimpleQueue

from hinterland.dots.rules import Rules
from hinterland.dots.solver.solutions import Solver

KEPT = 2
"""Of so many games solvers are kept, those played last."""


@contextmanager
def solver_for(rules: Rules, memory_mb: int) -> Iterator[Solver]:
    """Lend the solver of a game; a new one where none is kept, or it is lent already. Raises as ``Solver``."""
    kept = _kept(rules, memory_mb)
    try:
        solver = kept.get_nowait()
    except Empty:
        solver = Solver(memory_mb)
    try:
        yield solver
    finally:
        if kept.empty():
            kept.put(solver)


@lru_cache(KEPT)
def _kept(rules: Rules, memory_mb: int) -> SimpleQueue[Solver]:  # noqa: ARG001  (what the solver is for)
    return SimpleQueue()
