"""A graph as it was found in a file or in another library, before anybody has decided what is played on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from hinterland.errors import BadText, quote
from hinterland.graph.graphs.numbering import plain
from hinterland.graph.graphs.vertex_labels import is_name

ONE_WAY = (
    "edges go both ways in this game, these are directed; save the graph as an undirected one, "
    "or write --undirected yes to take each edge both ways (in Python undirected=True)"
)


class Node(NamedTuple):
    """A vertex as a file or another library names it; the rest is None where it has none."""

    name: Any
    place: Any = None
    label: str | None = None
    data: Mapping[Any, Any] = {}
    """All attributes that it has."""


class Found(msgspec.Struct):
    """Vertices in order, edges between their numbers, and what else is said of either."""

    source: str
    """What messages begin with: the quoted name of the file."""
    names: list[str]
    """One a vertex."""
    ends: list[tuple[int, int]]
    """One an edge."""
    columns: dict[str, list[Any]] = msgspec.field(default_factory=dict)
    """What edges have, by the name of the attribute; None where an edge does not have it."""
    one_way: list[bool] = msgspec.field(default_factory=list)
    """Whether each edge is directed; empty where none is."""
    traits: dict[str, list[Any]] = msgspec.field(default_factory=dict)
    """What vertices have, by the name of the attribute; None where a vertex does not have it."""
    values: list[int] | None = None
    """What each vertex is worth where a file of values says so."""
    places: list[Any] | None = None
    """Where each vertex is drawn, None where nothing says so."""
    is_nameless: bool = False
    """Whether the only column has no name; it is called length here."""
    remarks: list[str] = msgspec.field(default_factory=list)
    """What people should know of how it was read."""

    def add_columns(self, edges: Iterable[Mapping[Any, Any]]) -> None:
        """Take over the attributes of the edges, one mapping an edge."""
        _add(self.columns, edges, len(self.ends))

    def go_both_ways(self, *, undirected: bool) -> None:
        """Keep each pair of opposite edges that are alike as one.

        ``undirected``: take each directed edge both ways. Raises BadText where one has no way back.
        """
        if not any(self.one_way):
            return
        if undirected:
            count = sum(self.one_way)
            told = "one directed edge is" if count == 1 else f"{count:,} directed edges are"
            self.remarks.append(f"{told} taken both ways")
        else:
            self._join_opposites()

    def _join_opposites(self) -> None:
        columns = [column for name, column in self.columns.items() if name != "id"]
        told = list(zip(*columns, strict=True)) if columns else [()] * len(self.ends)
        ways: dict[tuple[int, int], list[tuple[Any, ...]]] = {}
        for (first, second), is_one_way, data in zip(self.ends, self.one_way, told, strict=True):
            ways.setdefault((first, second), []).append(data)
            if not is_one_way:
                ways.setdefault((second, first), []).append(data)
        kept = []
        for edge, ((first, second), is_one_way) in enumerate(zip(self.ends, self.one_way, strict=True)):
            if is_one_way and told[edge] not in ways.get((second, first), ()):
                raise BadText(f"{self.source}: {ONE_WAY}")
            if first <= second or not is_one_way:
                kept.append(edge)
        self.ends = [self.ends[edge] for edge in kept]
        self.columns = {name: [column[edge] for edge in kept] for name, column in self.columns.items()}
        self.one_way = []


def _add(columns: dict[str, list[Any]], told: Iterable[Mapping[Any, Any]], count: int) -> None:
    for at, data in enumerate(told):
        for name, value in data.items():
            if str(name) not in columns:
                columns[str(name)] = [None] * count
            columns[str(name)][at] = plain(value)


def found_of(source: str, nodes: Sequence[Node], edges: Iterable[tuple[Any, Any, Mapping[Any, Any]]]) -> Found:
    """Give vertices numbers in their order. Raises BadText where one is there twice, or an edge ends at none."""
    numbers: dict[Any, int] = {}
    for node in nodes:
        if node.name in numbers:
            raise BadText(f"{source}: a vertex is there twice, {quote(node.name)}; each has a name of its own")
        numbers[node.name] = len(numbers)
    found = Found(source, [], [])
    _call(found, nodes)
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


def _call(found: Found, nodes: Sequence[Node]) -> None:
    """Call vertices by their labels where all have one and no two the same, by their names where not."""
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


def whole(text: str, where: str) -> int:
    """Read a whole number. Raises BadText."""
    if not is_whole(text):
        raise BadText(f"{where}: a whole number was expected, not {quote(text)}")
    return int(text)


def is_whole(text: str) -> bool:
    """Say whether a text is a whole number of a usual size."""
    return text.isascii() and text.removeprefix("-").isdigit() and len(text) < 20
