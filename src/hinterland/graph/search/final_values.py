"""The final values that the strongest player expects: those of the line that its tree tried most often."""

from __future__ import annotations

import numpy as np

from hinterland.contract import Expectation
from hinterland.graph.rules import Position
from hinterland.graph.search import endgame
from hinterland.graph.search.distance_ranks import MAX_RANKED_VERTICES, Ranks, ranks_of
from hinterland.graph.search.gain_tree import GainSearch
from hinterland.graph.search.search_player import EXACT_PLIES, GUESS_SHARE, allow_states
from hinterland.graph.search.search_state import SearchState, place, state_of, turns_of
from hinterland.search.budget import Budget

SECONDS = 1.0


def expectation(position: Position) -> Expectation | None:
    """Return the values at the end; None on boards that are too large."""
    if position.to_move is None:
        return Expectation(tuple(map(float, position.scores)), is_exact=True)
    if position.rules.vertices > MAX_RANKED_VERTICES:
        return None
    ranks, state, turns = ranks_of(position.rules), state_of(position), turns_of(position)
    budget = Budget(None, SECONDS)
    search = GainSearch(turns, ranks, state)
    search.grow_within(budget, GUESS_SHARE)
    is_small = position.rules.players == 2 and turns.size <= EXACT_PLIES
    line = _solve_line(search.line[0], turns, ranks, state, budget) if is_small else None
    if line is None:
        search.grow_within(budget)
    scores = search.scores_after(search.line[: turns.size - 1] if line is None else line)
    return Expectation(tuple(map(float, scores)), is_exact=line is not None)


def _solve_line(first: int, turns: np.ndarray, ranks: Ranks, state: SearchState, budget: Budget) -> list[int] | None:
    """Return best play up to the last token, if it is found in time; ``first`` is a guess."""
    after = SearchState(*(array.copy() for array in state))
    line: list[int] = []
    for ply in range(turns.size - 1):
        guess = None if line else first
        found = endgame.solve(turns[ply:], ranks, after, guess, lambda spent: allow_states(budget, spent))
        if found is None:
            return None
        line.append(found[0])
        place(ranks, after, found[0], turns[ply])
    return line
