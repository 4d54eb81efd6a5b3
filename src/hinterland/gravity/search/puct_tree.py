"""Keeps the tree of a search in arrays: chooses the child to visit next, proves nodes, adds what a round found.

The child to visit next is the one of the greatest upper confidence bound, in which moves of great gain have a higher
prior (PUCT; Rosin 2011, Silver 2016). Each seat maximises its own area less those of the others. A node is proven once
all its children are proven: its value is that of the child that is best for the seat to move (MCTS-Solver; Winands et
al. 2008). Proven nodes are not visited again. If a proven child is worth more to a node's mover than the value of a
round, the node gets the child's value instead.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hinterland.jit import inlined
from hinterland.search.copying import copy_values

C_PUCT = 0.3
"""Weight of exploration: how much rarely tried moves are favoured over moves that did better so far."""
FPU_REDUCTION = 0.01
"""An untried move counts as worse than its node's mean by this share of the board (first-play urgency)."""


class PuctTree(NamedTuple):
    """The numbered nodes of a tree. Node 0 is the position itself; the children of a node have consecutive numbers.

    Kernels overwrite the arrays.
    """

    visits: np.ndarray
    """int32[nodes]"""
    value_sum: np.ndarray
    """float64 (nodes, players): the sum of the values of all visits; for a proven node its value times its visits."""
    proven: np.ndarray
    """uint8[nodes]: 1 if the value of a node is exact."""
    first: np.ndarray
    """int32[nodes]: the number of a node's first child."""
    children: np.ndarray
    """int32[nodes]: how many children a node has."""
    places: np.ndarray
    """float64 (nodes, 2): row and column of the stone that leads to each node, in cells of the coarse board."""
    weights: np.ndarray
    """int32[nodes]: the weight of the stone that leads to each node."""
    priors: np.ndarray
    """float64[nodes]: the priors of a node's children add up to 1."""
    size: np.ndarray
    """int64[1]: number of nodes in use."""


def new_tree(nodes: int, players: int) -> PuctTree:
    """Return a tree that holds the root, with room for ``nodes`` nodes."""
    return PuctTree(
        np.zeros(nodes, dtype=np.int32),
        np.zeros((nodes, players)),
        np.zeros(nodes, dtype=np.uint8),
        np.zeros(nodes, dtype=np.int32),
        np.zeros(nodes, dtype=np.int32),
        np.zeros((nodes, 2)),
        np.zeros(nodes, dtype=np.int32),
        np.zeros(nodes),
        np.ones(1, dtype=np.int64),
    )


def seed_root(tree: PuctTree, places: np.ndarray, weights: list[int]) -> None:
    """Give the root of a new tree a child for each of n stones, all with the same prior.

    ``places``: float64 (n, 2), the stones' rows and columns, in cells of the coarse board.
    """
    count = len(places)
    tree.places[1 : count + 1] = places
    tree.weights[1 : count + 1] = weights
    tree.priors[1 : count + 1] = 1 / count
    tree.first[0], tree.children[0] = 1, count
    tree.size[0] = count + 1


def shuffle(tree: PuctTree, seed: int) -> None:
    """Multiply the priors of the root's children by random factors that depend on the seed; seed 0 changes nothing."""
    if seed > 0:
        children = slice(tree.first[0], tree.first[0] + tree.children[0])
        tree.priors[children] *= np.random.default_rng(seed).uniform(0.5, 1.5, tree.children[0])
        tree.priors[children] /= tree.priors[children].sum()


def best_children(tree: PuctTree, seat: int) -> np.ndarray:
    """Return the root's children, best first: int64[n].

    Proven children that are at least as good as the most visited unproven child come first. The other children follow,
    the most visited first.
    """
    nodes = np.arange(tree.first[0], tree.first[0] + tree.children[0])
    if not nodes.size:
        return nodes
    visits = tree.visits[nodes]
    means = tree.value_sum[nodes, seat] / np.maximum(visits, 1)
    proven = tree.proven[nodes] == 1
    favourite = np.where(proven, -1, visits).argmax()
    better = proven & (proven.all() | (means >= means[favourite]))
    return nodes[np.lexsort((-means, -np.where(better, visits.max() + 1, visits)))]


def draw_first(tree: PuctTree, best: np.ndarray, seat: int, seed: int, gap: float) -> np.ndarray:
    """Draw one of the children that are about as good as the best, often visited ones more likely, and put it first.

    ``gap``: the share of the board by which the drawn child may be worse than the best. For seed 0 nothing is drawn.
    """
    visits = tree.visits[best].astype(np.float64)
    if seed == 0 or visits.sum() == 0:
        return best
    means = tree.value_sum[best, seat] / np.maximum(visits, 1)
    chances = np.where(means >= means[0] - gap, visits, 0)
    drawn = np.random.default_rng(seed).choice(best.size, p=chances / chances.sum())
    return np.concatenate((best[drawn : drawn + 1], np.delete(best, drawn)))


def join(trees: list[PuctTree]) -> PuctTree:
    """Add visits and values of all trees to the root of the first tree and that root's children; return that tree.

    All roots have the same children (root parallelisation; Chaslot, Winands and van den Herik 2008). What one tree has
    proven holds for all.
    """
    whole = trees[0]
    nodes = slice(0, whole.first[0] + whole.children[0])
    visits = np.stack([tree.visits[nodes] for tree in trees])
    sums = np.stack([tree.value_sum[nodes] for tree in trees])
    proven = np.stack([tree.proven[nodes] for tree in trees])
    by, each = proven.argmax(axis=0), np.arange(whole.first[0] + whole.children[0])
    certain = sums[by, each] / np.maximum(visits[by, each], 1)[:, None] * visits.sum(axis=0)[:, None]
    whole.value_sum[nodes] = np.where(proven[by, each, None] == 1, certain, sums.sum(axis=0))
    whole.visits[nodes] = visits.sum(axis=0)
    whole.proven[nodes] = proven[by, each]
    return whole


@inlined
def select(tree: PuctTree, node: int, seat: int) -> int:
    """Return the child of the greatest upper confidence bound among those not yet proven."""
    untried = tree.value_sum[node, seat] / max(tree.visits[node], 1) - FPU_REDUCTION
    weight = C_PUCT * math.sqrt(tree.visits[node])
    best = -1
    most = -np.inf
    for child in range(tree.first[node], tree.first[node] + tree.children[node]):
        if tree.proven[child]:
            continue
        visits = tree.visits[child]
        mean = tree.value_sum[child, seat] / visits if visits > 0 else untried
        bound = mean + weight * tree.priors[child] / (1 + visits)
        if bound > most:
            most = bound
            best = child
    return best


@inlined
def add_child(tree: PuctTree, row: float, col: float, weight: int, prior: float) -> int:
    """Append a node for a stone; return its number. There must be room."""
    child = tree.size[0]
    tree.size[0] += 1
    tree.visits[child] = 0
    tree.value_sum[child] = 0.0
    tree.proven[child] = 0
    tree.children[child] = 0
    tree.places[child, 0] = row
    tree.places[child, 1] = col
    tree.weights[child] = weight
    tree.priors[child] = prior
    return int(child)


@inlined
def child_on(tree: PuctTree, node: int, row: float, col: float, weight: int) -> int:
    """Return the child of ``node`` that stands for a stone, 0 if there is none."""
    for child in range(tree.first[node], tree.first[node] + tree.children[node]):
        if tree.places[child, 0] == row and tree.places[child, 1] == col and tree.weights[child] == weight:
            return child
    return 0


@inlined(allocates=True)
def credit(tree: PuctTree, child: int, value: np.ndarray) -> None:
    """Count a playout from a leaf as a visit of the leaf's child, too, if the playout went through it."""
    tree.visits[child] += 1
    for seat in range(value.size):
        tree.value_sum[child, seat] += value[seat]


@inlined(allocates=True)
def backpropagate(tree: PuctTree, path: np.ndarray, movers: np.ndarray, ply: int, value: np.ndarray) -> None:
    """Add the value of a round to the nodes on its path, and mark those that are proven by now."""
    for step in range(ply, -1, -1):
        node = path[step]
        mover = movers[step]
        tree.visits[node] += 1
        if tree.children[node] > 0:
            best, unproven = _best_proven(tree, node, mover)
            if best >= 0:
                certain = tree.value_sum[best] / tree.visits[best]
                if unproven == 0 or certain[mover] > value[mover]:
                    copy_values(certain, value)
            if unproven == 0:
                tree.proven[node] = 1
                for seat in range(value.size):
                    tree.value_sum[node, seat] = value[seat] * (tree.visits[node] - 1)
        for seat in range(value.size):
            tree.value_sum[node, seat] += value[seat]


@inlined
def _best_proven(tree: PuctTree, node: int, seat: int) -> tuple[int, int]:
    """Return the best of a node's proven children for ``seat`` (-1 if there is none), and how many are not proven."""
    best = -1
    unproven = 0
    most = -np.inf
    for child in range(tree.first[node], tree.first[node] + tree.children[node]):
        if not tree.proven[child]:
            unproven += 1
        else:
            mean = tree.value_sum[child, seat] / tree.visits[child]
            if mean > most:
                most = mean
                best = child
    return best, unproven
