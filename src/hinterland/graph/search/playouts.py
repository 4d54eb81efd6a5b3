"""Plays games out: at random, as the published experiment's Monte Carlo player does, and by expected gain."""

from __future__ import annotations

import numpy as np

from hinterland.graph.search.expected_gain import play_out
from hinterland.graph.search.search_state import Ranks, SearchState, copy, place
from hinterland.jit import inlined, kernel
from hinterland.search.copying import copy_values


@kernel(allocates=True)
def sum_random_leads(
    distances: np.ndarray,
    values: np.ndarray,
    nearest: np.ndarray,
    owner: np.ndarray,
    vertex: int,
    others: np.ndarray,
    turns: np.ndarray,
    shares: np.ndarray,
) -> int:
    """Play the game out at random, many times; return the sum of a seat's final leads over all others together.

    The seat is ``turns[0]``, whose token goes to ``vertex``; in the later ``turns`` (int8) tokens go to vertices drawn
    from ``others``, int64, which is shuffled. ``shares``: float64 (playouts, turns - 1), random numbers in [0, 1).
    ``distances``: int64 (n, n). ``nearest``, int64[n], and ``owner``, int8[n], are not changed.
    """
    total = 0
    near = np.empty_like(nearest)
    held = np.empty_like(owner)
    for playout in range(shares.shape[0]):
        copy_values(nearest, near)
        copy_values(owner, held)
        _claim(distances[vertex], turns[0], near, held)
        for turn in range(1, turns.size):
            drawn = turn - 1 + int(shares[playout, turn - 1] * (others.size - turn + 1))
            others[turn - 1], others[drawn] = others[drawn], others[turn - 1]
            _claim(distances[others[turn - 1]], turns[turn], near, held)
        for place_held in range(held.size):
            if held[place_held] >= 0:
                total += values[place_held] if held[place_held] == turns[0] else -values[place_held]
    return total


@inlined
def _claim(far: np.ndarray, seat: int, near: np.ndarray, held: np.ndarray) -> None:
    """Give a seat every vertex to which its new token is nearer than any other."""
    for vertex in range(far.size):
        held[vertex] = seat if far[vertex] < near[vertex] else held[vertex]
        near[vertex] = min(near[vertex], far[vertex])


@kernel(allocates=True)
def compute_leads_by_gain(
    ranks: Ranks, root: SearchState, work: SearchState, turns: np.ndarray, rivals: np.ndarray, chances: np.ndarray
) -> np.ndarray:
    """Return for each vertex the final lead of the seat to move, over all others together, if it plays there: int64[n].

    All later moves go where the expected gain is greatest. A vertex with a token gets the least int64. ``work`` is
    overwritten; ``rivals`` and ``chances`` are as in ``expected_gain.play_out``.
    """
    seat = turns[0]
    leads = np.full(ranks.values.size, np.iinfo(np.int64).min, dtype=np.int64)
    for vertex in range(leads.size):
        if root.reach[vertex] == 0:
            continue
        copy(root, work)
        place(ranks, work, vertex, seat)
        play_out(ranks, work, turns, rivals, chances, 1)
        leads[vertex] = 2 * work.scores[seat] - work.scores.sum()
    return leads
