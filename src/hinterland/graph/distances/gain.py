"""The gain of every vertex at once: what a token on it would add to a score, or to a lead.

A token on v takes x exactly when it is strictly nearer to x than the nearest token: ``d(v, x) < nearest[x]``. So a gain
is the sum of the worth of these x. If all distances are stored, it is one comparison with their table. On larger boards
it is a search from each vertex, shared by many vertices at a time (``batched_dijkstra``).
"""

from __future__ import annotations

import numpy as np

from hinterland.graph.distances.board import Board
from hinterland.jit import kernel

TAKEN = -1
"""The gain of a vertex that holds a token; all other gains are at least 0."""


def compute_gains(board: Board, seat: int) -> np.ndarray:
    """Return what a token on each vertex would add to the score of a seat: int64[n], TAKEN if it has a token."""
    return _gains(board, seat, 0)


def compute_swings(board: Board, seat: int) -> np.ndarray:
    """Return what a token on each vertex would add to the lead of a seat over the sum of all others.

    int64[n], TAKEN if the vertex has a token. What is taken from another seat counts twice.
    """
    return _gains(board, seat, 1)


def _gains(board: Board, seat: int, loss: int) -> np.ndarray:
    network = board.network
    if board.distances is not None:
        return _compare(board.distances, network.values, board.nearest, board.owner, seat, loss)
    from hinterland.graph.distances.batched_dijkstra import compute_batched_gains  # noqa: PLC0415

    return compute_batched_gains(board, compute_worth(network.values, board.owner, seat, loss))


@kernel(allocates=True)
def compute_worth(values: np.ndarray, owner: np.ndarray, seat: int, loss: int) -> np.ndarray:
    """Return the worth of taking each vertex for a seat: int64[n]. ``loss``: how often another seat's loss counts."""
    taking = np.empty(values.size, dtype=np.int64)
    for vertex in range(values.size):
        gained = values[vertex] if owner[vertex] != seat else 0
        taking[vertex] = gained + loss * gained if owner[vertex] >= 0 else gained
    return taking


@kernel(allocates=True)
def _compare(
    distances: np.ndarray, values: np.ndarray, nearest: np.ndarray, owner: np.ndarray, seat: int, loss: int
) -> np.ndarray:
    """Compare all distances, int64 (n, n), with those of the nearest tokens, int64[n]; return the gains, int64[n]."""
    count = values.size
    taking = compute_worth(values, owner, seat, loss)
    sums = np.empty(count, dtype=np.int64)
    for vertex in range(count):
        row = distances[vertex]
        total = 0
        for other in range(count):
            total += taking[other] if row[other] < nearest[other] else 0
        sums[vertex] = total if nearest[vertex] > 0 else TAKEN
    return sums
