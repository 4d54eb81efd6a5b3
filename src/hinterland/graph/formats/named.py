"""Reads forms in plain lines whose vertices have names: TGF, LGL and GDF.

TGF, the Trivial Graph Format, has a line ``id label`` for each vertex, then a line ``#``, then a line ``id id label``
for each edge. LGL, of the Large Graph Layout, has a line ``# vertex`` for a vertex, then a line for each of its
neighbours, optionally with a weight. GDF, of GUESS and Gephi, has a line ``nodedef>`` and a line for each vertex, then
a line ``edgedef>`` and a line for each edge.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import Any

from hinterland.contract.board_files import read_number
from hinterland.errors import BadText, quote
from hinterland.graph.formats.fields import is_number
from hinterland.graph.formats.raw_graph import Node, RawGraph, build_graph

TGF_DIVIDER = re.compile(r"^[ \t]*#[ \t]*\r?$", re.MULTILINE)


def is_tgf(text: str) -> bool:
    """Say whether a text is TGF: it has one line ``#``, and the lines above name both ends of each edge below."""
    if len(TGF_DIVIDER.findall(text)) != 1:
        return False
    above, below = TGF_DIVIDER.split(text)
    names = {line.split()[0] for line in above.splitlines() if line.strip()}
    ends = [line.split()[:2] for line in below.splitlines() if line.strip()]
    return bool(names) and all(len(pair) == 2 and names.issuperset(pair) for pair in ends)


def read_tgf(name: str, text: str) -> RawGraph:
    """Read a graph. Raises BadText."""
    if len(TGF_DIVIDER.findall(text)) != 1:
        raise BadText(f"{name} is not TGF, which has one line # between its vertices and its edges")
    above, below = TGF_DIVIDER.split(text)
    nodes = [line.split(maxsplit=1) for line in above.splitlines() if line.strip()]
    edges = [line.split(maxsplit=2) for line in below.splitlines() if line.strip()]
    for edge in edges:
        if len(edge) < 2:
            raise BadText(f"{name}: an edge joins two vertices, this one names only {quote(edge[0])}")
    labelled = [Node(node[0], None, node[1].strip() if len(node) > 1 else None) for node in nodes]
    return build_graph(name, labelled, ((first, second, _tgf_label(more)) for first, second, *more in edges))


def _tgf_label(more: list[str]) -> dict[str, float | str]:
    return {"label": float(more[0]) if is_number(more[0]) and "," not in more[0] else more[0]} if more else {}


LGL_BEGINNING = re.compile(r"\s*#[ \t]+\S+[ \t]*\r?\n")
LGL_VERTEX = re.compile(r"^#[ \t]+(\S+)[ \t]*\r?$", re.MULTILINE)


def is_lgl(text: str) -> bool:
    """Say whether a text is LGL: some vertex with a line ``#`` is also a neighbour, or no neighbour has a weight."""
    if not LGL_BEGINNING.match(text):
        return False
    lines = [line.split() for line in text.splitlines() if line.strip()]
    if any(len(fields) > 2 for fields in lines):
        return False
    named = [fields[1] for fields in lines if fields[0] == "#" and len(fields) == 2]
    others = [fields for fields in lines if not fields[0].startswith("#")]
    if len(named) + len(others) < len(lines) or not others:
        return False
    neighbours = {fields[0] for fields in others}
    return all(len(fields) == 1 for fields in others) or not neighbours.isdisjoint(named)


def read_lgl(name: str, text: str) -> RawGraph:
    """Read a graph. Raises BadText."""
    edges = list(_lgl_edges(name, text))
    ends = dict.fromkeys(end for first, second, _ in edges for end in (first, second))
    nodes = dict.fromkeys([*ends, *(found[1] for found in LGL_VERTEX.finditer(text))])
    return build_graph(name, [Node(vertex) for vertex in nodes], edges)


def _lgl_edges(name: str, text: str) -> Iterator[tuple[str, str, dict[str, float]]]:
    vertex = None
    for at, line in enumerate(text.splitlines(), start=1):
        where, fields = f"{name}, line {at}", line.split()
        if fields[:1] == ["#"] and len(fields) == 2:
            vertex = fields[1]
        elif fields:
            if vertex is None or len(fields) > 2 or fields[0].startswith("#"):
                raise BadText(f"{where}: LGL has lines # VERTEX, and NEIGHBOUR or NEIGHBOUR WEIGHT, not {quote(line)}")
            yield vertex, fields[0], {"weight": read_number("a weight", fields[1], where)} if fields[1:] else {}


GDF_SECTION = re.compile(r"[ \t]*(node|edge)def[ \t]*>", re.IGNORECASE)
GDF_TEXT_TYPES = {"varchar", "text", "string", "color", ""}
"""Types of columns without numbers."""
Row = dict[str, Any]


def read_gdf(name: str, text: str) -> RawGraph:
    """Read a graph. Raises BadText."""
    tables = _gdf_tables(name, text)
    nodes = [_gdf_node(name, row) for row in tables["node"]]
    edges = [_gdf_edge(name, row) for row in tables["edge"]]
    found = build_graph(name, nodes, [edge[:3] for edge in edges])
    found.one_way = [edge[3] for edge in edges]
    return found


def _gdf_tables(name: str, text: str) -> dict[str, list[Row]]:
    tables: dict[str, list[Row]] = {"node": [], "edge": []}
    kind, columns = "", []
    for at, line in enumerate(text.splitlines(), start=1):
        where = f"{name}, line {at}"
        if section := GDF_SECTION.match(line):
            kind, columns = section[1].lower(), _gdf_columns(line[section.end() :])
        elif line.strip():
            fields = _gdf_fields(line, where)
            if not kind or len(fields) > len(columns):
                raise BadText(f"{where}: {len(columns)} fields were expected, not {quote(line)}")
            tables[kind].append(
                {head: _convert_gdf_field(field, of) for (head, of), field in zip(columns, fields, strict=False)}
            )
    return tables


def _gdf_columns(line: str) -> list[tuple[str, str]]:
    """Return the name and the type of each column."""
    words = [column.lower().split() or [""] for column in line.split(",")]
    return [(column[0], column[1].partition("(")[0] if len(column) > 1 else "") for column in words]


def _gdf_fields(line: str, where: str) -> list[str]:
    quote_mark = "'" if "'" in line and '"' not in line else '"'
    try:
        fields = next(csv.reader([line], quotechar=quote_mark, skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise BadText(f"{where}: not CSV, {error}") from None
    return [field.strip() for field in fields]


def _convert_gdf_field(field: str, of: str) -> Any:
    return float(field) if of not in GDF_TEXT_TYPES and is_number(field) and "," not in field else field or None


def _gdf_node(name: str, row: Row) -> Node:
    if "name" not in row:
        raise BadText(f"{name}: each vertex of GDF has a name; nodedef> lists none")
    x, y = row.get("x"), row.get("y")
    is_placed = type(x) is float and type(y) is float
    label = row.get("label")
    return Node(row["name"], (x, y) if is_placed else None, None if label is None else str(label), row)


def _gdf_edge(name: str, row: Row) -> tuple[Any, Any, Row, bool]:
    if "node1" not in row or "node2" not in row:
        raise BadText(f"{name}: each edge of GDF has node1 and node2; edgedef> lists {', '.join(row) or 'none'}")
    more = {head: value for head, value in row.items() if head not in ("node1", "node2", "directed")}
    return row["node1"], row["node2"], more, str(row.get("directed")).lower() == "true"
