"""Finds the vertex attribute that is the value: the one called value, or the one chosen; it is never guessed."""

from __future__ import annotations

from typing import Any

from hinterland.errors import BadText, quote
from hinterland.graph.formats.raw_graph import RawGraph, is_whole
from hinterland.graph.graphs.numbering import to_python
from hinterland.graph.graphs.ranges import RANGES

DEFAULT_ATTRIBUTE = "value"
DRAW_VALUES = "none"
"""What people choose to have values drawn."""
MAX_LISTED = 8
"""Attributes named in a message."""


def find_values(found: RawGraph, value: object) -> list[int] | None:
    """Return the value of each vertex, None if values are to be drawn, and remark on what was used.

    ``value``: the name of an attribute, "none" to draw, None for the attribute ``value`` if it holds whole numbers.
    Raises BadText, saying what would be right.
    """
    if value is not None and not isinstance(value, str):
        raise BadText(f"value names an attribute of the vertices, or is none to draw values, not {quote(value)}")
    if found.values is not None:
        if value is not None:
            raise BadText("values come from board_values or from an attribute of vertices; leave out one of the two")
        return found.values
    chosen = DEFAULT_ATTRIBUTE if value is None else value
    column = found.traits.get(chosen)
    if column is not None and all(trait is None for trait in column):
        column = None
    if value == DRAW_VALUES or (value is None and column is None):
        return None
    if column is None:
        known = ", ".join(map(quote, list(found.traits)[:MAX_LISTED])) or "no attributes"
        raise BadText(f"{found.source}: no vertex has {quote(chosen)}; vertices have {known}")
    numbers = [_whole(trait) for trait in column]
    if value is None and all(number is None for number in numbers):
        found.remarks.append(f"{_first(column)}, no whole number; --value NAME names another attribute")
        return None
    if None in numbers:
        raise BadText(f"{found.source}: {_fault(found, chosen, numbers.index(None))}")
    worths = [number for number in numbers if number is not None]
    if value is None and worths:
        span = f"{min(worths):,} to {max(worths):,}"
        found.remarks.append(f"a vertex is worth its attribute 'value' ({span}); --value none would draw values")
    return worths


def _whole(value: Any) -> int | None:
    """Return a value as a number if a vertex can have it; None otherwise."""
    value = to_python(value)
    if isinstance(value, str) and is_whole(value.strip()):
        value = int(value)
    if type(value) is float and value.is_integer():
        value = int(value)
    least, most = RANGES["value"]
    return value if type(value) is int and least <= value <= most else None


def _first(column: list[Any]) -> str:
    return f"the attribute 'value' holds {quote(next(value for value in column if value is not None), 30)}"


def _fault(found: RawGraph, name: str, vertex: int) -> str:
    value, called = found.traits[name][vertex], quote(found.names[vertex])
    instead = "--value none draws values, --value NAME names another attribute (in Python value=…)"
    if value is None:
        return f"vertex {called} has no {name}, though others have; {instead}"
    least, most = RANGES["value"]
    return f"the {name} of vertex {called} must be a whole number from {least} to {most}, not {quote(value)}; {instead}"
