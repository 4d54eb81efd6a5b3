"""Lists of edges, an edge a line: ``u,v`` or ``u v``, with a length, or with columns that the first line names.

Whole numbers that begin at 0 are the numbers of the vertices, and those that no line has are vertices without edges.
Others are names: vertices are numbered in the order in which they come, whole numbers by size.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from hinterland.contract.board_files import number
from hinterland.errors import BadText, shown
from hinterland.graph.formats.fields import rows
from hinterland.graph.formats.found import Found, is_whole, whole
from hinterland.graph.graphs.ranges import RANGES

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Worths", "edge_list", "values_in"]

Worths = dict[str, int]
"""What each vertex is worth, in order."""
USUAL = ["u", "v", "length"]
HEADS = {
    ("u", "v"), ("source", "target"), ("from", "to"), ("src", "dst"), ("start", "end"), ("node1", "node2"),
    ("vertex1", "vertex2"), ("fromnodeid", "tonodeid"), ("fromnode", "tonode"), ("from_node", "to_node"),
}  # fmt: skip
"""How the ends of edges are called where the first line names the columns."""
LONGEST_BRACES = 10_000


def edge_list(name: str, text: str, worths: Worths | None = None) -> Found:
    """Read a list of edges. ``worths``: the vertices, where another file lists them. Raises BadText."""
    found = Found(name, [], [])
    numbers = {} if worths is None else {vertex: place for place, vertex in enumerate(worths)}
    lines = _sized(name, text)
    heads = next(lines)[1]
    found.is_nameless = heads is USUAL
    columns: list[list[Any]] = [[] for _ in heads[2:]]
    braces: list[dict[Any, Any]] = []
    for where, (first, second, *more) in lines:
        found.ends.append((numbers.setdefault(first, len(numbers)), numbers.setdefault(second, len(numbers))))
        if heads == [*USUAL[:2], "{}"]:
            braces.append(_braces(more[0], where))
        elif heads == USUAL:
            columns[0].append(number("a length", more[0], where))
        else:
            for column, field in zip(columns, more, strict=True):
                column.append(_value(field))
    found.names = list(numbers)
    if braces:
        found.add_columns(braces)
    elif columns and heads[2] != "{}":
        found.columns = dict(zip(heads[2:], columns, strict=True))
    if worths is None:
        return _by_number(found)
    found.values = list(worths.values())
    _check_ends(found)
    return found


def _sized(name: str, text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the names of the columns, and then the lines, all of as many fields."""
    lines = rows(name, text)
    where, first = next(lines, (name, []))
    is_headed = tuple(field.casefold() for field in first[:2]) in HEADS and not any(
        isinstance(_value(field), float) for field in first[2:]
    )
    heads = [*first[:2], *map(_usual, first[2:])] if is_headed else USUAL if len(first) > 2 else USUAL[:2]
    if first and not is_headed and first[-1].startswith("{"):
        heads = [*USUAL[:2], "{}"]
    yield where, heads
    most, count = RANGES["edges"][1], 0
    while first:
        if not is_headed:
            if len(first) != len(heads):
                raise BadText(f"{where}: expected {','.join(heads)}, not {shown(','.join(first))}{_hint(first)}")
            count += 1
            if count > most:
                raise BadText(f"{where}: more than {most} lines, the most that a graph can have")
            yield where, first
        is_headed = False
        where, first = next(lines, (where, []))


def _usual(head: str) -> str:
    return USUAL[2] if head.casefold() == USUAL[2] else head


def _hint(fields: list[str]) -> str:
    return "; for lines of a vertex and its neighbours write --board-format adjlist" if len(fields) > 3 else ""


def _value(field: str) -> Any:
    """Return a field as a number where it is one; None where it is empty."""
    try:
        return float(field) if field else None
    except ValueError:
        return field


def _braces(text: str, where: str) -> dict[Any, Any]:
    """Read attributes as networkx writes them."""
    if len(text) <= LONGEST_BRACES:
        found = _literal(text)
        if isinstance(found, dict):
            return found
    raise BadText(f"{where}: attributes in braces were expected, as {{'weight': 2}}, not {shown(text)}")


@lru_cache(maxsize=1000)
def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


def _by_number(found: Found) -> Found:
    """Put vertices that are called by whole numbers in order, and fill the gaps where the numbers begin at 0."""
    if not found.names or not all(is_whole(name) and str(int(name)) == name for name in found.names):
        return found
    called = list(map(int, found.names))
    least, most = min(called), max(called)
    if least < 0:
        edge = next(edge for edge, ends in enumerate(found.ends, start=1) if min(called[end] for end in ends) < 0)
        end = next(called[end] for end in found.ends[edge - 1] if called[end] < 0)
        raise BadText(f"{found.source}: edge {edge} must join vertices from 0 to {most}, not {end}")
    if least > 0:
        order = sorted(called)
        place = {number: vertex for vertex, number in enumerate(order)}
        found.ends = [(place[called[first]], place[called[second]]) for first, second in found.ends]
        found.names = list(map(str, order))
        return found
    count = min(most, RANGES["vertices"][1]) + 1
    if count <= RANGES["vertices"][1] and count > len(called):
        found.remarks.append(f"vertices go from 0 to {most}; {count - len(called):,} of these numbers stand on no line")
    found.ends = [(called[first], called[second]) for first, second in found.ends]
    found.names = list(map(str, range(count)))
    return found


def _check_ends(found: Found) -> None:
    """Raise BadText where an edge ends at what has no value."""
    listed = len(found.values or ())
    if len(found.names) == listed:
        return
    edge, end = next((edge, end) for edge, ends in enumerate(found.ends, start=1) for end in ends if end >= listed)
    name = found.names[end]
    if is_whole(name) and found.names[0] == "0":
        raise BadText(f"{found.source}: edge {edge} must join vertices from 0 to {listed - 1}, not {name}")
    raise BadText(f"{found.source}: edge {edge} ends at {shown(name)}, which is not among the vertices with values")


def values_in(name: str, text: str) -> Worths:
    """Read lines ``vertex,value``: numbers in order from 0, or names. Raises BadText."""
    worths: Worths = {}
    is_numbered = False
    for where, fields in rows(name, text, is_list=False):
        if not worths and [field.casefold() for field in fields] == ["vertex", "value"]:
            continue
        if len(fields) != 2:
            raise BadText(f"{where}: expected vertex,value, not {shown(','.join(fields))}")
        vertex, value = fields
        is_numbered = is_numbered or (not worths and vertex == "0")
        if is_numbered and whole(vertex, where) != len(worths):
            raise BadText(f"{where}: vertices are listed in order, {len(worths)} comes here, not {shown(vertex)}")
        if vertex in worths:
            raise BadText(f"{where}: vertex {shown(vertex)} is there twice")
        if len(worths) == RANGES["vertices"][1]:
            raise BadText(f"{where}: more than {len(worths)} lines, the most that a graph can have vertices")
        worths[vertex] = whole(value, where)
    return worths
