"""Solves the last plies of a game of two exactly, by alpha-beta search over all moves.

Moves are tried in the order of their swings: what each adds to the mover's lead at once. Leads are those of the seat
that moves first in the search, ``turns[0]``. The search keeps its own stack of layers, one for each ply, because the
compiler fails when a recursive function is loaded from the cache.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from hinterland.graph.search.expected_gain import TAKEN, find_best, make_certain_chances, write_expected_gains
from hinterland.graph.search.search_state import Ranks, SearchState, copy, place
from hinterland.jit import inlined, kernel, part

INFINITE = 2**60
ABORTED = 2**61
SPENT, ALLOWED = 0, 1


class _Layers(NamedTuple):
    """The stack: for each ply a state, its untried moves, and bounds of the final lead."""

    reach: np.ndarray
    owner: np.ndarray
    scores: np.ndarray
    untried: np.ndarray
    """int64 (plies, n): the swing of each move of the seat to move, negative if it was tried or is not possible."""
    alpha: np.ndarray
    """int64[plies]: the lead of which ``turns[0]`` is sure already."""
    beta: np.ndarray
    """int64[plies]: the lead to which the other seat can limit ``turns[0]`` already."""
    best: np.ndarray
    """int64[plies]: of the leads found so far, the best one for the seat to move."""


def solve(
    turns: np.ndarray, ranks: Ranks, root: SearchState, first: int | None, allow: Callable[[int], int]
) -> tuple[int, int] | None:
    """Return the vertex that gives the seat to move its greatest final lead under best play, and that lead.

    ``turns``: int8, the seats still to move, in a game of two. ``first``: the vertex to try first, if any. ``allow`` is
    called for each vertex that is tried: it receives the number of states searched for the vertex before, and returns
    how many may be searched for this one. If the allowed states are too few, the result is None.
    """
    layers = _make_layers(root, turns.size)
    certain = make_certain_chances(ranks.values.size, 0)[0]
    count = np.zeros(2, dtype=np.int64)
    write_expected_gains(ranks, root, turns[0], certain, layers.untried[0])
    order = _order_moves(layers.untried[0], first)
    best, best_lead = order[0], -INFINITE
    for vertex in order:
        count[ALLOWED] = allow(int(count[SPENT]))
        count[SPENT] = 0
        lead = _lead_after(layers, ranks, turns, root, vertex, best_lead, certain, count)
        if lead == ABORTED:
            return None
        if lead > best_lead:
            best, best_lead = vertex, int(lead)
    return best, best_lead


def _make_layers(root: SearchState, plies: int) -> _Layers:
    reach, owner, scores = (np.stack([array] * (plies + 1)) for array in root)
    alpha, beta, best = np.zeros((3, plies + 1), dtype=np.int64)
    return _Layers(reach, owner, scores, np.zeros(reach.shape, dtype=np.int64), alpha, beta, best)


def _order_moves(swings: np.ndarray, first: int | None) -> list[int]:
    """List the free vertices: ``first``, then the others, the greatest swing first."""
    order = [int(vertex) for vertex in np.argsort(-swings, kind="stable") if swings[vertex] >= 0]
    return order if first is None else [first, *(vertex for vertex in order if vertex != first)]


@inlined
def _layer(layers: _Layers, depth: int) -> SearchState:
    return SearchState(layers.reach[depth], layers.owner[depth], layers.scores[depth])


@kernel
def _lead_after(
    layers: _Layers, ranks: Ranks, turns: np.ndarray, root: SearchState, vertex: int, alpha: int, certain: np.ndarray,
    count: np.ndarray,
) -> int:  # fmt: skip
    """Return the final lead of the seat to move if it plays ``vertex``; the lead is exact if above ``alpha``."""
    below = _layer(layers, 1)
    copy(root, below)
    place(ranks, below, vertex, turns[0])
    layers.alpha[1] = alpha
    layers.beta[1] = INFINITE
    return _value(layers, ranks, turns, certain, count)


@part
def _value(layers: _Layers, ranks: Ranks, turns: np.ndarray, certain: np.ndarray, count: np.ndarray) -> int:
    """Return the final lead after best play from layer 1 on; it is exact if between that layer's alpha and beta."""
    depth = 1
    while True:
        count[SPENT] += 1
        if count[SPENT] > count[ALLOWED]:
            return ABORTED
        if depth < turns.size:
            write_expected_gains(ranks, _layer(layers, depth), turns[depth], certain, layers.untried[depth])
        if depth + 1 < turns.size:
            layers.best[depth] = -INFINITE if turns[depth] == turns[0] else INFINITE
        else:
            depth = _back_up(layers, turns, depth, _last_lead(layers, turns, depth))
        while depth > 0 and not _descend(layers, ranks, turns, depth):
            depth = _back_up(layers, turns, depth, layers.best[depth])
        if depth == 0:
            return int(layers.best[0])
        depth += 1


@inlined
def _last_lead(layers: _Layers, turns: np.ndarray, depth: int) -> int:
    """Return the final lead at a layer at which at most one move is left."""
    me = turns[0]
    lead = int(layers.scores[depth, me] - layers.scores[depth, 1 - me])
    if depth == turns.size:
        return lead
    swing = int(layers.untried[depth, find_best(layers.untried[depth])])
    return lead + swing if turns[depth] == me else lead - swing


@inlined
def _back_up(layers: _Layers, turns: np.ndarray, depth: int, lead: int) -> int:
    """Update the layer above with a layer's result, ``lead``; return the depth of the layer above."""
    above = depth - 1
    if above == 0:
        layers.best[0] = lead
    elif turns[above] == turns[0]:
        layers.best[above] = max(layers.best[above], lead)
        layers.alpha[above] = max(layers.alpha[above], lead)
    else:
        layers.best[above] = min(layers.best[above], lead)
        layers.beta[above] = min(layers.beta[above], lead)
    return above


@inlined
def _descend(layers: _Layers, ranks: Ranks, turns: np.ndarray, depth: int) -> bool:
    """Play the next move of a layer into the layer below; return False instead if no untried move can matter."""
    seat = turns[depth]
    untried = layers.untried[depth]
    vertex = find_best(untried)
    if layers.alpha[depth] >= layers.beta[depth] or untried[vertex] < 0:
        return False
    if depth + 2 == turns.size and turns[depth + 1] != seat and not _can_matter(layers, turns, depth, untried[vertex]):
        return False
    untried[vertex] = TAKEN
    below = _layer(layers, depth + 1)
    copy(_layer(layers, depth), below)
    place(ranks, below, vertex, seat)
    layers.alpha[depth + 1] = layers.alpha[depth]
    layers.beta[depth + 1] = layers.beta[depth]
    return True


@inlined
def _can_matter(layers: _Layers, turns: np.ndarray, depth: int, swing: int) -> bool:
    """Say whether a move with this swing can matter, if only the other seat's last move follows it.

    That last move cannot improve the result of the seat to move. So if the lead after this move is no better for this
    seat than what it has secured already, neither this nor any untried move can matter. Then the lead after this move
    counts as one of the leads found in this layer (``layers.best``).
    """
    me = turns[0]
    lead = int(layers.scores[depth, me] - layers.scores[depth, 1 - me])
    if turns[depth] != me:
        if lead - swing < layers.beta[depth]:
            return True
        layers.best[depth] = min(layers.best[depth], lead - swing)
        return False
    if lead + swing > layers.alpha[depth]:
        return True
    layers.best[depth] = max(layers.best[depth], lead + swing)
    return False
