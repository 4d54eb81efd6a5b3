"""The gain of every vertex at once: what a token on it would add to a score, or to a lead.

A token on v takes x exactly when it is strictly nearer to x than the nearest token: ``d(v, x) < nearest[x]``. So the
gain of v is the sum, over all such x, of what taking x is worth. If the distances between all vertices are stored,
comparing their table with ``nearest`` gives all gains. On larger boards a search from each v finds what v takes.

A token on v that takes x takes all vertices on the shortest path from v to x, too. So a search from v need not go
beyond the vertices that v takes. The search gives each vertex x a label, the length of the shortest path from v that is
known so far; it starts at ``nearest[x]`` instead of infinity. If the label falls, x is taken. If it does not fall, the
search need not go on from x: by the triangle inequality, v takes no vertex by way of x.

The vertices v from which searches start are the *sources*. Neighbouring sources take nearly the same vertices, by
nearly the same paths. So LANES sources are searched together: a vertex has a row of labels, one for each source, and an
edge relaxes the whole row in a few vector instructions. Vertices wait in buckets, sorted by one rough distance that
stands for the distances from all these sources. So their order is not quite right for any one source. If a label of a
visited vertex falls again, the vertex waits again. When no label falls any more, all labels are exact, whatever the
order was.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.graph.distances.board import Board
from hinterland.graph.distances.network import UNREACHED, renumber
from hinterland.jit import cores, in_strips, inlined, kernel

TAKEN = -1
"""The gain of a vertex that holds a token; all other gains are at least 0."""


def compute_gains(board: Board, seat: int) -> np.ndarray:
    """Return what a token on each vertex would add to the score of a seat: int64[n], TAKEN if there is a token."""
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
    return _search_gains(board, compute_worth(network.values, board.owner, seat, loss))


@kernel(allocates=True)
def compute_worth(values: np.ndarray, owner: np.ndarray, seat: int, loss: int) -> np.ndarray:
    """Return for each vertex what taking it is worth to a seat: int64[n].

    ``loss``: 1 if what the vertex's owner loses counts as well, else 0.
    """
    taking = np.empty(values.size, dtype=np.int64)
    for vertex in range(values.size):
        gained = values[vertex] if owner[vertex] != seat else 0
        taking[vertex] = gained + loss * gained if owner[vertex] >= 0 else gained
    return taking


@kernel(allocates=True)
def _compare(
    distances: np.ndarray, values: np.ndarray, nearest: np.ndarray, owner: np.ndarray, seat: int, loss: int
) -> np.ndarray:
    """Return the gains, int64[n], by comparing all distances, int64 (n, n), with ``nearest``, int64[n]."""
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


LANES = 64
"""Sources searched at once."""
ROWS_PER_STRIP = 4
"""Groups of LANES sources in a strip; a core takes one strip at a time."""
MAX_BUCKETS = 1024
NARROW_LIMIT = 2**30
"""If all labels and lengths are below this, they are stored in 32 bits: twice as many fit into a vector."""
MAX_LABELS = 2**27
"""Limit for the labels of all cores together; with 1,000,000 vertices it allows two cores."""
PENDING = -2


def _search_gains(board: Board, taking: np.ndarray) -> np.ndarray:
    """Return for each vertex v the sum of ``taking`` over all that a token on v takes: int64[n].

    It is TAKEN if v has a token already.
    """
    network = board.network
    order = _order_by_nearness(network.start, network.to)
    start, to, length = renumber(network, order)
    worth = taking[order]
    found = _gains_without_search(network.part[order], board.nearest[order], worth)
    nearest, length = _narrow(board.nearest[order], length)
    shift, buckets = _choose_buckets(length)
    near_graph = NearGraph(start, to, length, nearest, worth)
    count = order.size
    threads = max(1, min(cores(), MAX_LABELS // (count * LANES)))
    labels = [np.repeat(nearest, LANES).reshape(count, LANES) for _ in range(threads)]
    queues = [
        Queue(np.full(buckets, -1, dtype=np.int32), np.full(count, -1, dtype=np.int32), np.zeros(count, dtype=np.int64))
        for _ in range(threads)
    ]

    def work(thread: int, first: int, end: int) -> None:
        _search_rows(near_graph, first, end, shift, labels[thread], queues[thread], found)

    in_strips(work, count, ROWS_PER_STRIP * LANES, threads)
    gains = np.empty(count, dtype=np.int64)
    gains[order] = found
    return gains


class NearGraph(NamedTuple):
    """A graph whose vertices are numbered by ``_order_by_nearness``; lengths and distances have the same dtype."""

    start: np.ndarray
    """int64[n + 1]"""
    to: np.ndarray
    """int32[2 m]"""
    length: np.ndarray
    nearest: np.ndarray
    """int32[n] or int64[n]: for each vertex the distance to the nearest token."""
    worth: np.ndarray
    """int64[n]: what taking each vertex is worth."""


class Queue(NamedTuple):
    """Waiting vertices in a ring of buckets; each bucket is a linked list."""

    heads: np.ndarray
    """int32[buckets]: the first vertex of each bucket, -1 if it is empty."""
    after: np.ndarray
    """int32[n]: the next vertex in the same bucket, -1 for the last."""
    keys: np.ndarray
    """int64[n]: the rough distance by which each waiting vertex was sorted into a bucket."""


class Visits(NamedTuple):
    """The working arrays of a search. A vertex is *touched* when one of its labels falls."""

    queued: np.ndarray
    """bool[n]: which vertices wait; all False before and after a search."""
    seen: np.ndarray
    """bool[n]: which vertices were touched; all False before a search."""
    touched: np.ndarray
    """int32[n]: the touched vertices, in the order in which they were touched; the search returns their number."""


@kernel(allocates=True)
def _order_by_nearness(start: np.ndarray, to: np.ndarray) -> np.ndarray:
    """Return all vertices, int32[n], in groups of LANES that are near each other."""
    count = start.size - 1
    order = np.empty(count, dtype=np.int32)
    swept = np.empty(count, dtype=np.int32)
    seen = np.zeros(count, dtype=np.bool_)
    done = np.zeros(count, dtype=np.bool_)
    filled = 0
    for first in range(count):
        if seen[first]:
            continue
        seen[first] = True
        swept[0] = first
        looked = 0
        known = 1
        while looked < known:
            vertex = swept[looked]
            looked += 1
            for edge in range(start[vertex], start[vertex + 1]):
                if not seen[to[edge]]:
                    seen[to[edge]] = True
                    swept[known] = to[edge]
                    known += 1
            if not done[vertex]:
                filled = _gather(start, to, vertex, done, order, filled)
    return order


@inlined
def _gather(start: np.ndarray, to: np.ndarray, first: int, done: np.ndarray, order: np.ndarray, filled: int) -> int:
    """Append ``first``, then unlisted vertices around it, to ``order``; return the new length.

    ``filled`` is the length before. Stop when the length is a multiple of LANES, or no more can be reached. ``done``
    marks the listed vertices.
    """
    looked = filled
    order[filled] = first
    done[first] = True
    filled += 1
    while looked < filled:
        vertex = order[looked]
        looked += 1
        for edge in range(start[vertex], start[vertex + 1]):
            if filled % LANES == 0:
                return filled
            if not done[to[edge]]:
                done[to[edge]] = True
                order[filled] = to[edge]
                filled += 1
    return filled


def _gains_without_search(part: np.ndarray, nearest: np.ndarray, worth: np.ndarray) -> np.ndarray:
    """Return the gains that need no search: int64[n], PENDING for all other vertices.

    The gain of a vertex with a token is TAKEN. In a connected part of the graph without tokens, each vertex gains the
    worth of the whole part.
    """
    sums = np.zeros(int(part.max()) + 1, dtype=np.int64)
    np.add.at(sums, part, worth)
    found = np.where(nearest == UNREACHED, sums[part], PENDING)
    found[nearest == 0] = TAKEN
    return found


def _narrow(nearest: np.ndarray, length: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return both arrays as int32 if all numbers are below NARROW_LIMIT, except UNREACHED, which no search meets."""
    reached = nearest[nearest < UNREACHED]
    if max(int(reached.max(initial=0)), int(length.max(initial=0))) >= NARROW_LIMIT:
        return nearest, length
    return np.minimum(nearest, NARROW_LIMIT).astype(np.int32), length.astype(np.int32)


def _choose_buckets(length: np.ndarray) -> tuple[int, int]:
    """Return log2 of the width of a bucket, and the number of buckets; no edge is as long as all buckets together."""
    if length.size == 0:
        return 0, 1
    longest = int(length.max())
    usual = int(length.mean()).bit_length() - 1
    shift = max(usual, longest.bit_length() - MAX_BUCKETS.bit_length() + 2, 0)
    return shift, 1 << ((longest >> shift) + 1).bit_length()


@inlined
def _relax(mine: np.ndarray, theirs: np.ndarray, step: int) -> bool:
    """Lower each label of ``theirs`` to that of ``mine`` plus ``step`` if that is less; say whether any label fell.

    Both rows have the same dtype, and the loops have no early exit, so that they become vector instructions. The first
    loop alone suffices for most rows, in which no label falls.
    """
    whole = mine.dtype.type
    fallen = whole(0)
    for lane in range(mine.size):
        fallen |= whole(whole(mine[lane] + step) < theirs[lane])
    if fallen == 0:
        return False
    for lane in range(mine.size):
        theirs[lane] = min(whole(mine[lane] + step), theirs[lane])
    return True


@inlined
def _search_row(
    graph: NearGraph,
    first: int,
    end: int,
    shift: int,
    labels: np.ndarray,
    queue: Queue,
    visits: Visits,
    found: np.ndarray,
) -> int:
    """Lower the labels of all vertices that sources ``first`` to ``end - 1`` take; return how many were touched."""
    start, to, length = graph.start, graph.to, graph.length
    heads, after, keys = queue
    queued, seen, touched = visits
    ring = heads.size - 1
    known = 0
    for source in range(first, end):
        if found[source] == PENDING:
            labels[source, source - first] = 0
            keys[source] = 0
            after[source] = heads[0]
            heads[0] = source
            queued[source] = True
            seen[source] = True
            touched[known] = source
            known += 1
    bucket = 0
    left = known
    while left > 0:
        vertex = heads[bucket & ring]
        if vertex < 0:
            bucket += 1
            continue
        heads[bucket & ring] = after[vertex]
        queued[vertex] = False
        left -= 1
        for edge in range(start[vertex], start[vertex + 1]):
            other = to[edge]
            if _relax(labels[vertex], labels[other], length[edge]):
                if not seen[other]:
                    seen[other] = True
                    touched[known] = other
                    known += 1
                if not queued[other]:
                    keys[other] = keys[vertex] + length[edge]
                    place = (keys[other] >> shift) & ring
                    after[other] = heads[place]
                    heads[place] = other
                    queued[other] = True
                    left += 1
    return known


@kernel(allocates=True)
def _search_rows(
    graph: NearGraph, begin: int, stop: int, shift: int, labels: np.ndarray, queue: Queue, found: np.ndarray
) -> None:
    """Compute the gains that are PENDING in ``found``, int64[n], of the vertices from ``begin`` to ``stop - 1``.

    ``labels``: (n, LANES), of the dtype of lengths. Before and after the call, ``queue`` is empty, and every label of x
    is ``nearest[x]``.
    """
    nearest, worth = graph.nearest, graph.worth
    count = nearest.size
    visits = Visits(np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_), np.empty(count, dtype=np.int32))
    seen, touched = visits.seen, visits.touched
    sums = np.empty(LANES, dtype=np.int64)
    for first in range(begin, stop, LANES):
        end = min(first + LANES, stop)
        known = _search_row(graph, first, end, shift, labels, queue, visits, found)
        sums[:] = 0
        for i in range(known):
            _add_taken(labels[touched[i]], nearest[touched[i]], worth[touched[i]], sums)
            seen[touched[i]] = False
        for source in range(first, end):
            if found[source] == PENDING:
                found[source] = sums[source - first]


@inlined
def _add_taken(row: np.ndarray, bound: int, worth: int, sums: np.ndarray) -> None:
    """Add a vertex's worth to the sum of each lane whose label is below ``bound``; reset all labels to ``bound``."""
    for lane in range(row.size):
        sums[lane] += worth if row[lane] < bound else 0
        row[lane] = bound
