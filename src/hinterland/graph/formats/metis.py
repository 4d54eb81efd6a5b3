"""METIS, Chaco and DIMACS 10: a line ``N M``, then a line for each vertex with its neighbours, counted from 1."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice

from hinterland.contract.board_files import read_number
from hinterland.errors import BadText, quote
from hinterland.graph.formats.raw_graph import RawGraph, read_whole
from hinterland.graph.graphs.ranges import RANGES

FIRST_LINE = re.compile(r"\s*(\d{1,9})\s+(\d{1,9})(?:\s+([01]{1,3})(?:\s+(\d{1,9}))?)?\s*")
"""Vertices, edges, which weights there are (sizes, vertices, edges), and the number of weights of a vertex."""
BEGINNING = re.compile(r"(\s*%.*\n)*\s*\d{1,9}[ \t]+\d{1,9}[ \t]*(\d|\r?\n)")
"""The beginning of a text that may be METIS; few lists of edges begin so."""
MAX_WEIGHTS = 100


def is_metis(text: str) -> bool:
    """Say whether a text is METIS: its first line counts the others, and neighbours are mutual."""
    if not BEGINNING.match(text):
        return False
    lines = _lines(text)
    head = FIRST_LINE.fullmatch(lines[0]) if lines else None
    if head is None or len(lines) - 1 != int(head[1]) or len(lines) < 3:
        return False
    try:
        read_metis("", text)
    except BadText:
        return False
    return True


def read_metis(name: str, text: str) -> RawGraph:
    """Read a graph; vertices are called 1 to N. Raises BadText."""
    lines = _lines(text)
    head = FIRST_LINE.fullmatch(lines[0]) if lines else None
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
    counts = _read(name, found, lines[1:], skipped=int(kinds[0]) + weights, has_weights=kinds[2] == "1")
    if weights:
        _take_weights(found, lines[1:], int(kinds[0]), weights)
    if sum(counts.values()) != 2 * promised:
        named = sum(counts.values())
        raise BadText(f"{name} promises {promised:,} edges but names {named:,} neighbours, not twice as many")
    return found


def _lines(text: str) -> list[str]:
    """Return the lines without comments; blank lines are vertices without neighbours."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("%")]
    first = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    head = FIRST_LINE.fullmatch(lines[first]) if first < len(lines) else None
    most = first + 1 + int(head[1]) if head else len(lines)
    while len(lines) > most and not lines[-1].strip():
        lines.pop()
    return lines[first:]


def _read(
    name: str, found: RawGraph, lines: list[str], skipped: int, has_weights: bool
) -> Counter[tuple[int, int, float]]:
    """Store the edges; return how often each (vertex, neighbour, weight) occurs."""
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
