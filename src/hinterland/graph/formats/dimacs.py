"""DIMACS: ``p edge N M`` with lines ``e U V``, or for shortest paths ``p sp N M`` with lines ``a U V LENGTH``."""

from __future__ import annotations

import re
from typing import Any

from hinterland.contract.board_files import read_number
from hinterland.errors import BadText, quote
from hinterland.graph.formats.raw_graph import RawGraph, read_whole
from hinterland.graph.graphs.ranges import RANGES

EDGES, ARCS = "e U V", "a U V LENGTH"
PROBLEMS = {"edge": EDGES, "edges": EDGES, "col": EDGES, "sp": ARCS}
"""Problems that are graphs, and the form of their edges."""
IGNORED_LINES = {"c", "n", "d", "v", "x"}
"""Comments, and lines meant for other programs."""
BEGINNING = re.compile(r"(c\b.*\n|[ \t\r]*\n)*p[ \t]+\w+[ \t]+\d+[ \t]+\d+[ \t]*\r?$", re.MULTILINE)


def is_dimacs(text: str) -> bool:
    """Say whether a text begins as DIMACS does: comments, then the problem line."""
    return BEGINNING.match(text) is not None


def read_dimacs(name: str, text: str) -> RawGraph:
    """Read a graph; vertices are called 1 to N. Raises BadText."""
    divided = ((f"{name}, line {at}", line.split()) for at, line in enumerate(text.splitlines(), start=1))
    lines = ((where, fields) for where, fields in divided if fields and fields[0] not in IGNORED_LINES)
    expected, count, promised = _problem(*next(lines, (name, [])))
    found = RawGraph(name, [str(vertex) for vertex in range(1, count + 1)], [])
    lengths: list[Any] = []
    for where, fields in lines:
        if fields[0] != expected[0] or len(fields) not in ((4,) if expected is ARCS else (3, 4)):
            raise BadText(f"{where}: expected {expected}, not {quote(' '.join(fields))}")
        found.ends.append((_vertex(fields[1], count, where), _vertex(fields[2], count, where)))
        lengths.append(read_number("a length", fields[3], where) if len(fields) == 4 else None)
    if len(found.ends) != promised:
        raise BadText(f"{name} promises {promised:,} edges and has {len(found.ends):,}; is it cut short?")
    if any(length is not None for length in lengths):
        found.columns["length"] = lengths
    if expected is ARCS:
        found.one_way = [True] * len(found.ends)
    return found


def _problem(where: str, fields: list[str]) -> tuple[str, int, int]:
    """Return the form of the edges, and the promised numbers of vertices and edges."""
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


def _vertex(text: str, count: int, where: str) -> int:
    vertex = read_whole(text, where)
    if not 1 <= vertex <= count:
        raise BadText(f"{where}: vertices go from 1 to {count}, not {vertex}")
    return vertex - 1
