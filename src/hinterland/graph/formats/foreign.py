"""Graphs of networkx, and the forms that it reads: their grammar is its business, their bounds and faults are ours.

It believes much: of two vertices of one name it makes one, and an edge makes the vertices that it lacks. So who lists
the vertices of a file is asked here, and what networkx made of them is compared.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from hinterland.contract import read_json
from hinterland.contract.board_files import check_size
from hinterland.errors import BadText, shown
from hinterland.graph.formats.files import looks
from hinterland.graph.formats.found import Found, plain
from hinterland.graph.formats.graphml import tag_of, xml_of
from hinterland.graph.formats.nodes import Node, found_of

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["READERS", "found_in"]

LARGEST = 16 * 2**20
"""Bytes of the largest file that networkx gets: it needs about forty times as much memory."""
LONGEST_CODE = 500_000
"""Edges that graph6 and sparse6 may hold: they say in a few letters what takes much memory."""
PLACE = ("x", "y")


def found_in(source: str, graph: Any) -> Found:
    """Take over a networkx graph of any kind; vertices are numbered in its order of nodes. Raises BadText."""
    nodes = [
        Node(node, data.get("value"), _place(data), data.get("label") if isinstance(data.get("label"), str) else None)
        for node, data in graph.nodes(data=True)
    ]
    found = found_of(source, nodes, ((first, second, data) for first, second, data in graph.edges(data=True)))
    if graph.is_directed():
        found.columns.pop("id", None)
        found.check_both_ways()
    return found


def _place(data: Mapping[Any, Any]) -> Any:
    """Return where a node is drawn, None where it does not say; in GEXF y goes upwards."""
    match data:
        case {"viz": {"position": {"x": float(x), "y": float(y)}}}:
            return x, -y
        case {"graphics": {"x": float() | int() as x, "y": float() | int() as y}}:
            return x, y
    place = data.get("pos", tuple(data[name] for name in PLACE) if all(name in data for name in PLACE) else None)
    return tuple(map(plain, place)) if isinstance(place, Iterable) and not isinstance(place, str) else place


def _reader(form: str, parse: Callable[[str, str], Any]) -> Callable[[str, str], Found]:
    """Return a reader of a form: what networkx stumbles over is a file that is not whole."""

    def read(name: str, text: str) -> Found:
        check_size(name, len(text), LARGEST, " of this form")
        try:
            graph = parse(name, text)
        except BadText:
            raise
        except (Exception, RecursionError) as error:
            told = " ".join(str(error).split()) or type(error).__name__
            raise BadText(f"{name} cannot be read as {form}: {shown(told, 120)[1:-1]}") from None
        return graph if isinstance(graph, Found) else found_in(name, graph)

    return read


def _gml(name: str, text: str) -> Any:
    from networkx import parse_gml  # noqa: PLC0415

    if not re.search(r"(?m)^\s*graph\s*\[|\bgraph\s*\[", text):
        raise BadText(f"{name} is not GML: it looks like {looks(text)}")
    if not re.search(r"\bmultigraph\s+[01]\b", text):  # without it, networkx refuses edges between the same two
        text = re.sub(r"\bgraph\s*\[", "graph [\nmultigraph 1\n", text, count=1)
    return parse_gml(text.splitlines(), label="id")


def _gexf(name: str, text: str) -> Any:
    from networkx import read_gexf  # noqa: PLC0415

    root = xml_of(name, text)
    listed = [node.get("id") for node in root.iter() if tag_of(node) == "node"]
    if tag_of(root) != "gexf" or not any(tag_of(element) == "graph" for element in root):
        raise BadText(f"{name} is not GEXF with a graph in it")
    graph = read_gexf(io.BytesIO(text.encode()), version=_gexf_version(root))
    _compare(name, listed, graph)
    for _, _, data in graph.edges(data=True):
        data.pop("id", None)
    return graph


def _gexf_version(root: Any) -> str:
    return str(root.get("version", "1.2draft")) if root.get("version") in ("1.1draft", "1.2draft") else "1.2draft"


def _pajek(name: str, text: str) -> Any:
    from networkx import parse_pajek  # noqa: PLC0415

    graph = parse_pajek(text)
    promised = re.search(r"(?im)^\s*\*vertices\s+(\d+)", text)
    if promised is None:
        raise BadText(f"{name} is not Pajek: it has no line *Vertices N")
    if int(promised[1]) != len(graph):
        raise BadText(
            f"{name} promises {promised[1]} vertices and has {len(graph)} of different names; "
            "each has a line of its own and a name of its own"
        )
    return graph


def _leda(_: str, text: str) -> Any:
    from networkx import parse_leda  # noqa: PLC0415

    graph = parse_leda(text.splitlines())
    for _, _, data in graph.edges(data=True):
        data["label"] = _number_if(str(data.get("label", "")))
    return graph


def _number_if(text: str) -> float | str | None:
    try:
        return float(text) if text.strip("-").replace(".", "", 1).isdigit() else text or None
    except ValueError:
        return text


def _adjacency(_: str, text: str) -> Any:
    from networkx import parse_adjlist  # noqa: PLC0415

    return parse_adjlist(text.splitlines())


def _multiline(_: str, text: str) -> Any:
    from networkx import parse_multiline_adjlist  # noqa: PLC0415

    return parse_multiline_adjlist(iter(text.splitlines()))


def _code(name: str, text: str) -> Any:
    """Read graph6 or sparse6: one line, of which the first letters say how many vertices there are."""
    from networkx import from_graph6_bytes, from_sparse6_bytes  # noqa: PLC0415

    lines = [line for line in text.replace(">>graph6<<", "").replace(">>sparse6<<", "").splitlines() if line]
    if len(lines) != 1:
        raise BadText(f"{name} holds {len(lines)} graphs in graph6 or sparse6; put one into a file of its own")
    is_sparse = lines[0].startswith(":")
    count, coded = _count(lines[0].removeprefix(":"))
    bits = (count - 1).bit_length() + 1 if is_sparse else 1
    edges = 6 * len(coded) // bits if is_sparse else sum((ord(letter) - 63).bit_count() for letter in coded)
    if count > LONGEST_CODE or edges > LONGEST_CODE:
        raise BadText(f"{name} holds more than {LONGEST_CODE:,} vertices or edges, the most that are read of this form")
    return (from_sparse6_bytes if is_sparse else from_graph6_bytes)(lines[0].encode())


def _count(line: str) -> tuple[int, str]:
    """Return the number of vertices, in one letter, or after a tilde in three or six, and what comes after it."""
    if not line or not all(63 <= ord(letter) <= 126 for letter in line):
        raise ValueError("letters that do not belong there")
    for start, end in ((2, 8), (1, 4), (0, 1)):
        if line.startswith("~" * start):
            count = 0
            for letter in line[start:end]:
                count = count << 6 | (ord(letter) - 63)
            return count, line[end:]
    raise AssertionError("every line begins with nothing")


def _json(name: str, text: str) -> Any:
    from networkx.readwrite import json_graph  # noqa: PLC0415

    try:
        told = read_json(text)
    except BadText as error:
        raise BadText(f"{name} is not whole JSON: {error}") from None
    match told:
        case {"nodes": [*nodes], "adjacency": [*_]}:
            graph, listed = json_graph.adjacency_graph(told), [node["id"] for node in nodes]
        case {"nodes": [*nodes], "links": [*_]} | {"nodes": [*nodes], "edges": [*_]}:
            ends = "links" if "links" in told else "edges"
            graph, listed = json_graph.node_link_graph(told, edges=ends), [node["id"] for node in nodes]
        case {"elements": {"nodes": [*nodes], "edges": [*edges]}}:
            return _cytoscape(name, nodes, edges)
        case _:
            raise BadText(f"{name} is JSON, but not of a graph: {_keys(told)}")
    _compare(name, [tuple(node) if isinstance(node, list) else node for node in listed], graph)
    return graph


def _cytoscape(name: str, nodes: list[Any], edges: list[Any]) -> Found:
    """Read what Cytoscape writes; networkx reads only what it wrote itself, where ``value`` is the name of a node."""
    made = [node["data"] for node in nodes]
    is_own = all(str(data.get("value")) == str(data["id"]) for data in made)
    listed = [Node(str(data["id"]), None if is_own else data.get("value"), None, data.get("name")) for data in made]
    known = ("id", "source", "target")
    return found_of(
        name,
        listed,
        (
            (str(data["source"]), str(data["target"]), {key: data[key] for key in data if key not in known})
            for data in (edge["data"] for edge in edges)
        ),
    )


def _keys(told: object) -> str:
    if isinstance(told, dict):
        return f"an object with {', '.join(shown(key, 20) for key in list(told)[:5]) or 'nothing in it'}"
    return "a list" if isinstance(told, list) else f"the value {shown(told)}"


def _compare(name: str, listed: Sequence[Any], graph: Any) -> None:
    """Raise BadText where vertices are listed twice, or made by an edge alone."""
    seen: set[Any] = set()
    for node in listed:
        if node in seen:
            raise BadText(f"{name}: a vertex is there twice, {shown(node)}; each has a name of its own")
        seen.add(node)
    for node in graph:
        if node not in seen:
            raise BadText(f"{name}: an edge ends at {shown(node)}, which is no vertex")


READERS: dict[str, Callable[[str, str], Found]] = {
    "gml": _reader("GML", _gml),
    "gexf": _reader("GEXF", _gexf),
    "pajek": _reader("Pajek", _pajek),
    "leda": _reader("LEDA", _leda),
    "adjlist": _reader("an adjacency list", _adjacency),
    "multiline_adjlist": _reader("a multiline adjacency list", _multiline),
    "graph6": _reader("graph6", _code),
    "sparse6": _reader("sparse6", _code),
    "json": _reader("JSON", _json),
}
"""Readers by form: (name of the file, text) to what was found. They raise BadText."""
