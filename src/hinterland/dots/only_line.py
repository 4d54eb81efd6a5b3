"""Puzzles of Join the dots: find the only line that keeps the position's value, as the exact solver proves."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from hinterland.contract import Goal, PuzzleDraft, PuzzleKind, Reckoning
from hinterland.dots.points.point_sets import POINT_SETS
from hinterland.dots.rules import Line, Position, Rules
from hinterland.dots.search.playout_policy import CAREFUL, best_by_policy
from hinterland.dots.solver.solutions import Solver

START_DOTS_RANGE = (6, 13)
"""Dots at the start of the game: at least the first number, fewer than the second."""
LEFT_DOTS_RANGE = (5, 9)
"""Dots left in a puzzle: at least the first number, fewer than the second."""
MIN_LINES, MAX_LINES = 4, 16
"""Least and greatest number of legal lines in a puzzle."""
MARGIN_DOTS = 2
"""Every line except the answer must be worth less by at least this many dots."""
CARELESS_SHARE = 0.3
"""Share of lines that are drawn at random on the way to a puzzle; the player ``careful`` chooses the others."""
MEMORY_MB = 16


@cache
def _solver() -> Solver:
    return Solver(MEMORY_MB)


def draw(rng: np.random.Generator) -> PuzzleDraft | None:
    """Play a game until few dots and lines are left, mostly as the player ``careful`` does."""
    dots = int(rng.integers(*START_DOTS_RANGE))
    options: dict[str, Any] = {"board": "jittered", "dots": dots, "board_seed": int(rng.integers(2**31))}
    if rng.random() < 0.3:
        options["board"] = str(rng.choice(sorted(POINT_SETS)))
    position = Rules.from_options(options).start()
    while position.to_move is not None:
        is_few_dots = LEFT_DOTS_RANGE[0] <= len(position.dots) < LEFT_DOTS_RANGE[1]
        if is_few_dots and MIN_LINES <= len(position.legal_moves) <= MAX_LINES:
            return PuzzleDraft(options, position)
        careless = rng.random() < CARELESS_SHARE
        line = position.legal_moves.sample(rng) if careless else best_by_policy(position, CAREFUL, rng)
        position = position.play(line)
    return None


def measure_lines(position: Position) -> Reckoning:
    """Compute the worth of every line; only the best line counts as near the best one (see ``contract/puzzle.py``)."""
    values = _solver().solve(position, all_moves=True).values or ()
    worths = np.array([value for _, value in values], dtype=np.int64)
    best = int(worths.argmax())
    return Reckoning.of(worths, np.arange(len(worths)) == best, values[best][0], MARGIN_DOTS)


def choose_goal(_: Position, found: Reckoning) -> tuple[str, int]:
    """Ask for the line that keeps the position's value."""
    return "keep", found.worth


def measure_line(position: Position, line: Line) -> int:
    """Return what the mover will still gain less what its opponent will, after this line and best play."""
    after = position.play(line)
    seat = position.to_move or 0
    to_come = _solver().solve(after).value if after.to_move is not None else 0
    assert to_come is not None, "a search without a time limit finds the value"
    return after.scores[seat] - position.scores[seat] - to_come


PUZZLES = PuzzleKind(
    goals={
        "keep": Goal("Lose nothing", "Find the only line that gives nothing away."),
    },
    unit="dots",
    is_gain=False,
    draw=draw,
    reckon=measure_lines,
    needed=choose_goal,
    worth=measure_line,
)
