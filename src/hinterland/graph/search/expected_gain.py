"""What a token would add to a seat's lead, and how much of it would last: the policy of playouts, and the move order.

A token on v takes every vertex x that it is nearest to. It keeps x if no later token comes nearer. Suppose that rivals
place their tokens at random, and that r of n vertices are nearer to x than v is. Then the seat keeps x through one such
token with chance 1 - r / n, and through t of them with chance (1 - r / n) ** t. Real tokens are placed better than
that, so the exponent is EAGERNESS times larger. The expected gain of v is a sum over all x that it takes: the value of
x times the chance to keep it, less what the seat had of x already, or plus what the rival had of it.

If no rival has a token left, everything is kept, and the expected gain is the *swing*: what the token adds to the lead
over the sum of all others.
"""

from __future__ import annotations

import numpy as np

from hinterland.graph.search.search_state import Ranks, SearchState, place
from hinterland.jit import inlined, kernel

EAGERNESS = 4.0
"""This many random tokens take as much as one token that a player places."""
CERTAIN = 1 << 12
"""A chance of 1. Chances are whole numbers, so that every machine adds them up alike."""
TAKEN = -1
"""The expected gain of a vertex that holds a token; all others are at least 0."""


def compute_keep_chances(vertices: int, tokens: int) -> np.ndarray:
    """Return the chance that a token stays the nearest: int64 (tokens + 1, vertices + 1), CERTAIN for 1.

    The first index is the number of rival tokens to come, the second the number of nearer vertices.
    """
    spared = 1 - np.arange(vertices + 1) / vertices
    chances = spared ** (EAGERNESS * np.arange(tokens + 1)[:, None])
    whole: np.ndarray = np.rint(CERTAIN * chances).astype(np.int64)
    return whole


def make_certain_chances(vertices: int, tokens: int) -> np.ndarray:
    """Return chances of 1 in the same shape, as if no token were ever lost: expected gains are swings then."""
    return np.ones((tokens + 1, vertices + 1), dtype=np.int64)


def count_rival_tokens(turns: np.ndarray) -> np.ndarray:
    """Count the tokens of other seats that follow each turn: int64[turns]. ``turns``: int8, the seats to move."""
    return np.array([int((turns[ply:] != seat).sum()) for ply, seat in enumerate(turns)], dtype=np.int64)


@kernel
def write_expected_gains(ranks: Ranks, state: SearchState, seat: int, chances: np.ndarray, gains: np.ndarray) -> None:
    """Write the expected gain of a seat's token on each vertex: int64[n], TAKEN if it has a token.

    ``chances``: int64[n + 1], a row of ``compute_keep_chances``.
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
def find_best(gains: np.ndarray) -> int:
    """Return the first vertex with the greatest gain."""
    best = 0
    for vertex in range(1, gains.size):
        if gains[vertex] > gains[best]:
            best = vertex
    return best


@kernel(allocates=True)
def play_out(
    ranks: Ranks, state: SearchState, turns: np.ndarray, rivals: np.ndarray, chances: np.ndarray, ply: int
) -> None:
    """Play the turns from a ply on, each where the expected gain is greatest."""
    gains = np.empty(ranks.values.size, dtype=np.int64)
    for i in range(ply, turns.size):
        write_expected_gains(ranks, state, turns[i], chances[rivals[i]], gains)
        place(ranks, state, find_best(gains), turns[i])
