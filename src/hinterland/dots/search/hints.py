"""What the solver can say of a position while somebody waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hinterland.dots.solver.board_tables import MOST
from hinterland.dots.solver.solutions import Solution, Solver
from hinterland.errors import IllegalMove

if TYPE_CHECKING:
    from hinterland.dots.rules import Line, Position

__all__ = ["analysis", "best_line"]

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


def best_line(position: Position) -> Line:
    """Return the first of the best lines, or what a careful player draws where they are not known after a second.

    Raises IllegalMove when the game is over.
    """
    import numpy as np  # noqa: PLC0415

    from hinterland.contract import Clock  # noqa: PLC0415
    from hinterland.dots.players import Careful  # noqa: PLC0415

    if position.to_move is None:
        raise IllegalMove("game_over", "the game is over, no line can be drawn")
    found = None if position.withdrawn else _solution(position)
    if found is not None and found.value is not None:
        return found.best[0]
    return Careful().choose(position, Clock(), np.random.default_rng(0))


def _solution(position: Position) -> Solution | None:
    """Return what is found, None for more dots than the solver takes."""
    if len(position.dots) > MOST:
        return None
    return Solver(MEMORY_MB).solve(position, SECONDS)
