"""Monte Carlo tree search whose playouts follow a heuristic policy, for boards too large to be solved.

At a node, moves are considered in the order of the policy's preference. The same moves in different orders lead to
different nodes with the same position. One of these nodes represents the position; only this node has children, visits
and rewards. The key of a position is the exclusive or of random numbers (Zobrist, 1970): one for each dot on the board,
each line, the seat to move and the lead. Keys are stored in a hash table with open addressing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Container, Iterable
from typing import NamedTuple

import numpy as np

from hinterland.dots.order_types.bitsets import count, lowest
from hinterland.dots.rules import Line, Position
from hinterland.dots.search import playout_policy as policy
from hinterland.dots.search.playout_policy import JOINED, LEAD, MOVER, PRESENT
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

SIDE = 64
"""Length of a row of ZOBRIST: more than the number of dots of any board."""
ZOBRIST = np.random.PCG64(20172).random_raw((SIDE + 3) * SIDE).view(np.int64).reshape(SIDE + 3, SIDE)
"""Random numbers: [a, b] for the line between dots a and b, [a, a] for dot a; row LEAD_ROW for leads of seat 0, the
next row for leads of seat 1; row MOVER_ROW for the seat to move."""
LEAD_ROW, MOVER_ROW = SIDE, SIDE + 2
SAME, TRIED = MOVE + 2, MOVE + 3
"""Columns of a node. SAME: number of the node that represents the same position. TRIED: how often the move into the
node was tried."""


C_UCB = 0.4
"""Exploration constant: the weight of rarely tried moves against moves with a better mean reward."""
WIDENING_FACTOR, WIDENING_EXPONENT = 2.0, 0.3
"""After v visits a node considers WIDENING_FACTOR * v ** WIDENING_EXPONENT + 1 moves."""
MAX_NODES = 1_000_000
PLAYOUTS_PER_LOOK = 64
"""Number of playouts between two looks at the time; they take some milliseconds."""
DECISIVE_SHARE = 0.15
"""A lead of this share of the dots on the board has the reward 0.88 of at most 1 (``reward_of``)."""


class SamePositions(NamedTuple):
    """Maps positions to the nodes that represent them. Kernels overwrite the arrays."""

    keys: np.ndarray
    """int64[slots]: the keys of the positions; the number of slots is a power of two."""
    nodes: np.ndarray
    """int32[slots]: the nodes that represent the positions; 0 if a slot is free."""


def new_positions(nodes: int) -> SamePositions:
    """Return an empty table with room for ``nodes`` nodes."""
    slots = 1 << (2 * nodes).bit_length()
    return SamePositions(np.zeros(slots, dtype=np.int64), np.zeros(slots, dtype=np.int32))


@inlined
def key_of(state: np.ndarray) -> int:
    """Return the key of a state."""
    lead = state[LEAD, -1]
    key = ZOBRIST[LEAD_ROW + (lead < 0), abs(lead)] ^ ZOBRIST[MOVER_ROW, state[MOVER, -1]]
    dots = state[PRESENT, -1]
    while dots:
        dot = lowest(dots)
        dots &= dots - 1
        key ^= ZOBRIST[dot, dot]
        ends = state[JOINED, dot] & dots
        while ends:
            key ^= ZOBRIST[dot, lowest(ends)]
            ends &= ends - 1
    return int(key)


@inlined
def find_or_add_node(positions: SamePositions, key: int, node: int) -> int:
    """Return the node that represents a position; if there is none, let ``node`` represent it from now on."""
    last = positions.keys.size - 1
    slot = key & last
    while positions.nodes[slot] and positions.keys[slot] != key:
        slot = slot + 1 & last
    if not positions.nodes[slot]:
        positions.keys[slot] = key
        positions.nodes[slot] = node
    return int(positions.nodes[slot])


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
    """Run ``rounds`` playouts from the state ``root``.

    ``scale``: a lead, in dots, that counts as nearly won. ``seed``: state of the random numbers.
    """
    path = np.empty(1024, dtype=np.int32)
    seats = np.empty(1024, dtype=np.int64)
    for _ in range(rounds):
        state = root.copy()
        node = 0
        depth = 0
        while count(state[policy.PRESENT, -1]) >= 3 and (tree.nodes[node, VISITS] > 0 or depth == 0):
            child = (
                NONE
                if is_wide(tree, node, WIDENING_FACTOR, WIDENING_EXPONENT)
                else _expand(tree, node, crossed, state, seed)
            )
            child = child if child != NONE else _select(tree, node)
            if child == NONE:
                break
            path[depth] = child
            seats[depth] = state[policy.MOVER, -1]
            depth += 1
            policy.draw_line(crossed, state, int(tree.nodes[child, MOVE]), int(tree.nodes[child, MOVE + 1]))
            if tree.nodes[child, TRIED] == 0:
                tree.nodes[child, SAME] = find_or_add_node(positions, key_of(state), child)
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
    """Return the child with the greatest upper confidence bound; NONE if the node has no child."""
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
    """Add and return the child that the policy prefers among those not yet added; NONE if all have been added."""
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
    """The search tree of one position, and the data needed to grow it."""

    def __init__(self, position: Position, seed: np.ndarray, nodes: int = MAX_NODES) -> None:
        """Make a tree that holds the position alone; ``seed``: see ``seed_of``; ``nodes``: the tree's capacity."""
        self.tree = new_tree(nodes, 4)
        self._positions = new_positions(nodes)
        self._crossed = policy.crossed_of(position.rules)
        self._root = policy.state_of(position)
        self._scale = max(len(position.dots) * DECISIVE_SHARE, 1.0)
        self._seed = seed

    def grow(self, rounds: int) -> None:
        """Run ``rounds`` more playouts."""
        grow(self.tree, self._positions, rounds, self._crossed, self._root, self._scale, self._seed)

    def grow_until(self, is_over: Callable[[], bool]) -> None:
        """Run playouts, at least one, until ``is_over()`` is true."""
        self.grow(1)
        while not is_over():
            self.grow(PLAYOUTS_PER_LOOK)

    def count_visits(self) -> Counter[tuple[int, int]]:
        """Return how often each move was tried, by its two dots; moves that were added first come first."""
        children = self.tree.nodes[children_of_root(self.tree)].tolist()
        return Counter({(child[MOVE], child[MOVE + 1]): child[TRIED] for child in children})

    def find_favourite(self, but: Container[Line] = ()) -> Line | None:
        """Return the line, except those in ``but``, that was tried most often; None if no other line was tried."""
        tried = (Line(*dots) for dots, visits in self.count_visits().most_common() if visits)
        return next((line for line in tried if line not in but), None)

    def mean_value(self) -> float:
        """Return the mean reward, from 0 to 1, of the seat to move at the root."""
        return float(self.tree.value_sum[children_of_root(self.tree)].sum()) / max(int(self.tree.nodes[0, VISITS]), 1)


def find_most_visited(searches: Iterable[LineSearch]) -> tuple[int, int]:
    """Return the dots of the move tried most often in searches of one position; of several such moves, the first."""
    visits: Counter[tuple[int, int]] = Counter()
    for search in searches:
        visits.update(search.count_visits())
    return max(visits, key=visits.__getitem__)
