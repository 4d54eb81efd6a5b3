"""What the solver, or a search, can say about a position while a person waits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hinterland import search_clock
from hinterland.contract import Expectation
from hinterland.dots.rules import Line, Position
from hinterland.dots.search import playout_policy as policy
from hinterland.dots.search.playout_policy import CAREFUL, best_by_policy
from hinterland.dots.search.progressive_widening import LineSearch
from hinterland.dots.solver.board_tables import MAX_DOTS
from hinterland.dots.solver.solutions import Solution, Solver
from hinterland.errors import IllegalMove
from hinterland.search.random_numbers import seed_of

SECONDS = 1.0
MEMORY_MB = 32
PLAYOUT_S = 0.8
PLAYOUTS = 200
"""Number of games played out after the move that the search prefers; the mean of their final leads is the expected
lead."""


def analysis(position: Position) -> dict[str, Any]:
    """Return what is known of a position after a second, as JSON values.

    ``value``: what the seat to move will still gain less what its opponent will, under best play; None if unknown.
    ``low`` and ``high``: bounds of the value. ``best``: lines that keep the value; if ``exact`` is true, all such
    lines. Raises IllegalMove when the game is over, RulesError if a seat has left.
    """
    if position.to_move is None:
        raise IllegalMove("game_over", "the game is over, nothing is left to be solved")
    found = _solve(position)
    if found is None:
        return {"value": None, "low": -len(position.dots), "high": len(position.dots), "exact": False, "best": []}
    best = [] if found.value is None else [list(line.numbers) for line in found.best]
    return {"value": found.value, "low": found.low, "high": found.high, "exact": found.exact, "best": best}


def best(position: Position, options: Mapping[str, int]) -> tuple[Line, int]:  # noqa: ARG001  (this game has no options)
    """Return a best line and its gain; if the solver finds none in time, the line that the player ``careful`` prefers.

    Raises IllegalMove when the game is over.
    """
    _ = position.mover
    found = None if position.withdrawn else _solve(position)
    if found is None or found.value is None:
        line = best_by_policy(position, CAREFUL, np.random.default_rng(0))
    else:
        line = found.best[0]
    return line, len(position.cycle(line))


def candidates(position: Position, count: int) -> list[tuple[Line, int]]:
    """Return lines that keep the value, each with its gain; if the value is unknown, what ``best`` returns."""
    known = [] if position.to_move is None or position.withdrawn else analysis(position)["best"][:count]
    lines = [Line(*numbers) for numbers in known] or [best(position, {})[0]]
    return [(line, len(position.cycle(line))) for line in lines]


def _solve(position: Position) -> Solution | None:
    """Return what the solver finds; None if the position has more dots than the solver takes."""
    if len(position.dots) > MAX_DOTS:
        return None
    return Solver(MEMORY_MB).solve(position, SECONDS)


def expectation(position: Position) -> Expectation | None:
    """Return the scores at the end: exact if the solver finishes in time, else the mean of careful playouts.

    The solver and the playouts give only the final lead. The scores are computed from it as if all dots now on the
    board were scored.
    """
    if position.to_move is None:
        return Expectation(tuple(map(float, position.scores)), is_exact=True)
    value = analysis(position)["value"]
    if value is not None:
        return _with_lead(position, value if position.to_move == 0 else -value, is_exact=True)
    first, second = position.scores
    return _with_lead(position, _mean_lead(position) - (first - second), is_exact=False)


def _with_lead(position: Position, lead: float, *, is_exact: bool) -> Expectation:
    """Return the expected final scores. ``lead``: what seat 0 will still gain, less what seat 1 will still gain."""
    first, second = position.scores
    left = len(position.dots)
    return Expectation((first + (left + lead) / 2, second + (left - lead) / 2), is_exact)


def _mean_lead(position: Position) -> float:
    """Return the mean final lead of seat 0 in games played out after the move that a search prefers."""
    rng = np.random.default_rng(0)
    search = LineSearch(position, seed_of(rng))
    until_s = search_clock.now_s() + PLAYOUT_S
    search.grow_until(lambda: search_clock.now_s() >= until_s)
    after = position.play(Line(*search.count_visits().most_common(1)[0][0]))
    crossed, state, seed = policy.crossed_of(position.rules), policy.state_of(after), seed_of(rng)
    return sum(policy.play_out(crossed, state.copy(), seed) for _ in range(PLAYOUTS)) / PLAYOUTS
