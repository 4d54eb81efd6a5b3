"""Exact play: what a position is worth, by which moves, and how the game then goes.

The value is what the mover scores from here on, less what the other scores, when both play best. It is closed in on
by questions "is it at least so much?" (see null_window.py), each of which leaves a better bound; so a search that has
to stop early still says something.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from hinterland import stopwatch
from hinterland.dots.order_types.forest import bits
from hinterland.dots.points.coordinates import DOTS
from hinterland.dots.rules import Line, Position
from hinterland.errors import RulesError, shown

if TYPE_CHECKING:
    from hinterland.dots.order_types.forest import Forest
    from hinterland.dots.solver.engine import Engine, Store

__all__ = ["MEMORY_MB", "Solution", "Solver", "Study", "solve"]

MEMORY_MB = 256


class Solution(msgspec.Struct, frozen=True):
    """What was found out about a position, scores from here on counted from the seat to move."""

    value: int | None
    """Its score less the other's under best play; None where time was over first."""
    low: int
    """The value is at least this."""
    high: int
    """And at most this."""
    best: tuple[Line, ...]
    """The moves that keep the value: all of them where exact, else those found."""
    line: tuple[Line, ...]
    """How the game goes on under best play; to its end where exact."""
    values: tuple[tuple[Line, int], ...] | None
    """The value of each legal move, where asked for and found."""
    exact: bool
    """Whether all that was asked is answered."""
    nodes: int
    """How many positions were looked at."""
    seconds: float
    """How long it took."""


def solve(
    position: Position, seconds: float | None = None, memory_mb: int = MEMORY_MB, *, all_moves: bool = False
) -> Solution:
    """Solve a position, for at most so many seconds; ``all_moves`` asks for the value of every move, too.

    Raises RulesError for one that cannot be: of more dots than the solver takes, or without an opponent; ArenaError
    where the memory is not there.
    """
    return Solver(memory_mb).solve(position, seconds, all_moves=all_moves)


class Solver:
    """A memory that serves any number of positions, of any boards."""

    def __init__(self, memory_mb: int = MEMORY_MB) -> None:
        from hinterland.dots.solver.engine import Store  # noqa: PLC0415

        self._store = Store(memory_mb)

    def solve(self, position: Position, seconds: float | None = None, *, all_moves: bool = False) -> Solution:
        """Solve a position; see ``solve``."""
        study = self.study(position, seconds)
        return study.report(study.run(all_moves=all_moves))

    def best_move(self, position: Position, seconds: float | None = None) -> Line | None:
        """Return a move that is proven best, None where time was over first."""
        study = self.study(position, seconds)
        study.run(one_move=True)
        return study.best[0] if study.is_settled else None

    def study(self, position: Position, seconds: float | None = None) -> Study:
        """Begin to study a position, for at most so many seconds from now on; see ``solve`` for what is raised."""
        if seconds is not None and (type(seconds) not in (int, float) or not 0 <= seconds < float("inf")):
            raise RulesError(f"seconds must be a number from 0 on, or None, not {shown(seconds)}")
        _check_opponents(position)
        return Study(position, self._store, seconds)


def _check_opponents(position: Position) -> None:
    if position.withdrawn:
        raise RulesError(f"seat {position.withdrawn[0]} has left: there is no game of two to solve")
    most = -(-sum(range(len(position.dots), 2, -3)) // 2)
    fewest = min(position.rules.turns - position.turns_of(seat) for seat in (0, 1))
    if position.to_move is not None and fewest < most:
        raise RulesError("so many turns were lost that the game may end before its dots are gone; it cannot be solved")


class Study:
    """One position being solved."""

    def __init__(self, position: Position, store: Store, seconds: float | None) -> None:
        from hinterland.dots.solver.engine import Engine  # noqa: PLC0415

        self._began_s = stopwatch.now_s()
        self._forest = position.forest
        self._over = position.to_move is None
        dots = () if self._over else position.dots
        self.low, self.high = -len(dots), len(dots)
        self.best: list[Line] = []
        self.line: list[Line] = []
        self.values: list[tuple[Line, int]] | None = None
        self._engine: Engine | None = None
        if not self._over:
            self._engine = Engine(position.rules.sides, dots, store, seconds)

    def run(self, *, all_moves: bool = False, one_move: bool = False) -> bool:
        """Find out as much as there is time for; return whether that is all."""
        from hinterland.dots.solver.engine import OutOfTime  # noqa: PLC0415

        if self._engine is None:
            self.values = [] if all_moves else None
            return True
        try:
            self._find_value(self._engine)
            if not one_move:
                self._find_line(self._engine)
                self._find_best(self._engine)
            if all_moves:
                self.values = self._find_values(self._engine)
        except OutOfTime:
            return False
        return True

    @property
    def is_settled(self) -> bool:
        """Whether the value is known, and a move that keeps it."""
        return bool(self.best) and self.low == self.high

    def find_best(self) -> None:
        """Find the other moves that keep the value, as many as there is time for."""
        from hinterland.dots.solver.engine import OutOfTime  # noqa: PLC0415

        assert self._engine is not None
        with suppress(OutOfTime):
            self._find_best(self._engine)

    def loss(self, forest: Forest, line: Line, value: int) -> int | None:
        """Return by how much a legal line falls short of the value of what is on the board; None when time is over.

        ``forest``: what may follow the position; ``value``: what it is worth.
        """
        from hinterland.dots.solver.engine import OutOfTime  # noqa: PLC0415

        assert self._engine is not None
        number = forest.segments.number[line.numbers]
        least = forest.cycle(number).bit_count() - value
        try:
            return _value(self._engine, forest.after(number, 0), least) - least
        except OutOfTime:
            return None

    def report(self, exact: bool) -> Solution:
        """Sum up."""
        return Solution(
            value=self.low if self.low == self.high else None,
            low=self.low,
            high=self.high,
            best=tuple(self.best),
            line=tuple(self.line),
            values=None if self.values is None else tuple(self.values),
            exact=exact,
            nodes=0 if self._engine is None else self._engine.nodes,
            seconds=stopwatch.now_s() - self._began_s,
        )

    def _find_value(self, engine: Engine) -> None:
        """Close in on the value, and keep the move that proves the lower bound."""
        engine.place(self._forest)
        wanted = 0
        while self.low < self.high or not self.best:
            wanted = min(max(wanted, self.low + 1), self.high)
            bound = engine.bound(wanted)
            if bound >= wanted:
                self.low = bound
                self.best = [Line(*engine.proof)]
                wanted = bound + 1
            else:
                self.high = wanted = bound

    def _find_line(self, engine: Engine) -> None:
        """Follow best moves to the end."""
        forest, value = self._forest, self.low
        line = self.best[0]
        while True:
            self.line.append(line)
            number = forest.segments.number[line.numbers]
            value = forest.cycle(number).bit_count() - value
            forest = forest.after(number, 0)
            if forest.present.bit_count() < DOTS[0]:
                return
            engine.place(forest)
            engine.bound(value)
            line = Line(*engine.proof)

    def _find_best(self, engine: Engine) -> None:
        """Try whether each move is as good as the best."""
        found: list[Line] = []
        try:
            for line, gain, forest in self._moves():
                if line in self.best or not _more(engine, forest, gain - self.low):
                    found.append(line)
        finally:
            self.best = found + [line for line in self.best if line not in found]

    def _find_values(self, engine: Engine) -> list[tuple[Line, int]]:
        """Close in on the value of every move."""
        return [(line, gain - _value(engine, forest, gain - self.low)) for line, gain, forest in self._moves()]

    def _moves(self) -> list[tuple[Line, int, Forest]]:
        """List the legal lines, what each scores, and what is there after it."""
        forest = self._forest
        ends = forest.segments.ends
        return [(Line(*ends[k]), forest.cycle(k).bit_count(), forest.after(k, 0)) for k in bits(forest.legal)]


def _more(engine: Engine, forest: Forest, value: int) -> bool:
    """Say whether a position is worth more than a value."""
    if forest.present.bit_count() < DOTS[0]:
        return value < 0
    engine.place(forest)
    return engine.bound(value + 1) > value


def _value(engine: Engine, forest: Forest, least: int) -> int:
    """Return the value of a position that is worth at least so much."""
    high = forest.present.bit_count()
    if high < DOTS[0]:
        return 0
    engine.place(forest)
    low = wanted = least
    while low < high:
        wanted = max(wanted, low + 1)
        bound = engine.bound(wanted)
        if bound >= wanted:
            low = bound
        else:
            high = wanted = bound
    return low
