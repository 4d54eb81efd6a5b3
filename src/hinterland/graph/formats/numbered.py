"""Reads forms whose vertices are the numbers 1 to N: DIMACS, METIS (also of Chaco and DIMACS 10) and Pajek.

DIMACS has a line ``p edge N M`` with lines ``e U V``, or for shortest paths ``p sp N M`` with lines ``a U V LENGTH``.
METIS has a line ``N M``, then for each vertex a line with the vertex's neighbours. Pajek has ``*Vertices N``, then arcs
and edges in sections, as pairs, as lists of neighbours or as a matrix.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import Any

from hinterland.contract.board_files import read_number
from hinterland.errors import BadText, quote
from hinterland.graph.formats.fields import is_number
from hinterland.graph.formats.raw_graph import Node, RawGraph, build_graph, read_whole
from hinterland.graph.graphs.ranges import RANGES

EDGES, ARCS = "e U V", "a U V LENGTH"
PROBLEMS = {"edge": EDGES, "edges": EDGES, "col": EDGES, "sp": ARCS}
"""The problems of DIMACS that are graphs, and what a line of an edge holds in each."""
IGNORED_LINES = {"c", "n", "d", "v", "x"}
"""First words of comments, and of lines that are meant for other programs."""
DIMACS_BEGINNING = re.compile(r"(c\b.*\n|[ \t\r]*\n)*p[ \t]+\w+[ \t]+\d+[ \t]+\d+[ \t]*\r?$", re.MULTILINE)


def is_dimacs(text: str) -> bool:
    """Say whether a text begins as DIMACS does: comments, then the problem line."""
    return DIMACS_BEGINNING.match(text) is not None


def read_dimacs(name: str, text: str) -> RawGraph:
    """Read a graph; vertices are called 1 to N. Raises BadText."""
    divided = ((f"{name}, line {at}", line.split()) for at, line in enumerate(text.splitlines(), start=1))
    lines = ((where, fields) for where, fields in divided if fields and fields[0] not in IGNORED_LINES)
    expected, count, promised = _read_problem(*next(lines, (name, [])))
    found = RawGraph(name, [str(vertex) for vertex in range(1, count + 1)], [])
    lengths: list[Any] = []
    for where, fields in lines:
        if fields[0] != expected[0] or len(fields) not in ((4,) if expected is ARCS else (3, 4)):
            raise BadText(f"{where}: expected {expected}, not {quote(' '.join(fields))}")
        found.ends.append((_read_vertex(fields[1], count, where), _read_vertex(fields[2], count, where)))
        lengths.append(read_number("a length", fields[3], where) if len(fields) == 4 else None)
    if len(found.ends) != promised:
        raise BadText(f"{name} promises {promised:,} edges and has {len(found.ends):,}; is it cut short?")
    if any(length is not None for length in lengths):
        found.columns["length"] = lengths
    if expected is ARCS:
        found.one_way = [True] * len(found.ends)
    return found


def _read_problem(where: str, fields: list[str]) -> tuple[str, int, int]:
    """Return what a line of an edge holds, and the numbers of vertices and edges that the problem line promises."""
    if len(fields) != 4 or fields[0] != "p":
        raise BadText(f"{where}: DIMACS begins with p edge N M or p sp N M, not {quote(' '.join(fields))}")
    if fields[1] not in PROBLEMS:
        known = ", ".join(PROBLEMS)
        raise BadText(f"{where}: a DIMACS file of another problem, {quote(fields[1])}; graphs are {known}")
    vertices, edges = read_whole(fields[2], where), read_whole(fields[3], where)
    most = RANGES["vertices"][1]
    if not 0 < vertices <= most:
        raise BadText(f"{where}: a graph has at most {most} vertices, not {vertices}")
    return PROBLEMS[fields[1]], vertices, edges


def _read_vertex(text: str, count: int, where: str) -> int:
    vertex = read_whole(text, where)
    if not 1 <= vertex <= count:
        raise BadText(f"{where}: vertices go from 1 to {count}, not {vertex}")
    return vertex - 1


METIS_FIRST_LINE = re.compile(r"\s*(\d{1,9})\s+(\d{1,9})(?:\s+([01]{1,3})(?:\s+(\d{1,9}))?)?\s*")
"""Matches the first line of METIS: the numbers of vertices and edges, up to three digits, and the number of weights of
a vertex. The digits, 1 or 0, say whether there are sizes of vertices, weights of vertices and weights of edges."""
METIS_BEGINNING = re.compile(r"(\s*%.*\n)*\s*\d{1,9}[ \t]+\d{1,9}[ \t]*(\d|\r?\n)")
"""Matches the beginning of a text that may be METIS; few lists of edges begin in this way."""
MAX_WEIGHTS = 100


def is_metis(text: str) -> bool:
    """Say whether a text is METIS: its first line counts the other lines, and neighbours are mutual."""
    if not METIS_BEGINNING.match(text):
        return False
    lines = _metis_lines(text)
    head = METIS_FIRST_LINE.fullmatch(lines[0]) if lines else None
    if head is None or len(lines) - 1 != int(head[1]) or len(lines) < 3:
        return False
    try:
        read_metis("", text)
    except BadText:
        return False
    return True


def read_metis(name: str, text: str) -> RawGraph:
    """Read a graph; vertices are called 1 to N. Raises BadText."""
    lines = _metis_lines(text)
    head = METIS_FIRST_LINE.fullmatch(lines[0]) if lines else None
    if head is None:
        raise BadText(f"{name}: METIS begins with the numbers of vertices and edges, not {quote(''.join(lines[:1]))}")
    count, promised = read_whole(head[1], name), read_whole(head[2], name)
    if not 0 < count <= RANGES["vertices"][1]:
        raise BadText(f"{name}: a graph has at most {RANGES['vertices'][1]} vertices, not {count}")
    if len(lines) - 1 != count:
        raise BadText(f"{name} promises {count:,} vertices and has {len(lines) - 1:,} lines for them; is it cut short?")
    kinds = (head[3] or "0").zfill(3)
    weights = int(head[4] or 1) if kinds[1] == "1" else 0
    if weights > MAX_WEIGHTS:
        raise BadText(f"{name}: a vertex has at most {MAX_WEIGHTS} weights, not {weights}")
    found = RawGraph(name, [str(vertex) for vertex in range(1, count + 1)], [])
    counts = _read_neighbours(name, found, lines[1:], skipped=int(kinds[0]) + weights, has_weights=kinds[2] == "1")
    if weights:
        _take_weights(found, lines[1:], int(kinds[0]), weights)
    if sum(counts.values()) != 2 * promised:
        named = sum(counts.values())
        raise BadText(f"{name} promises {promised:,} edges but names {named:,} neighbours, not twice as many")
    return found


def _metis_lines(text: str) -> list[str]:
    """Return the lines without comments; blank lines are vertices without neighbours."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("%")]
    first = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    head = METIS_FIRST_LINE.fullmatch(lines[first]) if first < len(lines) else None
    most = first + 1 + int(head[1]) if head else len(lines)
    while len(lines) > most and not lines[-1].strip():
        lines.pop()
    return lines[first:]


def _read_neighbours(
    name: str, found: RawGraph, lines: list[str], skipped: int, has_weights: bool
) -> Counter[tuple[int, int, float]]:
    """Store the edges; return how often each (vertex, neighbour, weight) occurs.

    ``skipped``: the number of fields before the neighbours on each line.
    """
    counts: Counter[tuple[int, int, float]] = Counter()
    step = 2 if has_weights else 1
    for vertex, line in enumerate(lines):
        where, fields = f"{name}, vertex {vertex + 1}", line.split()[skipped:]
        if len(fields) % step:
            raise BadText(f"{where}: neighbours with weights come in pairs, not {quote(' '.join(fields))}")
        for at in range(0, len(fields), step):
            other = read_whole(fields[at], where)
            if not 1 <= other <= len(lines) or other - 1 == vertex:
                raise BadText(f"{where}: a neighbour is another vertex from 1 to {len(lines)}, not {other}")
            counts[vertex, other - 1, read_number("a weight", fields[at + 1], where) if has_weights else 1.0] += 1
    weights = []
    for (first, second, weight), count in counts.items():
        if counts[second, first, weight] != count:
            one, other = first + 1, second + 1
            raise BadText(f"{name}: vertex {one} lists neighbour {other}, but {other} does not list {one} equally")
        if first < second:
            found.ends += [(first, second)] * count
            weights += [weight] * count
    if has_weights:
        found.columns["weight"] = weights
    return counts


def _take_weights(found: RawGraph, lines: list[str], skipped: int, weights: int) -> None:
    for place in range(weights):
        name = "weight" if weights == 1 else f"weight{place + 1}"
        column = (next(islice(line.split(), skipped + place, None), None) for line in lines)
        found.traits[name] = list(column)


PAJEK_SECTION = re.compile(r"\s*\*\s*([A-Za-z]+)(.*)")
FIELDS = re.compile(r'"([^"]*)"|(\S+)')
SKIPPED_SECTIONS = {"partition", "vector", "permutation", "cluster", "hierarchy"}
"""Sections of a Pajek project that are not its network."""
Vertex = tuple[str | None, tuple[float, float] | None]


def read_pajek(name: str, text: str) -> RawGraph:
    """Read a network; vertices are called by their labels, or 1 to N. Raises BadText."""
    network = _Network(name)
    for at, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("%"):
            network.take(line, f"{name}, line {at}")
    return network.found()


class _Network:
    """A network of Pajek, built line by line."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._count: int | None = None
        self._first_mode = 0  # number of vertices of the first of two modes (kinds); 0 if there is only one mode
        self._vertices: dict[int, Vertex] = {}
        self._edges: list[tuple[int, int, float | None, bool]] = []
        self._rows = 0
        self._relations: set[str] = set()
        self._relation = ""
        self._beside: list[str] = []
        self._read: Callable[[list[str], str], None] | None = None

    def take(self, line: str, where: str) -> None:
        """Process a line that is neither blank nor a comment."""
        if section := PAJEK_SECTION.match(line):
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
        """Process a row of a matrix; with two modes (kinds of vertices), rows are the first and columns the second."""
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
