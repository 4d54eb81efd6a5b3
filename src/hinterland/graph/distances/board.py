"""The state of a position for kernels: the distance to the nearest token and the owner of each vertex.

A token changes a vertex only if it is strictly nearer than the nearest token so far, so the token placed first keeps a
tie. If all distances are stored, placing a token is one pass over a row of them. On larger boards, placing a token is a
search from its vertex that stops where nothing changes: if a token changes x, it changes every vertex on its shortest
path to x.
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
    """What a move overwrites: the data of some or all vertices, and the points."""

    vertices: np.ndarray | slice
    nearest: np.ndarray
    owner: np.ndarray
    points: np.ndarray


class Board:
    """Tokens on a graph; mutable and unchecked. ``undo`` restores saved values, so it is exact."""

    def __init__(self, network: Network, distances: np.ndarray | None, players: int) -> None:
        count = network.values.size
        self.network = network
        self.distances = distances
        self.nearest = np.full(count, UNREACHED, dtype=np.int64)
        """The distance to the nearest token: int64[n], UNREACHED if there is none."""
        self.owner = np.full(count, NOBODY, dtype=np.int8)
        """The seat of the nearest token: int8[n], NOBODY if there is none."""
        self.points = np.zeros(players, dtype=np.int64)
        """The sum of the values of each seat's vertices: int64[players]."""
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
    """A stack of positions, used only for moves and turns, and one board that follows it."""

    def __init__(self, position: Any) -> None:
        super().__init__(position)
        self.board: Board = position.new_board()
        """Distances and owners now. Callers that count turns themselves may use its ``place`` and ``undo``."""

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
    """Apply a new token of a seat, at distances ``far`` (int64), to some vertices (int32)."""
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
    """Find the vertices that a token changes, int32, and their distances, int64, by a search limited to them.

    ``far``: int64[n], working space that is UNREACHED everywhere before and after the search.
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
