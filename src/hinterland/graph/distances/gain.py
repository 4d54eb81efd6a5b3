"""The gain of every vertex at once: what a token on it would add to a score, or to a lead.

A token on v takes x exactly when it is strictly nearer to x than the nearest token: ``d(v, x) < nearest[x]``. So a gain
is the sum of what x is worth over those x. Where all distances are kept, that is one comparison with their table; on
larger boards it is a search from each vertex, shared by many at a time (``batched_dijkstra``).
"""

from __future__ import annotations

import numpy as np

from hinterland.graph.distances.board import Board
from hinterland.jit import kernel

TAKEN = -1
"""What is told of a vertex that holds a token; every other gain is at least 0."""


def gains(board: Board, seat: int) -> np.ndarray:
    """Return what a token on each vertex would add to the score of a seat: int64[n], TAKEN where one stands."""
    return _gains(board, seat, 0)


def swings(board: Board, seat: int) -> np.ndarray:
    """Return what a token on each vertex would add to the lead of a seat over the sum of all others.

    int64[n], TAKEN where a token stands. What is taken from another seat counts twice.
    """
    return _gains(board, seat, 1)


def _gains(board: Board, seat: int, loss: int) -> np.ndarray:
    network = board.network
    if board.distances is not None:
        return _compare(board.distances, network.values, board.nearest, board.owner, seat, loss)
    from hinterland.graph.distances.batched_dijkstra import batched_gains  # noqa: PLC0415

    return batched_gains(board, worth(network.values, board.owner, seat, loss))


@kernel(allocates=True)
def worth(values: np.ndarray, owner: np.ndarray, seat: int, loss: int) -> np.ndarray:
    """Return what taking each vertex is worth to a seat: int64[n]. ``loss``: how often another's loss counts."""
    taking = np.empty(values.size, dtype=np.int64)
    for vertex in range(values.size):
        gained = values[vertex] if owner[vertex] != seat else 0
        taking[vertex] = gained + loss * gained if owner[vertex] >= 0 else gained
    return taking


@kernel(allocates=True)
def _compare(
    distances: np.ndarray, values: np.ndarray, nearest: np.ndarray, owner: np.ndarray, seat: int, loss: int
) -> np.ndarray:
    """Compare every distance, int64 (n, n), with the nearest token's, int64[n]; return the gains, int64[n]."""
    count = values.size
    taking = worth(values, owner, seat, loss)
    sums = np.empty(count, dtype=np.int64)
    for vertex in range(count):
        row = distances[vertex]
        total = 0
        for other in range(count):
            total += taking[other] if row[other] < nearest[other] else 0
        sums[vertex] = total if nearest[vertex] > 0 else TAKEN
    return sums
