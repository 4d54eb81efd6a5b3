"""Which of several best moves to play: the one after which the other is likeliest to go wrong.

Most positions are worth nothing to either side, and many moves keep that; so whoever plays perfectly against a good
player would draw most games. But good moves differ in how hard they are to answer. Each is tried on a small tree
search in the place of the other: how often does it come back to replies that the solver knows to be mistakes, how
dear are they, and how does it see its chances?
"""

from __future__ import annotations

import numpy as np

from hinterland import stopwatch
from hinterland.dots.rules import Line, Position
from hinterland.dots.search.progressive_widening import ROUNDS, LineSearch
from hinterland.dots.solver.study import Study
from hinterland.search.random_numbers import seed_of

LOOKS = 64
"""So often each search goes on at first; each time half of them are dropped, the others go on twice as often."""
ROOM = 100_000
"""The most positions that a search keeps."""
MOVES, REPLIES = 12, 4
"""So many moves are looked at, and so many replies to each, those that the search tried most."""
PESSIMISM = 4.0
"""In dots, what it is worth that the other sees no chance rather than certain success."""


def trickiest(position: Position, study: Study, until_s: float, rng: np.random.Generator) -> Line:
    """Return that of a settled study's best moves which sets the deepest trap, as far as there is time to look."""
    numbers = rng.permutation(len(study.best))[:MOVES]
    left = [_Trap(position, study, study.best[number], seed_of(rng)) for number in numbers]
    looks = LOOKS
    while len(left) > 1 and stopwatch.now_s() < until_s:
        for trap in left:
            trap.look(looks, until_s)
        left.sort(key=lambda trap: trap.depth, reverse=True)
        left = left[: (len(left) + 1) // 2]
        looks *= 2
    return left[0].line


class _Trap:
    """A best move, and how the other may fare after it."""

    def __init__(self, position: Position, study: Study, line: Line, seed: np.ndarray) -> None:
        self.line = line
        self.depth = 0.0
        self._after = position.play(line)
        self._value = len(position.cycle(line)) - study.low
        self._study = study
        self._seed = seed
        self._search: LineSearch | None = None

    def look(self, looks: int, until_s: float) -> None:
        """Search on; as deep as the dots that the other may be expected to lose by its reply, and its pessimism."""
        if self._after.to_move is None or stopwatch.now_s() >= until_s:
            return
        if self._search is None:
            self._search = LineSearch(self._after, self._seed, ROOM)
        for _ in range(looks):
            if stopwatch.now_s() < until_s:
                self._search.grow(ROUNDS)
        visits = self._search.visits()
        lost = sum(tried * self._loss(dots) for dots, tried in visits.most_common(REPLIES))
        self.depth = lost / max(visits.total(), 1) + PESSIMISM * (1 - self._search.mean_value())

    def _loss(self, dots: tuple[int, int]) -> int:
        return self._study.loss(self._after.forest, Line(*dots), self._value) or 0
