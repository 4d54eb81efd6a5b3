"""Monte Carlo tree search whose playouts are games played out by expected gain.

Nothing here is random. Every round adds a leaf, and plays the game out from it: each token goes where its expected gain
is greatest. The final scores decide what the leaf is worth. A node considers its moves in the order of expected gains.
From its second visit on, a node keeps its state, so that a round need not replay the moves that lead to the node.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hinterland.graph.search.expected_gain import (
    TAKEN,
    compute_keep_chances,
    count_rival_tokens,
    find_best,
    play_out,
    write_expected_gains,
)
from hinterland.graph.search.search_state import Ranks, SearchState, copy, place
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
"""Exploration constant: the weight of rarely tried moves against moves with a better mean reward."""
WIDENING_FACTOR, WIDENING_EXPONENT = 2.0, 0.4
"""After v visits a node considers WIDENING_FACTOR * v ** WIDENING_EXPONENT + 1 moves."""
DECISIVE_SHARE = 0.04
"""A final lead of this share of the sum of all values has the reward 0.88 of at most 1 (``reward_of``)."""
MAX_NODES = 1_000_000
NO_SLOT, ROOT_SLOT = 0, 1
"""Slots of ``NodeStates``: that of nodes whose state is not kept, and that of the root."""
STATE_BYTES = 2**26
"""Memory for the states of nodes."""


class NodeStates(NamedTuple):
    """The states of nodes that were visited at least twice, and the expected gains of their moves.

    Each such node has a *slot*, its index in the arrays from ``reach`` on. Kernels overwrite the arrays.
    """

    slot: np.ndarray
    """int32[nodes]: the slot of each node, NO_SLOT if its state is not kept."""
    used: np.ndarray
    """int64[1]: number of slots in use, including slot 0, which stays empty."""
    reach: np.ndarray
    owner: np.ndarray
    scores: np.ndarray
    gains: np.ndarray
    """int64 (slots, n): the expected gain of each move, TAKEN if the tree has the move already."""


class GainSearch:
    """A tree search of games from one position on."""

    def __init__(self, turns: np.ndarray, ranks: Ranks, root: SearchState, most_nodes: int = MAX_NODES) -> None:
        """Prepare a tree that holds only its root.

        ``turns``: int8, the seats still to move, at least one. ``root``: the current state, which is not changed.
        """
        self.tree = new_tree(most_nodes, 1)
        self._turns, self._ranks = turns, ranks
        self._rivals = count_rival_tokens(turns)
        self._chances = compute_keep_chances(ranks.values.size, int(self._rivals.max()))
        self._scale = max(float(ranks.values.sum()) * DECISIVE_SHARE, 1.0)
        self._work = SearchState(root.reach.copy(), root.owner.copy(), root.scores.copy())
        self._kept = _make_states(root, most_nodes)
        _store_state(self._kept, 0, ranks, root, int(turns[0]), self._chances[self._rivals[0]])

    def grow(self, rounds: int) -> None:
        """Run ``rounds`` rounds; each adds a leaf."""
        scale, chances = self._scale, self._chances
        _grow(self.tree, self._kept, rounds, self._turns, self._rivals, chances, self._ranks, self._work, scale)

    def grow_within(self, budget: Budget, share: float = 1.0) -> None:
        """Run rounds, at least one, until ``share`` of the budget is spent."""
        rounds = max(budget.step(share), 1)
        while rounds > 0:
            self.grow(rounds)
            budget.spend(rounds)
            rounds = budget.step(share)

    def scores_after(self, line: Sequence[int]) -> tuple[int, ...]:
        """Return the final scores if ``line`` is played from the root, and then each token goes where it gains most."""
        kept = self._kept
        copy(SearchState(kept.reach[ROOT_SLOT], kept.owner[ROOT_SLOT], kept.scores[ROOT_SLOT]), self._work)
        for vertex, seat in zip(line, self._turns, strict=False):
            place(self._ranks, self._work, vertex, seat)
        play_out(self._ranks, self._work, self._turns, self._rivals, self._chances, len(line))
        return tuple(self._work.scores.tolist())

    @property
    def line(self) -> list[int]:
        """The vertices of the most tried line: at each node the move with the most visits, the first of equals."""
        nodes, vertices = self.tree.nodes, []
        node = 0
        while (child := int(nodes[node, FIRST])) != NONE:
            node = child
            while (child := int(nodes[child, FOLLOWING])) != NONE:
                node = child if nodes[child, VISITS] >= nodes[node, VISITS] else node
            vertices.append(int(nodes[node, MOVE]))
        return vertices


def _make_states(root: SearchState, nodes: int) -> NodeStates:
    count, players = root.owner.size, root.scores.size
    slots = min(STATE_BYTES // (11 * count + 8 * players), nodes) + 1
    return NodeStates(
        np.zeros(nodes, dtype=np.int32),
        np.ones(1, dtype=np.int64),
        np.empty((slots, count), dtype=np.int16),
        np.empty((slots, count), dtype=np.int8),
        np.empty((slots, players), dtype=np.int64),
        np.empty((slots, count), dtype=np.int64),
    )


@inlined
def _state(kept: NodeStates, slot: int) -> SearchState:
    return SearchState(kept.reach[slot], kept.owner[slot], kept.scores[slot])


@kernel
def _store_state(kept: NodeStates, node: int, ranks: Ranks, state: SearchState, seat: int, chances: np.ndarray) -> None:
    """Store the state of a node at which ``seat`` is to move, and the expected gains of its moves."""
    slot = kept.used[0]
    kept.used[0] = slot + 1
    kept.slot[node] = slot
    copy(state, _state(kept, slot))
    write_expected_gains(ranks, state, seat, chances, kept.gains[slot])


@kernel(allocates=True)
def _grow(
    tree: WideningTree, kept: NodeStates, rounds: int, turns: np.ndarray, rivals: np.ndarray, chances: np.ndarray,
    ranks: Ranks, work: SearchState, scale: float,
) -> None:  # fmt: skip
    path = np.empty(turns.size + 1, dtype=np.int32)
    for _ in range(rounds):
        depth = _descend(tree, kept, turns, rivals, chances, ranks, work, path)
        play_out(ranks, work, turns, rivals, chances, depth)
        tree.nodes[0, VISITS] += 1
        for ply in range(depth):
            node = path[ply + 1]
            tree.nodes[node, VISITS] += 1
            tree.value_sum[node] += _reward(work.scores, turns[ply], scale)


@inlined
def _reward(scores: np.ndarray, seat: int, scale: float) -> float:
    """Return the worth of final scores to a seat, from 0 to 1; what counts most is whether the seat won."""
    other = -1
    for player in range(scores.size):
        if player != seat and scores[player] > other:
            other = scores[player]
    return reward_of(scores[seat] - other, scale)


@inlined
def _descend(
    tree: WideningTree, kept: NodeStates, turns: np.ndarray, rivals: np.ndarray, chances: np.ndarray,
    ranks: Ranks, work: SearchState, path: np.ndarray,
) -> int:  # fmt: skip
    """Go from the root to a leaf, and store the state of a node that is visited again; return the leaf's depth.

    The leaf's state is written to ``work``. The game's last move needs no node: a playout chooses it exactly.
    """
    node = 0
    path[0] = 0
    ply = 0
    while True:
        slot = kept.slot[node]
        if slot == NO_SLOT:
            parent = kept.slot[path[ply - 1]]
            copy(_state(kept, parent), work)
            place(ranks, work, tree.nodes[node, MOVE], turns[ply - 1])
            if tree.nodes[node, VISITS] == 0 or ply + 1 >= turns.size or kept.used[0] >= kept.gains.shape[0]:
                return ply
            _store_state(kept, node, ranks, work, turns[ply], chances[rivals[ply]])
            slot = kept.slot[node]
        child = (
            NONE if is_wide(tree, node, WIDENING_FACTOR, WIDENING_EXPONENT) else _widen(tree, node, kept.gains[slot])
        )
        node = child if child != NONE else select(tree, node, C_UCB)
        if node == NONE:
            copy(_state(kept, slot), work)
            return ply
        ply += 1
        path[ply] = node


@inlined
def _widen(tree: WideningTree, node: int, gains: np.ndarray) -> int:
    """Add and return a child for the best move that has no child, by expected gain; NONE if all moves have children."""
    vertex = find_best(gains)
    if gains[vertex] < 0:
        return NONE
    gains[vertex] = TAKEN
    made = add_child(tree, node)
    tree.nodes[made, MOVE] = vertex
    return made
