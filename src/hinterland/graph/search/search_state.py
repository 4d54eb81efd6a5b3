"""A position for the search: each vertex's owner, and how many vertices are nearer to it than any token.

To know who owns a vertex, the ranks of distances suffice, which are small whole numbers. A token on v takes x exactly
when v is strictly nearer to x than x's nearest token. If all vertices are listed by their distance from x, those for
which this holds come first. So for each vertex x only the number of these vertices is stored, the *reach* of x.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.graph.distances.network import UNREACHED
from hinterland.graph.rules import Position, Rules
from hinterland.jit import kernel
from hinterland.search.copying import copy_values

MAX_RANKED_VERTICES = 1000
"""Most vertices of a board that has ranks: on larger ones, sorting distances would take too much of a move's time."""


class Ranks(NamedTuple):
    """For a board of n vertices: all vertices in the order of their distances from each one."""

    by_distance: np.ndarray
    """int16 (n, n): row x lists all vertices by their distance from x, the nearest first."""
    places: np.ndarray
    """int16 (n, n): [x, i] counts the vertices strictly nearer to x than ``by_distance[x, i]``."""
    nearer: np.ndarray
    """int16 (n, n): [v, x] counts the vertices strictly nearer to x than v; n if no path joins them."""
    reach: np.ndarray
    """int16[n]: for each vertex the number of vertices that a path joins to it, itself included."""
    values: np.ndarray
    """int64[n]"""


def ranks_of(rules: Rules) -> Ranks:
    """Return the ranks of a board with at most MAX_RANKED_VERTICES vertices; they are computed once."""
    kept: Ranks | None = rules.__dict__.get("ranks")
    if kept is None:
        assert rules.distances is not None
        kept = rules.__dict__["ranks"] = _rank(rules.distances, rules.network.values)
    return kept


def _rank(distances: np.ndarray, values: np.ndarray) -> Ranks:
    count = values.size
    by_distance = np.argsort(distances, axis=1, kind="stable")
    in_order = np.take_along_axis(distances, by_distance, axis=1)
    first = np.arange(count, dtype=np.int16)[None, :].repeat(count, axis=0)
    first[:, 1:][in_order[:, 1:] == in_order[:, :-1]] = 0
    places = np.maximum.accumulate(first, axis=1)
    places[in_order >= UNREACHED] = count
    nearer = np.empty((count, count), dtype=np.int16)
    np.put_along_axis(nearer, by_distance, places, axis=1)
    reach = (distances < UNREACHED).sum(axis=1).astype(np.int16)
    return Ranks(by_distance.astype(np.int16), places, np.ascontiguousarray(nearer.T), reach, values.copy())


class SearchState(NamedTuple):
    """The state of the board. Kernels overwrite the arrays."""

    reach: np.ndarray
    """int16[n]: for each vertex how many vertices are strictly nearer to it than any token; 0 if it has a token."""
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
    copy_values(source.reach, target.reach)
    copy_values(source.owner, target.owner)
    copy_values(source.scores, target.scores)


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
