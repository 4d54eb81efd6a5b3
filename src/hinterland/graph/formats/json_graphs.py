"""Reads graphs in JSON of networkx, d3, sigma, vis.js, Cytoscape, graphology and JSON Graph Format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from hinterland.contract import read_json
from hinterland.errors import BadText, quote
from hinterland.graph.formats.raw_graph import Node, RawGraph, build_graph

IDS = ("id", "key")
ENDS = (("source", "target"), ("from", "to"))
INNER = ("attributes", "metadata", "data")
"""Keys under which a node or an edge may keep further attributes."""
STRUCTURAL_KEYS = {"id", "key", "source", "target", "from", "to", "directed", "undirected", *INNER}
"""Keys that identify or connect nodes and edges; all others are attributes."""
Item = dict[str, Any]


class _Graph(msgspec.Struct):
    """Nodes and edges as a file lists them."""

    nodes: list[Any]
    edges: list[Any]
    is_directed: bool
    """Whether edges are directed that do not say it themselves."""


def read_json_graph(name: str, text: str, adjacency: Callable[[str, Any], RawGraph]) -> RawGraph:
    """Read a graph. Raises BadText. ``adjacency`` reads networkx's adjacency data."""
    try:
        decoded = read_json(text)
    except BadText as error:
        raise BadText(f"{name} is not valid JSON: {error}") from None
    if (
        isinstance(decoded, dict)
        and isinstance(decoded.get("nodes"), list)
        and isinstance(decoded.get("adjacency"), list)
    ):
        return adjacency(name, decoded)
    graph = _graph(decoded)
    if graph is None:
        raise BadText(f"{name} is JSON, but not of a graph: {_keys(decoded)}")
    items = [_item(name, node, "a node") for node in graph.nodes]
    edges = [_item(name, edge, "an edge") for edge in graph.edges]
    pairs = [(_end(name, edge, 0), _end(name, edge, 1)) for edge in edges]
    if not any(_id(item) is not None for item in items) and any(isinstance(end, str) for end, _ in pairs):
        items = [{**item, "id": _label(item)} for item in items]
    has_ids = any(_id(item) is not None for item in items)
    nodes = [_node(name, at, item, has_ids) for at, item in enumerate(items)]
    pairs, remarks = _match_ends(pairs, nodes) if has_ids else (pairs, [])
    if _is_cytoscape_of_networkx(nodes):
        nodes = [node._replace(data={**node.data, "value": None}) for node in nodes]
    found = build_graph(name, nodes, ((*pair, _attributes(edge)) for pair, edge in zip(pairs, edges, strict=True)))
    found.one_way = [_is_one_way(edge, graph.is_directed) for edge in edges]
    found.remarks += remarks
    return found


def _graph(decoded: object) -> _Graph | None:
    """Find nodes and edges in decoded JSON; None if it is not a graph."""
    match decoded:
        case {"nodes": [*nodes], "links": [*edges]} | {"nodes": [*nodes], "edges": [*edges]}:
            options = decoded.get("options") if isinstance(decoded, dict) else None
            kind = options.get("type", "mixed") if isinstance(options, dict) else ""
            return _Graph(nodes, edges, decoded.get("directed") is True or kind in ("directed", "mixed"))  # type: ignore[attr-defined]
        case {"elements": {"nodes": [*nodes], "edges": [*edges]}}:
            return _Graph(nodes, edges, is_directed=False)
        case {"elements": [*elements]} | [*elements] if elements and all(map(_is_element, elements)):
            ends = [_is_edge(element) for element in elements]
            nodes = [element for element, is_edge in zip(elements, ends, strict=True) if not is_edge]
            return _Graph(nodes, [e for e, is_edge in zip(elements, ends, strict=True) if is_edge], is_directed=False)
        case {"graph": {"nodes": list() | dict() as nodes, "edges": [*edges]} as graph} | {
            "graphs": [{"nodes": list() | dict() as nodes, "edges": [*edges]} as graph]
        }:
            if isinstance(nodes, dict):
                nodes = [{**_mapping(node), "id": key} for key, node in nodes.items()]
            return _Graph(nodes, edges, graph.get("directed", True) is True)
        case _:
            return None


def _mapping(node: object) -> Item:
    return node if isinstance(node, dict) else {}


def _is_element(element: object) -> bool:
    return isinstance(element, dict) and isinstance(element.get("data"), dict)


def _is_edge(element: Any) -> bool:
    return element.get("group") == "edges" or "source" in element["data"]


def _item(name: str, decoded: Any, what: str) -> Item:
    """Return a node or an edge as an object, with the attributes that it keeps under INNER added to its own.

    Raises BadText.
    """
    if isinstance(decoded, str | int) and what == "a node":
        return {"id": decoded}
    if isinstance(decoded, list) and len(decoded) == 2 and what == "an edge":
        return {"source": decoded[0], "target": decoded[1]}
    if not isinstance(decoded, dict):
        raise BadText(f"{name}: {what} of JSON is an object, not {quote(decoded)}")
    inner: Item = {}
    for key in INNER:
        inner |= _mapping(decoded.get(key))
    return {**inner, **decoded}


def _id(item: Item) -> Any:
    return next((item[key] for key in IDS if item.get(key) is not None), None)


def _name(name: str, decoded: Any) -> Any:
    """Return decoded JSON as the name of a node. Raises BadText if it cannot be a name."""
    if isinstance(decoded, list):
        return tuple(_name(name, part) for part in decoded)
    if isinstance(decoded, dict) and _id(decoded) is not None:
        return _name(name, _id(decoded))
    if not isinstance(decoded, str | int | float):
        raise BadText(f"{name}: a node is named by a text or a number, not {quote(decoded)}")
    return decoded


def _node(name: str, at: int, item: Item, has_ids: bool) -> Node:
    called = _id(item)
    if called is None and has_ids:
        raise BadText(f"{name}: node {at + 1} has no id, though others have")
    return Node(at if called is None else _name(name, called), _place(item), _label(item), _attributes(item))


def _label(item: Item) -> str | None:
    return next((item[key] for key in ("label", "name") if isinstance(item.get(key), str)), None)


def _place(item: Item) -> Any:
    position = item.get("position")
    match position if isinstance(position, dict) else item:
        case {"x": float() | int() as x, "y": float() | int() as y}:
            return x, y
    return None


def _attributes(item: Item) -> Mapping[str, Any]:
    return {key: value for key, value in item.items() if key not in STRUCTURAL_KEYS}


def _end(name: str, edge: Item, side: int) -> Any:
    """Return the first (``side`` 0) or second (1) end of an edge. If it is missing, BadText lists the edge's keys."""
    for keys in ENDS:
        if all(key in edge for key in keys):
            return _name(name, edge[keys[side]])
    known = ", ".join(quote(key, 20) for key in list(edge)[:5]) or "nothing"
    raise BadText(f"{name}: an edge has {known}; source and target were expected, or from and to")


def _match_ends(pairs: list[tuple[Any, Any]], nodes: list[Node]) -> tuple[list[tuple[Any, Any]], list[str]]:
    """Return the ends of edges as names of nodes, and remarks.

    An end may be a number where the node's name is that number as a text. If no end is a node's name, ends are
    positions in the list of nodes, as in d3.
    """
    names, ends = {node.name for node in nodes}, {end for pair in pairs for end in pair}
    texts = {str(name): name for name in names}
    known = {end: end if end in names else texts.get(str(end)) for end in ends}
    if None not in known.values():
        return [(known[first], known[second]) for first, second in pairs], []
    if names.isdisjoint(ends) and all(type(end) is int and 0 <= end < len(nodes) for end in ends):
        by_place = [(nodes[first].name, nodes[second].name) for first, second in pairs]
        return by_place, ["edges name their ends by the place of a node in the list, from 0"]
    return pairs, []


def _is_cytoscape_of_networkx(nodes: list[Node]) -> bool:
    """Say whether the attribute ``value`` of each node is its name, as networkx writes it for Cytoscape."""
    return all("value" in node.data and str(node.data["value"]) == str(node.name) for node in nodes)


def _is_one_way(edge: Item, usual: bool) -> bool:
    """Say whether an edge is directed: by its own attributes or arrows (vis.js), else by the graph's default."""
    for key, meaning in (("directed", True), ("undirected", False)):
        if isinstance(edge.get(key), bool):
            return bool(edge[key]) is meaning
    arrows = edge.get("arrows")
    if isinstance(arrows, str):
        return ("to" in arrows) != ("from" in arrows)
    return usual


def _keys(decoded: object) -> str:
    if isinstance(decoded, dict):
        return f"an object with {', '.join(quote(key, 20) for key in list(decoded)[:5]) or 'nothing in it'}"
    return "a list" if isinstance(decoded, list) else f"the value {quote(decoded)}"
