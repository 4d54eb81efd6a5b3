"""What a token would add to a seat's lead, and what of it would last: the policy of playouts, and the order of moves.

A token on v takes every vertex x that it is nearest to. It keeps x if no later token comes nearer. Suppose that
rivals place theirs anywhere: then x, to which r of n vertices are nearer than v, is kept through one of their tokens
with chance 1 - r / n, and through t of them with chance (1 - r / n) ** t. Tokens are placed better than that, so the
exponent is EAGERNESS times larger. The expected gain of v is the sum over all x that it takes, of their values times
the chance to keep x; less what the seat had of x already, or with what the rival had of it.

Where no rival has a token left, all is kept, and the expected gain is the *swing*: what the token adds to the lead
over the sum of all others.
"""

from __future__ import annotations

import numpy as np

from hinterland.graph.distances.distance_ranks import Ranks
from hinterland.graph.search.search_state import SearchState, place
from hinterland.jit import inlined, kernel

EAGERNESS = 4.0
"""So many tokens placed anywhere take as much as one that is placed by a player."""
CERTAIN = 1 << 12
"""A chance of 1: chances are whole numbers, so that every machine adds them up alike."""
TAKEN = -1
"""What is told of a vertex that holds a token; every expected gain is at least 0."""


def chances_to_keep(vertices: int, tokens: int) -> np.ndarray:
    """Return the chance that a token stays the nearest: int64 (tokens + 1, vertices + 1), CERTAIN for 1.

    By the rivals' tokens to come, and by how many of all vertices are nearer.
    """
    spared = 1 - np.arange(vertices + 1) / vertices
    chances = spared ** (EAGERNESS * np.arange(tokens + 1)[:, None])
    whole: np.ndarray = np.rint(CERTAIN * chances).astype(np.int64)
    return whole


def all_kept(vertices: int, tokens: int) -> np.ndarray:
    """Return the same for who does not look ahead: expected gains are swings then."""
    return np.ones((tokens + 1, vertices + 1), dtype=np.int64)


def rivals_to_come(turns: np.ndarray) -> np.ndarray:
    """Count the tokens of other seats that follow each turn: int64[turns]. ``turns``: int8, the seats to move."""
    return np.array([int((turns[ply:] != seat).sum()) for ply, seat in enumerate(turns)], dtype=np.int64)


@kernel
def expected_gains(ranks: Ranks, state: SearchState, seat: int, chances: np.ndarray, gains: np.ndarray) -> None:
    """Write what a token of a seat on each vertex is expected to gain: int64[n], TAKEN where one stands.

    ``chances``: int64[n + 1], a row of ``chances_to_keep``.
    """
    gains[:] = 0
    for x in range(gains.size):
        reach, owner = state.reach[x], state.owner[x]
        had = 0 if owner < 0 else -chances[reach] if owner == seat else chances[reach]
        value = ranks.values[x]
        for i in range(reach):
            gains[ranks.by_distance[x, i]] += value * (chances[ranks.places[x, i]] + had)
    for x in range(gains.size):
        if state.reach[x] == 0:
            gains[x] = TAKEN


@inlined
def best_of(gains: np.ndarray) -> int:
    """Return the first vertex of greatest gain."""
    best = 0
    for vertex in range(1, gains.size):
        if gains[vertex] > gains[best]:
            best = vertex
    return best


@kernel(allocates=True)
def complete(
    ranks: Ranks, state: SearchState, turns: np.ndarray, rivals: np.ndarray, chances: np.ndarray, ply: int
) -> None:
    """Play the turns from a ply on, each where it is expected to gain most."""
    gains = np.empty(ranks.values.size, dtype=np.int64)
    for i in range(ply, turns.size):
        expected_gains(ranks, state, turns[i], chances[rivals[i]], gains)
        place(ranks, state, best_of(gains), turns[i])
