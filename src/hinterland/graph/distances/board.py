"""The state of a position for kernels: for each vertex the nearest token, and the nearest of another seat.

A token changes a vertex only where it is strictly nearer than what is there, so the token placed first keeps a tie.
Where all distances are kept, a token is one pass over a row of them. On larger boards it is a search from its vertex
that goes no farther than it changes anything: if a token changes x, it changes every vertex on its shortest path to x.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hinterland.graph.distances.network import UNREACHED
from hinterland.graph.distances.shortest_paths import heap_pop, heap_push
from hinterland.jit import inlined, kernel

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hinterland.graph.rules import Rules, Token

__all__ = ["NOBODY", "Board"]

NOBODY = -1
EVERY = slice(None)


class _Saved(NamedTuple):
    """What a move overwrites: the values of some vertices, or of every one, and the points."""

    vertices: np.ndarray | slice
    nearest: np.ndarray
    owner: np.ndarray
    second: np.ndarray
    second_owner: np.ndarray
    points: np.ndarray


class Board:
    """Tokens on a graph; mutable and unchecked. ``undo`` puts back saved values, so that it is exact."""

    def __init__(self, rules: Rules, moves: Iterable[tuple[int, Token]] = ()) -> None:
        count = rules.vertices
        self.rules = rules
        self.network = rules.network
        self.distances = rules.distances
        self.nearest = np.full(count, UNREACHED, dtype=np.int64)
        """The distance to the nearest token: int64[n], UNREACHED where none reaches."""
        self.owner = np.full(count, NOBODY, dtype=np.int8)
        """The seat of that token: int8[n], NOBODY where none reaches."""
        self.second = np.full(count, UNREACHED, dtype=np.int64)
        """The distance to the nearest token of any seat but the owner: int64[n]."""
        self.second_owner = np.full(count, NOBODY, dtype=np.int8)
        """The seat of that one: int8[n]."""
        self.points = np.zeros(rules.players, dtype=np.int64)
        """The value of the vertices of each seat: int64[players]."""
        self.tokens: list[tuple[int, int]] = []
        """(vertex, seat) in order of play."""
        self._saved: list[_Saved] = []
        self._far: np.ndarray | None = None
        for seat, token in moves:
            self.place(token.vertex, seat)

    @property
    def scores(self) -> tuple[int, ...]:
        """The value of the vertices of each seat."""
        return tuple(self.points.tolist())

    def place(self, vertex: int, seat: int) -> None:
        """Put a token of a seat on a free vertex."""
        if self.distances is not None:
            self._save(EVERY)
            _place_everywhere(self.distances, vertex, seat, self.network.values, *self._state(), self.points)
        else:
            vertices, far = self._search(vertex, seat)
            self._save(vertices)
            _place_among(vertices, far, seat, self.network.values, *self._state(), self.points)
        self.tokens.append((vertex, seat))

    def undo(self) -> None:
        """Take the last token back."""
        self.tokens.pop()
        vertices, *values, points = self._saved.pop()
        for now, before in zip(self._state(), values, strict=True):
            now[vertices] = before
        self.points[:] = points

    def _save(self, vertices: np.ndarray | slice) -> None:
        nearest, owner, second, second_owner = (values[vertices] for values in self._state())
        if vertices is EVERY:  # a slice is a view
            nearest, owner, second, second_owner = (v.copy() for v in (nearest, owner, second, second_owner))
        self._saved.append(_Saved(vertices, nearest, owner, second, second_owner, self.points.copy()))

    def _state(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        return self.nearest, self.owner, self.second, self.second_owner

    def _search(self, vertex: int, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the vertices that a token changes, int32, and its distances from them, int64."""
        if self._far is None:
            self._far = np.full(self.rules.vertices, UNREACHED, dtype=np.int64)
        network = self.network
        return _search_changed(
            network.start, network.to, network.length, vertex, seat, self.nearest, self.owner, self.second, self._far
        )


@inlined
def _changes(here: int, seat: int, nearest: int, owner: int, second: int) -> bool:
    """Say whether a token of a seat at distance ``here`` changes a vertex."""
    return here < nearest or (owner != seat and here < second)


@inlined
def _take(
    vertex: int,
    here: int,
    seat: int,
    values: np.ndarray,
    nearest: np.ndarray,
    owner: np.ndarray,
    second: np.ndarray,
    second_owner: np.ndarray,
    points: np.ndarray,
) -> None:
    """Tell a vertex of a new token of a seat at distance ``here``."""
    if here < nearest[vertex]:
        loser = owner[vertex]
        if loser != seat:
            points[seat] += values[vertex]
            if loser >= 0:
                points[loser] -= values[vertex]
            second[vertex] = nearest[vertex]
            second_owner[vertex] = loser
            owner[vertex] = seat
        nearest[vertex] = here
    elif owner[vertex] != seat and here < second[vertex]:
        second[vertex] = here
        second_owner[vertex] = seat


@kernel
def _place_everywhere(
    distances: np.ndarray,
    vertex: int,
    seat: int,
    values: np.ndarray,
    nearest: np.ndarray,
    owner: np.ndarray,
    second: np.ndarray,
    second_owner: np.ndarray,
    points: np.ndarray,
) -> None:
    """Tell every vertex of a new token. ``distances``: int64 (n, n); the rest: see Board."""
    far = distances[vertex]
    for other in range(values.size):
        _take(other, far[other], seat, values, nearest, owner, second, second_owner, points)


@kernel
def _place_among(
    vertices: np.ndarray,
    far: np.ndarray,
    seat: int,
    values: np.ndarray,
    nearest: np.ndarray,
    owner: np.ndarray,
    second: np.ndarray,
    second_owner: np.ndarray,
    points: np.ndarray,
) -> None:
    """Tell some vertices (int32) of a new token at distances ``far`` (int64)."""
    for i in range(vertices.size):
        _take(vertices[i], far[i], seat, values, nearest, owner, second, second_owner, points)


@kernel
def _search_changed(
    start: np.ndarray,
    to: np.ndarray,
    length: np.ndarray,
    source: int,
    seat: int,
    nearest: np.ndarray,
    owner: np.ndarray,
    second: np.ndarray,
    far: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Find the vertices that a token changes, int32, and their distances, int64, by a search that keeps to them.

    ``far``: int64[n], UNREACHED throughout, before and after.
    """
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
            if beyond < far[other] and _changes(beyond, seat, nearest[other], owner[other], second[other]):
                if far[other] == UNREACHED:
                    changed[count] = other
                    count += 1
                far[other] = beyond
                size = heap_push(keys, items, size, beyond, other)
    vertices = changed[:count].copy()
    found = far[vertices]
    far[vertices] = UNREACHED
    return vertices, found
