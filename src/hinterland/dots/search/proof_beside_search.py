"""A solver and a tree search that think about one position side by side, each on its own thread.

The solver asks whether the game is won, drawn or lost before it asks by how many dots. The search suggests which lines
the solver should try first; the solver tells which lines the search must not choose, because they are refuted.

Most positions have the value 0, and many moves keep it; so perfect play against a good player would draw most games.
But best moves differ in how hard they are to answer. So a small tree search takes the opponent's part against each best
move. This search shows how often the opponent tries replies that the solver knows to be mistakes, how much these
mistakes cost, and how good the opponent's chances seem to the search.
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
"""Share of the time for finding the exact value. If only a draw is proven by then, the remaining time goes to proofs
that a favourite of the search draws, too."""
FAVOURITES_TRIED = 4
"""Number of the search's favourites that the solver tries first."""
FIRST_LOOKS = 64
"""Number of looks, each of PLAYOUTS_PER_LOOK playouts, for each best move in the first round. After each round, half of
the moves are dropped, and the number of looks is doubled."""
MAX_NODES = 100_000
"""Capacity of a search's tree."""
MAX_MOVES, MAX_REPLIES = 12, 4
"""Largest number of best moves that are examined; largest number of replies to each, those that the search tried
most."""
PESSIMISM_DOTS = 4.0
"""Dots by which a trap counts as deeper if the opponent expects a certain loss rather than a certain win."""


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
    """Return a line proven not to lose; a favourite of the search, if the proof for one succeeds in time."""
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
    """Return, among the best moves of a settled study, the one with the deepest trap that is found in time."""
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
        """Continue the search.

        The depth is the dots that the opponent's reply is expected to lose, plus the opponent's pessimism in dots.
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
