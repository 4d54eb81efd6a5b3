"""Computes distances between vertices, exactly, in the whole units of a network."""

from __future__ import annotations

import numpy as np

from hinterland.graph.distances.network import UNREACHED, Network
from hinterland.jit import cores, in_strips, inlined, kernel

MAX_TABLE_VERTICES = 3000
"""Most vertices of a board for which the distances between all pairs are stored, in at most 72 MB."""
MAX_SINGLE_CORE_VERTICES = 300
"""Most vertices for which one core computes all distances sooner than several."""
SOURCES_PER_STRIP = 64
"""Number of vertices that a core takes at a time, to search from each."""


@inlined
def heap_push(keys: np.ndarray, items: np.ndarray, size: int, key: int, item: int) -> int:
    """Add an item to a binary heap of ``size`` items with the least key first; return the new size.

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
def _search_from_sources(network: Network, first: int, end: int, table: np.ndarray) -> None:
    """Compute the distances from vertices ``first`` to ``end - 1`` by Dijkstra's algorithm.

    ``table``, int64 (end - first, n), is filled: a row for each of these vertices.
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
def _run_floyd_warshall(network: Network, table: np.ndarray) -> None:
    """Fill ``table``, int64 (n, n), by Floyd and Warshall's algorithm, which is faster on dense graphs."""
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


def compute_distances_from(network: Network, source: int) -> np.ndarray:
    """Return the distances from a vertex: int64[n], UNREACHED where there is no path."""
    far = np.empty(network.values.size, dtype=np.int64)
    _search_from_sources(network, source, source + 1, far.reshape(1, -1))
    return far


def compute_all_distances(network: Network) -> np.ndarray:
    """Return the distances between all pairs: int64 (n, n), UNREACHED where there is no path."""
    count = network.values.size
    table = np.empty((count, count), dtype=np.int64)
    through_ns = 0.4 * count * count  # for each source, as measured
    search_ns = 70.0 * count + 3.0 * network.to.size
    if through_ns < search_ns:
        _run_floyd_warshall(network, table)
    elif count <= MAX_SINGLE_CORE_VERTICES:
        _search_from_sources(network, 0, count, table)
    else:
        _search_in_parallel(network, table)
    return table


def _search_in_parallel(network: Network, table: np.ndarray) -> None:
    """Fill the table by searches from all vertices; a free core takes the next SOURCES_PER_STRIP of them."""
    in_strips(
        lambda _, first, end: _search_from_sources(network, first, end, table[first:end]),
        len(table),
        SOURCES_PER_STRIP,
        cores(),
    )
