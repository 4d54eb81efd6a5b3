"""Pajek: ``*Vertices N``, then arcs and edges in sections, as pairs, as lists of neighbours or as a matrix."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from hinterland.contract.board_files import read_number
from hinterland.errors import BadText, quote
from hinterland.graph.formats.headings import is_number
from hinterland.graph.formats.raw_graph import Node, RawGraph, build_graph, read_whole
from hinterland.graph.graphs.ranges import RANGES

SECTION = re.compile(r"\s*\*\s*([A-Za-z]+)(.*)")
FIELDS = re.compile(r'"([^"]*)"|(\S+)')
SKIPPED_SECTIONS = {"partition", "vector", "permutation", "cluster", "hierarchy"}
"""Other parts of a project besides its network."""
Vertex = tuple[str | None, tuple[float, float] | None]


def read_pajek(name: str, text: str) -> RawGraph:
    """Read a network; vertices are called by their labels, or 1 to N. Raises BadText."""
    network = _Network(name)
    for at, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("%"):
            network.take(line, f"{name}, line {at}")
    return network.found()


class _Network:
    """A network, built line by line."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._count: int | None = None
        self._first_mode = 0  # vertices of the first mode; 0 if there is only one mode
        self._vertices: dict[int, Vertex] = {}
        self._edges: list[tuple[int, int, float | None, bool]] = []
        self._rows = 0
        self._relations: set[str] = set()
        self._relation = ""
        self._beside: list[str] = []
        self._read: Callable[[list[str], str], None] | None = None

    def take(self, line: str, where: str) -> None:
        """Process a line that is neither blank nor a comment."""
        if section := SECTION.match(line):
            self._begin(section[1].lower(), section[2].strip(), where)
        elif self._read is None:
            if not self._beside:
                raise BadText(f"{where}: Pajek begins with *Vertices N, not {quote(line)}")
        else:
            self._read([quoted or plain for quoted, plain in FIELDS.findall(line)], where)

    def _begin(self, section: str, more: str, where: str) -> None:
        readers = {
            "arcs": self._arc, "edges": self._edge, "arcslist": self._arcs_list, "edgeslist": self._edges_list,
            "matrix": self._row,
        }  # fmt: skip
        if section in SKIPPED_SECTIONS:
            self._beside.append(section.capitalize())
            self._read = None
        elif section == "vertices" and not self._beside:
            self._begin_vertices(more.split(), where)
        elif section in readers:
            if self._count is None:
                raise BadText(f"{where}: *{section} comes before *Vertices N")
            self._relation, self._read, self._rows = more, readers[section], 0
        elif section not in ("network", "vertices"):
            raise BadText(f"{where}: the Pajek section *{section} is not read")

    def _begin_vertices(self, words: list[str], where: str) -> None:
        if self._count is not None:
            raise BadText(f"{self._name} holds several networks of Pajek; put one into a file of its own")
        if not words:
            raise BadText(f"{where}: *Vertices N was expected")
        most = RANGES["vertices"][1]
        self._count = read_whole(words[0], where)
        self._first_mode = read_whole(words[1], where) if len(words) > 1 else 0
        if not 0 <= self._first_mode <= self._count <= most:
            raise BadText(f"{where}: a graph has at most {most} vertices, not {quote(' '.join(words))}")
        self._read = self._vertex

    def _vertex(self, fields: list[str], where: str) -> None:
        vertex = self._number(fields[0], where)
        if vertex in self._vertices:
            raise BadText(f"{where}: vertex {vertex + 1} occurs twice")
        label = fields[1] if len(fields) > 1 else None
        is_placed = len(fields) > 3 and all(map(is_number, fields[2:4]))
        place = (read_number("x", fields[2], where), read_number("y", fields[3], where)) if is_placed else None
        self._vertices[vertex] = label, place

    def _number(self, field: str, where: str) -> int:
        vertex, count = read_whole(field, where), self._count or 0
        if not 1 <= vertex <= count:
            raise BadText(f"{where}: vertices go from 1 to {count}, not {vertex}")
        return vertex - 1

    def _join(self, first: int, second: int, weight: float | None, *, is_one_way: bool) -> None:
        if len(self._edges) == RANGES["edges"][1]:
            raise BadText(f"{self._name}: a graph has at most {RANGES['edges'][1]} edges")
        self._relations.add(self._relation)
        self._edges.append((first, second, weight, is_one_way))

    def _pair(self, fields: list[str], where: str, *, is_one_way: bool) -> None:
        if len(fields) < 2:
            raise BadText(f"{where}: expected U V WEIGHT, not {quote(' '.join(fields))}")
        weight = read_number("a weight", fields[2], where) if len(fields) > 2 and is_number(fields[2]) else None
        first, second = (self._number(field, where) for field in fields[:2])
        self._join(first, second, weight, is_one_way=is_one_way)

    def _arc(self, fields: list[str], where: str) -> None:
        self._pair(fields, where, is_one_way=True)

    def _edge(self, fields: list[str], where: str) -> None:
        self._pair(fields, where, is_one_way=False)

    def _arcs_list(self, fields: list[str], where: str) -> None:
        first, *others = (self._number(field, where) for field in fields)
        for other in others:
            self._join(first, other, None, is_one_way=True)

    def _edges_list(self, fields: list[str], where: str) -> None:
        first, *others = (self._number(field, where) for field in fields)
        for other in others:
            self._join(first, other, None, is_one_way=False)

    def _row(self, fields: list[str], where: str) -> None:
        """Process a row of a matrix; with two modes, rows are one mode and columns the other."""
        count, mode = self._count or 0, self._first_mode
        wide, high = count - mode, mode or count
        if len(fields) != wide or self._rows >= high:
            raise BadText(f"{where}: *Matrix has {high} rows of {wide} numbers")
        for column, field in enumerate(fields):
            if weight := read_number("a number", field, where):
                self._join(self._rows, mode + column, weight, is_one_way=not mode)
        self._rows += 1

    def found(self) -> RawGraph:
        """Return the graph. Raises BadText."""
        if self._count is None:
            raise BadText(f"{self._name} is not Pajek: it has no line *Vertices N")
        described = [self._vertices.get(vertex, (None, None)) for vertex in range(self._count)]
        nodes = [Node(str(at), place, label or str(at)) for at, (label, place) in enumerate(described, start=1)]
        has_weights = any(weight is not None for _, _, weight, _ in self._edges)
        edges: list[tuple[Any, Any, dict[str, float]]] = [
            (str(first + 1), str(second + 1), {"weight": 1.0 if weight is None else weight} if has_weights else {})
            for first, second, weight, _ in self._edges
        ]
        found = build_graph(self._name, nodes, edges)
        found.one_way = [is_one_way for *_, is_one_way in self._edges]
        if len(self._relations) > 1:
            found.remarks.append(f"the edges of its {len(self._relations)} relations are taken together")
        if self._beside:
            found.remarks.append(f"passed over: {', '.join('*' + section for section in self._beside)}")
        return found
