"""GDF, of GUESS and Gephi: ``nodedef>`` with a line for each vertex, ``edgedef>`` with a line for each edge."""

from __future__ import annotations

import csv
import re
from typing import Any

from hinterland.errors import BadText, quote
from hinterland.graph.formats.headings import is_number
from hinterland.graph.formats.raw_graph import Node, RawGraph, build_graph

SECTION = re.compile(r"[ \t]*(node|edge)def[ \t]*>", re.IGNORECASE)
TEXTS = {"varchar", "text", "string", "color", ""}
"""Types of columns without numbers."""
Row = dict[str, Any]


def read_gdf(name: str, text: str) -> RawGraph:
    """Read a graph. Raises BadText."""
    tables = _tables(name, text)
    nodes = [_node(name, row) for row in tables["node"]]
    edges = [_edge(name, row) for row in tables["edge"]]
    found = build_graph(name, nodes, [edge[:3] for edge in edges])
    found.one_way = [edge[3] for edge in edges]
    return found


def _tables(name: str, text: str) -> dict[str, list[Row]]:
    tables: dict[str, list[Row]] = {"node": [], "edge": []}
    kind, columns = "", []
    for at, line in enumerate(text.splitlines(), start=1):
        where = f"{name}, line {at}"
        if section := SECTION.match(line):
            kind, columns = section[1].lower(), _columns(line[section.end() :])
        elif line.strip():
            fields = _fields(line, where)
            if not kind or len(fields) > len(columns):
                raise BadText(f"{where}: {len(columns)} fields were expected, not {quote(line)}")
            tables[kind].append(
                {head: _convert_field(field, of) for (head, of), field in zip(columns, fields, strict=False)}
            )
    return tables


def _columns(line: str) -> list[tuple[str, str]]:
    """Return the name and the type of each column."""
    words = [column.lower().split() or [""] for column in line.split(",")]
    return [(column[0], column[1].partition("(")[0] if len(column) > 1 else "") for column in words]


def _fields(line: str, where: str) -> list[str]:
    quote_mark = "'" if "'" in line and '"' not in line else '"'
    try:
        fields = next(csv.reader([line], quotechar=quote_mark, skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise BadText(f"{where}: not CSV, {error}") from None
    return [field.strip() for field in fields]


def _convert_field(field: str, of: str) -> Any:
    return float(field) if of not in TEXTS and is_number(field) and "," not in field else field or None


def _node(name: str, row: Row) -> Node:
    if "name" not in row:
        raise BadText(f"{name}: each vertex of GDF has a name; nodedef> lists none")
    x, y = row.get("x"), row.get("y")
    is_placed = type(x) is float and type(y) is float
    label = row.get("label")
    return Node(row["name"], (x, y) if is_placed else None, None if label is None else str(label), row)


def _edge(name: str, row: Row) -> tuple[Any, Any, Row, bool]:
    if "node1" not in row or "node2" not in row:
        raise BadText(f"{name}: each edge of GDF has node1 and node2; edgedef> lists {', '.join(row) or 'none'}")
    more = {head: value for head, value in row.items() if head not in ("node1", "node2", "directed")}
    return row["node1"], row["node2"], more, str(row.get("directed")).lower() == "true"
