"""Edges as other libraries give them: views and generators, ends by name, attributes in dicts, no values.

What is a list of numbers is not touched: ``edges.checked_edges`` sees to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from hinterland.errors import RulesError, quote

LENGTH = "length"
WORTH = 1
"""What every vertex is worth where nobody says anything."""


def plain(value: Any) -> Any:
    """Return a number of numpy as one of Python, an array as a list."""
    return value.tolist() if hasattr(value, "tolist") else value


def numbered(edges: Any, values: Any, names: Any, most: int) -> tuple[Any, Any, Any]:
    """Return edges between numbers, values in their order, and names; as they are where they are so already.

    Vertices are in the order of ``names``; else of ``values``, where that maps names to values; else whole numbers by
    size and others as they come. Raises RulesError.
    """
    values, names = plain(values), plain(names)
    is_iterable = isinstance(edges, Iterable) and not isinstance(edges, (str, bytes, dict))
    if not is_iterable or not _is_foreign(edges, values, names):
        return edges, values, names
    rows = [_row(number, row) for number, row in enumerate(islice(plain(edges), most + 1), start=1)]
    ends = dict.fromkeys(end for first, second, _ in rows for end in (first, second))
    order = _order(ends, values, names)
    if order is None:
        count = max(ends, default=-1) + 1
        return rows, values or (WORTH,) * min(count, most + 1), names
    place = {name: vertex for vertex, name in enumerate(order)}
    for name in ends:
        if name not in place:
            raise RulesError(f"an edge ends at {quote(name)}, which is not among the names of the vertices")
    if isinstance(values, Mapping):
        values = tuple(plain(value) for value in values.values())
    told = tuple(" ".join(str(name).split()) for name in order)
    named = () if told == tuple(map(str, range(len(told)))) else told
    rows = [(place[first], place[second], length) for first, second, length in rows]
    return rows, values or (WORTH,) * len(told), named


def _is_foreign(edges: Iterable[Any], values: Any, names: Any) -> bool:
    if not isinstance(edges, (tuple, list)) or isinstance(values, Mapping):
        return True
    if names:
        return any(type(row[0]) is not int for row in edges if isinstance(row, (tuple, list)) and row)
    return isinstance(values, (tuple, list)) and not values and bool(edges)


def _row(number: int, row: Any) -> tuple[Any, Any, Any]:
    """Return the ends and the length of an edge: as networkx gives it, with an attribute, all of them, or none."""
    match row:
        case [first, second]:
            return plain(first), plain(second), 1.0
        case [first, second, Mapping() as data] | [first, second, _, Mapping() as data]:
            return plain(first), plain(second), _length(number, data)
        case [first, second, length]:
            return plain(first), plain(second), plain(length)
    raise RulesError(f"edge {number} must be [vertex, vertex, length], not {quote(row)}")


def _length(number: int, data: Mapping[Any, Any]) -> Any:
    """Return the length among the attributes of an edge; it is never guessed."""
    if LENGTH in data:
        return plain(data[LENGTH])
    numeric = [name for name, value in data.items() if type(plain(value)) in (int, float) and plain(value) != 1]
    if numeric:
        raise RulesError(
            f"edge {number} has numbers called {', '.join(map(str, map(quote, numeric[:8])))}, and none called length: "
            f"G.edges(data={quote(numeric[0])}) takes that for the length, G.edges() gives all edges length 1"
        )
    return 1.0


def _order(ends: Mapping[Any, None], values: Any, names: Any) -> Sequence[Any] | None:
    """Return the names of the vertices in order; None where the ends are their numbers."""
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
