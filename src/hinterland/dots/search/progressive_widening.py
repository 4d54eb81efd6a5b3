"""Monte Carlo tree search whose playouts follow a heuristic policy, for boards too large to be solved.

A node looks at its moves in the order in which the policy likes them. Lines may be drawn in many orders: where another
move has led to the same position before, they share what is below, and what that is worth.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Container, Iterable

import numpy as np

from hinterland.dots.order_types.bitsets import count
from hinterland.dots.rules import Line, Position
from hinterland.dots.search import playout_policy as policy
from hinterland.dots.search.same_positions import SamePositions, key_of, new_positions, standing_for
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
    new_tree,
    reward_of,
)

SAME, TRIED = MOVE + 2, MOVE + 3
"""Of a node: that which stands for its position and counts its visits, and how often the move into it was tried."""


C_UCB = 0.4
"""How much a rarely tried move is favoured over one of better mean reward."""
WIDTH, WIDENING = 2.0, 0.3
"""After v visits a node looks at WIDTH * v ** WIDENING moves, and one more."""
MOST_NODES = 1_000_000
ROUNDS = 64
"""Playouts between two looks at the time: some milliseconds."""
DECISIVE = 0.15
"""A lead of this share of the dots there counts as all but won."""


@kernel(allocates=True)
def grow(
    tree: WideningTree,
    positions: SamePositions,
    rounds: int,
    crossed: np.ndarray,
    root: np.ndarray,
    scale: float,
    seed: np.ndarray,
) -> None:
    """Run so many rounds from a state; ``scale``: a decisive lead, ``seed``: that of the playouts."""
    path = np.empty(1024, dtype=np.int32)
    seats = np.empty(1024, dtype=np.int64)
    for _ in range(rounds):
        state = root.copy()
        node = 0
        depth = 0
        while count(state[policy.PRESENT, -1]) >= 3 and (tree.nodes[node, VISITS] > 0 or depth == 0):
            child = NONE if is_wide(tree, node, WIDTH, WIDENING) else _expand(tree, node, crossed, state, seed)
            child = child if child != NONE else _select(tree, node)
            if child == NONE:
                break
            path[depth] = child
            seats[depth] = state[policy.MOVER, -1]
            depth += 1
            policy.draw_line(crossed, state, int(tree.nodes[child, MOVE]), int(tree.nodes[child, MOVE + 1]))
            if tree.nodes[child, TRIED] == 0:
                tree.nodes[child, SAME] = standing_for(positions, key_of(state), child)
            node = tree.nodes[child, SAME]
        lead = policy.play_out(crossed, state, seed)
        tree.nodes[0, VISITS] += 1
        for ply in range(depth):
            same = tree.nodes[path[ply], SAME]
            tree.nodes[path[ply], TRIED] += 1
            tree.nodes[same, VISITS] += 1
            tree.value_sum[same] += reward_of(lead if seats[ply] == 0 else -lead, scale)


@inlined
def _select(tree: WideningTree, node: int) -> int:
    """Return the child of the greatest upper confidence bound, NONE where there is none."""
    log_visits = math.log(tree.nodes[node, VISITS] + 1.0)
    best = NONE
    best_bound = -1.0
    child = tree.nodes[node, FIRST]
    while child != NONE:
        same = tree.nodes[child, SAME]
        visits = max(tree.nodes[same, VISITS], 1)
        tried = max(tree.nodes[child, TRIED], 1)
        bound = tree.value_sum[same] / visits + C_UCB * math.sqrt(log_visits / tried)
        if bound > best_bound:
            best_bound = bound
            best = child
        child = tree.nodes[child, FOLLOWING]
    return best


@inlined(allocates=True)
def _expand(tree: WideningTree, node: int, crossed: np.ndarray, state: np.ndarray, seed: np.ndarray) -> int:
    """Add the child that the policy likes best of those not there yet; NONE when all are."""
    tried = np.zeros(state.shape[1], dtype=np.int64)
    child = tree.nodes[node, FIRST]
    while child != NONE:
        tried[tree.nodes[child, MOVE]] |= 1 << int(tree.nodes[child, MOVE + 1])
        child = tree.nodes[child, FOLLOWING]
    line = policy.choose_line(crossed, state, policy.CAREFUL, tried, seed)
    if line[0] == NONE:
        return NONE
    child = add_child(tree, node)
    tree.nodes[child, MOVE], tree.nodes[child, MOVE + 1] = line
    return int(child)


class LineSearch:
    """The tree of one position, and all that it takes to grow it."""

    def __init__(self, position: Position, seed: np.ndarray, nodes: int = MOST_NODES) -> None:
        """Begin with the position alone; ``seed``: see ``seed_of``, ``nodes``: the most there is room for."""
        self.tree = new_tree(nodes, 4)
        self._positions = new_positions(nodes)
        self._crossed = policy.crossed_of(position.rules)
        self._root = policy.state_of(position)
        self._scale = max(len(position.dots) * DECISIVE, 1.0)
        self._seed = seed

    def grow(self, rounds: int) -> None:
        """Play out so many games more."""
        grow(self.tree, self._positions, rounds, self._crossed, self._root, self._scale, self._seed)

    def grow_until(self, is_over: Callable[[], bool]) -> None:
        """Play out games until it is over; at least one."""
        self.grow(1)
        while not is_over():
            self.grow(ROUNDS)

    def visits(self) -> Counter[tuple[int, int]]:
        """Count how often each move was tried, by its two dots; those looked at first come first."""
        children = self.tree.nodes[children_of_root(self.tree)].tolist()
        return Counter({(child[MOVE], child[MOVE + 1]): child[TRIED] for child in children})

    def favourite(self, but: Container[Line] = ()) -> Line | None:
        """Return the line tried most often but for some; None where it tried no other."""
        tried = (Line(*dots) for dots, visits in self.visits().most_common() if visits)
        return next((line for line in tried if line not in but), None)

    def mean_value(self) -> float:
        """Return the mean reward of the seat to move, from 0 to 1."""
        return float(self.tree.value_sum[children_of_root(self.tree)].sum()) / max(int(self.tree.nodes[0, VISITS]), 1)


def most_visited(searches: Iterable[LineSearch]) -> tuple[int, int]:
    """Return the dots of the move tried most often in searches of one position; of equals, that looked at first."""
    visits: Counter[tuple[int, int]] = Counter()
    for search in searches:
        visits.update(search.visits())
    return max(visits, key=visits.__getitem__)
