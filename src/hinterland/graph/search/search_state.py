"""A position for search: the owner of each vertex, and how many vertices are nearer to it than the nearest token."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.graph.rules import Position
from hinterland.graph.search.distance_ranks import Ranks, ranks_of
from hinterland.jit import kernel


class SearchState(NamedTuple):
    """The state of the board. Kernels overwrite the arrays."""

    reach: np.ndarray
    """int16[n]: how many vertices are strictly nearer than the nearest token; 0 if the vertex itself has a token."""
    owner: np.ndarray
    """int8[n]: the owner of each vertex, -1 for nobody."""
    scores: np.ndarray
    """int64[players]"""


def new_state(ranks: Ranks, players: int) -> SearchState:
    """Return the state before the first token."""
    owner = np.full(ranks.values.size, -1, dtype=np.int8)
    return SearchState(ranks.reach.copy(), owner, np.zeros(players, dtype=np.int64))


def state_of(position: Position) -> SearchState:
    """Return the state of a position on a board that has ranks."""
    ranks = ranks_of(position.rules)
    made = new_state(ranks, position.rules.players)
    for seat, token in position.moves:
        place(ranks, made, token.vertex, seat)
    return made


def turns_of(position: Position) -> np.ndarray:
    """List the seats still to move, in order, if no seat leaves or loses a turn: int8[turns]."""
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


@kernel(allocates=True)
def copy(source: SearchState, target: SearchState) -> None:
    """Overwrite a state with another."""
    target.reach[:] = source.reach
    target.owner[:] = source.owner
    target.scores[:] = source.scores


@kernel
def place(ranks: Ranks, state: SearchState, vertex: int, seat: int) -> None:
    """Put a token on a free vertex."""
    near = ranks.nearer[vertex]
    for other in range(near.size):
        if near[other] < state.reach[other]:
            loser = state.owner[other]
            if loser >= 0:
                state.scores[loser] -= ranks.values[other]
            state.scores[seat] += ranks.values[other]
            state.reach[other] = near[other]
            state.owner[other] = seat
