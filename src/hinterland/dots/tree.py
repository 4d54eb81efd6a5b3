"""Monte Carlo tree search whose playouts follow a rule of thumb, for boards too large to be solved.

A node looks at its moves in the order in which the rule of thumb likes them, and at more of them the more often it is
visited; among those it follows the upper confidence bound. The tree is arrays, and a node's children are a linked
list.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hinterland.dots.bitsets import count
from hinterland.dots.playouts import CAREFUL, MOVER, PRESENT, draw_line, play_out, think
from hinterland.jit import inlined, kernel

__all__ = ["Tree", "best_child", "grow", "new_tree"]

NONE = -1
FIRST, SECOND, CHILD, SIBLING, CHILDREN, VISITS = range(6)
CURIOSITY = 0.1
"""How much a rarely tried move is favoured over one of better mean reward."""
WIDTH, WIDENING = 0.7, 0.3
"""After v visits a node looks at WIDTH * v ** WIDENING moves, and one more."""


class Tree(NamedTuple):
    """Nodes by number; node 0 is the position itself. Kernels overwrite the arrays."""

    nodes: np.ndarray
    """int32 (nodes, 6): the dots of the line that leads there, newest child, older sibling, children, visits."""
    rewards: np.ndarray
    """float64[nodes]: the sum of rewards of the seat that moved there."""
    size: np.ndarray
    """int64[1]: how many nodes are in use."""


def new_tree(nodes: int) -> Tree:
    """Return a tree that holds the root, with room for so many nodes."""
    tree = Tree(np.zeros((nodes, 6), dtype=np.int32), np.zeros(nodes), np.ones(1, dtype=np.int64))
    tree.nodes[0, CHILD] = tree.nodes[0, SIBLING] = NONE
    return tree


@kernel
def grow(tree: Tree, rounds: int, crossed: np.ndarray, root: np.ndarray, scale: float, seed: np.ndarray) -> None:
    """Run so many rounds from a standing; ``scale``: a telling lead, ``seed``: that of the playouts."""
    path = np.empty(1024, dtype=np.int32)
    seats = np.empty(1024, dtype=np.int64)
    for _ in range(rounds):
        standing = root.copy()
        node = 0
        depth = 0
        while count(standing[-1, PRESENT]) >= 3 and (tree.nodes[node, VISITS] > 0 or depth == 0):
            child = _follow(tree, node, crossed, standing, seed)
            if child == NONE:
                break
            node = child
            path[depth] = node
            seats[depth] = standing[-1, MOVER]
            depth += 1
            draw_line(crossed, standing, tree.nodes[node, FIRST], tree.nodes[node, SECOND])
        lead = play_out(crossed, standing, seed)
        tree.nodes[0, VISITS] += 1
        for ply in range(depth):
            own = lead if seats[ply] == 0 else -lead
            tree.nodes[path[ply], VISITS] += 1
            tree.rewards[path[ply]] += 0.5 + 0.5 * math.tanh(own / scale)


@inlined
def _follow(tree: Tree, node: int, crossed: np.ndarray, standing: np.ndarray, seed: np.ndarray) -> int:
    """Choose a child: a new one when it is time to look wider, else that of the greatest bound; NONE without room."""
    visits = tree.nodes[node, VISITS]
    if tree.nodes[node, CHILDREN] < 1 + int(WIDTH * visits**WIDENING) and tree.size[0] < tree.rewards.size:
        child = _widen(tree, node, crossed, standing, seed)
        if child != NONE:
            return child
    log_visits = math.log(visits + 1.0)
    best = NONE
    best_bound = -1.0
    child = tree.nodes[node, CHILD]
    while child != NONE:
        tried = max(tree.nodes[child, VISITS], 1)
        bound = tree.rewards[child] / tried + CURIOSITY * math.sqrt(log_visits / tried)
        if bound > best_bound:
            best_bound = bound
            best = child
        child = tree.nodes[child, SIBLING]
    return best


@inlined
def _widen(tree: Tree, node: int, crossed: np.ndarray, standing: np.ndarray, seed: np.ndarray) -> int:
    """Add the child that is worth most of those that are not there yet; NONE when all are."""
    tried = np.zeros(standing.shape[0], dtype=np.int64)
    child = tree.nodes[node, CHILD]
    while child != NONE:
        tried[tree.nodes[child, FIRST]] |= 1 << tree.nodes[child, SECOND]
        child = tree.nodes[child, SIBLING]
    line = think(crossed, standing, CAREFUL, tried, seed)
    if line[0] == NONE:
        return NONE
    made = int(tree.size[0])
    tree.size[0] = made + 1
    tree.nodes[made, FIRST], tree.nodes[made, SECOND] = line
    tree.nodes[made, CHILD] = NONE
    tree.nodes[made, SIBLING] = tree.nodes[node, CHILD]
    tree.nodes[node, CHILD] = made
    tree.nodes[node, CHILDREN] += 1
    return made


def best_child(tree: Tree) -> tuple[int, int]:
    """Return the dots of the root's most visited child; of equals, the one looked at first."""
    best = child = int(tree.nodes[0, CHILD])
    while child != NONE:
        if tree.nodes[child, VISITS] >= tree.nodes[best, VISITS]:
            best = child
        child = int(tree.nodes[child, SIBLING])
    return int(tree.nodes[best, FIRST]), int(tree.nodes[best, SECOND])
