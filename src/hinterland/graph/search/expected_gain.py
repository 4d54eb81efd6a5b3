"""Computes expected gains: what a token would add to a seat's lead, as far as it is likely to last.

In playouts each token goes where its expected gain is greatest, and the search considers moves in that order.

A token on v takes every vertex x to which it is nearer than all other tokens, and keeps x if no later token is nearer
still. Suppose that rivals place their tokens at random, and that r of n vertices are nearer to x than v is. Then the
seat keeps x through one such token with chance 1 - r / n, and through t of them with chance (1 - r / n) ** t. Real
tokens are placed better than that, so the exponent is EAGERNESS times larger. The expected gain of v is a sum over all
x that the token takes. Each x adds its value times the chance that the seat keeps x. If another token held x before,
the value times that token's chance to keep x is subtracted if the token is the seat's own, and added if it is a
rival's.

If no rival has a token left, everything is kept, and the expected gain is the *swing*: what the token adds to the
seat's lead over the sum of all others.
"""

from __future__ import annotations

import numpy as np

from hinterland.graph.search.search_state import Ranks, SearchState, place
from hinterland.jit import inlined, kernel

EAGERNESS = 4.0
"""The number of random tokens that are assumed to take as much as one token of a player."""
CERTAIN = 1 << 12
"""The whole number that stands for a chance of 1. Whole numbers add up alike on every machine."""
TAKEN = -1
"""Stands for the expected gain of a vertex that holds a token; the others' gains are at least 0."""


def compute_keep_chances(vertices: int, tokens: int) -> np.ndarray:
    """Return the chance that a token stays the nearest: int64 (tokens + 1, vertices + 1), CERTAIN for 1.

    The first index is the number of rival tokens to come, the second the number of vertices that are nearer than the
    token.
    """
    spared = 1 - np.arange(vertices + 1) / vertices
    chances = spared ** (EAGERNESS * np.arange(tokens + 1)[:, None])
    whole: np.ndarray = np.rint(CERTAIN * chances).astype(np.int64)
    return whole


def make_certain_chances(vertices: int, tokens: int) -> np.ndarray:
    """Return chances in the shape of ``compute_keep_chances``, with which expected gains are swings.

    With these chances no vertex is ever lost. All entries are 1, not CERTAIN, so that expected gains are in points.
    """
    return np.ones((tokens + 1, vertices + 1), dtype=np.int64)


def count_rival_tokens(turns: np.ndarray) -> np.ndarray:
    """Count for each turn the tokens of other seats that follow it: int64[turns].

    ``turns``: int8, the seats to move.
    """
    return np.array([int((turns[ply:] != seat).sum()) for ply, seat in enumerate(turns)], dtype=np.int64)


@kernel
def write_expected_gains(ranks: Ranks, state: SearchState, seat: int, chances: np.ndarray, gains: np.ndarray) -> None:
    """Write to ``gains`` the expected gain of a seat's token on each vertex: int64[n], TAKEN if there is one.

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
    """Play the turns from ``ply`` on: each token goes where its expected gain is greatest.

    ``rivals``: of ``count_rival_tokens``. ``chances``: of ``compute_keep_chances`` or ``make_certain_chances``.
    """
    gains = np.empty(ranks.values.size, dtype=np.int64)
    for i in range(ply, turns.size):
        write_expected_gains(ranks, state, turns[i], chances[rivals[i]], gains)
        place(ranks, state, find_best(gains), turns[i])
