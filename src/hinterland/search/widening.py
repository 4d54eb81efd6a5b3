"""A tree whose nodes get more children the more often they are visited (progressive widening; Coulom 2007).

The upper confidence bound selects among the children of a node. The code that uses the tree decides which move is added
next, and what a playout is worth. The tree consists of arrays, and the children of a node are a linked list, so that a
node needs memory only once it is visited.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hinterland.jit import inlined

NONE = -1
"""Stands for no node."""
VISITS, FIRST, FOLLOWING, CHILDREN, MOVE = range(5)
"""The columns of ``nodes``: visits; the newest child; the next older child of the same parent; the number of children;
and, from MOVE on, the move that leads to the node."""


class WideningTree(NamedTuple):
    """The nodes, by number; node 0, the root, is the position searched. Kernels overwrite the arrays."""

    nodes: np.ndarray
    """int32 (nodes, MOVE + numbers of a move): a row for each node."""
    value_sum: np.ndarray
    """float64[nodes]: for each node, the sum of the rewards of the seat that moved into the node."""
    size: np.ndarray
    """int64[1]: number of nodes in use."""


def new_tree(nodes: int, numbers: int) -> WideningTree:
    """Return a tree that holds the root, with room for ``nodes`` nodes and moves of ``numbers`` numbers each."""
    tree = WideningTree(np.zeros((nodes, MOVE + numbers), dtype=np.int32), np.zeros(nodes), np.ones(1, dtype=np.int64))
    tree.nodes[0, FIRST] = tree.nodes[0, FOLLOWING] = NONE
    return tree


@inlined
def is_wide(tree: WideningTree, node: int, width: float, exponent: float) -> bool:
    """Say whether a node has all 1 + ``width * visits ** exponent`` children, or the tree has no room for another."""
    most = 1 + int(width * tree.nodes[node, VISITS] ** exponent)
    return bool(tree.nodes[node, CHILDREN] >= most or tree.size[0] >= tree.value_sum.size)


@inlined
def add_child(tree: WideningTree, node: int) -> int:
    """Give a node a child; return the child's number. The caller writes the move that leads to the child."""
    child = int(tree.size[0])
    tree.size[0] = child + 1
    tree.nodes[child, FIRST] = NONE
    tree.nodes[child, FOLLOWING] = tree.nodes[node, FIRST]
    tree.nodes[node, FIRST] = child
    tree.nodes[node, CHILDREN] += 1
    return child


@inlined
def select(tree: WideningTree, node: int, c_ucb: float) -> int:
    """Return the child with the greatest upper confidence bound; NONE if the node has no child."""
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
    """Return the reward of a lead, from 0 to 1; who leads matters more than by how much.

    ``decisive``: the lead whose reward is 0.88.
    """
    return 0.5 + 0.5 * math.tanh(lead / decisive)


def children_of_root(tree: WideningTree) -> list[int]:
    """List the children of the root in the order in which they were added."""
    children = []
    child = int(tree.nodes[0, FIRST])
    while child != NONE:
        children.append(child)
        child = int(tree.nodes[child, FOLLOWING])
    return children[::-1]
