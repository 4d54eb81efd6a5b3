"""Boards from files and from networkx graphs: edge lists (CSV) and GraphML.

A file is read whole, at most LARGEST bytes of it, and believed only when all of it can be; nothing is half-loaded.
"""

from __future__ import annotations

import csv
import io
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree

from hinterland.dice import Dice
from hinterland.errors import BadText, RulesError, shown
from hinterland.graph.rules import RANGES, Rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["LARGEST", "from_networkx", "read_edges", "read_graphml"]

LARGEST = 64 * 2**20
"""Bytes of the largest file that is read."""
MOST_VALUE = 99
EDGE = ["u", "v", "length"]
VALUE = ["vertex", "value"]
LENGTHS = ("length", "weight")
PLACE = ("x", "y")


class _Node(NamedTuple):
    """A vertex as a foreign graph names it; value and place are None where it has none."""

    name: Any
    value: Any
    place: Any


def read_edges(
    path: str | Path, values: str | Path | None = None, seed: int = 0, players: int = 2, tokens: int = 10
) -> Rules:
    """Read an edge list: lines ``u,v,length`` with vertices counted from 0, below an optional line of these words.

    ``values``: another file, with lines ``vertex,value``, one for each vertex in order; without it there are as many
    vertices as the greatest number says, and values from 0 to 99 are drawn. Raises BadText for a file that cannot be
    read, RulesError for a graph that cannot be.
    """
    edges = [
        (_whole(first, where), _whole(second, where), _number("a length", length, where))
        for where, (first, second, length) in _rows(Path(path), EDGE, RANGES["edges"][1])
    ]
    if values is not None:
        worths = list(_listed_values(Path(values)))
    else:
        count = max((max(first, second) for first, second, _ in edges), default=-1) + 1
        worths = _drawn(min(max(count, 0), RANGES["vertices"][1] + 1), seed)
    return _rules(_name(path), edges, worths, players, tokens)


def _name(path: str | Path) -> str:
    """Return the last part of a path, quoted."""
    return shown(Path(path).name or str(path))


def _listed_values(path: Path) -> Iterator[int]:
    for number, (where, (vertex, value)) in enumerate(_rows(path, VALUE, RANGES["vertices"][1])):
        if _whole(vertex, where) != number:
            raise BadText(f"{where}: vertices are listed in order, {number} comes here, not {shown(vertex)}")
        yield _whole(value, where)


def _rows(path: Path, columns: list[str], most: int) -> Iterator[tuple[str, list[str]]]:
    """Yield (file and line in words, fields) for each line that is not blank, without the header."""
    name = _name(path)
    text = _text(path)
    if text and not text.endswith(("\n", "\r")):
        raise BadText(f"{name} may be cut short: its last line has no line break; add one if it is whole")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows = 0
    try:
        for read in reader:
            where = f"{name}, line {reader.line_num}"
            fields = [field.strip() for field in read]
            if not fields or (rows == 0 and [field.lower() for field in fields] == columns):
                continue
            if len(fields) != len(columns):
                raise BadText(f"{where}: expected {','.join(columns)}, not {shown(','.join(fields))}")
            rows += 1
            if rows > most:
                raise BadText(f"{where}: more than {most} lines, the most that a graph can have")
            yield where, fields
    except csv.Error as error:
        raise BadText(f"{name}, line {reader.line_num}: not CSV, {error}") from None


def _text(path: Path) -> str:
    """Read a file in UTF-8. Raises BadText for one that is too large, not there, or in another encoding."""
    name = _name(path)
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise BadText(f"{name} is not a file")
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise BadText(f"{name} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(raw) > LARGEST:
        raise BadText(f"{name} is larger than {LARGEST // 2**20} MiB, the most that is read")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadText(f"{name} is not in UTF-8 (byte {error.start + 1}); save it in that encoding") from None
    if "\0" in text:
        raise BadText(f"{name} is not a text in UTF-8: it holds zero bytes")
    return text


def _whole(text: str, where: str) -> int:
    if not (text.isascii() and text.removeprefix("-").isdigit() and len(text) < 20):
        raise BadText(f"{where}: a whole number was expected, not {shown(text)}")
    return int(text)


def _number(what: str, text: str, where: str) -> float:
    try:
        if text.isascii() and "_" not in text:
            return float(text)
    except ValueError:
        pass
    raise BadText(f"{where}: {what} was expected, not {shown(text)}")


def _drawn(count: int, seed: int) -> list[int]:
    drawn: list[int] = Dice(seed).below(MOST_VALUE + 1, count).tolist()
    return drawn


def _rules(
    source: str,
    edges: list[tuple[int, int, float]],
    values: list[int],
    players: int,
    tokens: int,
    places: tuple[Any, ...] = (),
) -> Rules:
    try:
        return Rules(edges=tuple(edges), values=tuple(values), players=players, tokens=tokens, places=places)
    except RulesError as error:
        raise RulesError(f"{source}: {error}") from None


def from_networkx(graph: Any, seed: int = 0, players: int = 2, tokens: int = 10) -> Rules:
    """Take over an undirected networkx graph; vertices are numbered in its order of nodes.

    Edges have an attribute ``length`` or ``weight``; nodes have ``value``, or none has and values 0 to 99 are drawn.
    Where all nodes have ``pos``, or ``x`` and ``y``, that is where they are drawn, y downwards.
    Raises RulesError for a graph that cannot be, BadText for one without these attributes.
    """
    if graph.is_directed() or graph.is_multigraph():
        raise BadText("the graph must be undirected, with one edge a pair: a networkx.Graph")
    nodes = [_Node(node, data.get("value"), _place(data)) for node, data in graph.nodes(data=True)]
    edges = [(*ends, _first(data, LENGTHS)) for *ends, data in graph.edges(data=True)]
    return _named("the networkx graph", nodes, edges, seed, players, tokens)


def _place(data: Mapping[Any, Any]) -> Any:
    """Return where a node is drawn, None where it does not say."""
    place = data.get("pos", tuple(data[name] for name in PLACE) if all(name in data for name in PLACE) else None)
    return tuple(map(_plain, place)) if isinstance(place, Iterable) and not isinstance(place, str) else place


def _first(data: Mapping[Any, Any], names: Iterable[str]) -> Any:
    return next((data[name] for name in names if name in data), None)


def _named(
    source: str, nodes: list[_Node], edges: list[tuple[Any, Any, Any]], seed: int, players: int, tokens: int
) -> Rules:
    """Make rules of named vertices, numbered in their order; drawn where they say if all of them do."""
    numbers = {node.name: number for number, node in enumerate(nodes)}
    if len(numbers) < len(nodes):
        raise BadText(f"{source}: a vertex is there twice")
    numbered = []
    for first, second, length in edges:
        for end in (first, second):
            if end not in numbers:
                raise BadText(f"{source}: an edge ends at {shown(end)}, which is no vertex")
        if length is None:
            raise BadText(f"{source}: the edge from {shown(first)} to {shown(second)} has no length")
        numbered.append((numbers[first], numbers[second], _plain(length)))
    places = () if any(node.place is None for node in nodes) else tuple(node.place for node in nodes)
    return _rules(source, numbered, _values(source, nodes, seed), players, tokens, places)


def _values(source: str, nodes: list[_Node], seed: int) -> list[int]:
    if all(node.value is None for node in nodes):
        return _drawn(len(nodes), seed)
    for node in nodes:
        if node.value is None:
            raise BadText(f"{source}: vertex {shown(node.name)} has no value, though others have")
    return [_plain(node.value) for node in nodes]


def _plain(value: Any) -> Any:
    """Return a number of numpy as one of Python."""
    return value.item() if hasattr(value, "item") else value


def read_graphml(path: str | Path, seed: int = 0, players: int = 2, tokens: int = 10) -> Rules:
    """Read an undirected graph from GraphML; vertices are numbered in their order in the file.

    Edges have a datum ``length`` or ``weight``; vertices have ``value``, or none has and values from 0 to 99 are drawn.
    Where all vertices have ``x`` and ``y``, that is where they are drawn, y downwards.
    Raises BadText for a file that cannot be read, RulesError for a graph that cannot be.
    """
    name = _name(path)
    text = _text(Path(path))
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise BadText(f"{name}: document types and entities are not read")
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise BadText(f"{name} is not whole XML: {error}") from None
    graphs = [element for element in root if _tag(element) == "graph"]
    if _tag(root) != "graphml" or len(graphs) != 1:
        raise BadText(f"{name} is not GraphML with one graph in it")
    return _from_graphml(name, root, graphs[0], seed, players, tokens)


def _tag(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _defaults(root: ElementTree.Element) -> dict[str, dict[str | None, str]]:
    """Return what vertices and edges have that say nothing else: by kind, then by name."""
    found: dict[str, dict[str | None, str]] = {}
    for key in root:
        for child in key:
            if _tag(key) == "key" and _tag(child) == "default":
                found.setdefault(key.get("for", "all"), {})[key.get("attr.name")] = (child.text or "").strip()
    return found


def _from_graphml(
    name: str, root: ElementTree.Element, graph: ElementTree.Element, seed: int, players: int, tokens: int
) -> Rules:
    keys = {key.get("id"): key.get("attr.name") for key in root if _tag(key) == "key"}
    usual = _defaults(root)
    if graph.get("edgedefault") == "directed" or any(edge.get("directed") == "true" for edge in graph):
        raise BadText(f"{name}: edges go both ways in this game, these are directed")
    nodes: list[_Node] = []
    edges: list[tuple[Any, Any, Any]] = []
    for element in graph:
        if any(_tag(child) == "graph" for child in element):
            raise BadText(f"{name}: a graph within a vertex or an edge is not read")
        told = {keys.get(datum.get("key")): (datum.text or "").strip() for datum in element if _tag(datum) == "data"}
        data = {**usual.get("all", {}), **usual.get(_tag(element), {}), **told}
        match _tag(element):
            case "node":
                value = data.get("value")
                at = {axis: _number("a coordinate", data[axis], name) for axis in PLACE if axis in data}
                nodes.append(_Node(element.get("id"), None if value is None else _whole(value, name), _place(at)))
            case "edge":
                length = _first(data, LENGTHS)
                ends = element.get("source"), element.get("target")
                edges.append((*ends, None if length is None else _number("a length", length, name)))
            case "hyperedge":
                raise BadText(f"{name}: an edge joins two vertices, a hyperedge is not read")
    return _named(name, nodes, edges, seed, players, tokens)
