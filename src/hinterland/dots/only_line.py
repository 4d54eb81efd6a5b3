"""Puzzles of Join the dots: the only line that keeps what the position is worth, by the exact solver."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from hinterland.contract import Goal, PuzzleDraft, PuzzleKind, Reckoning
from hinterland.dots.points.point_sets import POINT_SETS
from hinterland.dots.rules import Line, Position, Rules
from hinterland.dots.search.playout_policy import CAREFUL, best_by_policy
from hinterland.dots.solver.solutions import Solver

DOTS = (6, 13)
"""From, and to before."""
LEFT = (5, 9)
"""So many dots are left in a puzzle, from and to before."""
MOST_LINES, FEWEST_LINES = 16, 4
"""So many lines may be drawn."""
SHORT = 2
"""Every other line is worth less by at least so many dots."""
CARELESS = 0.3
"""The share of lines that are drawn without care on the way to a puzzle."""
MEMORY_MB = 16


@cache
def _solver() -> Solver:
    return Solver(MEMORY_MB)


def draw(rng: np.random.Generator) -> PuzzleDraft | None:
    """Play a game with some care until few dots and lines are left."""
    dots = int(rng.integers(*DOTS))
    options: dict[str, Any] = {"board": "jittered", "dots": dots, "board_seed": int(rng.integers(2**31))}
    if rng.random() < 0.3:
        options["board"] = str(rng.choice(sorted(POINT_SETS)))
    position = Rules.from_options(options).start()
    while position.to_move is not None:
        if LEFT[0] <= len(position.dots) < LEFT[1] and FEWEST_LINES <= len(position.legal_moves) <= MOST_LINES:
            return PuzzleDraft(options, position)
        careless = rng.random() < CARELESS
        line = position.legal_moves.sample(rng) if careless else best_by_policy(position, CAREFUL, rng)
        position = position.play(line)
    return None


def reckon(position: Position) -> Reckoning:
    """Return what all lines lead to; none is near another."""
    values = _solver().solve(position, all_moves=True).values or ()
    worths = np.array([value for _, value in values], dtype=np.int64)
    best = int(worths.argmax())
    return Reckoning.of(worths, np.arange(len(worths)) == best, values[best][0], SHORT)


def needed(_: Position, found: Reckoning) -> tuple[str, int]:
    """Ask for the line that keeps what the position is worth."""
    return "keep", found.worth


def worth(position: Position, line: Line) -> int:
    """Return what the mover scores from here on less what the other does, with this line and best play after it."""
    after = position.play(line)
    seat = position.to_move or 0
    to_come = _solver().solve(after).value if after.to_move is not None else 0
    assert to_come is not None, "a search without a limit of time finds the value"
    return after.scores[seat] - position.scores[seat] - to_come


PUZZLES = PuzzleKind(
    goals={
        "keep": Goal("Lose nothing", "One line keeps all that best play can bring you; every other gives dots away."),
    },
    unit="dots",
    is_gain=False,
    draw=draw,
    reckon=reckon,
    needed=needed,
    worth=worth,
)
