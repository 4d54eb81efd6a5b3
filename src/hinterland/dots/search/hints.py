"""What the solver can say about a position while a person waits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hinterland.dots.rules import Line, Position
from hinterland.dots.search.playout_policy import CAREFUL, best_by_policy
from hinterland.dots.solver.board_tables import MAX_DOTS
from hinterland.dots.solver.solutions import Solution, Solver
from hinterland.errors import IllegalMove

SECONDS = 1.0
MEMORY_MB = 32


def analysis(position: Position) -> dict[str, Any]:
    """Return what is known of a position after a second, as JSON values.

    ``value``: the seat to move's score from here on less the other's, under best play; None if unknown. It lies between
    ``low`` and ``high``. ``best``: the lines that keep it, all of them if ``exact``. Raises IllegalMove when the game
    is over, RulesError if a seat has left.
    """
    if position.to_move is None:
        raise IllegalMove("game_over", "the game is over, nothing is left to be solved")
    found = _solve(position)
    if found is None:
        return {"value": None, "low": -len(position.dots), "high": len(position.dots), "exact": False, "best": []}
    best = [] if found.value is None else [list(line.numbers) for line in found.best]
    return {"value": found.value, "low": found.low, "high": found.high, "exact": found.exact, "best": best}


def best(position: Position, options: Mapping[str, int]) -> tuple[Line, int]:  # noqa: ARG001  (this game has no options)
    """Return the first best line and its gain; a careful line if the best are not known in time.

    Raises IllegalMove when the game is over.
    """
    if position.to_move is None:
        raise IllegalMove("game_over", "the game is over, no line can be drawn")
    found = None if position.withdrawn else _solve(position)
    if found is None or found.value is None:
        line = best_by_policy(position, CAREFUL, np.random.default_rng(0))
    else:
        line = found.best[0]
    return line, len(position.cycle(line))


def candidates(position: Position, count: int) -> list[tuple[Line, int]]:
    """Return lines that keep the value if it is known, else a careful line; each with its gain."""
    known = [] if position.to_move is None or position.withdrawn else analysis(position)["best"][:count]
    lines = [Line(*numbers) for numbers in known] or [best(position, {})[0]]
    return [(line, len(position.cycle(line))) for line in lines]


def _solve(position: Position) -> Solution | None:
    """Return what the solver finds; None if there are more dots than it takes."""
    if len(position.dots) > MAX_DOTS:
        return None
    return Solver(MEMORY_MB).solve(position, SECONDS)
