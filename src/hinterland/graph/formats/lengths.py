"""Finds the edge attribute that is the length: the one called length, or the one chosen; it is never guessed."""

from __future__ import annotations

import math
from typing import Any

from hinterland.contract.board_files import read_number
from hinterland.contract.numbers import as_int
from hinterland.errors import BadText, quote
from hinterland.graph.formats.raw_graph import RawGraph

DEFAULT_ATTRIBUTE = "length"
ALL_EQUAL = 1
"""What people choose for equally long edges."""
MAX_LISTED = 8


def find_lengths(found: RawGraph, length: object) -> list[Any]:
    """Return the length of each edge, with a remark if the file does not name it.

    ``length``: the name of an attribute, 1 for edges all of length 1, None for the attribute ``length`` if there is
    one. Raises BadText, listing the attributes that hold numbers.
    """
    length = as_int(length)
    if type(length) is int and length == ALL_EQUAL:
        return [1.0] * len(found.ends)
    if length is not None and not isinstance(length, str):
        raise BadText(f"length names an attribute of the edges, or is 1 for edges of length 1, not {quote(length)}")
    if length is None and found.is_nameless:
        found.remarks.append("its third column is the length of an edge; --length 1 would make all edges 1 long")
    chosen = DEFAULT_ATTRIBUTE if length is None or found.is_nameless else length
    if chosen in found.columns:
        return _read(found, chosen)
    if length is not None:
        raise BadText(f"{found.source}: no edge has {quote(length)}; {_list_attributes(found, list(found.columns))}")
    telling = [name for name, column in found.columns.items() if _is_telling(column)]
    if telling:
        raise BadText(
            f"{found.source}: which attribute is the length of an edge? {_list_attributes(found, telling)}; "
            f"write --length {_word(telling[0])}, or --length 1 for edges all of length 1 (in Python length=…)"
        )
    if found.ends:
        found.remarks.append("it has no lengths, every edge has length 1")
    return [1.0] * len(found.ends)


def _read(found: RawGraph, name: str) -> list[Any]:
    column = found.columns[name]
    if None in column:
        first, second = (quote(found.names[end]) for end in found.ends[column.index(None)])
        raise BadText(f"{found.source}: the edge from {first} to {second} has no {_word(name)}, though others have")
    return [
        read_number(f"a {_word(name)}", value, found.source) if isinstance(value, str) else value for value in column
    ]


def _is_telling(column: list[Any]) -> bool:
    """Say whether these numbers would make a difference as lengths: there are numbers, and not all are 1."""
    return any(type(value) in (int, float) and value != 1 for value in column)


def _list_attributes(found: RawGraph, names: list[str]) -> str:
    listed = [f"{_word(name)}{_span(found.columns[name])}" for name in names[:MAX_LISTED]]
    more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return f"edges have {', '.join(listed) or 'no attributes'}{more}"


def _span(column: list[Any]) -> str:
    numbers = [value for value in column if type(value) in (int, float) and math.isfinite(value)]
    return f" ({min(numbers):g} to {max(numbers):g})" if numbers else ""


def _word(name: str) -> str:
    """Write a name as people would type it, quoted if necessary."""
    return name if name.isascii() and name.isidentifier() else quote(name)
