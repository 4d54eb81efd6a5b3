"""The final scores that the strongest player expects."""

from __future__ import annotations

import numpy as np

from hinterland import search_clock
from hinterland.contract import Expectation
from hinterland.dots.rules import Line, Position
from hinterland.dots.search import playout_policy as policy
from hinterland.dots.search.hints import analysis
from hinterland.dots.search.progressive_widening import LineSearch
from hinterland.search.random_numbers import seed_of

SECONDS = 0.8
PLAYOUTS = 200
"""Games played out after the likeliest move; their mean lead is the expectation."""


def expectation(position: Position) -> Expectation | None:
    """Return the scores at the end: exact if the solver finishes in time, else the mean of careful playouts.

    Dots left over at the end are divided equally, since a value gives only the lead.
    """
    if position.to_move is None:
        return Expectation(tuple(map(float, position.scores)), is_exact=True)
    value = analysis(position)["value"]
    if value is not None:
        return _with_lead(position, value if position.to_move == 0 else -value, is_exact=True)
    first, second = position.scores
    return _with_lead(position, _mean_lead(position) - (first - second), is_exact=False)


def _with_lead(position: Position, lead: float, *, is_exact: bool) -> Expectation:
    """Add what is still to come to the scores. ``lead``: how much more seat 0 will gain."""
    first, second = position.scores
    left = len(position.dots)
    return Expectation((first + (left + lead) / 2, second + (left - lead) / 2), is_exact)


def _mean_lead(position: Position) -> float:
    """Return the mean final lead of seat 0, after the move that a search prefers."""
    rng = np.random.default_rng(0)
    search = LineSearch(position, seed_of(rng))
    until_s = search_clock.now_s() + SECONDS
    search.grow_until(lambda: search_clock.now_s() >= until_s)
    after = position.play(Line(*search.count_visits().most_common(1)[0][0]))
    crossed, state, seed = policy.crossed_of(position.rules), policy.state_of(after), seed_of(rng)
    return sum(policy.play_out(crossed, state.copy(), seed) for _ in range(PLAYOUTS)) / PLAYOUTS
