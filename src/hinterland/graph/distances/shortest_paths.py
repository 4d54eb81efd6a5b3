"""Distances between vertices, exactly, in whole units of the network."""

from __future__ import annotations

import numpy as np

from hinterland.graph.distances.network import UNREACHED, Network
from hinterland.jit import cores, in_strips, inlined, kernel

ALL_PAIRS = 3000
"""Up to so many vertices the distances between all pairs are kept: 72 MB."""
SMALL = 300
"""Boards of at most so many vertices are not worth waking a second core for."""
STRIP = 64
"""Sources that a core takes at a time."""


@inlined
def heap_push(keys: np.ndarray, items: np.ndarray, size: int, key: int, item: int) -> int:
    """Add an item to a binary heap of ``size`` items, the least key first; return the new size.

    ``keys``: int64, ``items``: int32, both with room for one more.
    """
    place = size
    while place > 0:
        above = (place - 1) >> 1
        if keys[above] <= key:
            break
        keys[place] = keys[above]
        items[place] = items[above]
        place = above
    keys[place] = key
    items[place] = item
    return size + 1


@inlined
def heap_pop(keys: np.ndarray, items: np.ndarray, size: int) -> int:
    """Remove the first item of a binary heap; return the new size."""
    size -= 1
    key = keys[size]
    item = items[size]
    place = 0
    below = 1
    while below < size:
        if below + 1 < size and keys[below + 1] < keys[below]:
            below += 1
        if keys[below] >= key:
            break
        keys[place] = keys[below]
        items[place] = items[below]
        place = below
        below = 2 * place + 1
    keys[place] = key
    items[place] = item
    return size


@kernel(allocates=True)
def _from_sources(network: Network, first: int, end: int, table: np.ndarray) -> None:
    """Fill row i of ``table``, int64 (any, n), with the distances from vertex first + i, for those before ``end``.

    By Dijkstra's algorithm.
    """
    start, to, length = network.start, network.to, network.length
    keys = np.empty(to.size + 1, dtype=np.int64)
    items = np.empty(to.size + 1, dtype=np.int32)
    for source in range(first, end):
        far = table[source - first]
        far[:] = UNREACHED
        far[source] = 0
        size = heap_push(keys, items, 0, 0, source)
        while size > 0:
            here = keys[0]
            vertex = items[0]
            size = heap_pop(keys, items, size)
            if here > far[vertex]:
                continue
            for edge in range(start[vertex], start[vertex + 1]):
                beyond = here + length[edge]
                if beyond < far[to[edge]]:
                    far[to[edge]] = beyond
                    size = heap_push(keys, items, size, beyond, to[edge])


@kernel
def _through_all(network: Network, table: np.ndarray) -> None:
    """Fill ``table``, int64 (n, n), by Floyd and Warshall's algorithm: the quicker one on dense graphs."""
    start, to, length = network.start, network.to, network.length
    count = start.size - 1
    table[:] = UNREACHED
    for vertex in range(count):
        table[vertex, vertex] = 0
        for edge in range(start[vertex], start[vertex + 1]):
            table[vertex, to[edge]] = length[edge]
    for middle in range(count):
        onward = table[middle]
        for first in range(count):
            leg = table[first, middle]
            if leg < UNREACHED and first != middle:
                row = table[first]
                for last in range(count):
                    row[last] = min(row[last], leg + onward[last])


def from_source(network: Network, source: int) -> np.ndarray:
    """Return the distances from a vertex: int64[n], UNREACHED where no path leads."""
    far = np.empty(network.values.size, dtype=np.int64)
    _from_sources(network, source, source + 1, far.reshape(1, -1))
    return far


def all_pairs(network: Network) -> np.ndarray:
    """Return the distances between all pairs: int64 (n, n), UNREACHED where no path leads."""
    count = network.values.size
    table = np.empty((count, count), dtype=np.int64)
    through_ns = 0.4 * count * count  # a source, as measured
    search_ns = 70.0 * count + 3.0 * network.to.size
    if through_ns < search_ns:
        _through_all(network, table)
    elif count <= SMALL:
        _from_sources(network, 0, count, table)
    else:
        _share_out(network, table)
    return table


def _share_out(network: Network, table: np.ndarray) -> None:
    """Fill the table with a search from each vertex; cores take the next strip when they are free."""
    in_strips(lambda _, first, end: _from_sources(network, first, end, table[first:end]), len(table), STRIP, cores())
