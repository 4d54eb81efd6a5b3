"""Reads lists of edges, one edge a line: ``u,v`` or ``u v``, perhaps with a length or further columns.

The first line may name the columns. If all vertices are called by whole numbers and the least is 0, these are the
vertices' numbers, and missing numbers are vertices without edges. If the least is not 0, the vertices are sorted by
their numbers. Vertices with other names are numbered in order of appearance. Courses and competitions write such lists
below a line ``N M`` with the numbers of vertices and edges.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import lru_cache, partial
from itertools import chain, islice
from typing import Any

from hinterland.contract.board_files import read_number
from hinterland.errors import BadText, quote
from hinterland.graph.formats.fields import DECIMAL_COMMA, divide, is_heading, is_idle, is_number
from hinterland.graph.formats.raw_graph import RawGraph, is_whole, read_whole
from hinterland.graph.graphs.ranges import RANGES

Values = dict[str, int]
"""The value of each vertex, by name, in the order of the vertices."""
DEFAULT_HEADS = ["u", "v", "length"]
ADJACENCY_HINT = "; for lines of a vertex and its neighbours write --board-format adjlist"
MAX_BRACES_LETTERS = 10_000
HEAD_LETTERS = 65_536
"""Number of letters at a text's beginning by which ``is_adjlist`` decides whether to examine the whole text."""
HEAD_LINES = 1000
"""Number of lines in which ``has_fractions`` looks for numbers with fractions."""


def read_edge_list(name: str, text: str, worths: Values | None = None, heading: bool | None = None) -> RawGraph:
    """Read a list of edges. Raises BadText.

    ``worths``: the vertices with their values, if another file lists them. ``heading``: whether the first line names
    the columns; None to find out.
    """
    found = RawGraph(name, [], [])
    numbers = {vertex: place for place, vertex in enumerate(worths or ())}
    table = divide(name, text)
    start, top = next(table.lines, (name, []))
    is_headed = is_heading(name, text, top) if heading is None else heading
    heads, read = _columns(top, is_headed, table.has_decimal_commas)
    found.is_nameless = heads is DEFAULT_HEADS
    found.remarks += [f"its first line is a heading, {quote(','.join(top))}"] if is_headed and top else []
    columns: list[list[Any]] = [[] for _ in heads[2:]]
    most = RANGES["edges"][1]
    for where, fields in table.lines if is_headed else chain([(start, top)] if top else [], table.lines):
        if len(fields) != len(heads):
            raise BadText(f"{where}: expected {','.join(heads)}, not {quote(','.join(fields))}{_hint(fields)}")
        if len(found.ends) == most:
            raise BadText(f"{where}: more than {most} lines, the most that a graph can have")
        first, second, *more = fields
        found.ends.append((numbers.setdefault(first, len(numbers)), numbers.setdefault(second, len(numbers))))
        for column, field in zip(columns, more, strict=True):
            column.append(read(field, where))
    found.names = list(numbers)
    if read is _braces:
        found.add_columns(*columns)
    else:
        found.columns = dict(zip(heads[2:], columns, strict=True))
    if worths is None:
        _sort_by_number(found)
    else:
        found.values = list(worths.values())
        _check_ends(found, len(worths))
    return found


def is_adjlist(text: str) -> bool:
    """Say whether a text is an adjacency list, in which each vertex begins one line, followed by its neighbours.

    All neighbours must have a line, too. The lines must have different numbers of words, or all edges must be listed at
    both ends. If all lines have two words, the answer is no: as a list of edges the text describes the same graph.
    """
    if not _may_be_adjlist(text[:HEAD_LETTERS]):
        return False
    lines = _split_words(text)
    neighbours = {first: others for first, *others in lines}
    sizes = set(map(len, lines))
    if len(lines) < 3 or max(sizes) < 3 or len(neighbours) < len(lines):
        return False
    if not all(other in neighbours for others in neighbours.values() for other in others):
        return False
    return len(sizes) > 1 or all(
        first != other and first in neighbours[other] for first, others in neighbours.items() for other in others
    )


def _split_words(text: str) -> list[list[str]]:
    return [fields for line in text.splitlines() if (fields := line.partition("#")[0].split())]


def _may_be_adjlist(head: str) -> bool:
    """Say whether the first lines all begin with different words, and one line has more than two words."""
    lines = _split_words(head)[:-1]
    return len({fields[0] for fields in lines}) == len(lines) and any(len(fields) > 2 for fields in lines)


def has_fractions(text: str) -> bool:
    """Say whether the ends of the first edges are all numbers, but not all whole ones."""
    try:
        table = divide("", text)
        ends = [field.replace(",", ".") if table.has_decimal_commas else field
                for _, fields in islice(table.lines, HEAD_LINES) for field in fields[:2]]  # fmt: skip
    except BadText:
        return False
    is_headed = len(ends) > 2 and not any(map(is_number, ends[:2]))
    numbers = ends[2:] if is_headed else ends
    return all(map(is_number, numbers)) and not all(map(is_whole, numbers))


def _columns(
    first: list[str], is_headed: bool, has_decimal_commas: bool
) -> tuple[list[str], Callable[[str, str], Any]]:
    """Return the names of the columns, and a function that reads a field after the two ends of an edge."""
    point = _with_point if has_decimal_commas else str
    if is_headed:
        heads = [DEFAULT_HEADS[2] if head.casefold() == DEFAULT_HEADS[2] else head for head in first]
        has_length_alone = heads[2:] == DEFAULT_HEADS[2:]
        return heads, partial(_length if has_length_alone else _value, point)
    if first and first[-1].startswith("{"):
        return [*DEFAULT_HEADS[:2], "{}"], _braces
    return DEFAULT_HEADS if len(first) > 2 else DEFAULT_HEADS[:2], partial(_length, point)


def _with_point(field: str) -> str:
    """Replace a decimal comma with a point."""
    return field.replace(",", ".") if DECIMAL_COMMA.fullmatch(field) else field


def _hint(fields: list[str]) -> str:
    return ADJACENCY_HINT if len(fields) > 3 else ""


def _length(point: Callable[[str], str], field: str, where: str) -> float:
    return read_number("a length", point(field), where)


def _value(point: Callable[[str], str], field: str, _: str = "") -> float | str | None:
    """Return a field as a number if it is one, else as a text; None if it is empty."""
    try:
        return float(point(field)) if field else None
    except ValueError:
        return field


def _braces(text: str, where: str) -> dict[Any, Any]:
    """Read attributes in networkx's notation."""
    if len(text) <= MAX_BRACES_LETTERS:
        found = _literal(text)
        if isinstance(found, dict):
            return found
    raise BadText(f"{where}: attributes in braces were expected, as {{'weight': 2}}, not {quote(text)}")


@lru_cache(maxsize=1000)
def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


def _sort_by_number(found: RawGraph) -> None:
    """If all vertices are called by whole numbers, sort them; if the least is 0, add vertices for missing numbers."""
    if not found.names or not all(is_whole(name) and str(int(name)) == name for name in found.names):
        return
    called = sorted(map(int, found.names))
    if called[0] < 0:
        edge, name = _first_end(found, lambda end: found.names[end].startswith("-"))
        raise BadText(f"{found.source}: edge {edge} must join vertices from 0 to {called[-1]}, not {name}")
    if called[0] == 0:
        least, most = RANGES["vertices"]
        if called[-1] >= most:
            raise BadText(
                f"{found.source}: a graph has from {least} to {most} vertices, numbered from 0; "
                f"{called[-1]} is too large"
            )
        if spare := called[-1] + 1 - len(called):
            found.remarks.append(f"vertices go from 0 to {called[-1]}; {spare:,} of these numbers stand on no line")
        called = list(range(called[-1] + 1))
    place = {str(number): vertex for vertex, number in enumerate(called)}
    places = [place[name] for name in found.names]
    found.ends = [(places[first], places[second]) for first, second in found.ends]
    found.names = list(place)


def _check_ends(found: RawGraph, listed: int) -> None:
    """Raise BadText if an edge ends at a vertex that is not among the first ``listed``, those with values."""
    if len(found.names) > listed:
        edge, name = _first_end(found, lambda end: end >= listed)
        if is_whole(name) and found.names[0] == "0":
            raise BadText(f"{found.source}: edge {edge} must join vertices from 0 to {listed - 1}, not {name}")
        raise BadText(f"{found.source}: edge {edge} ends at {quote(name)}, which is not among the vertices with values")


def _first_end(found: RawGraph, is_wrong: Callable[[int], bool]) -> tuple[int, str]:
    """Return the number of the first edge that ends at a wrong vertex, and that vertex's name."""
    return next(
        (edge, found.names[end]) for edge, ends in enumerate(found.ends, start=1) for end in ends if is_wrong(end)
    )


def read_values(name: str, text: str) -> Values:
    """Read lines ``vertex,value``. The vertices are either the numbers from 0, in order, or names. Raises BadText."""
    worths: Values = {}
    is_numbered = False
    for where, fields in divide(name, text).lines:
        if not worths and [field.casefold() for field in fields] == ["vertex", "value"]:
            continue
        if len(fields) != 2:
            raise BadText(f"{where}: expected vertex,value, not {quote(','.join(fields))}")
        vertex, value = fields
        is_numbered = is_numbered or (not worths and vertex == "0")
        if is_numbered and read_whole(vertex, where) != len(worths):
            raise BadText(f"{where}: vertices must be listed in order: {len(worths)} comes here, not {quote(vertex)}")
        if vertex in worths:
            raise BadText(f"{where}: vertex {quote(vertex)} occurs twice")
        if len(worths) == RANGES["vertices"][1]:
            raise BadText(f"{where}: more than {len(worths)} lines, the most that a graph can have vertices")
        worths[vertex] = read_whole(value, where)
    return worths


COUNTS_LINE = re.compile(r"\s*(\d{1,9})[ \t,;]+(\d{1,9})\s*")


def is_counted(text: str) -> bool:
    """Say whether the first line counts the vertices and edges of the lines that follow.

    The first line must be two numbers ``N M``. The line counts vertices and edges if the other lines are M edges
    between vertices up to N. The line also counts vertices and edges if it cannot be an edge itself: M exceeds N, and
    the other lines name exactly N vertices.
    """
    first = next((line for line in text[:65_536].splitlines() if not is_idle(line)), "")
    head = COUNTS_LINE.fullmatch(first)
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
    """Read a list below a line ``N M``; vertices are called 0 to N - 1 if one is called 0, else 1 to N.

    Raises BadText.
    """
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
