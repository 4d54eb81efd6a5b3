"""A graph as a file or another library describes it, before a board is made of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from hinterland.errors import BadText, quote
from hinterland.graph.graphs.numbering import to_python
from hinterland.graph.graphs.vertex_labels import is_name

ONE_WAY_FAULT = (
    "edges go both ways in this game, these are directed; save the graph as an undirected one, "
    "or write --undirected yes to take each edge both ways (in Python undirected=True)"
)


class Node(NamedTuple):
    """A vertex as a file or another library describes it; missing details are None."""

    name: Any
    place: Any = None
    label: str | None = None
    data: Mapping[Any, Any] = {}
    """All its attributes."""


class RawGraph(msgspec.Struct):
    """Vertices in order, edges between their numbers, and the attributes of both."""

    source: str
    """What messages begin with: the quoted name of the file."""
    names: list[str]
    """Names of the vertices."""
    ends: list[tuple[int, int]]
    """The ends of each edge."""
    columns: dict[str, list[Any]] = msgspec.field(default_factory=dict)
    """For each attribute of edges, by its name, the value on each edge; None if the edge lacks the attribute."""
    one_way: list[bool] = msgspec.field(default_factory=list)
    """Whether each edge is directed; empty if none is."""
    traits: dict[str, list[Any]] = msgspec.field(default_factory=dict)
    """For each attribute of vertices, by its name, the value on each vertex; None if the vertex lacks the attribute."""
    values: list[int] | None = None
    """Values of the vertices, if a file of values gives them."""
    places: list[Any] | None = None
    """Places of the vertices; None if the file has none."""
    is_nameless: bool = False
    """Whether the only attribute of edges has no name in the file; here it is then called length."""
    remarks: list[str] = msgspec.field(default_factory=list)
    """What people should know about how the graph was read."""

    def add_columns(self, edges: Iterable[Mapping[Any, Any]]) -> None:
        """Store the attributes of the edges, one mapping for each edge."""
        _add(self.columns, edges, len(self.ends))

    def go_both_ways(self, *, undirected: bool) -> None:
        """Make all edges undirected; each pair of opposite directed edges with the same attributes becomes one edge.

        With ``undirected``, each directed edge becomes an undirected one instead. Otherwise a directed edge without an
        opposite raises BadText.
        """
        if not any(self.one_way):
            return
        if undirected:
            count = sum(self.one_way)
            amount = "one directed edge is" if count == 1 else f"{count:,} directed edges are"
            self.remarks.append(f"{amount} taken both ways")
        else:
            self._join_opposites()

    def _join_opposites(self) -> None:
        columns = [column for name, column in self.columns.items() if name != "id"]
        attributes = list(zip(*columns, strict=True)) if columns else [()] * len(self.ends)
        ways: dict[tuple[int, int], list[tuple[Any, ...]]] = {}
        for (first, second), is_one_way, data in zip(self.ends, self.one_way, attributes, strict=True):
            ways.setdefault((first, second), []).append(data)
            if not is_one_way:
                ways.setdefault((second, first), []).append(data)
        kept = []
        for edge, ((first, second), is_one_way) in enumerate(zip(self.ends, self.one_way, strict=True)):
            if is_one_way and attributes[edge] not in ways.get((second, first), ()):
                raise BadText(f"{self.source}: {ONE_WAY_FAULT}")
            if first <= second or not is_one_way:
                kept.append(edge)
        self.ends = [self.ends[edge] for edge in kept]
        self.columns = {name: [column[edge] for edge in kept] for name, column in self.columns.items()}
        self.one_way = []


def _add(columns: dict[str, list[Any]], rows: Iterable[Mapping[Any, Any]], count: int) -> None:
    for at, data in enumerate(rows):
        for name, value in data.items():
            if str(name) not in columns:
                columns[str(name)] = [None] * count
            columns[str(name)][at] = to_python(value)


def build_graph(source: str, nodes: Sequence[Node], edges: Iterable[tuple[Any, Any, Mapping[Any, Any]]]) -> RawGraph:
    """Build a graph, numbering its vertices in order.

    Raises BadText for a repeated vertex, or an edge that ends at no vertex.
    """
    numbers: dict[Any, int] = {}
    for node in nodes:
        if node.name in numbers:
            raise BadText(f"{source}: vertex {quote(node.name)} occurs twice; each needs a name of its own")
        numbers[node.name] = len(numbers)
    found = RawGraph(source, [], [])
    _name_vertices(found, nodes)
    attributes = []
    for first, second, data in edges:
        for end in (first, second):
            if end not in numbers:
                raise BadText(f"{source}: an edge ends at {quote(end)}, which is no vertex")
        found.ends.append((numbers[first], numbers[second]))
        attributes.append(data)
    found.add_columns(attributes)
    _add(found.traits, (node.data for node in nodes), len(nodes))
    if all(node.place is not None for node in nodes):
        found.places = [node.place for node in nodes]
    return found


def _name_vertices(found: RawGraph, nodes: Sequence[Node]) -> None:
    """Name vertices by their labels if all have different ones, else by their names."""
    labels = Counter(_on_one_line(node.label) for node in nodes if node.label is not None)
    if len(labels) == len(nodes) and all(map(is_name, labels)):
        found.names = list(labels)
        return
    found.names = [_on_one_line(node.name) for node in nodes]
    if labels.total() == len(nodes) > len(labels):
        twice = next(label for label, count in labels.items() if count > 1)
        found.remarks.append(f"vertices go by their ids, since {quote(twice)} is the label of several")


def _on_one_line(name: Any) -> str:
    return " ".join(str(name).split())


def read_whole(text: str, where: str) -> int:
    """Read a whole number. Raises BadText."""
    if not is_whole(text):
        raise BadText(f"{where}: a whole number was expected, not {quote(text)}")
    return int(text)


def is_whole(text: str) -> bool:
    """Say whether a text is a whole number of at most 19 digits."""
    return text.isascii() and text.removeprefix("-").isdigit() and len(text) < 20
