"""The search from Python: positions in, answers out, until its time is over."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from hinterland import stopwatch
from hinterland.dots.order_types.forest import bits
from hinterland.dots.solver.board_tables import MOST, tables_of, words_of
from hinterland.dots.solver.canonical_forms import Lookups, new_forms
from hinterland.dots.solver.null_window import ANSWER, NODES, prove
from hinterland.dots.solver.plies import ALIVE, LINES, MOVE, PRESENT, TRIED, WANTED, line_of, new_plies, settle
from hinterland.dots.solver.transpositions import grown, new_transpositions
from hinterland.errors import ArenaError, RulesError, shown

if TYPE_CHECKING:
    from hinterland.dots.order_types.forest import Forest

__all__ = ["Engine", "OutOfTime", "Store"]

NODES_A_LOOK = 10_000
"""Positions between two looks at the time: some hundredths of a second."""


class OutOfTime(Exception):  # noqa: N818  (it never leaves this package)
    """The time of a search is over."""


class Store:
    """What the search remembers, and how much it may."""

    def __init__(self, megabytes: object) -> None:
        """Begin empty. Raises RulesError for no whole number, ArenaError for more than this machine has."""
        if type(megabytes) is not int or megabytes < 1:
            raise RulesError(f"memory_mb must be a whole number from 1 on, not {shown(megabytes)}")
        there = _megabytes_of_this_machine()
        if megabytes > there:
            raise ArenaError(f"a table of {megabytes} MB is too large for this machine, which has {there} MB of memory")
        self.transpositions = new_transpositions()
        self._megabytes = megabytes
        self._looked_at = 0

    def count(self, nodes: int) -> None:
        """Take note of so many positions more; the table grows before it is full."""
        self._looked_at += nodes
        if self._looked_at > len(self.transpositions.table) // 2:
            try:
                self.transpositions = grown(self.transpositions, self._megabytes)
            except MemoryError:
                self._megabytes = 0


def _megabytes_of_this_machine() -> int:
    if not hasattr(os, "sysconf"):
        return 2**20
    return int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")) >> 20


class Engine:
    """Answers questions about positions on one board, or on what is left of it."""

    def __init__(self, sides: np.ndarray, dots: tuple[int, ...], store: Store, seconds: float | None = None) -> None:
        """Take the dots still there, numbers on the board; ``sides``: int8 (n, n, n) of the whole board.

        Raises RulesError for more dots than the search holds.
        """
        if len(dots) > MOST:
            raise RulesError(f"the solver takes up to {MOST} dots, here {len(dots)} are left")
        self._dots = dots
        self._tables = tables_of(sides[np.ix_(dots, dots, dots)].copy())
        self._forms = new_forms(len(dots))
        self._store = store
        self._plies = new_plies(len(dots))
        self._state = np.zeros(4, dtype=np.int64)
        self._ends = [(dots[a], dots[b]) for a, b in self._tables.ends.tolist()]
        self._number = {ends: line for line, ends in enumerate(self._ends)}
        self._until_s = None if seconds is None else stopwatch.now_s() + seconds

    @property
    def _lookups(self) -> Lookups:
        return Lookups(self._tables, self._forms, self._store.transpositions)

    @property
    def nodes(self) -> int:
        """How many positions were looked at."""
        return int(self._state[NODES])

    @property
    def proof(self) -> tuple[int, int]:
        """The line by which the last position was worth at least what was asked, as its two dots."""
        return self._ends[line_of(int(self._plies[0, MOVE + self._plies[0, TRIED]]))]

    def place(self, forest: Forest) -> None:
        """Take a position, of dots among those of this engine, at least three."""
        lines = [self._number[forest.segments.ends[line]] for line in bits(forest.lines)]
        left = [forest.present >> dot & 1 for dot in self._dots]
        alive = [line for line, (a, b) in enumerate(self._tables.ends.tolist()) if left[a] and left[b]]
        words = self._tables.words
        self._plies[0, PRESENT] = sum(there << dot for dot, there in enumerate(left))
        self._plies[0, ALIVE : ALIVE + words] = words_of(sum(1 << line for line in alive), words)
        self._plies[0, LINES : LINES + words] = words_of(sum(1 << line for line in lines), words)
        settle(self._lookups, self._plies, 0)

    def bound(self, wanted: int) -> int:
        """Answer whether the position is worth at least ``wanted`` by a bound: a lower one if so, else an upper one.

        Raises OutOfTime.
        """
        self._plies[0, WANTED] = wanted
        self._state[:NODES] = 0
        answered = False
        while not answered:
            before = self.nodes
            answered = prove(self._lookups, self._plies, self._state, NODES_A_LOOK)
            self._store.count(self.nodes - before)
            self._look_at_the_clock()
        return int(self._state[ANSWER])

    def _look_at_the_clock(self) -> None:
        if self._until_s is not None and stopwatch.now_s() > self._until_s:
            raise OutOfTime
