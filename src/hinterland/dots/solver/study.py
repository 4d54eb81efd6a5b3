"""The study of one position: questions to the search, and what the answers say about its value and its moves."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hinterland import search_clock
from hinterland.dots.order_types.forest import Forest, bits
from hinterland.dots.points.coordinates import MIN_DOTS
from hinterland.dots.rules import Line, Position
from hinterland.dots.solver.board_tables import MAX_DOTS, NumpyRecord, tables_of, words_of
from hinterland.dots.solver.canonical_forms import CanonicalForms, new_forms
from hinterland.dots.solver.null_window import PROGRESS, prove
from hinterland.dots.solver.plies import derive_ply, line_of, new_plies
from hinterland.dots.solver.transpositions import GrowingTable
from hinterland.errors import RulesError
from hinterland.jit import in_strips

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

NODES_PER_LOOK = 10_000
"""Number of positions between two looks at the time; they take some hundredths of a second."""
PARALLEL_FACTOR = 10
"""Parallel searches each visit this many times NODES_PER_LOOK positions before they wait for one another."""


class SearchThread(NamedTuple):
    """The data of one of several parallel searches, which share one transposition table."""

    forms: CanonicalForms
    plies: np.ndarray
    progress: NumpyRecord


def new_thread(dots: int, twist: int) -> SearchThread:
    """Return the data of a search that has not begun; ``twist``: see ``null_window.PROGRESS``."""
    progress = np.zeros(1, PROGRESS)[0]
    progress.twist = twist
    return SearchThread(new_forms(dots), new_plies(dots), progress)


class OutOfTime(Exception):  # noqa: N818  (it never leaves this package)
    """The time of a search is over."""


class Study:
    """Solves one position, and positions that may follow it."""

    def __init__(
        self, position: Position, memory: GrowingTable, threads: int, seconds: float | None, lead: int
    ) -> None:
        """Take a position that is not over; ``lead``: how much the mover is ahead.

        Raises RulesError for more dots than the search takes.
        """
        dots = position.dots
        if len(dots) > MAX_DOTS:
            raise RulesError(f"the solver takes up to {MAX_DOTS} dots, here {len(dots)} are left")
        self.low, self.high = -len(dots), len(dots)
        self.best: list[Line] = []
        self.line: list[Line] = []
        self.refuted: set[Line] = set()
        self.values: list[tuple[Line, int]] | None = None
        self._forest = position.forest
        self._dots = dots
        self._memory = memory
        self.until_s = None if seconds is None else search_clock.now_s() + seconds
        self._lead = lead
        self._tables = tables_of(position.rules.sides[np.ix_(dots, dots, dots)].copy())
        self._searches = [new_thread(len(dots), twist) for twist in range(threads)]
        self._plies = self._searches[0].plies
        self._ends = [(dots[a], dots[b]) for a, b in self._tables.ends.tolist()]

    @property
    def nodes(self) -> int:
        """Number of positions visited."""
        return sum(int(search.progress.nodes) for search in self._searches)

    def run(self, *, all_moves: bool = False, one_move: bool = False) -> bool:
        """Find the value, best play and all best moves, as far as there is time; return whether all of it was found.

        ``one_move``: find only the value and one move that keeps it. ``all_moves``: find the value of every move, too.
        """
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
        """Whether the value and a move that keeps it are known."""
        return bool(self.best) and self.low == self.high

    @property
    def is_won(self) -> bool:
        """Whether the mover surely wins by the line in ``best``, or by any line if ``best`` is empty."""
        return self._lead + self.low > 0

    @property
    def is_held(self) -> bool:
        """Whether the mover surely does not lose by the line in ``best``, or by any line if ``best`` is empty."""
        return self._lead + self.low >= 0

    def decide(self, favourite: Callable[[set[Line]], Line | None], tries: int) -> None:
        """Find out whether the game is won, drawn or lost, as far as there is time.

        ``favourite`` receives the lines already proven to be too weak, and returns the line to try next; None ends
        these tries. There are two questions: does the mover at least draw, and does it win? For each question up to
        ``tries`` lines of ``favourite`` are tried; if none of them settles it, the full search follows.
        """
        with suppress(OutOfTime):
            for wanted in (-self._lead, 1 - self._lead):
                self.refuted.clear()
                if self.low < wanted <= self.high:
                    self._decide(wanted, (favourite(self.refuted) for _ in range(tries)))

    def holds(self, line: Line) -> bool:
        """Say whether a legal line is proven at least to draw the game; the proof may take all the time left."""
        with suppress(OutOfTime):
            return line in self.best or self._is_worth(line, -self._lead)
        return False

    def find_best(self) -> None:
        """Find the other moves that keep the value, as many as there is time for."""
        with suppress(OutOfTime):
            self._find_best()

    def loss(self, forest: Forest, line: Line, value: int) -> int | None:
        """Return by how much a legal line falls short of the value of a position; None if time runs out.

        ``forest``: the position, which may follow the one studied; ``value``: the value of ``forest``.
        """
        gain, after = _draw_line(forest, line)
        with suppress(OutOfTime):
            return self._value_of(after, gain - value) - (gain - value)
        return None

    def _find_value(self) -> None:
        """Narrow down the value, and keep the move that proves the lower bound."""
        self._set_up_root(self._forest)
        for low, high in self._narrow_bounds(self.low, self.high, -self._lead):
            if low > self.low:
                self.best = [self._proof]
            self.low, self.high = low, high
        if not self.best:
            self._find_bound(self.low)
            self.best = [self._proof]

    def _decide(self, wanted: int, favourites: Iterable[Line | None]) -> None:
        """Find out whether the position is worth at least ``wanted``; add to ``refuted`` the lines that are not."""
        for line in favourites:
            if line is None:
                break
            if self._is_worth(line, wanted):
                self.low, self.best = wanted, [line]
                return
            self.refuted.add(line)
        self._set_up_root(self._forest)
        try:
            bound = self._find_bound(wanted)
        except OutOfTime:
            self.refuted |= {self._line(move) for move in self._plies[0].moves[: self._plies[0].tried]}
            raise
        if bound >= wanted:
            self.low, self.best = bound, [self._proof]
        else:
            self.high = bound
            self.refuted.clear()

    def _is_worth(self, line: Line, value: int) -> bool:
        """Say whether a line is worth at least ``value``. Raises OutOfTime."""
        gain, after = _draw_line(self._forest, line)
        return not self._is_worth_more(after, gain - value)

    def _find_line(self) -> None:
        """Append best moves to ``line``, until the game is over."""
        forest, value = self._forest, self.low
        line = self.best[0]
        while True:
            self.line.append(line)
            gain, forest = _draw_line(forest, line)
            if forest.present.bit_count() < MIN_DOTS:
                return
            value = gain - value
            self._set_up_root(forest)
            self._find_bound(value)
            line = self._proof

    def _find_best(self) -> None:
        """Test each move, and list in ``best`` those that keep the value."""
        found: list[Line] = []
        try:
            for line, gain, forest in self._list_moves():
                if line in self.best or not self._is_worth_more(forest, gain - self.low):
                    found.append(line)
        finally:
            self.best = found + [line for line in self.best if line not in found]

    def _find_values(self) -> list[tuple[Line, int]]:
        """Return every move with its exact value."""
        return [(line, gain - self._value_of(forest, gain - self.low)) for line, gain, forest in self._list_moves()]

    def _list_moves(self) -> list[tuple[Line, int, Forest]]:
        """List the legal lines, each with the dots that it takes and the forest after it."""
        lines = [Line(*self._forest.segments.ends[number]) for number in bits(self._forest.legal)]
        return [(line, *_draw_line(self._forest, line)) for line in lines]

    def _value_of(self, forest: Forest, least: int) -> int:
        """Return the value of a position that may follow the one studied. Raises OutOfTime.

        The value must be at least ``least``.
        """
        high = forest.present.bit_count()
        if high < MIN_DOTS:
            return 0
        self._set_up_root(forest)
        low = least
        for low, _ in self._narrow_bounds(least, high, least):  # noqa: B007
            pass
        return low

    def _is_worth_more(self, forest: Forest, value: int) -> bool:
        """Say whether a position that may follow the one studied is worth more than ``value``. Raises OutOfTime."""
        if forest.present.bit_count() < MIN_DOTS:
            return value < 0
        self._set_up_root(forest)
        return self._find_bound(value + 1) > value

    @property
    def _proof(self) -> Line:
        """The line that proved the last lower bound."""
        root = self._plies[0]
        return self._line(root.moves[root.tried])

    def _line(self, move: int) -> Line:
        return Line(*self._ends[line_of(int(move))])

    def _set_up_root(self, forest: Forest) -> None:
        """Make a position, which must have at least three dots, the root of all searches."""
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
            derive_ply(self._tables, search.forms, root)

    def _find_bound(self, wanted: int) -> int:
        """Find out whether the root is worth at least ``wanted``; return a lower bound if so, else an upper bound.

        All searches work on this question in parallel; the first answer counts. Raises OutOfTime.
        """
        for search in self._searches:
            search.plies[0].wanted = wanted
            search.progress.ply = search.progress.answered = 0
        while True:
            before = self._stored
            answered = self._search_on()
            self._memory.count_stored(self._stored - before, in_steps=self.until_s is not None)
            if self.until_s is not None and search_clock.now_s() > self.until_s:
                raise OutOfTime
            if True in answered:
                search = self._searches[answered.index(True)]
                self._plies = search.plies
                return int(search.progress.answer)

    def _search_on(self) -> list[bool]:
        """Let each search visit some more positions; return for each whether it has the answer."""
        table, count = self._memory.transpositions, len(self._searches)
        nodes = NODES_PER_LOOK * (1 if count == 1 else PARALLEL_FACTOR)

        def work(_: int, number: int, __: int) -> bool:
            search = self._searches[number]
            return bool(prove(self._tables, search.forms, table, search.plies, search.progress, nodes))

        return in_strips(work, count, 1, count)

    @property
    def _stored(self) -> int:
        """Number of entries that the searches have added to the table."""
        return sum(int(search.progress.stored) for search in self._searches)

    def _narrow_bounds(self, low: int, high: int, wanted: int) -> Iterator[tuple[int, int]]:
        """Narrow down the value of the root, which has the bounds given; yield better bounds until they are equal.

        ``wanted``: the first question. Raises OutOfTime.
        """
        while low < high:
            wanted = min(max(wanted, low + 1), high)
            bound = self._find_bound(wanted)
            if bound >= wanted:
                low = bound
            else:
                high = wanted = bound
            yield low, high


def _draw_line(forest: Forest, line: Line) -> tuple[int, Forest]:
    """Return the number of dots that a legal line takes, and the forest after it."""
    after = forest.after(forest.segments.number[line.numbers], 0)
    return forest.present.bit_count() - after.present.bit_count(), after
