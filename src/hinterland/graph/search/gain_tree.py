"""Monte Carlo tree search whose playouts are games played out by gain.

Nothing here is random: every round adds a new leaf, and a leaf's worth is the score when each seat goes on where it
swings most. A node looks at its moves in order of swing.
"""

from __future__ import annotations

import numpy as np

from hinterland.graph.distances.distance_ranks import Ranks
from hinterland.graph.search.search_state import SearchState, best_of, complete, copy, place, settle
from hinterland.jit import inlined, kernel
from hinterland.search.widening import (
    FIRST,
    FOLLOWING,
    MOVE,
    NONE,
    VISITS,
    WideningTree,
    add_child,
    children_of_root,
    is_wide,
    reward_of,
    select,
)

C_UCB = 0.3
"""How much a rarely tried move is favoured over one of better mean reward."""
WIDTH, WIDENING = 2.0, 0.4
"""After v visits a node looks at WIDTH * v ** WIDENING moves, and one more."""
OUT_OF_SIGHT = 2**58


@kernel
def grow(
    tree: WideningTree, rounds: int, turns: np.ndarray, ranks: Ranks, root: SearchState, work: SearchState, scale: float
) -> None:
    """Run so many rounds. ``turns``: int8, the seats to move; ``work`` is overwritten; ``scale``: a telling lead."""
    path = np.empty(turns.size + 1, dtype=np.int32)
    for _ in range(rounds):
        copy(root, work)
        depth = _descend(tree, turns, ranks, work, path)
        complete(ranks, work, turns, depth)
        tree.nodes[0, VISITS] += 1
        for ply in range(depth):
            node = path[ply + 1]
            tree.nodes[node, VISITS] += 1
            tree.value_sum[node] += _reward(work.scores, turns[ply], scale)


@inlined
def _reward(scores: np.ndarray, seat: int, scale: float) -> float:
    """Return what final scores are worth to a seat, from 0 to 1: chiefly whether it won."""
    other = -1
    for player in range(scores.size):
        if player != seat and scores[player] > other:
            other = scores[player]
    return reward_of(scores[seat] - other, scale)


@inlined
def _descend(tree: WideningTree, turns: np.ndarray, ranks: Ranks, work: SearchState, path: np.ndarray) -> int:
    """Play from the root to a node that was never visited, or to the end; return how many moves that took."""
    node = 0
    path[0] = 0
    for ply in range(turns.size):
        if tree.nodes[node, VISITS] == 0 and ply > 0:
            return ply
        seat = turns[ply]
        last = ply + 1 == turns.size
        child = NONE if is_wide(tree, node, 0.0 if last else WIDTH, WIDENING) else _widen(tree, node, work.swings[seat])
        node = child if child != NONE else select(tree, node, C_UCB)
        if node == NONE:
            return ply
        if last:
            settle(ranks, work, tree.nodes[node, MOVE], seat)
        else:
            place(ranks, work, tree.nodes[node, MOVE], seat)
        path[ply + 1] = node
    return turns.size


@inlined
def _widen(tree: WideningTree, node: int, swings: np.ndarray) -> int:
    """Add the child of greatest swing that is not there yet; NONE when all are. ``swings`` stays as it was."""
    child = tree.nodes[node, FIRST]
    while child != NONE:
        swings[tree.nodes[child, MOVE]] -= OUT_OF_SIGHT
        child = tree.nodes[child, FOLLOWING]
    vertex = best_of(swings)
    found = swings[vertex] >= 0
    child = tree.nodes[node, FIRST]
    while child != NONE:
        swings[tree.nodes[child, MOVE]] += OUT_OF_SIGHT
        child = tree.nodes[child, FOLLOWING]
    if not found:
        return NONE
    made = add_child(tree, node)
    tree.nodes[made, MOVE] = vertex
    return made


def best_child(tree: WideningTree) -> int:
    """Return the vertex of the root's most visited child; of equals, the one looked at first."""
    best = max(children_of_root(tree), key=lambda child: int(tree.nodes[child, VISITS]))
    return int(tree.nodes[best, MOVE])
