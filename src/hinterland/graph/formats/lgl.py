"""LGL, of the Large Graph Layout: a line ``# vertex``, then a line for each neighbour, optionally with a weight."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hinterland.contract.board_files import read_number
from hinterland.errors import BadText, quote
from hinterland.graph.formats.raw_graph import Node, RawGraph, build_graph

BEGINNING = re.compile(r"\s*#[ \t]+\S+[ \t]*\r?\n")
VERTEX = re.compile(r"^#[ \t]+(\S+)[ \t]*\r?$", re.MULTILINE)


def is_lgl(text: str) -> bool:
    """Say whether a text is LGL: vertices after # that are neighbours of others, or neighbours without weights."""
    if not BEGINNING.match(text):
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
    edges = list(_edges(name, text))
    ends = dict.fromkeys(end for first, second, _ in edges for end in (first, second))
    nodes = dict.fromkeys([*ends, *(found[1] for found in VERTEX.finditer(text))])
    return build_graph(name, [Node(vertex) for vertex in nodes], edges)


def _edges(name: str, text: str) -> Iterator[tuple[str, str, dict[str, float]]]:
    vertex = None
    for at, line in enumerate(text.splitlines(), start=1):
        where, fields = f"{name}, line {at}", line.split()
        if fields[:1] == ["#"] and len(fields) == 2:
            vertex = fields[1]
        elif fields:
            if vertex is None or len(fields) > 2 or fields[0].startswith("#"):
                raise BadText(f"{where}: LGL has lines # VERTEX, and NEIGHBOUR or NEIGHBOUR WEIGHT, not {quote(line)}")
            yield vertex, fields[0], {"weight": read_number("a weight", fields[1], where)} if fields[1:] else {}
