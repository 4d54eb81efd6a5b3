"""Which attribute of the vertices is their value: the one called so, or the one that was named; never a guess."""

from __future__ import annotations

from typing import Any

from hinterland.errors import BadText, quote
from hinterland.graph.formats.found import Found, is_whole
from hinterland.graph.graphs.numbering import plain
from hinterland.graph.graphs.ranges import RANGES

USUAL = "value"
DRAWN = "none"
"""What people write to have values drawn."""
LISTED = 8  # attributes named in a message


def values_of(found: Found, value: object) -> list[int] | None:
    """Return the value of each vertex, None where values are to be drawn, and remark on what was taken.

    ``value``: the name of an attribute, "none" to draw, None for the attribute ``value`` if vertices have one that
    holds whole numbers. Raises BadText, which says what would be right.
    """
    if value is not None and not isinstance(value, str):
        raise BadText(f"value names an attribute of the vertices, or is none to draw values, not {quote(value)}")
    if found.values is not None:
        if value is not None:
            raise BadText("values come from board_values or from an attribute of vertices; leave out one of the two")
        return found.values
    chosen = USUAL if value is None else value
    column = found.traits.get(chosen)
    if column is not None and all(told is None for told in column):
        column = None
    if value == DRAWN or (value is None and column is None):
        return None
    if column is None:
        known = ", ".join(map(quote, list(found.traits)[:LISTED])) or "no attributes"
        raise BadText(f"{found.source}: no vertex has {quote(chosen)}; vertices have {known}")
    numbers = [_whole(told) for told in column]
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
    """Return a value that a vertex can have, as a number; None where it is something else."""
    value = plain(value)
    if isinstance(value, str) and is_whole(value.strip()):
        value = int(value)
    if type(value) is float and value.is_integer():
        value = int(value)
    least, most = RANGES["value"]
    return value if type(value) is int and least <= value <= most else None


def _first(column: list[Any]) -> str:
    return f"the attribute 'value' holds {quote(next(value for value in column if value is not None), 30)}"


def _fault(found: Found, name: str, vertex: int) -> str:
    value, called = found.traits[name][vertex], quote(found.names[vertex])
    instead = "--value none draws values, --value NAME names another attribute (in Python value=…)"
    if value is None:
        return f"vertex {called} has no {name}, though others have; {instead}"
    least, most = RANGES["value"]
    return f"the {name} of vertex {called} must be a whole number from {least} to {most}, not {quote(value)}; {instead}"
