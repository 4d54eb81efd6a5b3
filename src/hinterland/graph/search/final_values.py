"""What the strongest player expects everybody to hold at the end: what its tree of games comes back to most often."""

from __future__ import annotations

import numpy as np

from hinterland.contract import Expectation
from hinterland.graph.distances.distance_ranks import RANKED, Ranks, ranks_of
from hinterland.graph.rules import Position
from hinterland.graph.search import endgame, gain_tree
from hinterland.graph.search.search_player import EXACT_PLIES, GUESSING, allowed, grow_tree, new_search_tree
from hinterland.graph.search.search_state import (
    SearchState,
    best_of,
    complete,
    copy,
    new_state,
    place,
    state_of,
    turns_of,
)
from hinterland.search.budget import Budget
from hinterland.search.widening import FIRST, FOLLOWING, MOVE, NONE, VISITS, WideningTree

SECONDS = 1.0


def expectation(position: Position) -> Expectation | None:
    """Return the values at the end; None on boards too large for it."""
    if position.to_move is None:
        return Expectation(tuple(map(float, position.scores)), is_exact=True)
    if position.rules.vertices > RANKED:
        return None
    ranks, state, turns = ranks_of(position.rules), state_of(position), turns_of(position)
    budget = Budget(None, SECONDS)
    tree = new_search_tree()
    grow_tree(tree, turns, ranks, state, budget, GUESSING)
    if position.rules.players == 2 and turns.size <= EXACT_PLIES and _solved(tree, turns, ranks, state, budget):
        return Expectation(tuple(map(float, state.scores)), is_exact=True)
    grow_tree(tree, turns, ranks, state, budget)
    _follow(tree, turns, ranks, state)
    return Expectation(tuple(map(float, state.scores)), is_exact=False)


def _solved(tree: WideningTree, turns: np.ndarray, ranks: Ranks, state: SearchState, budget: Budget) -> bool:
    """Play out best play, if it can be found in time; else the state stays as it was."""
    line = new_state(ranks, state.scores.size)
    copy(state, line)
    first = gain_tree.best_child(tree) if turns.size > 1 else int(best_of(line.swings[turns[0]]))
    for ply in range(turns.size - 1):
        found = endgame.solve(turns[ply:], ranks, line, first, lambda spent: allowed(budget, spent))
        if found is None:
            return False
        place(ranks, line, found[0], turns[ply])
        first = int(best_of(line.swings[turns[ply + 1]]))
    place(ranks, line, first, turns[-1])
    copy(line, state)
    return True


def _follow(tree: WideningTree, turns: np.ndarray, ranks: Ranks, state: SearchState) -> None:
    """Play what was tried most often, then by gain to the end."""
    node = 0
    for ply in range(turns.size - 1):
        child, most = int(tree.nodes[node, FIRST]), NONE
        while child != NONE:
            if most == NONE or tree.nodes[child, VISITS] >= tree.nodes[most, VISITS]:
                most = child
            child = int(tree.nodes[child, FOLLOWING])
        if most == NONE:
            complete(ranks, state, turns, ply)
            return
        place(ranks, state, int(tree.nodes[most, MOVE]), turns[ply])
        node = most
    complete(ranks, state, turns, turns.size - 1)
