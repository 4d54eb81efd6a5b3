"""Converts graphs of networkx, and reads the forms for which networkx has a parser.

networkx knows the grammar of these forms; limits and messages are added here. networkx accepts too much: it merges two
vertices of the same name, and an edge creates vertices that the file does not list. So the vertices that a file lists
are collected here, and repeated or unlisted ones are refused.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from xml.etree import ElementTree

from hinterland.contract.board_files import check_size
from hinterland.errors import BadText, quote
from hinterland.graph.formats.files import describe_text
from hinterland.graph.formats.graphml import LABELS, tag_of, xml_of
from hinterland.graph.formats.json_graphs import read_json_graph
from hinterland.graph.formats.raw_graph import Node, RawGraph, build_graph
from hinterland.graph.graphs.numbering import to_python

MAX_BYTES = 16 * 2**20
"""Size in bytes of the largest file that networkx may read; networkx needs about forty times as much memory."""
MAX_CODED = 500_000
"""Limit for vertices and for edges in graph6 and sparse6, where a few letters can describe a huge graph."""
PLACE = ("x", "y")
GEXF_VERSIONS = ("1.1draft", "1.2draft")
"""Versions of GEXF that networkx knows; files of all other versions are read as 1.2draft."""


def convert_networkx(source: str, graph: Any, listed: Iterable[Any] | None = None) -> RawGraph:
    """Convert a networkx graph of any kind; vertices are numbered in the order of its nodes. Raises BadText.

    ``listed``: the vertices that a file lists, if networkx may have added others.
    """
    attributes = dict(graph.nodes(data=True))
    nodes = [_node(name, attributes.get(name, {})) for name in (attributes if listed is None else listed)]
    found = build_graph(source, nodes, graph.edges(data=True))
    found.one_way = [graph.is_directed()] * len(found.ends)
    return found


def _node(name: str, data: Mapping[Any, Any]) -> Node:
    label = next((data[key] for key in LABELS if isinstance(data.get(key), str)), None)
    return Node(name, _place(data), label, data)


def _place(data: Mapping[Any, Any]) -> Any:
    """Return the place of a node, None if it has none; in GEXF y goes upwards."""
    match data:
        case {"viz": {"position": {"x": float(x), "y": float(y)}}}:
            return x, -y
        case {"graphics": {"x": float() | int() as x, "y": float() | int() as y}}:
            return x, y
    place = data.get("pos", tuple(data[name] for name in PLACE) if all(name in data for name in PLACE) else None)
    return tuple(map(to_python, place)) if isinstance(place, Iterable) and not isinstance(place, str) else place


def _make_reader(form: str, parse: Callable[[Any, str, str], Any]) -> Callable[[str, str], RawGraph]:
    """Return a reader for the file format named ``form``; the reader raises BadText for any error of networkx.

    ``parse`` receives the module networkx, the name of the file and its text; it returns a graph.
    """

    def read(name: str, text: str) -> RawGraph:
        import networkx  # noqa: PLC0415  (it takes a while)

        check_size(name, len(text), MAX_BYTES, " of this form")
        try:
            graph = parse(networkx, name, text)
        except BadText:
            raise
        except (Exception, RecursionError) as error:
            cause = " ".join(str(error).split()) or type(error).__name__
            raise BadText(f"{name} cannot be read as {form}: {quote(cause, 120)[1:-1]}") from None
        return graph if isinstance(graph, RawGraph) else convert_networkx(name, graph)

    return read


def _parse_gml(networkx: Any, name: str, text: str) -> Any:
    if not re.search(r"\bgraph\s*\[", text):
        raise BadText(f"{name} is not GML: it looks like {describe_text(text)}")
    if not re.search(r"\bmultigraph\s+[01]\b", text):  # otherwise networkx refuses parallel edges
        text = re.sub(r"\bgraph\s*\[", "graph [\nmultigraph 1\n", text, count=1)
    return networkx.parse_gml(text.splitlines(), label="id")


def _parse_gexf(networkx: Any, name: str, text: str) -> RawGraph:
    root = xml_of(name, text)
    if tag_of(root) != "gexf" or not any(tag_of(element) == "graph" for element in root):
        raise BadText(f"{name} is not GEXF with a graph in it")
    version = root.get("version", "")
    known = version if version in GEXF_VERSIONS else GEXF_VERSIONS[1]
    _rename(root, networkx.readwrite.gexf.GEXF.versions[known])
    flags = _read_directions(root)
    graph = networkx.read_gexf(io.BytesIO(ElementTree.tostring(root)), version=known)
    found = convert_networkx(name, graph, [node.get("id") for node in root.iter() if tag_of(node) == "node"])
    found.one_way = [flags[int(number)] for number in found.columns.pop("id", [])]
    return found


def _rename(root: ElementTree.Element, known: Mapping[str, str]) -> None:
    """Put all elements into the XML namespaces that networkx knows; other versions of GEXF use others or none."""
    for element in root.iter():
        space = known["NS_VIZ"] if "viz" in element.tag.rpartition("}")[0] else known["NS_GEXF"]
        element.tag = f"{{{space}}}{tag_of(element)}"


def _read_directions(root: ElementTree.Element) -> list[bool]:
    """Return for each edge whether it is directed, by its own type or the graph's default; number all edges.

    networkx reads only files whose edges are all directed or all undirected. So all edges are made directed here, which
    keeps the order of their ends.
    """
    graph = next(element for element in root if tag_of(element) == "graph")
    usual = graph.get("defaultedgetype", "undirected")
    graph.set("defaultedgetype", "directed")
    flags = []
    for number, edge in enumerate(element for element in root.iter() if tag_of(element) == "edge"):
        flags.append(edge.attrib.pop("type", usual) == "directed")
        edge.set("id", str(number))
    return flags


def _parse_leda(networkx: Any, _: str, text: str) -> Any:
    graph = networkx.parse_leda(text.splitlines())
    for _, _, data in graph.edges(data=True):
        label = str(data.get("label", ""))
        data["label"] = float(label) if re.fullmatch(r"-?(\d+\.?\d*|\.\d+)", label) else label or None
    return graph


def _parse_code(networkx: Any, name: str, text: str) -> Any:
    """Read graph6 or sparse6: one line, whose first letters give the number of vertices."""
    lines = [line for line in text.replace(">>graph6<<", "").replace(">>sparse6<<", "").splitlines() if line]
    if len(lines) != 1:
        raise BadText(f"{name} holds {len(lines)} graphs in graph6 or sparse6; put one into a file of its own")
    is_sparse = lines[0].startswith(":")
    sixes = [ord(letter) - 63 for letter in lines[0].removeprefix(":")]
    if not sixes or not 0 <= min(sixes) <= max(sixes) < 64:
        raise ValueError("letters that do not belong there")
    count, coded = networkx.readwrite.graph6.data_to_n(sixes)
    bits = (count - 1).bit_length() + 1 if is_sparse else 1
    edges = 6 * len(coded) // bits if is_sparse else sum(six.bit_count() for six in coded)
    if count > MAX_CODED or edges > MAX_CODED:
        raise BadText(f"{name} holds more than {MAX_CODED:,} vertices or edges, the most that are read of this form")
    return (networkx.from_sparse6_bytes if is_sparse else networkx.from_graph6_bytes)(lines[0].encode())


def _parse_json(networkx: Any, name: str, text: str) -> RawGraph:
    return read_json_graph(
        name, text, lambda source, decoded: convert_networkx(source, networkx.adjacency_graph(decoded))
    )


READERS: dict[str, Callable[[str, str], RawGraph]] = {
    "gml": _make_reader("GML", _parse_gml),
    "gexf": _make_reader("GEXF", _parse_gexf),
    "leda": _make_reader("LEDA", _parse_leda),
    "adjlist": _make_reader("an adjacency list", lambda networkx, _, text: networkx.parse_adjlist(text.splitlines())),
    "multiline_adjlist": _make_reader(
        "a multiline adjacency list",
        lambda networkx, _, text: networkx.parse_multiline_adjlist(iter(text.splitlines())),
    ),
    "graph6": _make_reader("graph6", _parse_code),
    "sparse6": _make_reader("sparse6", _parse_code),
    "json": _make_reader("JSON", _parse_json),
}
"""The reader of each form: it takes the name of a file and its text, and returns a graph or raises BadText."""
