"""A graph as it was found in a file or in another library, before anybody has decided what is played on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from hinterland.errors import BadText, shown
from hinterland.graph.graphs.numbering import plain
from hinterland.graph.graphs.vertex_labels import is_name

ONE_WAY = "edges go both ways in this game, these are directed; save the graph as an undirected one"


class Node(NamedTuple):
    """A vertex as a file or another library names it; the rest is None where it has none."""

    name: Any
    value: Any = None
    place: Any = None
    label: str | None = None


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
    values: list[Any] | None = None
    """What each vertex is worth, None where nothing says so."""
    places: list[Any] | None = None
    """Where each vertex is drawn, None where nothing says so."""
    is_nameless: bool = False
    """Whether the only column has no name; it is called length here."""
    remarks: list[str] = msgspec.field(default_factory=list)
    """What people should know of how it was read."""

    def add_columns(self, edges: Iterable[Mapping[Any, Any]]) -> None:
        """Take over the attributes of the edges, one mapping an edge."""
        for edge, data in enumerate(edges):
            for name, value in data.items():
                if str(name) not in self.columns:
                    self.columns[str(name)] = [None] * len(self.ends)
                self.columns[str(name)][edge] = plain(value)

    def check_both_ways(self) -> None:
        """Keep each pair of opposite edges that are alike as one. Raises BadText where an edge has no way back."""
        told = zip(*self.columns.values(), strict=True) if self.columns else [()] * len(self.ends)
        ways: dict[tuple[int, int], tuple[Any, ...]] = dict(zip(self.ends, told, strict=True))
        if any(ways.get((second, first)) != data for (first, second), data in ways.items()):
            raise BadText(f"{self.source}: {ONE_WAY}")
        kept = {ends: data for ends, data in ways.items() if ends[0] <= ends[1]}
        self.ends = list(kept)
        self.columns = {name: [data[k] for data in kept.values()] for k, name in enumerate(self.columns)}


def found_of(source: str, nodes: Sequence[Node], edges: Iterable[tuple[Any, Any, Mapping[Any, Any]]]) -> Found:
    """Give vertices numbers in their order. Raises BadText where one is there twice, or an edge ends at none."""
    numbers: dict[Any, int] = {}
    for node in nodes:
        if node.name in numbers:
            raise BadText(f"{source}: a vertex is there twice, {shown(node.name)}; each has a name of its own")
        numbers[node.name] = len(numbers)
    found = Found(source, [], [])
    _call(found, nodes)
    attributes = []
    for first, second, data in edges:
        for end in (first, second):
            if end not in numbers:
                raise BadText(f"{source}: an edge ends at {shown(end)}, which is no vertex")
        found.ends.append((numbers[first], numbers[second]))
        attributes.append(data)
    found.add_columns(attributes)
    if any(node.value is not None for node in nodes):
        found.values = [plain(node.value) for node in nodes]
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
        found.remarks.append(f"vertices go by their ids, since {shown(twice)} is the label of several")


def _on_one_line(name: Any) -> str:
    return " ".join(str(name).split())


def whole(text: str, where: str) -> int:
    """Read a whole number. Raises BadText."""
    if not is_whole(text):
        raise BadText(f"{where}: a whole number was expected, not {shown(text)}")
    return int(text)


def is_whole(text: str) -> bool:
    """Say whether a text is a whole number of a usual size."""
    return text.isascii() and text.removeprefix("-").isdigit() and len(text) < 20
