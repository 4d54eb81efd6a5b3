"""The state of a position for kernels: the distance to the nearest token and the owner of each vertex.

A new token takes a vertex only if it is strictly nearer than all earlier tokens, so of equally near tokens the earliest
counts. If the distances between all vertices are stored, placing a token is one pass over a row of their table. On
larger boards, placing a token is a search from the token's vertex. If a token takes x, it takes every vertex on its
shortest path to x. So the search goes on only from vertices that the token takes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hinterland.contract import Scratch
from hinterland.graph.distances.network import UNREACHED, Network
from hinterland.graph.distances.shortest_paths import heap_pop, heap_push
from hinterland.jit import kernel

NOBODY = -1
ALL_VERTICES = slice(None)


class _Saved(NamedTuple):
    """What a move overwrites, to be restored: the data of some or all vertices, and the points."""

    vertices: np.ndarray | slice
    nearest: np.ndarray
    owner: np.ndarray
    points: np.ndarray


class Board:
    """Tokens on a graph, mutable; moves are not checked. ``undo`` restores what ``place`` has saved."""

    def __init__(self, network: Network, distances: np.ndarray | None, players: int) -> None:
        count = network.values.size
        self.network = network
        self.distances = distances
        self.nearest = np.full(count, UNREACHED, dtype=np.int64)
        """For each vertex the distance to the nearest token: int64[n], UNREACHED if no token reaches the vertex."""
        self.owner = np.full(count, NOBODY, dtype=np.int8)
        """For each vertex the seat of the nearest token: int8[n], NOBODY if no token reaches the vertex."""
        self.points = np.zeros(players, dtype=np.int64)
        """For each seat the sum of the values of its vertices: int64[players]."""
        self.tokens: list[tuple[int, int]] = []
        """(vertex, seat) in order of play."""
        self._saved: list[_Saved] = []
        self._all_vertices = np.arange(count, dtype=np.int32)
        self._far = np.full(count, UNREACHED, dtype=np.int64)

    @property
    def scores(self) -> tuple[int, ...]:
        """The sum of the values of each seat's vertices."""
        return tuple(self.points.tolist())

    def place(self, vertex: int, seat: int) -> None:
        """Put a token of a seat on a free vertex."""
        if self.distances is not None:
            self._saved.append(_Saved(ALL_VERTICES, self.nearest.copy(), self.owner.copy(), self.points.copy()))
            vertices, far = self._all_vertices, self.distances[vertex]
        else:
            vertices, far = _search_changed(self.network, vertex, self.nearest, self._far)
            self._saved.append(_Saved(vertices, self.nearest[vertices], self.owner[vertices], self.points.copy()))
        _update_vertices(vertices, far, seat, self.network.values, self.nearest, self.owner, self.points)
        self.tokens.append((vertex, seat))

    def undo(self) -> None:
        """Take the last token back."""
        self.tokens.pop()
        vertices, self.nearest[vertices], self.owner[vertices], self.points[:] = self._saved.pop()


class ScratchBoard(Scratch[Any]):
    """A position on which a search plays and takes back moves, with a board that follows these moves."""

    def __init__(self, position: Any) -> None:
        super().__init__(position)
        self.board: Board = position.new_board()
        """Distances and owners in the current position. A caller that keeps track of the turns itself may call the
        board's ``place`` and ``undo`` directly."""

    @property
    def scores(self) -> tuple[int, ...]:
        return self.board.scores

    def play(self, move: Any) -> None:
        self.board.place(move.vertex, self.position.mover)
        super().play(move)

    def undo(self) -> None:
        super().undo()
        self.board.undo()


@kernel
def _update_vertices(
    vertices: np.ndarray,
    far: np.ndarray,
    seat: int,
    values: np.ndarray,
    nearest: np.ndarray,
    owner: np.ndarray,
    points: np.ndarray,
) -> None:
    """Update owners, distances and points for a new token of a seat.

    ``vertices``: int32, those that the token may take. ``far``: int64, the token's distance from each of them.
    """
    for i in range(vertices.size):
        vertex = vertices[i]
        if far[i] >= nearest[vertex]:
            continue
        nearest[vertex] = far[i]
        loser = owner[vertex]
        if loser != seat:
            owner[vertex] = seat
            points[seat] += values[vertex]
            if loser >= 0:
                points[loser] -= values[vertex]


@kernel(allocates=True)
def _search_changed(
    network: Network, source: int, nearest: np.ndarray, far: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the vertices, int32, that a token on ``source`` takes, and their distances from it, int64.

    The search (Dijkstra's algorithm) visits only these vertices. ``far``: int64[n], working space that is UNREACHED
    everywhere before and after the search.
    """
    start, to, length = network.start, network.to, network.length
    keys = np.empty(to.size + 1, dtype=np.int64)
    items = np.empty(to.size + 1, dtype=np.int32)
    changed = np.empty(start.size - 1, dtype=np.int32)
    count = 1
    far[source] = 0
    changed[0] = source
    size = heap_push(keys, items, 0, 0, source)
    while size > 0:
        here = keys[0]
        vertex = items[0]
        size = heap_pop(keys, items, size)
        if here > far[vertex]:
            continue
        for edge in range(start[vertex], start[vertex + 1]):
            other = to[edge]
            beyond = here + length[edge]
            if beyond < far[other] and beyond < nearest[other]:
                if far[other] == UNREACHED:
                    changed[count] = other
                    count += 1
                far[other] = beyond
                size = heap_push(keys, items, size, beyond, other)
    vertices = changed[:count].copy()
    found = far[vertices]
    far[vertices] = UNREACHED
    return vertices, found
