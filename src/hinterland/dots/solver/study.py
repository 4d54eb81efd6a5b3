"""The study of one position: questions to the search, and what their answers say of its value and its moves."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hinterland import stopwatch
from hinterland.dots.order_types.forest import Forest, bits
from hinterland.dots.points.coordinates import DOTS
from hinterland.dots.rules import Line, Position
from hinterland.dots.solver.board_tables import MOST, Record, tables_of, words_of
from hinterland.dots.solver.canonical_forms import CanonicalForms, new_forms
from hinterland.dots.solver.null_window import PROGRESS, prove
from hinterland.dots.solver.plies import line_of, new_plies, settle
from hinterland.errors import RulesError
from hinterland.jit import in_strips

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hinterland.dots.solver.solutions import Solver

NODES_A_LOOK = 10_000
"""Positions between two looks at the time: some hundredths of a second."""


SIDE_BY_SIDE = 10
"""So much longer do several searches go on before they wait for one another."""


class SearchThread(NamedTuple):
    """What one of several searches side by side has for itself; they share the table."""

    forms: CanonicalForms
    plies: np.ndarray
    progress: Record


def new_thread(dots: int, twist: int) -> SearchThread:
    """Return a search that has not begun."""
    progress = np.zeros(1, PROGRESS)[0]
    progress.twist = twist
    return SearchThread(new_forms(dots), new_plies(dots), progress)


class OutOfTime(Exception):  # noqa: N818  (it never leaves this package)
    """The time of a search is over."""


class Study:
    """One position being solved, and what may follow it."""

    def __init__(self, position: Position, memory: Solver, seconds: float | None, lead: int = 0) -> None:
        """Take a position that is not over; ``lead``: by how much the mover is ahead.

        Raises RulesError for more dots than the search holds.
        """
        dots = position.dots
        if len(dots) > MOST:
            raise RulesError(f"the solver takes up to {MOST} dots, here {len(dots)} are left")
        self.low, self.high = -len(dots), len(dots)
        self.best: list[Line] = []
        self.line: list[Line] = []
        self.refuted: set[Line] = set()
        self.values: list[tuple[Line, int]] | None = None
        self._forest = position.forest
        self._dots = dots
        self._memory = memory
        self.until_s = None if seconds is None else stopwatch.now_s() + seconds
        self._lead = lead
        self._tables = tables_of(position.rules.sides[np.ix_(dots, dots, dots)].copy())
        self._searches = [new_thread(len(dots), twist) for twist in range(memory.threads)]
        self._plies = self._searches[0].plies
        self._ends = [(dots[a], dots[b]) for a, b in self._tables.ends.tolist()]

    @property
    def nodes(self) -> int:
        """How many positions were looked at."""
        return sum(int(search.progress.nodes) for search in self._searches)

    def run(self, *, all_moves: bool = False, one_move: bool = False) -> bool:
        """Find out as much as there is time for; return whether that is all."""
        try:
            self._find_value()
            if not one_move:
                self._find_line()
                self._find_best()
            if all_moves:
                self.values = self._find_values()
        except OutOfTime:
            return False
        return True

    @property
    def is_settled(self) -> bool:
        """Whether the value is known, and a move that keeps it."""
        return bool(self.best) and self.low == self.high

    @property
    def is_won(self) -> bool:
        """Whether the mover wins the game by ``best``, or by any line where there is none."""
        return self._lead + self.low > 0

    @property
    def is_held(self) -> bool:
        """Whether the mover at least draws the game by ``best``, or by any line where there is none."""
        return self._lead + self.low >= 0

    def decide(self, favourite: Callable[[set[Line]], Line | None], tries: int) -> None:
        """Find out whether the game is won, drawn or lost, as far as there is time.

        ``favourite``: a line to try first, apart from those refuted; it is asked for so often.
        """
        with suppress(OutOfTime):
            for wanted in (-self._lead, 1 - self._lead):
                self.refuted.clear()
                if self.low < wanted <= self.high:
                    self._decide(wanted, (favourite(self.refuted) for _ in range(tries)))

    def holds(self, line: Line) -> bool:
        """Say whether a legal line is proven to draw the game at least; for that it takes what time there is."""
        with suppress(OutOfTime):
            return line in self.best or self._is_worth(line, -self._lead)
        return False

    def find_best(self) -> None:
        """Find the other moves that keep the value, as many as there is time for."""
        with suppress(OutOfTime):
            self._find_best()

    def loss(self, forest: Forest, line: Line, value: int) -> int | None:
        """Return by how much a legal line falls short of the value of what is on the board; None when time is over.

        ``forest``: what may follow the position; ``value``: what it is worth.
        """
        gain, after = _drawn(forest, line)
        with suppress(OutOfTime):
            return self._value(after, gain - value) - (gain - value)
        return None

    def _find_value(self) -> None:
        """Close in on the value, and keep the move that proves the lower bound."""
        self._place(self._forest)
        for low, high in self._bounds(self.low, self.high, -self._lead):
            if low > self.low:
                self.best = [self._proof]
            self.low, self.high = low, high
        if not self.best:
            self._bound(self.low)
            self.best = [self._proof]

    def _decide(self, wanted: int, favourites: Iterable[Line | None]) -> None:
        """Find out whether the position is worth at least so much; keep the lines that are not."""
        for line in favourites:
            if line is None:
                break
            if self._is_worth(line, wanted):
                self.low, self.best = wanted, [line]
                return
            self.refuted.add(line)
        self._place(self._forest)
        try:
            bound = self._bound(wanted)
        except OutOfTime:
            self.refuted |= {self._line(move) for move in self._plies[0].moves[: self._plies[0].tried]}
            raise
        if bound >= wanted:
            self.low, self.best = bound, [self._proof]
        else:
            self.high = bound
            self.refuted.clear()

    def _is_worth(self, line: Line, value: int) -> bool:
        """Say whether a line is worth at least so much. Raises OutOfTime."""
        gain, after = _drawn(self._forest, line)
        return not self._is_worth_more(after, gain - value)

    def _find_line(self) -> None:
        """Follow best moves to the end."""
        forest, value = self._forest, self.low
        line = self.best[0]
        while True:
            self.line.append(line)
            gain, forest = _drawn(forest, line)
            if forest.present.bit_count() < DOTS[0]:
                return
            value = gain - value
            self._place(forest)
            self._bound(value)
            line = self._proof

    def _find_best(self) -> None:
        """Try whether each move is as good as the best."""
        found: list[Line] = []
        try:
            for line, gain, forest in self._moves():
                if line in self.best or not self._is_worth_more(forest, gain - self.low):
                    found.append(line)
        finally:
            self.best = found + [line for line in self.best if line not in found]

    def _find_values(self) -> list[tuple[Line, int]]:
        """Close in on the value of every move."""
        return [(line, gain - self._value(forest, gain - self.low)) for line, gain, forest in self._moves()]

    def _moves(self) -> list[tuple[Line, int, Forest]]:
        """List the legal lines, what each scores, and what is there after it."""
        lines = [Line(*self._forest.segments.ends[number]) for number in bits(self._forest.legal)]
        return [(line, *_drawn(self._forest, line)) for line in lines]

    def _value(self, forest: Forest, least: int) -> int:
        """Return what another position is worth, which is at least so much. Raises OutOfTime."""
        high = forest.present.bit_count()
        if high < DOTS[0]:
            return 0
        self._place(forest)
        low = least
        for low, _ in self._bounds(least, high, least):  # noqa: B007
            pass
        return low

    def _is_worth_more(self, forest: Forest, value: int) -> bool:
        """Say whether another position is worth more than a value. Raises OutOfTime."""
        if forest.present.bit_count() < DOTS[0]:
            return value < 0
        self._place(forest)
        return self._bound(value + 1) > value

    @property
    def _proof(self) -> Line:
        """The line by which the last position was worth at least what was asked."""
        root = self._plies[0]
        return self._line(root.moves[root.tried])

    def _line(self, move: int) -> Line:
        return Line(*self._ends[line_of(int(move))])

    def _place(self, forest: Forest) -> None:
        """Take a position, of at least three of the dots."""
        alive = drawn = 0
        for line, (a, b) in enumerate(self._ends):
            alive |= (forest.present >> a & forest.present >> b & 1) << line
            drawn |= (forest.lines >> forest.segments.number[a, b] & 1) << line
        words = self._tables.words
        for search in self._searches:
            root = search.plies[0]
            root.present = sum((forest.present >> dot & 1) << number for number, dot in enumerate(self._dots))
            root.alive[:words] = words_of(alive, words)
            root.lines[:words] = words_of(drawn, words)
            settle(self._tables, search.forms, root)

    def _bound(self, wanted: int) -> int:
        """Answer whether the position is worth at least ``wanted`` by a bound: a lower one if so, else an upper one.

        All searches ask it side by side; the first that knows is believed. Raises OutOfTime.
        """
        for search in self._searches:
            search.plies[0].wanted = wanted
            search.progress.ply = search.progress.answered = 0
        while True:
            before = self._stored
            answered = self._go_on()
            self._memory.note(self._stored - before, in_steps=self.until_s is not None)
            if self.until_s is not None and stopwatch.now_s() > self.until_s:
                raise OutOfTime
            if True in answered:
                search = self._searches[answered.index(True)]
                self._plies = search.plies
                return int(search.progress.answer)

    def _go_on(self) -> list[bool]:
        """Let each search look at some positions more; return which have an answer."""
        table, count = self._memory.transpositions, len(self._searches)
        nodes = NODES_A_LOOK * (1 if count == 1 else SIDE_BY_SIDE)

        def work(_: int, number: int, __: int) -> bool:
            search = self._searches[number]
            return bool(prove(self._tables, search.forms, table, search.plies, search.progress, nodes))

        return in_strips(work, count, 1, count)

    @property
    def _stored(self) -> int:
        """How many places of the table were taken."""
        return sum(int(search.progress.stored) for search in self._searches)

    def _bounds(self, low: int, high: int, wanted: int) -> Iterator[tuple[int, int]]:
        """Close in on the value of the position from bounds; yield better ones, until they are the same.

        ``wanted``: what is asked first. Raises OutOfTime.
        """
        while low < high:
            wanted = min(max(wanted, low + 1), high)
            bound = self._bound(wanted)
            if bound >= wanted:
                low = bound
            else:
                high = wanted = bound
            yield low, high


def _drawn(forest: Forest, line: Line) -> tuple[int, Forest]:
    """Return what a legal line scores, and what is there after it."""
    after = forest.after(forest.segments.number[line.numbers], 0)
    return forest.present.bit_count() - after.present.bit_count(), after
