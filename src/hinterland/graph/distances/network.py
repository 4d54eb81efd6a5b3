"""The graph in arrays for kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.graph.graphs.edges import Edge, compute_fineness
from hinterland.jit import kernel

UNREACHED = 2**62
"""The distance between vertices that no path joins. UNREACHED exceeds any sum of lengths; even with a length added, it
fits into 63 bits."""


class Network(NamedTuple):
    """Vertices, edges in both directions, and lengths as whole multiples of 2**-scale.

    The neighbours of vertex v are ``to[start[v]:start[v + 1]]``, in ascending order.
    """

    start: np.ndarray
    """int64[n + 1]"""
    to: np.ndarray
    """int32[2 m]"""
    length: np.ndarray
    """int64[2 m]"""
    values: np.ndarray
    """int64[n]"""
    part: np.ndarray
    """int32[n]: the connected part of each vertex, numbered from 0."""
    scale: int
    """A length of 1 in the rules is 2**scale here. This scale is the smallest at which all lengths are whole
    numbers."""

    @property
    def parts(self) -> int:
        """The number of connected parts."""
        return int(self.part.max()) + 1


def lay_out(edges: tuple[Edge, ...], values: tuple[int, ...]) -> Network:
    """Build the arrays of a graph. The lengths of ``edges`` must be rounded by ``round_to_grid``."""
    count = len(values)
    firsts, seconds, lengths = zip(*edges, strict=True) if edges else ((), (), ())
    ends = np.array([firsts, seconds], dtype=np.int32)
    units, scale = _to_units(np.array(lengths, dtype=np.float64), count)
    heads = np.concatenate((ends[0], ends[1]))
    tails = np.concatenate((ends[1], ends[0]))
    order = np.lexsort((tails, heads))
    start = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(heads, minlength=count), out=start[1:])
    to = np.ascontiguousarray(tails[order])
    length = np.concatenate((units, units))[order]
    return Network(start, to, length, np.array(values, dtype=np.int64), _find_parts(start, to), scale)


def _to_units(lengths: np.ndarray, vertices: int) -> tuple[np.ndarray, int]:
    """Return lengths as whole numbers, int64, and the smallest scale at which they are whole."""
    if lengths.size == 0:
        return np.empty(0, dtype=np.int64), 0
    fine = compute_fineness(float(lengths.max()), vertices)
    units = np.ldexp(lengths, fine).astype(np.int64)
    used = int(np.bitwise_or.reduce(units))
    spare = (used & -used).bit_length() - 1
    return units >> spare, fine - spare


def renumber(network: Network, order: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return ``start``, ``to`` and ``length`` of the graph in which vertex ``order[i]`` has the number i.

    ``order`` lists all vertices, or those of some connected parts.
    """
    number = np.empty(network.values.size, dtype=np.int32)
    number[order] = np.arange(order.size, dtype=np.int32)
    degrees = np.diff(network.start)[order]
    start = np.zeros(order.size + 1, dtype=np.int64)
    np.cumsum(degrees, out=start[1:])
    edges = np.arange(start[-1]) + np.repeat(network.start[order] - start[:-1], degrees)
    return start, number[network.to[edges]], network.length[edges]


@kernel(allocates=True)
def _find_parts(start: np.ndarray, to: np.ndarray) -> np.ndarray:
    """Find the connected parts of a graph; return the number of each vertex's part: int32[n]."""
    count = start.size - 1
    part = np.full(count, -1, dtype=np.int32)
    waiting = np.empty(count, dtype=np.int32)
    parts = 0
    for first in range(count):
        if part[first] >= 0:
            continue
        part[first] = parts
        waiting[0] = first
        left = 1
        while left > 0:
            left -= 1
            vertex = waiting[left]
            for edge in range(start[vertex], start[vertex + 1]):
                if part[to[edge]] < 0:
                    part[to[edge]] = parts
                    waiting[left] = to[edge]
                    left += 1
        parts += 1
    return part
