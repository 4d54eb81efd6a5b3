"""Reads GraphML, and checks all XML from outside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from hinterland.contract.board_files import read_number
from hinterland.errors import BadText
from hinterland.graph.formats.raw_graph import Node, RawGraph, build_graph

MAX_TAGS = 5_000_000
NUMBERS = {"int", "long", "float", "double", None}
"""Types of attributes that are numbers; None because an attribute without a type may be a number."""
LABELS = ("label", "name")
PLACE = ("x", "y")
Data = dict[str | None, Any]


def xml_of(name: str, text: str) -> ElementTree.Element:
    """Parse XML. Raises BadText for invalid XML, and for a document type, whose entities could grow without bounds."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise BadText(f"{name}: document types and entities are not read")
    if text.count("<") > MAX_TAGS:
        raise BadText(f"{name} has more than {MAX_TAGS:,} tags, the most that are read")
    try:
        return ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise BadText(f"{name} is not valid XML: {error}") from None


def tag_of(element: ElementTree.Element) -> str:
    """Return the name of an element without its namespace."""
    return element.tag.rpartition("}")[2]


def read_graphml(name: str, text: str) -> RawGraph:
    """Read a graph; vertices are numbered in their order in the file. Raises BadText."""
    root = xml_of(name, text)
    graphs = [element for element in root if tag_of(element) == "graph"]
    if tag_of(root) != "graphml" or len(graphs) != 1:
        raise BadText(f"{name} is not GraphML with one graph in it")
    keys = {key.get("id"): key.get("attr.name") for key in root if tag_of(key) == "key"}
    numeric = {key.get("attr.name") for key in root if tag_of(key) == "key" and key.get("attr.type") in NUMBERS}
    usual = _defaults(root)
    nodes: list[Node] = []
    edges: list[tuple[str, str, Data]] = []
    one_way: list[bool] = []
    usual_way = graphs[0].get("edgedefault") == "directed"
    for element in graphs[0]:
        if any(tag_of(child) == "graph" for child in element):
            raise BadText(f"{name}: a graph within a vertex or an edge is not read")
        kind = tag_of(element)
        own = {keys.get(datum.get("key")): _text(datum) for datum in element if tag_of(datum) == "data"}
        data = {**usual.get("all", {}), **usual.get(kind, {}), **own}
        data.pop(None, None)  # what editors store for drawing has no attribute name
        if kind == "node":
            nodes.append(_node(name, element, _convert_numbers(data, numeric)))
        elif kind == "edge":
            edges.append((element.get("source") or "", element.get("target") or "", _convert_numbers(data, numeric)))
            one_way.append(_is_one_way(element, usual_way))
        elif kind == "hyperedge":
            raise BadText(f"{name}: an edge joins two vertices, a hyperedge is not read")
    found = build_graph(name, nodes, edges)
    found.one_way = one_way
    return found


def _defaults(root: ElementTree.Element) -> dict[str, Data]:
    """Return the default values of attributes: by kind of element (node, edge, all), then by name."""
    found: dict[str, Data] = {}
    for key in root:
        for child in key:
            if tag_of(key) == "key" and tag_of(child) == "default":
                found.setdefault(key.get("for", "all"), {})[key.get("attr.name")] = _text(child)
    return found


def _text(element: ElementTree.Element) -> str:
    return (element.text or "").strip()


def _convert_numbers(data: Data, numeric: set[str | None]) -> Data:
    """Convert the attributes named in ``numeric`` to numbers; a text that is no number stays as it is."""
    return {name: _number_if(text) if name in numeric else text for name, text in data.items()}


def _number_if(text: str) -> float | str:
    try:
        return text if "_" in text else float(text)
    except ValueError:
        return text


def _node(name: str, element: ElementTree.Element, data: Data) -> Node:
    label = next((str(data[label]) for label in LABELS if data.get(label)), None)
    place = tuple(read_number("a coordinate", str(data[axis]), name) for axis in PLACE if axis in data)
    if len(place) != len(PLACE):
        place = _drawn_at(element)
    return Node(element.get("id") or "", place or None, label or _drawn_label(element), data)


def _within(element: ElementTree.Element, tag: str) -> Iterator[ElementTree.Element]:
    return (found for found in element.iter() if tag_of(found) == tag)


def _drawn_label(element: ElementTree.Element) -> str | None:
    """Return the label that yEd draws."""
    return next((text for found in _within(element, "NodeLabel") if (text := _text(found))), None)


def _drawn_at(element: ElementTree.Element) -> tuple[float, ...]:
    """Return the centre of the shape that yEd draws."""
    for found in _within(element, "Geometry"):
        corner, size = ([found.get(key, "0") for key in keys] for keys in (("x", "y"), ("width", "height")))
        if all(isinstance(_number_if(text), float) for text in (*corner, *size)):
            return tuple(float(at) + float(wide) / 2 for at, wide in zip(corner, size, strict=True))
    return ()


def _is_one_way(edge: ElementTree.Element, usual: bool) -> bool:
    """Say whether an edge is directed: by its attribute, by the arrows that yEd draws, else by the graph's default."""
    own = edge.get("directed")
    if own is not None:
        return own == "true"
    arrows = next(_within(edge, "Arrows"), None)
    if arrows is not None:
        return (arrows.get("source") == "none") != (arrows.get("target") == "none")
    return usual
