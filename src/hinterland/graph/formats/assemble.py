"""Makes a board from a graph as it was read: numbers vertices, keeps one edge for each pair, draws missing values."""

from __future__ import annotations

from typing import Any

import msgspec

from hinterland.contract import several, silent
from hinterland.dice import Dice
from hinterland.errors import RulesError, quote
from hinterland.graph.formats.lengths import find_lengths
from hinterland.graph.formats.raw_graph import RawGraph, is_whole
from hinterland.graph.formats.values import find_values
from hinterland.graph.graphs.board_spec import BoardSpec, Note
from hinterland.graph.graphs.edges import MAX_LENGTH, Edge
from hinterland.graph.graphs.vertex_labels import is_place

MAX_DRAWN_VALUE = 99


class Options(msgspec.Struct, frozen=True):
    """What people choose for any graph."""

    seed: int = 0
    """Seed for the values if the graph has none."""
    players: int = 2
    """Number of seats."""
    tokens: int = 10
    """Number of tokens that each player places."""
    length: str | int | None = None
    """The edge attribute that is the length; 1 for edges all of length 1."""
    value: str | None = None
    """The vertex attribute that is the value; "none" to draw values."""
    undirected: bool = False
    """Whether directed edges are taken both ways."""
    note: Note = silent
    """Receives remarks for people."""


def assemble_board(found: RawGraph, options: Options, form: str = "") -> BoardSpec:
    """Make a board. ``form``: the form the file was read as. Raises BadText or RulesError, naming the file."""
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
    """Sort vertices by name if their names are the numbers from 0."""
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
    """Leave out loops, and of several edges between two vertices all but the shortest; no path needs the others."""
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
    """Write a vertex in a message: unquoted if its name is a number."""
    name = found.names[vertex]
    return name if is_whole(name) else quote(name)


def _write_count(count: int, what: str) -> str:
    return f"one {what} is" if count == 1 else f"{count:,} {what}s are"


def _keep_distinct_places(places: list[Any] | None) -> tuple[Any, ...]:
    """Return the places of the vertices; none if all are the same."""
    if places is None:
        return ()
    is_one = all(map(is_place, places)) and len(set(places)) == 1  # as in Pajek files without a drawing
    return () if is_one else tuple(places)
