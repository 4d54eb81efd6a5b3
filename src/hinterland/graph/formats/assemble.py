"""Makes a board from a graph as it was read: numbers the vertices, and keeps one edge for each pair of vertices.

If the graph has no values, they are drawn: chosen at random, by the option ``seed``. The length of an edge is its
attribute ``length``, and the value of a vertex is its attribute ``value``, unless people choose other attributes. Which
attribute is meant is never guessed.
"""

from __future__ import annotations

import math
from typing import Any

import msgspec

from hinterland.contract import several, silent
from hinterland.contract.board_files import read_number
from hinterland.contract.numbers import as_int
from hinterland.dice import Dice
from hinterland.errors import BadText, RulesError, quote
from hinterland.graph.formats.raw_graph import RawGraph, is_whole
from hinterland.graph.graphs.board_spec import BoardSpec, Note
from hinterland.graph.graphs.edges import MAX_LENGTH, Edge
from hinterland.graph.graphs.numbering import to_python
from hinterland.graph.graphs.ranges import RANGES
from hinterland.graph.graphs.vertex_labels import is_place

MAX_DRAWN_VALUE = 99


class Options(msgspec.Struct, frozen=True):
    """What people choose for a graph from a file or from networkx."""

    seed: int = 0
    """Decides which values are drawn, if the graph has none."""
    players: int = 2
    """Number of seats."""
    tokens: int = 10
    """Number of tokens that each player places."""
    length: str | int | None = None
    """The name of the edge attribute that is the length; 1 if all edges have length 1; None means ``length``."""
    value: str | None = None
    """The name of the vertex attribute that is the value; "none" to draw values; None means ``value``."""
    undirected: bool = False
    """Whether a directed edge counts in both directions, even if no opposite edge is given."""
    note: Note = silent
    """Receives remarks for people."""


def assemble_board(found: RawGraph, options: Options, form: str = "") -> BoardSpec:
    """Make a board.

    ``form``: the title of the file's form, for a remark. Raises BadText or RulesError, naming the file.
    """
    found.go_both_ways(undirected=options.undirected)
    _put_in_order(found)
    size = f"{len(found.names):,} vertices, {several(len(found.ends), 'edge')}"
    edges = _keep_shortest_edges(found, find_lengths(found, options.length))
    values = find_values(found, options.value)
    if form:
        found.remarks.insert(0, f"read as {form}: {size}" + ("; values are drawn" if values is None else ""))
    count = len(found.names)
    if values is None:
        values = Dice(options.seed).below(MAX_DRAWN_VALUE + 1, count).tolist()
    names = () if found.names == _numbers(count) else tuple(found.names)
    return BoardSpec(
        tuple(edges), tuple(values), options.players, options.tokens, _keep_distinct_places(found.places), names,
        found.source, tuple(found.remarks), options.note,
    )  # fmt: skip


def _numbers(count: int) -> list[str]:
    return list(map(str, range(count)))


def _put_in_order(found: RawGraph) -> None:
    """If the vertices are called 0, 1, 2 … in any order, sort them by these numbers."""
    numbers = _numbers(len(found.names))
    if found.names == numbers or set(found.names) != set(numbers):
        return
    called = list(map(int, found.names))
    order = sorted(range(len(called)), key=called.__getitem__)
    found.names = numbers
    found.ends = [(called[first], called[second]) for first, second in found.ends]
    found.values = found.values and [found.values[vertex] for vertex in order]
    found.traits = {name: [column[vertex] for vertex in order] for name, column in found.traits.items()}
    found.places = found.places and [found.places[vertex] for vertex in order]


def _keep_shortest_edges(found: RawGraph, lengths: list[Any]) -> list[Edge]:
    """Leave out loops, and keep only the shortest edge between two vertices; no shortest path needs any other."""
    kept: dict[tuple[int, int], Edge] = {}
    loops = 0
    for edge, ((first, second), length) in enumerate(zip(found.ends, lengths, strict=True), start=1):
        if type(length) not in (int, float) or not 0 < length <= MAX_LENGTH:
            ends = f"edge {edge} from {_write_name(found, first)} to {_write_name(found, second)}"
            raise RulesError(
                f"{found.source}: {ends} must have a length above 0, at most {MAX_LENGTH:g}, not {quote(length)}"
            )
        if first == second:
            loops += 1
            continue
        pair = (first, second) if first < second else (second, first)
        known = kept.setdefault(pair, (first, second, float(length)))
        if length < known[2]:
            kept[pair] = (*known[:2], float(length))
    if loops:
        found.remarks.append(f"{_write_count(loops, 'loop')} left out, no path takes one")
    if parallel := len(found.ends) - loops - len(kept):
        beside = "left out beside another of the same two vertices, the shortest counts"
        found.remarks.append(f"{_write_count(parallel, 'edge')} {beside}")
    return list(kept.values())


def _write_name(found: RawGraph, vertex: int) -> str:
    """Write the name of a vertex for a message: in quotes unless it is a number."""
    name = found.names[vertex]
    return name if is_whole(name) else quote(name)


def _write_count(count: int, what: str) -> str:
    return f"one {what} is" if count == 1 else f"{count:,} {what}s are"


def _keep_distinct_places(places: list[Any] | None) -> tuple[Any, ...]:
    """Return the places of the vertices; an empty tuple if all vertices are in one place."""
    if places is None:
        return ()
    is_one = all(map(is_place, places)) and len(set(places)) == 1  # as in Pajek files without a drawing
    return () if is_one else tuple(places)


LENGTH_ATTRIBUTE = "length"
ALL_EQUAL = 1
"""The value of ``length`` that gives all edges the length 1."""
MAX_LISTED = 8


def find_lengths(found: RawGraph, length: object) -> list[Any]:
    """Return the length of each edge; if the file does not say which attribute is the length, add a remark.

    ``length``: the name of an attribute; 1 if all edges have length 1; None for the attribute ``length`` if there is
    one. If it is unclear which attribute is the length, BadText lists those that hold numbers.
    """
    length = as_int(length)
    if type(length) is int and length == ALL_EQUAL:
        return [1.0] * len(found.ends)
    if length is not None and not isinstance(length, str):
        raise BadText(f"length names an attribute of the edges, or is 1 for edges of length 1, not {quote(length)}")
    if length is None and found.is_nameless:
        found.remarks.append("its third column is the length of an edge; --length 1 would make all edges 1 long")
    chosen = LENGTH_ATTRIBUTE if length is None or found.is_nameless else length
    if chosen in found.columns:
        return _read_lengths(found, chosen)
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


def _read_lengths(found: RawGraph, name: str) -> list[Any]:
    column = found.columns[name]
    if None in column:
        first, second = (quote(found.names[end]) for end in found.ends[column.index(None)])
        raise BadText(f"{found.source}: the edge from {first} to {second} has no {_word(name)}, though others have")
    return [
        read_number(f"a {_word(name)}", value, found.source) if isinstance(value, str) else value for value in column
    ]


def _is_telling(column: list[Any]) -> bool:
    """Say whether an attribute of the edges may be their length: it holds numbers, and not all of them are 1."""
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


VALUE_ATTRIBUTE = "value"
DRAW_VALUES = "none"
"""The value of ``value`` for which the values of vertices are drawn."""
MAX_LISTED = 8
"""Attributes named in a message."""


def find_values(found: RawGraph, value: object) -> list[int] | None:
    """Return the value of each vertex, or None if values are to be drawn; add a remark on where they come from.

    ``value``: the name of an attribute; "none" to draw values; None for the attribute ``value`` if it holds whole
    numbers. Raises BadText, saying what would be right.
    """
    if value is not None and not isinstance(value, str):
        raise BadText(f"value names an attribute of the vertices, or is none to draw values, not {quote(value)}")
    if found.values is not None:
        if value is not None:
            raise BadText("values come from board_values or from an attribute of vertices; leave out one of the two")
        return found.values
    chosen = VALUE_ATTRIBUTE if value is None else value
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
        found.remarks.append(f"{_remark_on_first(column)}, no whole number; --value NAME names another attribute")
        return None
    if None in numbers:
        raise BadText(f"{found.source}: {_describe_fault(found, chosen, numbers.index(None))}")
    worths = [number for number in numbers if number is not None]
    if value is None and worths:
        span = f"{min(worths):,} to {max(worths):,}"
        found.remarks.append(f"a vertex is worth its attribute 'value' ({span}); --value none would draw values")
    return worths


def _whole(value: Any) -> int | None:
    """Return an attribute as a whole number; None if it cannot be the value of a vertex."""
    value = to_python(value)
    if isinstance(value, str) and is_whole(value.strip()):
        value = int(value)
    if type(value) is float and value.is_integer():
        value = int(value)
    least, most = RANGES["value"]
    return value if type(value) is int and least <= value <= most else None


def _remark_on_first(column: list[Any]) -> str:
    return f"the attribute 'value' holds {quote(next(value for value in column if value is not None), 30)}"


def _describe_fault(found: RawGraph, name: str, vertex: int) -> str:
    value, called = found.traits[name][vertex], quote(found.names[vertex])
    instead = "--value none draws values, --value NAME names another attribute (in Python value=…)"
    if value is None:
        return f"vertex {called} has no {name}, though others have; {instead}"
    least, most = RANGES["value"]
    return f"the {name} of vertex {called} must be a whole number from {least} to {most}, not {quote(value)}; {instead}"
