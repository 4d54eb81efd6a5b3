"""A solver and a tree search that think about one position side by side, each on its own thread.

The solver asks whether the game is won, drawn or lost before it asks by how many dots. The search suggests which lines
the solver should try first. The solver *refutes* lines by proving that they are too weak; the search must not choose
these lines.

Most positions have the value 0, and many moves keep it; so perfect play against a good player would draw most games.
But best moves differ in how hard they are to answer. So after each best move, a small tree search thinks for the
opponent. A best move is a deep *trap* if this search often tries replies that the solver knows to be mistakes, if these
mistakes lose many dots, and if the search expects the opponent to do badly.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np

from hinterland import search_clock
from hinterland.dots.rules import Line, Position
from hinterland.dots.search.progressive_widening import PLAYOUTS_PER_LOOK, LineSearch, find_most_visited
from hinterland.dots.solver.solutions import Solver
from hinterland.dots.solver.study import Study
from hinterland.search.random_numbers import seed_of

UNPROVEN = "not proven best in time; chosen like mcts"
"""Note on a move about which nothing was proven."""
HELD = "not proven best in time, but proven not to lose"
WON = "not proven best in time, but proven to win"
DRAW_SUFFICES_AFTER = 0.75
"""Share of the time that is spent on finding the exact value. If by then only a draw is proven, the remaining time is
spent on proving that one of the lines which the search tried most often draws, too."""
FAVOURITES_TRIED = 4
"""Number of lines that the solver tries first: the *favourites*, which the search has tried most often."""
FIRST_LOOKS = 64
"""Number of looks at each best move in the first round; each look is PLAYOUTS_PER_LOOK playouts. After each round, half
of the moves are dropped, and the number of looks is doubled."""
MAX_NODES = 100_000
"""Capacity of a search's tree."""
MAX_MOVES, MAX_REPLIES = 12, 4
"""MAX_MOVES: largest number of best moves that are examined as traps. MAX_REPLIES: number of replies to each that are
valued, those that the search tried most."""
PESSIMISM_DOTS = 4.0
"""Dots added to the depth of a trap if the search expects that the opponent surely loses; none are added if it expects
that the opponent surely wins."""


def think(
    position: Position, solver: Solver, until_s: float, rng: np.random.Generator, *, traps: bool
) -> tuple[Line, str]:
    """Return a line, and a note on what is not proven.

    ``traps``: whether to choose, among several best lines, the one that is hardest to answer.
    """
    own, other = position.scores[:: -1 if position.to_move else 1]
    study = solver.study(position, max(until_s - search_clock.now_s(), 0.0) * DRAW_SUFFICES_AFTER, own - other)
    search = LineSearch(position, seed_of(rng))
    search.grow(PLAYOUTS_PER_LOOK)
    decided: Future[None] = Future()
    with ThreadPoolExecutor(1) as beside:
        grown = beside.submit(search.grow_until, lambda: decided.done() or search_clock.now_s() >= until_s)
        line, note = _prove_line(study, search, until_s)
        if line is not None:
            decided.set_result(None)
        grown.result()
    if not note:
        study.find_best()
        best = (
            find_trickiest(position, study, until_s, rng) if traps else min(study.best, key=lambda line: line.numbers)
        )
        return best, ""
    return line or search.find_favourite(study.refuted) or Line(*find_most_visited([search])), note


def _prove_line(study: Study, search: LineSearch, until_s: float) -> tuple[Line | None, str]:
    """Return the line to play, or None if the search is to choose it, and a note on what is not proven."""
    study.decide(search.find_favourite, FAVOURITES_TRIED)
    study.run(one_move=True)
    study.until_s = until_s
    if study.is_settled:
        return study.best[0], ""
    if not study.is_held:
        study.decide(search.find_favourite, FAVOURITES_TRIED)
    if study.is_won:
        return next(iter(study.best), None), WON
    if study.is_held:
        return _find_held_line(study, search), HELD
    return None, UNPROVEN


def _find_held_line(study: Study, search: LineSearch) -> Line | None:
    """Return a line proven not to lose; if time allows such a proof for a favourite of the search, that favourite."""
    missed = set(study.refuted)
    for _ in range(FAVOURITES_TRIED):
        line = search.find_favourite(missed)
        if line is None:
            break
        if study.holds(line):
            return line
        missed.add(line)
    return next(iter(study.best), None)


def find_trickiest(position: Position, study: Study, until_s: float, rng: np.random.Generator) -> Line:
    """Return the best move that is the deepest trap, as far as searches until ``until_s`` show.

    ``study``: has found the exact value and one or more best moves.
    """
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
        """Search on, and compute the depth of the trap anew.

        The depth is the mean number of dots that the opponent's replies lose, plus up to PESSIMISM_DOTS.
        """
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
