"""Lists of edges below a line ``N M`` with the numbers of vertices and edges, as courses and competitions use them."""

from __future__ import annotations

import re
from itertools import islice

from hinterland.errors import BadText, quote
from hinterland.graph.formats.fields import divide, is_idle
from hinterland.graph.formats.lists import read_edge_list
from hinterland.graph.formats.raw_graph import RawGraph, is_whole, read_whole
from hinterland.graph.graphs.ranges import RANGES

FIRST_LINE = re.compile(r"\s*(\d{1,9})[ \t,;]+(\d{1,9})\s*")


def is_counted(text: str) -> bool:
    """Say whether the first line counts the vertices and edges of the lines that follow.

    It does if it gives the right number of edges and all vertices are within its bounds. It also does if it cannot be
    an edge itself: the other lines contain each vertex up to the first number, and none beyond.
    """
    first = next((line for line in text[:65_536].splitlines() if not is_idle(line)), "")
    head = FIRST_LINE.fullmatch(first)
    if head is None or int(head[1]) < 2:
        return False
    count, promised = int(head[1]), int(head[2])
    seen: set[int] = set()
    edges = 0
    try:
        for _, fields in islice(divide("", text).lines, 1, None):
            ends = [int(end) if is_whole(end) else -1 for end in fields[:2]]
            if len(fields) not in (2, 3) or not all(0 <= end <= count for end in ends):
                return False
            seen.update(ends)
            edges += 1
    except BadText:
        return False
    if not edges or len(seen & {0, count}) == 2:
        return False
    return edges == promised or (promised > count and len(seen) == count)


def read_counted(name: str, text: str) -> RawGraph:
    """Read a graph; vertices are called 0 to N - 1 if one is called 0, else 1 to N. Raises BadText."""
    where, head = next(divide(name, text).lines, (name, []))
    if len(head) != 2:
        raise BadText(f"{where}: the numbers of vertices and edges were expected, not {quote(','.join(head))}")
    count, promised = (read_whole(field, where) for field in head)
    if not 0 < count <= RANGES["vertices"][1]:
        raise BadText(f"{where}: a graph has at most {RANGES['vertices'][1]} vertices, not {count}")
    lines = text.splitlines(keepends=True)
    first = next(at for at, line in enumerate(lines) if not is_idle(line))
    lines[first] = "\n"
    found = read_edge_list(name, "".join(lines), heading=False)
    if len(found.ends) != promised:
        raise BadText(
            f"{name} promises {promised:,} edges in its first line and has {len(found.ends):,}; is it cut short? "
            "--board-format edges takes that line for an edge"
        )
    begin = 0 if "0" in found.names else 1
    names = [str(vertex) for vertex in range(begin, begin + count)]
    place = {vertex: at for at, vertex in enumerate(names)}
    for vertex in found.names:
        if vertex not in place and found.ends:
            raise BadText(f"{name}: vertices go from {begin} to {begin + count - 1}, not {quote(vertex)}")
    found.ends = [(place[found.names[first]], place[found.names[second]]) for first, second in found.ends]
    found.names = names
    found.remarks = [remark for remark in found.remarks if "stand on no line" not in remark]
    found.remarks.append(
        f"its first line counts {count:,} vertices and {promised:,} edges; --board-format edges takes it for an edge"
    )
    return found
