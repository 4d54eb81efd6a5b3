"""Monte Carlo tree search whose playouts follow a heuristic policy, for boards too large to be solved.

A node looks at its moves in the order in which the policy likes them, and at more of them the more often it is visited
(progressive widening); among those it selects by the upper confidence bound. The tree is arrays, and a node's children
are a linked list.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hinterland.dots.order_types.bitsets import count
from hinterland.dots.search import playout_policy as policy
from hinterland.jit import inlined, kernel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hinterland.dots.rules import Position

__all__ = ["LineSearch", "LineTree", "grow", "most_visited", "new_tree"]

NONE = -1
FIRST, SECOND, CHILD, SIBLING, CHILDREN, VISITS = range(6)
C_UCB = 0.1
"""How much a rarely tried move is favoured over one of better mean reward."""
WIDTH, WIDENING = 0.7, 0.3
"""After v visits a node looks at WIDTH * v ** WIDENING moves, and one more."""
MOST_NODES = 1_000_000
ROUNDS = 64
"""Playouts between two looks at the time: some milliseconds."""
DECISIVE = 0.15
"""A lead of this share of the dots there counts as all but won."""


class LineTree(NamedTuple):
    """Nodes by number; node 0 is the position itself. Kernels overwrite the arrays."""

    nodes: np.ndarray
    """int32 (nodes, 6): the dots of the line that leads there, newest child, older sibling, children, visits."""
    value_sum: np.ndarray
    """float64[nodes]: the sum of rewards of the seat that moved there."""
    size: np.ndarray
    """int64[1]: how many nodes are in use."""


def new_tree(nodes: int) -> LineTree:
    """Return a tree that holds the root, with room for so many nodes."""
    tree = LineTree(np.zeros((nodes, 6), dtype=np.int32), np.zeros(nodes), np.ones(1, dtype=np.int64))
    tree.nodes[0, CHILD] = tree.nodes[0, SIBLING] = NONE
    return tree


@kernel
def grow(tree: LineTree, rounds: int, crossed: np.ndarray, root: np.ndarray, scale: float, seed: np.ndarray) -> None:
    """Run so many rounds from a state; ``scale``: a decisive lead, ``seed``: that of the playouts."""
    path = np.empty(1024, dtype=np.int32)
    seats = np.empty(1024, dtype=np.int64)
    for _ in range(rounds):
        state = root.copy()
        node = 0
        depth = 0
        while count(state[policy.PRESENT, -1]) >= 3 and (tree.nodes[node, VISITS] > 0 or depth == 0):
            child = _select(tree, node, crossed, state, seed)
            if child == NONE:
                break
            node = child
            path[depth] = node
            seats[depth] = state[policy.MOVER, -1]
            depth += 1
            policy.draw_line(crossed, state, tree.nodes[node, FIRST], tree.nodes[node, SECOND])
        lead = policy.play_out(crossed, state, seed)
        _backpropagate(tree, path[:depth], seats, lead / scale)


@inlined
def _backpropagate(tree: LineTree, path: np.ndarray, seats: np.ndarray, lead: float) -> None:
    """Add the outcome of a playout to the nodes on the way to it; ``lead``: of seat 0, in decisive ones."""
    tree.nodes[0, VISITS] += 1
    for ply in range(path.size):
        own = lead if seats[ply] == 0 else -lead
        tree.nodes[path[ply], VISITS] += 1
        tree.value_sum[path[ply]] += 0.5 + 0.5 * math.tanh(own)


@inlined
def _select(tree: LineTree, node: int, crossed: np.ndarray, state: np.ndarray, seed: np.ndarray) -> int:
    """Choose a child: a new one when it is time to look wider, else that of the greatest bound; NONE without room."""
    visits = tree.nodes[node, VISITS]
    if tree.nodes[node, CHILDREN] < 1 + int(WIDTH * visits**WIDENING) and tree.size[0] < tree.value_sum.size:
        child = _expand(tree, node, crossed, state, seed)
        if child != NONE:
            return child
    log_visits = math.log(visits + 1.0)
    best = NONE
    best_bound = -1.0
    child = tree.nodes[node, CHILD]
    while child != NONE:
        tried = max(tree.nodes[child, VISITS], 1)
        bound = tree.value_sum[child] / tried + C_UCB * math.sqrt(log_visits / tried)
        if bound > best_bound:
            best_bound = bound
            best = child
        child = tree.nodes[child, SIBLING]
    return best


@inlined
def _expand(tree: LineTree, node: int, crossed: np.ndarray, state: np.ndarray, seed: np.ndarray) -> int:
    """Add the child that the policy likes best of those that are not there yet; NONE when all are."""
    tried = np.zeros(state.shape[1], dtype=np.int64)
    child = tree.nodes[node, CHILD]
    while child != NONE:
        tried[tree.nodes[child, FIRST]] |= 1 << tree.nodes[child, SECOND]
        child = tree.nodes[child, SIBLING]
    line = policy.choose_line(crossed, state, policy.CAREFUL, tried, seed)
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


class LineSearch:
    """The tree of one position, and all that it takes to grow it."""

    def __init__(self, position: Position, seed: np.ndarray, nodes: int = MOST_NODES) -> None:
        """Begin with the position alone; ``seed``: see ``seed_of``, ``nodes``: the most there is room for."""
        self.tree = new_tree(nodes)
        self._crossed = policy.crossed_of(position.rules)
        self._root = policy.state_of(position)
        self._scale = max(len(position.dots) * DECISIVE, 1.0)
        self._seed = seed

    def grow(self, rounds: int) -> None:
        """Play out so many games more."""
        grow(self.tree, rounds, self._crossed, self._root, self._scale, self._seed)

    def grow_until(self, is_over: Callable[[], bool]) -> None:
        """Play out games until it is over; at least one."""
        self.grow(1)
        while not is_over():
            self.grow(ROUNDS)

    def visits(self) -> Counter[tuple[int, int]]:
        """Count how often each move was tried, by its two dots; those looked at first come first."""
        nodes = self.tree.nodes
        return Counter({(int(nodes[k, FIRST]), int(nodes[k, SECOND])): int(nodes[k, VISITS]) for k in self._children()})

    def mean_value(self) -> float:
        """Return the mean reward of the seat to move, from 0 to 1."""
        return float(self.tree.value_sum[self._children()].sum()) / max(int(self.tree.nodes[0, VISITS]), 1)

    def _children(self) -> list[int]:
        children = []
        child = int(self.tree.nodes[0, CHILD])
        while child != NONE:
            children.append(child)
            child = int(self.tree.nodes[child, SIBLING])
        return children[::-1]


def most_visited(searches: Iterable[LineSearch]) -> tuple[int, int]:
    """Return the dots of the move tried most often in searches of one position; of equals, that looked at first."""
    visits: Counter[tuple[int, int]] = Counter()
    for search in searches:
        visits.update(search.visits())
    return max(visits, key=visits.__getitem__)
