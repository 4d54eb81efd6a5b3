"""The last plies between two seats, exactly: alpha-beta over every move, the greatest swing first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hinterland.graph.ranks import Ranks
from hinterland.graph.standing import TAKEN, Standing, best_of, copy, empty, place
from hinterland.jit import inlined, kernel

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["solve"]

SURE = 2**60
GIVEN_UP = 2**61
SPENT, ALLOWED = 0, 1


class _Layers(NamedTuple):
    """A standing for each ply, and which of its moves were not tried yet."""

    reach: np.ndarray
    owner: np.ndarray
    swings: np.ndarray
    scores: np.ndarray
    untried: np.ndarray


def solve(
    turns: np.ndarray, ranks: Ranks, root: Standing, first: int, allow: Callable[[int], int]
) -> tuple[int, int] | None:
    """Return the vertex of the greatest final lead of the seat to move, both playing their best, and that lead.

    ``turns``: int8, the seats still to move, of a game of two; ``first`` is the vertex to look at first. ``allow`` is
    told how many standings the last move took, and says how many the next one may take. None when that is too few.
    """
    layers = _room(ranks, turns.size)
    count = np.zeros(2, dtype=np.int64)
    best, best_lead = first, -SURE
    for vertex in _in_order(root.swings[turns[0]], first):
        count[ALLOWED] = allow(int(count[SPENT]))
        count[SPENT] = 0
        lead = _lead_after(layers, ranks, turns, root, vertex, best_lead, count)
        if lead == GIVEN_UP:
            return None
        if lead > best_lead:
            best, best_lead = vertex, int(lead)
    return best, best_lead


def _room(ranks: Ranks, plies: int) -> _Layers:
    stack = [empty(ranks, 2) for _ in range(plies + 1)]
    arrays = [np.stack(layer) for layer in zip(*stack, strict=True)]
    reach, owner, swings, scores = arrays
    return _Layers(reach, owner, swings, scores, np.zeros_like(swings[:, 0]))


def _in_order(swings: np.ndarray, first: int) -> list[int]:
    """List the free vertices, one of them first, the others by swing."""
    order = [int(vertex) for vertex in np.argsort(-swings, kind="stable") if swings[vertex] >= 0]
    order.remove(first)
    return [first, *order]


@inlined
def _layer(layers: _Layers, depth: int) -> Standing:
    return Standing(layers.reach[depth], layers.owner[depth], layers.swings[depth], layers.scores[depth])


@kernel
def _lead_after(
    layers: _Layers, ranks: Ranks, turns: np.ndarray, root: Standing, vertex: int, alpha: int, count: np.ndarray
) -> int:
    """Return the final lead of the seat to move after one move, exactly where it is above ``alpha``."""
    below = _layer(layers, 1)
    copy(root, below)
    place(ranks, below, vertex, turns[0])
    return _value(layers, 1, ranks, turns, alpha, SURE, count)


@kernel
def _value(
    layers: _Layers, depth: int, ranks: Ranks, turns: np.ndarray, alpha: int, beta: int, count: np.ndarray
) -> int:
    """Return the final lead of the seat that moves first in ``turns``, from the standing of a layer."""
    here = _layer(layers, depth)
    me = turns[0]
    lead = int(here.scores[me] - here.scores[1 - me])
    if depth == turns.size:
        return lead
    count[SPENT] += 1
    if count[SPENT] > count[ALLOWED]:
        return GIVEN_UP
    seat = turns[depth]
    swings = here.swings[seat]
    if depth + 1 == turns.size:
        swing = int(swings[best_of(swings)])
        return lead + swing if seat == me else lead - swing
    untried = layers.untried[depth]
    untried[:] = swings
    answered = depth + 2 == turns.size and turns[depth + 1] != seat
    below = _layer(layers, depth + 1)
    best = -SURE if seat == me else SURE
    while alpha < beta:
        vertex = best_of(untried)
        swing = untried[vertex]
        if swing < 0:
            break
        # the last word is the other's, and cannot better what this seat has now
        if answered and (lead + swing <= alpha if seat == me else lead - swing >= beta):
            bound = lead + swing if seat == me else lead - swing
            best = max(best, bound) if seat == me else min(best, bound)
            break
        untried[vertex] = TAKEN
        copy(here, below)
        place(ranks, below, vertex, seat)
        value = _value(layers, depth + 1, ranks, turns, alpha, beta, count)
        if value == GIVEN_UP:
            return GIVEN_UP
        if seat == me:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
    return best
