"""A position as search wants it: every gain at hand, and brought up to date by each token instead of summed anew.

What a token on each vertex would add to the lead of each seat is kept as a sum over the vertices x it would take. A
new token touches only the x that it takes itself, and for each of these only the vertices that were nearer to x than
its owner: about n / k of each when k tokens stand. So a whole game played out by gain costs little more than one sum
over all pairs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.graph.distances.distance_ranks import Ranks, ranks_of
from hinterland.graph.rules import Position
from hinterland.jit import inlined, kernel

TAKEN = -(2**60)
"""So low that the swing of a taken vertex stays below 0 whatever is added to it."""


class SearchState(NamedTuple):
    """What stands on the board. Kernels overwrite the arrays."""

    reach: np.ndarray
    """int16[n]: how many vertices are strictly nearer than the nearest token."""
    owner: np.ndarray
    """int8[n]: the seat that holds each vertex, -1 for nobody."""
    swings: np.ndarray
    """int64 (players, n): what a token would add to a seat's lead over the sum of the others; below 0 where taken."""
    scores: np.ndarray
    """int64[players]"""


def new_state(ranks: Ranks, players: int) -> SearchState:
    """Return room for a state; its contents mean nothing yet."""
    count = ranks.values.size
    return SearchState(
        np.zeros(count, dtype=np.int16),
        np.zeros(count, dtype=np.int8),
        np.zeros((players, count), dtype=np.int64),
        np.zeros(players, dtype=np.int64),
    )


def state_of(position: Position) -> SearchState:
    """Return the state of a position on a board that has ranks."""
    ranks = ranks_of(position.rules)
    made = new_state(ranks, position.rules.players)
    _clear(ranks, made)
    for seat, token in position.moves:
        place(ranks, made, token.vertex, seat)
    return made


def turns_of(position: Position) -> np.ndarray:
    """List the seats that are still to move, in order, if nobody leaves or loses a turn: int8[turns]."""
    players = position.rules.players
    left = [0 if seat in position.withdrawn else position.tokens_left(seat) for seat in range(players)]
    turns: list[int] = []
    seat = position.to_move
    while seat is not None and any(left):
        if left[seat] > 0:
            left[seat] -= 1
            turns.append(seat)
        seat = (seat + 1) % players
    return np.array(turns, dtype=np.int8)


@kernel
def _clear(ranks: Ranks, state: SearchState) -> None:
    """Take all tokens off."""
    state.owner[:] = -1
    state.reach[:] = ranks.reach
    state.swings[:] = 0
    state.scores[:] = 0
    for vertex in range(ranks.values.size):
        for seat in range(state.scores.size):
            _add(ranks, state.swings[seat], vertex, 0, ranks.reach[vertex], ranks.values[vertex])


@inlined
def _add(ranks: Ranks, swings: np.ndarray, vertex: int, low: int, high: int, worth: int) -> None:
    """Add to the swings of the vertices from the low-th nearest to the high-th, which is left out."""
    for i in range(low, high):
        swings[ranks.by_distance[vertex, i]] += worth


@kernel
def copy(source: SearchState, target: SearchState) -> None:
    """Overwrite a state with another."""
    for vertex in range(source.owner.size):
        target.reach[vertex] = source.reach[vertex]
        target.owner[vertex] = source.owner[vertex]
    for seat in range(source.scores.size):
        target.scores[seat] = source.scores[seat]
        for vertex in range(source.owner.size):
            target.swings[seat, vertex] = source.swings[seat, vertex]


@kernel
def place(ranks: Ranks, state: SearchState, vertex: int, seat: int) -> None:
    """Put a token on a free vertex, and bring everything up to date."""
    for other in range(ranks.values.size):
        near = ranks.nearer[vertex, other]
        if near < state.reach[other]:
            _take(ranks, state, other, near, seat)
    for player in range(state.scores.size):
        state.swings[player, vertex] = TAKEN


@inlined
def _take(ranks: Ranks, state: SearchState, vertex: int, near: int, seat: int) -> None:
    """Give a vertex to a seat, whose token ``near`` vertices are nearer to it than."""
    value = ranks.values[vertex]
    reach = state.reach[vertex]
    loser = state.owner[vertex]
    before = value if loser < 0 else 2 * value
    for player in range(state.scores.size):
        swings = state.swings[player]
        if player == seat:
            if player != loser:
                _add(ranks, swings, vertex, 0, reach, -before)
        elif player == loser:
            _add(ranks, swings, vertex, 0, near, 2 * value)
        else:
            _add(ranks, swings, vertex, near, reach, -before)
            if before != 2 * value:
                _add(ranks, swings, vertex, 0, near, value)
    if loser >= 0:
        state.scores[loser] -= value
    state.scores[seat] += value
    state.reach[vertex] = near
    state.owner[vertex] = seat


@kernel
def settle(ranks: Ranks, state: SearchState, vertex: int, seat: int) -> None:
    """Count a token into the scores, and change nothing else: enough for the last one."""
    for other in range(ranks.values.size):
        if ranks.nearer[vertex, other] < state.reach[other]:
            if state.owner[other] >= 0:
                state.scores[state.owner[other]] -= ranks.values[other]
            state.scores[seat] += ranks.values[other]


@inlined
def best_of(swings: np.ndarray) -> int:
    """Return the first vertex of greatest swing."""
    best = 0
    for vertex in range(1, swings.size):
        if swings[vertex] > swings[best]:
            best = vertex
    return best


@kernel
def complete(ranks: Ranks, state: SearchState, turns: np.ndarray, ply: int) -> None:
    """Play the turns from a ply on, each where it swings most; afterwards only the scores are right."""
    for i in range(ply, turns.size):
        seat = turns[i]
        vertex = best_of(state.swings[seat])
        if i + 1 < turns.size:
            place(ranks, state, vertex, seat)
        else:
            settle(ranks, state, vertex, seat)
