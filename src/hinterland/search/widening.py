"""A tree that looks at more moves of a position the more often it is visited (progressive widening; Coulom 2007).

Among the children that there are, the upper confidence bound chooses. Who uses the tree says which move comes next, and
what a game played out is worth. The tree is arrays and a node's children are a linked list, so that a node costs memory
only when it is looked at.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hinterland.jit import inlined

NONE = -1
VISITS, FIRST, FOLLOWING, CHILDREN, MOVE = range(5)
"""Of a node: how often it was visited, its newest child, the next older child of its parent, how many children it has,
and the first number of the move that leads to it."""


class WideningTree(NamedTuple):
    """Nodes by number; node 0 is the position itself. Kernels overwrite the arrays."""

    nodes: np.ndarray
    """int32 (nodes, MOVE + numbers of a move), see VISITS; NONE stands for no node."""
    value_sum: np.ndarray
    """float64[nodes]: the sum of rewards of the seat that moved into each node."""
    size: np.ndarray
    """int64[1]: how many nodes are in use."""


def new_tree(nodes: int, numbers: int) -> WideningTree:
    """Return a tree that holds the root, with room for so many nodes, for moves of so many numbers."""
    tree = WideningTree(np.zeros((nodes, MOVE + numbers), dtype=np.int32), np.zeros(nodes), np.ones(1, dtype=np.int64))
    tree.nodes[0, FIRST] = tree.nodes[0, FOLLOWING] = NONE
    return tree


@inlined
def is_wide(tree: WideningTree, node: int, width: float, exponent: float) -> bool:
    """Say whether a node has ``width * visits ** exponent`` children and one more, or there is no room for another."""
    most = 1 + int(width * tree.nodes[node, VISITS] ** exponent)
    return bool(tree.nodes[node, CHILDREN] >= most or tree.size[0] >= tree.value_sum.size)


@inlined
def add_child(tree: WideningTree, node: int) -> int:
    """Give a node a child, the move to which is still to be written; return its number."""
    child = int(tree.size[0])
    tree.size[0] = child + 1
    tree.nodes[child, FIRST] = NONE
    tree.nodes[child, FOLLOWING] = tree.nodes[node, FIRST]
    tree.nodes[node, FIRST] = child
    tree.nodes[node, CHILDREN] += 1
    return child


@inlined
def select(tree: WideningTree, node: int, c_ucb: float) -> int:
    """Return the child of the greatest upper confidence bound, NONE where there is none."""
    log_visits = math.log(tree.nodes[node, VISITS] + 1.0)
    best = NONE
    best_bound = -1.0
    child = tree.nodes[node, FIRST]
    while child != NONE:
        tried = max(tree.nodes[child, VISITS], 1)
        bound = tree.value_sum[child] / tried + c_ucb * math.sqrt(log_visits / tried)
        if bound > best_bound:
            best_bound = bound
            best = child
        child = tree.nodes[child, FOLLOWING]
    return best


@inlined
def reward_of(lead: float, decisive: float) -> float:
    """Return what a lead is worth, from 0 to 1: chiefly whether there is one. ``decisive``: one that is all but won."""
    return 0.5 + 0.5 * math.tanh(lead / decisive)


def children_of_root(tree: WideningTree) -> list[int]:
    """List the children of the root in the order in which they were first looked at."""
    children = []
    child = int(tree.nodes[0, FIRST])
    while child != NONE:
        children.append(child)
        child = int(tree.nodes[child, FOLLOWING])
    return children[::-1]
