"""What the solver can say of a position while somebody waits for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hinterland.dots.rules import Line, Position
from hinterland.dots.search.playout_policy import CAREFUL, best_by_policy
from hinterland.dots.solver.board_tables import MOST
from hinterland.dots.solver.solutions import Solution, Solver
from hinterland.errors import IllegalMove

SECONDS = 1.0
MEMORY_MB = 32


def analysis(position: Position) -> dict[str, Any]:
    """Return what is known of a position after a second, in plain JSON values.

    ``value``: what the seat to move scores from here on less what the other does, under best play; None where it is not
    known. It lies from ``low`` to ``high``. ``best``: the lines that keep it, all of them where ``exact``. Raises
    IllegalMove when the game is over, RulesError where a seat has left.
    """
    if position.to_move is None:
        raise IllegalMove("game_over", "the game is over, nothing is left to be solved")
    found = _solution(position)
    if found is None:
        return {"value": None, "low": -len(position.dots), "high": len(position.dots), "exact": False, "best": []}
    best = [] if found.value is None else [list(line.numbers) for line in found.best]
    return {"value": found.value, "low": found.low, "high": found.high, "exact": found.exact, "best": best}


def best(position: Position, options: Mapping[str, int]) -> tuple[Line, int]:  # noqa: ARG001  (this game has none)
    """Return the first of the best lines, and what it closes; one drawn with care where they are not known in time.

    Raises IllegalMove when the game is over.
    """
    if position.to_move is None:
        raise IllegalMove("game_over", "the game is over, no line can be drawn")
    found = None if position.withdrawn else _solution(position)
    if found is None or found.value is None:
        line = best_by_policy(position, CAREFUL, np.random.default_rng(0))
    else:
        line = found.best[0]
    return line, len(position.cycle(line))


def candidates(position: Position, count: int) -> list[tuple[Line, int]]:
    """Return lines that keep the value where it is known, else one drawn with care; and what each closes."""
    known = [] if position.to_move is None or position.withdrawn else analysis(position)["best"][:count]
    lines = [Line(*numbers) for numbers in known] or [best(position, {})[0]]
    return [(line, len(position.cycle(line))) for line in lines]


def _solution(position: Position) -> Solution | None:
    """Return what is found, None for more dots than the solver takes."""
    if len(position.dots) > MOST:
        return None
    return Solver(MEMORY_MB).solve(position, SECONDS)
