"""Which of several best moves to play: the one after which the opponent is likeliest to go wrong.

Most positions have the value 0, and many moves keep it; so perfect play against a good player would draw most games.
But best moves differ in how hard they are to answer. So each is tried on a small tree search in the opponent's place:
how often does the search try replies that the solver knows to be mistakes, how much do they cost, and how does it judge
its chances?
"""

from __future__ import annotations

import numpy as np

from hinterland import search_clock
from hinterland.dots.rules import Line, Position
from hinterland.dots.search.progressive_widening import PLAYOUTS_PER_LOOK, LineSearch
from hinterland.dots.solver.study import Study
from hinterland.search.random_numbers import seed_of

FIRST_LOOKS = 64
"""Looks of each search in the first round. After each round half of the moves are dropped and the looks doubled."""
MAX_NODES = 100_000
"""Capacity of a search's tree."""
MAX_MOVES, MAX_REPLIES = 12, 4
"""Number of moves examined, and of replies to each: those that the search tried most."""
PESSIMISM_DOTS = 4.0
"""Worth of an opponent that sees no chance instead of certain success, in dots."""


def find_trickiest(position: Position, study: Study, until_s: float, rng: np.random.Generator) -> Line:
    """Return the best move of a settled study that sets the deepest trap, as far as there is time to look."""
    numbers = rng.permutation(len(study.best))[:MAX_MOVES]
    left = [_Trap(position, study, study.best[number], seed_of(rng)) for number in numbers]
    looks = FIRST_LOOKS
    while len(left) > 1 and search_clock.now_s() < until_s:
        for trap in left:
            trap.look(looks, until_s)
        left.sort(key=lambda trap: trap.depth, reverse=True)
        left = left[: (len(left) + 1) // 2]
        looks *= 2
    return left[0].line


class _Trap:
    """A best move, and how the opponent may fare after it."""

    def __init__(self, position: Position, study: Study, line: Line, seed: np.ndarray) -> None:
        self.line = line
        self.depth = 0.0
        self._after = position.play(line)
        self._value = len(position.cycle(line)) - study.low
        self._study = study
        self._seed = seed
        self._search: LineSearch | None = None

    def look(self, looks: int, until_s: float) -> None:
        """Search on. The depth is the expected loss of the opponent's reply in dots, plus its pessimism."""
        if self._after.to_move is None or search_clock.now_s() >= until_s:
            return
        if self._search is None:
            self._search = LineSearch(self._after, self._seed, MAX_NODES)
        for _ in range(looks):
            if search_clock.now_s() < until_s:
                self._search.grow(PLAYOUTS_PER_LOOK)
        visits = self._search.count_visits()
        lost = sum(tried * self._loss(dots) for dots, tried in visits.most_common(MAX_REPLIES))
        self.depth = lost / max(visits.total(), 1) + PESSIMISM_DOTS * (1 - self._search.mean_value())

    def _loss(self, dots: tuple[int, int]) -> int:
        return self._study.loss(self._after.forest, Line(*dots), self._value) or 0
