"""Checks edges as people give them, and rounds their lengths to a binary grid.

All lengths of a graph become multiples of 2**-f; f is the fineness. The fineness is as great as possible while every
sum of lengths in a search stays below 2**61 such units. A sum has at most n lengths: a path has at most n - 1 edges,
and the search adds one more. On 100 vertices with lengths from 1 to 2 the grid is finer than floating-point numbers
are, so no length changes.
"""

from __future__ import annotations

import math
from operator import itemgetter
from typing import Any, NoReturn

from hinterland.errors import RulesError, quote
from hinterland.graph.graphs.numbering import to_python

Edge = tuple[int, int, float]
MAX_LENGTH = 1e300
SUM_BITS = 61
"""Sums of lengths stay below 2**61, which is half of ``network.UNREACHED``."""
FLOAT_BITS = 53
"""Significant bits of a floating-point number."""


def check_edges(edges: object, vertices: int, most: int) -> tuple[Edge, ...]:
    """Return edges as a tuple of tuples with float lengths; at most ``most`` are allowed.

    Raises RulesError, naming the first bad edge.
    """
    if not isinstance(edges, (tuple, list)):
        raise RulesError(f"edges must be a list of [vertex, vertex, length], not {quote(edges)}")
    if len(edges) > most:
        raise RulesError(f"a graph has at most {most} edges, not {len(edges)}")
    if not edges:
        return ()
    if not _is_sound(edges, vertices):
        edges = [_plain(edge) for edge in edges]  # numbers of NumPy become Python's
        if not _is_sound(edges, vertices):
            _refuse_first_bad(edges, vertices)
    if {*map(type, edges)} == {tuple} and {*map(type, map(itemgetter(2), edges))} == {float}:
        return tuple(edges)
    return tuple((first, second, float(length)) for first, second, length in edges)


def _plain(edge: Any) -> Any:
    return tuple(map(to_python, edge)) if isinstance(edge, (tuple, list)) else edge


def _is_sound(edges: tuple[Any, ...] | list[Any], vertices: int) -> bool:
    """Say whether all edges are valid; arrays make this fast on boards with millions of edges."""
    if not set(map(type, edges)) <= {tuple, list} or set(map(len, edges)) != {3}:
        return False
    firsts, seconds, lengths = zip(*edges, strict=True)
    if set(map(type, firsts)) | set(map(type, seconds)) != {int} or not set(map(type, lengths)) <= {int, float}:
        return False
    import numpy as np  # noqa: PLC0415  (rules can be named without NumPy)

    try:
        ends = np.array([firsts, seconds], dtype=np.int64)
        far = np.array(lengths, dtype=np.float64)
    except OverflowError:
        return False
    if ends.min() < 0 or ends.max() >= vertices or not ((far > 0) & (far <= MAX_LENGTH)).all():
        return False
    pairs = np.sort(ends.min(axis=0) * vertices + ends.max(axis=0))
    return not (ends[0] == ends[1]).any() and not (pairs[1:] == pairs[:-1]).any()


def _refuse_first_bad(edges: tuple[Any, ...] | list[Any], vertices: int) -> NoReturn:
    """Raise RulesError for the first invalid edge."""
    numbers: dict[tuple[int, int], int] = {}
    for number, edge in enumerate(edges, start=1):
        if not isinstance(edge, (tuple, list)) or len(edge) != 3:
            raise RulesError(f"edge {number} must be [vertex, vertex, length], not {quote(edge)}")
        first, second, length = edge
        for end in (first, second):
            if type(end) is not int or not 0 <= end < vertices:
                raise RulesError(f"edge {number} must join vertices from 0 to {vertices - 1}, not {quote(end)}")
        if type(length) not in (int, float) or not 0 < length <= MAX_LENGTH:
            ends = f"edge {number} from {first} to {second}"
            raise RulesError(f"{ends} must have a length above 0, at most {MAX_LENGTH:g}, not {quote(length)}")
        if first == second:
            raise RulesError(f"edge {number} is a loop at vertex {first}; an edge joins two vertices")
        earlier = numbers.setdefault((min(first, second), max(first, second)), number)
        if earlier != number:
            raise RulesError(f"edge {number} joins {first} and {second}, as edge {earlier} does; one edge a pair")
    raise AssertionError("an edge was refused but not found")


def compute_fineness(longest: float, vertices: int) -> int:
    """Return the greatest f for which sums along paths, in units of 2**-f, stay below 2**SUM_BITS."""
    return SUM_BITS - vertices.bit_length() - math.frexp(longest)[1]


def round_to_grid(edges: tuple[Edge, ...], vertices: int) -> tuple[Edge, ...]:
    """Round each length to the grid of its graph. Raises RulesError if rounding would make a length 0."""
    if not edges:
        return edges
    before = lengths = [length for _, _, length in edges]
    while True:
        longest = max(lengths)
        fine = compute_fineness(longest, vertices)
        if FLOAT_BITS - math.frexp(min(lengths))[1] <= fine:
            break  # the grid keeps every bit of the shortest length, and so of all lengths
        rounded = [math.ldexp(round(math.ldexp(length, fine)), -fine) for length in lengths]
        if min(rounded) == 0:
            shortest = min(lengths)
            raise RulesError(f"length {shortest!r} is too short beside {longest!r} to compare distances exactly")
        if rounded == lengths:
            break
        lengths = rounded  # round again: rounding up the longest length may have made the grid coarser, once at most
    if lengths == before:
        return edges
    return tuple((first, second, length) for (first, second, _), length in zip(edges, lengths, strict=True))
