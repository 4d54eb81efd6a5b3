"""Converts edges from other libraries, such as networkx, to edges between numbered vertices.

Such edges may be views or generators, with names as ends and attributes in dicts; values may be missing. A plain list
of numbers is left to ``edges.check_edges``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from hinterland.errors import RulesError, quote

LENGTH = "length"
DEFAULT_VALUE = 1
"""The value of every vertex if no values are given."""


def to_python(value: Any) -> Any:
    """Convert a number of NumPy to Python's, and an array to a list."""
    return value.tolist() if hasattr(value, "tolist") else value


def number_vertices(edges: Any, values: Any, names: Any, most: int) -> tuple[Any, Any, Any]:
    """Return edges between numbers, values in order, and names; all unchanged if the ends are numbers already.

    Vertices are numbered in the order of ``names``; else of ``values``, if this maps names to values. Without either,
    vertices are sorted if all their names are whole numbers; otherwise they keep the order in which they first occur.
    ``most``: the greatest number of edges. Raises RulesError.
    """
    values, names = to_python(values), to_python(names)
    is_iterable = isinstance(edges, Iterable) and not isinstance(edges, (str, bytes, dict))
    if not is_iterable or not _is_foreign(edges, values, names):
        return edges, values, names
    rows = [_read_row(number, row) for number, row in enumerate(islice(to_python(edges), most + 1), start=1)]
    ends = dict.fromkeys(end for first, second, _ in rows for end in (first, second))
    order = _order_vertices(ends, values, names)
    if order is None:
        count = max(ends, default=-1) + 1
        return rows, values or (DEFAULT_VALUE,) * min(count, most + 1), names
    place = {name: vertex for vertex, name in enumerate(order)}
    for name in ends:
        if name not in place:
            raise RulesError(f"an edge ends at {quote(name)}, which is not among the names of the vertices")
    if isinstance(values, Mapping):
        values = tuple(to_python(value) for value in values.values())
    labels = tuple(" ".join(str(name).split()) for name in order)
    named = () if labels == tuple(map(str, range(len(labels)))) else labels
    rows = [(place[first], place[second], length) for first, second, length in rows]
    return rows, values or (DEFAULT_VALUE,) * len(labels), named


def _is_foreign(edges: Iterable[Any], values: Any, names: Any) -> bool:
    if not isinstance(edges, (tuple, list)) or isinstance(values, Mapping):
        return True
    if names:
        return any(type(row[0]) is not int for row in edges if isinstance(row, (tuple, list)) and row)
    return isinstance(values, (tuple, list)) and not values and bool(edges)


def _read_row(number: int, row: Any) -> tuple[Any, Any, Any]:
    """Return the ends and the length of an edge as networkx gives it: with one attribute, with all, or with none."""
    match row:
        case [first, second]:
            return to_python(first), to_python(second), 1.0
        case [first, second, Mapping() as data] | [first, second, _, Mapping() as data]:
            return to_python(first), to_python(second), _length(number, data)
        case [first, second, length]:
            return to_python(first), to_python(second), to_python(length)
    raise RulesError(f"edge {number} must be [vertex, vertex, length], not {quote(row)}")


def _length(number: int, data: Mapping[Any, Any]) -> Any:
    """Return the attribute ``length`` of an edge, or 1. If another attribute may be the length, raise RulesError."""
    if LENGTH in data:
        return to_python(data[LENGTH])
    numeric = [name for name, value in data.items() if type(to_python(value)) in (int, float) and to_python(value) != 1]
    if numeric:
        raise RulesError(
            f"edge {number} has numbers called {', '.join(map(str, map(quote, numeric[:8])))}, and none called length: "
            f"G.edges(data={quote(numeric[0])}) takes that for the length, G.edges() gives all edges length 1"
        )
    return 1.0


def _order_vertices(ends: Mapping[Any, None], values: Any, names: Any) -> Sequence[Any] | None:
    """Return the names of the vertices in order; None if the ends of edges are the vertices' numbers already."""
    for end in ends:
        if isinstance(end, (float, bool)) or end is None:
            raise RulesError(f"an edge ends at the number or the name of a vertex, not at {quote(end)}")
    if names:
        return list(names)
    if isinstance(values, Mapping):
        return list(values)
    is_numbered = all(type(end) is int for end in ends)
    if is_numbered and (values or min(ends, default=0) <= 0):
        return None
    if values:
        raise RulesError("vertices have names here: give values as {name: value}, or names in the order of the values")
    return sorted(ends) if is_numbered else list(ends)
