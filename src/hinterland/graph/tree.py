"""Monte Carlo tree search whose playouts are games played out by gain.

Nothing here is random: every round adds a new leaf, and a leaf's worth is the score when each seat goes on where it
swings most. A node looks at its moves in order of swing, and at more of them the more often it is visited; among those
it follows the upper confidence bound. The tree is arrays, and a node's children a linked list, so a node costs memory
only when it is looked at.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hinterland.graph.ranks import Ranks
from hinterland.graph.standing import Standing, best_of, complete, copy, place, settle
from hinterland.jit import inlined, kernel

__all__ = ["Tree", "best_child", "grow", "new_tree"]

NONE = -1
CURIOSITY = 0.3
"""How much a rarely tried move is favoured over one of better mean reward."""
WIDTH, WIDENING = 2.0, 0.4
"""After v visits a node looks at WIDTH * v ** WIDENING moves, and one more."""


class Tree(NamedTuple):
    """Nodes by number, the root first; node 0 is the position itself. Kernels overwrite the arrays."""

    visits: np.ndarray
    """int32[nodes]"""
    rewards: np.ndarray
    """float64[nodes]: the sum of rewards of the seat that moved into each node."""
    vertex: np.ndarray
    """int16[nodes]: the move that leads to each."""
    first: np.ndarray
    """int32[nodes]: its newest child, or NONE."""
    following: np.ndarray
    """int32[nodes]: the next older child of the same parent, or NONE."""
    children: np.ndarray
    """int32[nodes]: how many it has."""
    size: np.ndarray
    """int64[1]: how many nodes are in use."""


def new_tree(nodes: int) -> Tree:
    """Return a tree that holds the root, with room for so many nodes."""
    tree = Tree(
        np.zeros(nodes, dtype=np.int32),
        np.zeros(nodes, dtype=np.float64),
        np.zeros(nodes, dtype=np.int16),
        np.zeros(nodes, dtype=np.int32),
        np.zeros(nodes, dtype=np.int32),
        np.zeros(nodes, dtype=np.int32),
        np.ones(1, dtype=np.int64),
    )
    tree.first[0] = tree.following[0] = NONE
    return tree


@kernel
def grow(
    tree: Tree, rounds: int, turns: np.ndarray, ranks: Ranks, root: Standing, work: Standing, scale: float
) -> None:
    """Run so many rounds. ``turns``: int8, the seats to move; ``work`` is overwritten; ``scale``: a telling lead."""
    path = np.empty(turns.size + 1, dtype=np.int32)
    for _ in range(rounds):
        copy(root, work)
        depth = _descend(tree, turns, ranks, work, path)
        complete(ranks, work, turns, depth)
        tree.visits[0] += 1
        for ply in range(depth):
            node = path[ply + 1]
            tree.visits[node] += 1
            tree.rewards[node] += _reward(work.scores, turns[ply], scale)


@inlined
def _reward(scores: np.ndarray, seat: int, scale: float) -> float:
    """Return what final scores are worth to a seat, from 0 to 1: chiefly whether it won."""
    other = -1
    for player in range(scores.size):
        if player != seat and scores[player] > other:
            other = scores[player]
    return 0.5 + 0.5 * math.tanh((scores[seat] - other) / scale)


@inlined
def _descend(tree: Tree, turns: np.ndarray, ranks: Ranks, work: Standing, path: np.ndarray) -> int:
    """Play from the root to a node that was never visited, or to the end; return how many moves that took."""
    node = 0
    path[0] = 0
    for ply in range(turns.size):
        if tree.visits[node] == 0 and ply > 0:
            return ply
        seat = turns[ply]
        last = ply + 1 == turns.size
        node = _follow(tree, node, work.swings[seat], last)
        if node == NONE:
            return ply
        if last:
            settle(ranks, work, tree.vertex[node], seat)
        else:
            place(ranks, work, tree.vertex[node], seat)
        path[ply + 1] = node
    return turns.size


@inlined
def _follow(tree: Tree, node: int, swings: np.ndarray, last: bool) -> int:
    """Choose a child: a new one when it is time to look wider, else that of the greatest bound; NONE without room."""
    visits = tree.visits[node]
    width = 1 if last else 1 + int(WIDTH * visits**WIDENING)
    if tree.children[node] < width and tree.size[0] < tree.visits.size:
        child = _widen(tree, node, swings)
        if child != NONE:
            return child
    log_visits = math.log(visits + 1.0)
    best = NONE
    best_bound = -1.0
    child = tree.first[node]
    while child != NONE:
        tried = max(tree.visits[child], 1)
        bound = tree.rewards[child] / tried + CURIOSITY * math.sqrt(log_visits / tried)
        if bound > best_bound:
            best_bound = bound
            best = child
        child = tree.following[child]
    return best


@inlined
def _widen(tree: Tree, node: int, swings: np.ndarray) -> int:
    """Add the child of greatest swing that is not there yet; NONE when all are. ``swings`` stays as it was."""
    child = tree.first[node]
    while child != NONE:
        swings[tree.vertex[child]] -= OUT_OF_SIGHT
        child = tree.following[child]
    vertex = best_of(swings)
    found = swings[vertex] >= 0
    child = tree.first[node]
    while child != NONE:
        swings[tree.vertex[child]] += OUT_OF_SIGHT
        child = tree.following[child]
    if not found:
        return NONE
    made = int(tree.size[0])
    tree.size[0] = made + 1
    tree.visits[made] = 0
    tree.rewards[made] = 0.0
    tree.vertex[made] = vertex
    tree.first[made] = NONE
    tree.children[made] = 0
    tree.following[made] = tree.first[node]
    tree.first[node] = made
    tree.children[node] += 1
    return made


OUT_OF_SIGHT = 2**58


def best_child(tree: Tree) -> int:
    """Return the vertex of the root's most visited child; of equals, the one looked at first."""
    best = child = int(tree.first[0])
    while child != NONE:
        if tree.visits[child] >= tree.visits[best]:
            best = child
        child = int(tree.following[child])
    return int(tree.vertex[best])
