"""Monte Carlo tree search whose playouts are games played out by expected gain.

Nothing here is random: every round adds a new leaf, and a leaf's worth is the score when each seat goes on where it
expects to gain most. A node looks at its moves in that order. From its second visit on a node keeps its state, so that
a round plays no move twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hinterland.graph.distances.distance_ranks import Ranks
from hinterland.graph.search.expected_gain import (
    TAKEN,
    best_of,
    chances_to_keep,
    complete,
    expected_gains,
    rivals_to_come,
)
from hinterland.graph.search.search_state import SearchState, copy, place
from hinterland.jit import inlined, kernel
from hinterland.search.budget import Budget
from hinterland.search.widening import (
    FIRST,
    FOLLOWING,
    MOVE,
    NONE,
    VISITS,
    WideningTree,
    add_child,
    is_wide,
    new_tree,
    reward_of,
    select,
)

C_UCB = 0.3
"""How much a rarely tried move is favoured over one of better mean reward."""
WIDTH, WIDENING = 2.0, 0.4
"""After v visits a node looks at WIDTH * v ** WIDENING moves, and one more."""
TELLING = 0.04
"""A lead of this share of all values counts as all but won."""
MOST_NODES = 1_000_000
UNKEPT, ROOT = 0, 1
"""Slots: of nodes that are not kept, and of the root."""
MEMORY = 2**26
"""So many bytes are for the states of nodes."""


class KeptStates(NamedTuple):
    """The states of nodes that were visited twice, and which of their moves come next. Kernels overwrite the arrays."""

    slot: np.ndarray
    """int32[nodes]: where each node is kept, UNKEPT where it is not."""
    used: np.ndarray
    """int64[1]: how many slots are, the first of them for nothing."""
    reach: np.ndarray
    owner: np.ndarray
    scores: np.ndarray
    gains: np.ndarray
    """int64 (slots, n): the expected gain of each move, TAKEN for those that are in the tree."""


class GainSearch:
    """A tree of games from one position on."""

    def __init__(self, turns: np.ndarray, ranks: Ranks, root: SearchState, most_nodes: int = MOST_NODES) -> None:
        """Take the seats still to move, int8[turns], at least one, and the state now, which stays as it is."""
        self.tree = new_tree(most_nodes, 1)
        self._turns, self._ranks = turns, ranks
        self._rivals = rivals_to_come(turns)
        self._chances = chances_to_keep(ranks.values.size, int(self._rivals.max()))
        self._scale = max(float(ranks.values.sum()) * TELLING, 1.0)
        self._work = SearchState(root.reach.copy(), root.owner.copy(), root.scores.copy())
        self._kept = _room(root, most_nodes)
        _keep(self._kept, 0, ranks, root, int(turns[0]), self._chances[self._rivals[0]])

    def grow(self, rounds: int) -> None:
        """Run so many rounds, each of which adds a leaf."""
        scale, chances = self._scale, self._chances
        _grow(self.tree, self._kept, rounds, self._turns, self._rivals, chances, self._ranks, self._work, scale)

    def grow_within(self, budget: Budget, share: float = 1.0) -> None:
        """Run rounds until a share of the budget is spent; at least one."""
        rounds = max(budget.step(share), 1)
        while rounds > 0:
            self.grow(rounds)
            budget.spend(rounds)
            rounds = budget.step(share)

    def scores_after(self, line: Sequence[int]) -> tuple[int, ...]:
        """Return the final scores when a line is played from the root, and then each token where it gains most."""
        kept = self._kept
        copy(SearchState(kept.reach[ROOT], kept.owner[ROOT], kept.scores[ROOT]), self._work)
        for vertex, seat in zip(line, self._turns, strict=False):
            place(self._ranks, self._work, vertex, seat)
        complete(self._ranks, self._work, self._turns, self._rivals, self._chances, len(line))
        return tuple(self._work.scores.tolist())

    @property
    def line(self) -> list[int]:
        """The vertices of the moves that were tried most often, of equals the one looked at first."""
        nodes, vertices = self.tree.nodes, []
        node = 0
        while (child := int(nodes[node, FIRST])) != NONE:
            node = child
            while (child := int(nodes[child, FOLLOWING])) != NONE:
                node = child if nodes[child, VISITS] >= nodes[node, VISITS] else node
            vertices.append(int(nodes[node, MOVE]))
        return vertices


def _room(root: SearchState, nodes: int) -> KeptStates:
    count, players = root.owner.size, root.scores.size
    slots = min(MEMORY // (11 * count + 8 * players), nodes) + 1
    return KeptStates(
        np.zeros(nodes, dtype=np.int32),
        np.ones(1, dtype=np.int64),
        np.empty((slots, count), dtype=np.int16),
        np.empty((slots, count), dtype=np.int8),
        np.empty((slots, players), dtype=np.int64),
        np.empty((slots, count), dtype=np.int64),
    )


@inlined
def _state(kept: KeptStates, slot: int) -> SearchState:
    return SearchState(kept.reach[slot], kept.owner[slot], kept.scores[slot])


@kernel
def _keep(kept: KeptStates, node: int, ranks: Ranks, state: SearchState, seat: int, chances: np.ndarray) -> None:
    """Keep the state of a node at which a seat is to move, and what it expects to gain."""
    slot = kept.used[0]
    kept.used[0] = slot + 1
    kept.slot[node] = slot
    copy(state, _state(kept, slot))
    expected_gains(ranks, state, seat, chances, kept.gains[slot])


@kernel(allocates=True)
def _grow(
    tree: WideningTree, kept: KeptStates, rounds: int, turns: np.ndarray, rivals: np.ndarray, chances: np.ndarray,
    ranks: Ranks, work: SearchState, scale: float,
) -> None:  # fmt: skip
    path = np.empty(turns.size + 1, dtype=np.int32)
    for _ in range(rounds):
        depth = _descend(tree, kept, turns, rivals, chances, ranks, work, path)
        complete(ranks, work, turns, rivals, chances, depth)
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
def _descend(
    tree: WideningTree, kept: KeptStates, turns: np.ndarray, rivals: np.ndarray, chances: np.ndarray,
    ranks: Ranks, work: SearchState, path: np.ndarray,
) -> int:  # fmt: skip
    """Go from the root to a node that is not kept, and keep it on its second visit; return how deep the leaf is.

    Write the leaf's state to ``work``. The last move of all needs no node: it is played out exactly.
    """
    node = 0
    path[0] = 0
    ply = 0
    while True:
        slot = kept.slot[node]
        if slot == UNKEPT:
            parent = kept.slot[path[ply - 1]]
            copy(_state(kept, parent), work)
            place(ranks, work, tree.nodes[node, MOVE], turns[ply - 1])
            if tree.nodes[node, VISITS] == 0 or ply + 1 >= turns.size or kept.used[0] >= kept.gains.shape[0]:
                return ply
            _keep(kept, node, ranks, work, turns[ply], chances[rivals[ply]])
            slot = kept.slot[node]
        child = NONE if is_wide(tree, node, WIDTH, WIDENING) else _widen(tree, node, kept.gains[slot])
        node = child if child != NONE else select(tree, node, C_UCB)
        if node == NONE:
            copy(_state(kept, slot), work)
            return ply
        ply += 1
        path[ply] = node


@inlined
def _widen(tree: WideningTree, node: int, gains: np.ndarray) -> int:
    """Add the child that is expected to gain most of those not there yet; NONE when all are."""
    vertex = best_of(gains)
    if gains[vertex] < 0:
        return NONE
    gains[vertex] = TAKEN
    made = add_child(tree, node)
    tree.nodes[made, MOVE] = vertex
    return made
