"""Vertices that are listed before their edges: numbered in their order, and called by their labels if these differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from hinterland.errors import BadText, shown
from hinterland.graph.formats.found import Found, plain
from hinterland.graph.graphs.vertex_names import is_name

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Node", "found_of", "tidy"]


class Node(NamedTuple):
    """A vertex as a file or another library names it; the rest is None where it has none."""

    name: Any
    value: Any = None
    place: Any = None
    label: str | None = None


def found_of(source: str, nodes: Sequence[Node], edges: Iterable[tuple[Any, Any, Mapping[Any, Any]]]) -> Found:
    """Give the vertices numbers. Raises BadText where one is there twice, and where an edge ends at none."""
    numbers: dict[Any, int] = {}
    for node in nodes:
        if node.name in numbers:
            raise BadText(f"{source}: a vertex is there twice, {shown(node.name)}; each has a name of its own")
        numbers[node.name] = len(numbers)
    found = Found(source, _names(nodes), [])
    if (twice := _label_there_twice(nodes)) is not None:
        found.remarks.append(f"vertices go by their ids, since {shown(twice)} is the label of several")
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


def tidy(name: Any) -> str:
    """Return a name on one line."""
    return " ".join(str(name).split())


def _label_there_twice(nodes: Sequence[Node]) -> str | None:
    """Return the first label that several vertices have, in a file that gives labels to all."""
    counts = Counter(tidy(node.label) for node in nodes if node.label is not None)
    if counts.total() < len(nodes):
        return None
    return next((label for label, count in counts.items() if count > 1), None)


def _names(nodes: Sequence[Node]) -> list[str]:
    """Return the labels of the vertices where all have one and no two the same, their names where not."""
    labels = [tidy(node.label) for node in nodes if node.label is not None]
    if len(labels) == len(nodes) == len(set(labels)) and all(map(is_name, labels)):
        return labels
    return [tidy(node.name) for node in nodes]
