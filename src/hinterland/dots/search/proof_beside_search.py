"""A solver and a tree search that think about one position side by side, on a thread each.

What counts is the game: whether it is won, drawn or lost is asked before by how much. The search says which lines the
solver should try first; the solver, which of the search's favourites to keep away from.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np

from hinterland import stopwatch
from hinterland.dots.rules import Line, Position
from hinterland.dots.search.progressive_widening import ROUNDS, LineSearch, most_visited
from hinterland.dots.search.traps import trickiest
from hinterland.dots.solver.solutions import Solver
from hinterland.dots.solver.study import Study
from hinterland.search.random_numbers import seed_of

UNPROVEN = "not proven best in time; chosen like mcts"
"""What is said of a move that could not be worked out."""
HELD = "not proven best in time, but proven not to lose"
WON = "not proven best in time, but proven to win"
"""What is said of one that could be worked out by half."""
SETTLING = 0.75
"""The share of its time after which a draw that is proven is enough: the rest goes to lines that may do better."""
LIKED = 4
"""So many of the search's favourites are tried first."""


def think(
    position: Position, solver: Solver, until_s: float, rng: np.random.Generator, *, traps: bool
) -> tuple[Line, str]:
    """Return a line, and what is not proven of it; ``traps``: whether to look for the best line hardest to answer."""
    own, other = position.scores[:: -1 if position.to_move else 1]
    study = solver.study(position, max(until_s - stopwatch.now_s(), 0.0) * SETTLING, own - other)
    search = LineSearch(position, seed_of(rng))
    search.grow(ROUNDS)
    decided: Future[None] = Future()
    with ThreadPoolExecutor(1) as beside:
        grown = beside.submit(search.grow_until, lambda: decided.done() or stopwatch.now_s() >= until_s)
        line, note = _worked_out(study, search, until_s)
        if line is not None:
            decided.set_result(None)
        grown.result()
    if not note:
        study.find_best()
        best = trickiest(position, study, until_s, rng) if traps else min(study.best, key=lambda line: line.numbers)
        return best, ""
    return line or search.favourite(study.refuted) or Line(*most_visited([search])), note


def _worked_out(study: Study, search: LineSearch, until_s: float) -> tuple[Line | None, str]:
    """Return the line to play, None where that is left to the search; and what is not proven of it."""
    study.decide(search.favourite, LIKED)
    study.run(one_move=True)
    study.until_s = until_s
    if study.is_settled:
        return study.best[0], ""
    if not study.is_held:
        study.decide(search.favourite, LIKED)
    if study.is_won:
        return next(iter(study.best), None), WON
    if study.is_held:
        return _held(study, search), HELD
    return None, UNPROVEN


def _held(study: Study, search: LineSearch) -> Line | None:
    """Return a line that is proven not to lose: one that the search likes, where there is time for the proof."""
    missed = set(study.refuted)
    for _ in range(LIKED):
        line = search.favourite(missed)
        if line is None:
            break
        if study.holds(line):
            return line
        missed.add(line)
    return next(iter(study.best), None)
