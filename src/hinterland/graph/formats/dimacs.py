"""DIMACS: ``p edge N M`` with lines ``e U V``, and ``p sp N M`` with lines ``a U V LENGTH`` of its shortest paths."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from hinterland.contract.board_files import number
from hinterland.errors import BadText, shown
from hinterland.graph.formats.found import Found, whole
from hinterland.graph.graphs.ranges import RANGES

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["dimacs", "is_dimacs"]

PROBLEMS = {"edge": "e", "edges": "e", "col": "e", "sp": "a"}
"""Which problems are graphs, and the letter of their edges."""
IDLE = {"c", "n", "d", "v", "x"}
"""Comments, and what other programs want to know."""
HEAD = re.compile(r"(c\b.*\n|[ \t\r]*\n)*p[ \t]+\w+[ \t]+\d+[ \t]+\d+[ \t]*\r?$", re.MULTILINE)


def is_dimacs(text: str) -> bool:
    """Say whether a text begins as DIMACS does: comments, then the line of the problem."""
    return HEAD.match(text) is not None


def dimacs(name: str, text: str) -> Found:
    """Read a graph; vertices are called 1 to N. Raises BadText."""
    lines = _lines(name, text)
    letter, count, told = _problem(name, lines)
    found = Found(name, [str(vertex) for vertex in range(1, count + 1)], [])
    lengths: list[Any] = []
    for where, fields in lines:
        if fields[0] != letter or len(fields) not in ((4,) if letter == "a" else (3, 4)):
            expected = "a U V LENGTH" if letter == "a" else "e U V"
            raise BadText(f"{where}: expected {expected}, not {shown(' '.join(fields))}")
        found.ends.append((_vertex(fields[1], count, where), _vertex(fields[2], count, where)))
        lengths.append(number("a length", fields[3], where) if len(fields) == 4 else None)
    if len(found.ends) != told:
        raise BadText(f"{name} promises {told:,} edges and has {len(found.ends):,}; is it cut short?")
    if any(length is not None for length in lengths):
        found.columns["length"] = lengths
    if letter == "a":
        found.check_both_ways()
    return found


def _lines(name: str, text: str) -> Iterator[tuple[str, list[str]]]:
    for at, line in enumerate(text.splitlines(), start=1):
        fields = line.split()
        if fields and fields[0] not in IDLE:
            yield f"{name}, line {at}", fields


def _problem(name: str, lines: Iterator[tuple[str, list[str]]]) -> tuple[str, int, int]:
    """Return the letter of the edges, and how many vertices and edges there are to be."""
    where, fields = next(lines, (name, []))
    if len(fields) != 4 or fields[0] != "p":
        raise BadText(f"{where}: DIMACS begins with p edge N M or p sp N M, not {shown(' '.join(fields))}")
    if fields[1] not in PROBLEMS:
        known = ", ".join(PROBLEMS)
        raise BadText(f"{where}: a DIMACS file of another problem, {shown(fields[1])}; graphs are {known}")
    vertices, edges = whole(fields[2], where), whole(fields[3], where)
    most = RANGES["vertices"][1]
    if not 0 < vertices <= most:
        raise BadText(f"{where}: a graph has at most {most} vertices, not {vertices}")
    return PROBLEMS[fields[1]], vertices, edges


def _vertex(text: str, count: int, where: str) -> int:
    vertex = whole(text, where)
    if not 1 <= vertex <= count:
        raise BadText(f"{where}: vertices go from 1 to {count}, not {vertex}")
    return vertex - 1
