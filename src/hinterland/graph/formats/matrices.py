"""Reads matrices with a number for each pair of vertices, and the sparse matrices of Matrix Market."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from hinterland.contract.board_files import read_number
from hinterland.errors import BadText, quote
from hinterland.graph.formats.fields import divide, is_idle, is_number
from hinterland.graph.formats.raw_graph import RawGraph, read_whole
from hinterland.graph.graphs.ranges import RANGES

MARKET = re.compile(r"%%MatrixMarket\s+matrix\s+(\w+)\s+([\w-]+)\s+([\w-]+)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
SYMMETRIES = {"symmetric", "hermitian", "general"}
MAX_ROWS = 10_000
"""Rows of a dense matrix."""


def is_matrix(text: str) -> bool:
    """Say whether a text is a square of numbers, with or without names around it, and no list of edges.

    Three lines of three numbers may be a list of edges with lengths; they count as a matrix only if symmetric, with
    equal numbers on the diagonal.
    """
    first = next((line for line in text[:65_536].splitlines() if not is_idle(line)), "")
    lines = text.count("\n")
    if not first or lines > MAX_ROWS + 1000:
        return False
    try:
        rows = [fields for _, fields in islice(divide("", text).lines, MAX_ROWS + 2)]
        _, square = _names_and_square(rows)
    except BadText:
        return False
    if len(square) < 3 or not all(is_number(field) for row in square for field in row):
        return False
    return len(square) > 3 or len(rows[-1]) > 3 or _is_symmetric(square)


def _is_symmetric(square: Sequence[Sequence[str]]) -> bool:
    cells = [[float(field.replace(",", ".")) for field in row] for row in square]
    halves = all(cells[row][column] == cells[column][row] for row in range(len(cells)) for column in range(row))
    return halves and len({cells[at][at] for at in range(len(cells))}) == 1


def _names_and_square(rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """Separate names from numbers: names may stand before each line, above the columns, or both. Raises BadText."""
    if not rows:
        raise BadText("a matrix has a line for each vertex")
    names: list[str] = []
    wide = len(rows[-1])
    if len(rows) == wide and rows[0][:1] == [""]:
        names, rows = rows[0][1:], [row[1:] for row in rows[1:]]
    elif len(rows) == wide and _has_names(rows):
        names, rows = [row[0] for row in rows[1:]], [row[1:] for row in rows[1:]]
    elif len(rows) == wide + 1 and not any(map(is_number, rows[0])):
        names, rows = rows[0], rows[1:]
    if any(len(row) != len(rows) for row in rows):
        raise BadText("a matrix has as many numbers in each line as there are lines")
    return names or list(map(str, range(len(rows)))), rows


def _has_names(rows: list[list[str]]) -> bool:
    """Say whether the first line repeats the first words of all other lines, perhaps after a corner field."""
    heads = [row[0] for row in rows[1:]]
    is_cornered = len(rows[0]) == len(rows)
    return rows[0][is_cornered:] == heads and not (is_cornered and all(map(is_number, heads)))


def read_matrix(name: str, text: str) -> RawGraph:
    """Read a square of numbers; a number other than 0 joins two vertices. Raises BadText."""
    table = divide(name, text)
    rows = [fields for _, fields in islice(table.lines, MAX_ROWS + 2)]
    if len(rows) > MAX_ROWS + 1:
        raise BadText(f"{name}: a matrix has at most {MAX_ROWS:,} lines")
    try:
        names, square = _names_and_square(rows)
    except BadText as error:
        raise BadText(f"{name}: {error}") from None
    found = RawGraph(name, names, [])
    weights = []
    for first, row in enumerate(square):
        for second, field in enumerate(row):
            weight = read_number("a number", field.replace(",", ".") if table.has_decimal_commas else field, name)
            if weight and first != second:
                found.ends.append((first, second))
                weights.append(weight)
    if weights:
        found.columns["weight"] = weights
    found.one_way = [True] * len(weights)
    return found


def read_matrix_market(name: str, text: str) -> RawGraph:
    """Read a sparse matrix; vertices are called 1 to N. Raises BadText."""
    header = MARKET.match(text)
    if header is None:
        raise BadText(f"{name} is not Matrix Market, which begins with %%MatrixMarket matrix coordinate …")
    kind, field, symmetry = (word.lower() for word in header.groups())
    if kind != "coordinate" or field == "complex" or symmetry not in SYMMETRIES:
        raise BadText(f"{name}: Matrix Market as {kind} {field} {symmetry} is not read; write coordinate real general")
    lines = ((f"{name}, line {at}", line.split()) for at, line in enumerate(text.splitlines(), start=1)
             if line.strip() and not line.startswith("%"))  # fmt: skip
    where, head = next(lines, (name, []))
    if len(head) != 3:
        raise BadText(f"{where}: the numbers of rows, columns and entries were expected, not {quote(' '.join(head))}")
    count, columns, promised = (read_whole(word, where) for word in head)
    if count != columns or not 0 < count <= RANGES["vertices"][1]:
        raise BadText(f"{name}: a matrix of {count} rows and {columns} columns is not one of a graph")
    found = RawGraph(name, [str(vertex) for vertex in range(1, count + 1)], [])
    weights = []
    expected = ("ROW", "COLUMN") if field == "pattern" else ("ROW", "COLUMN", "NUMBER")
    for where, fields in lines:
        if len(fields) != len(expected):
            raise BadText(f"{where}: expected {' '.join(expected)}, not {quote(' '.join(fields))}")
        ends = [read_whole(end, where) for end in fields[:2]]
        if not all(1 <= end <= count for end in ends):
            raise BadText(f"{where}: rows and columns go from 1 to {count}, not {quote(' '.join(fields[:2]))}")
        found.ends.append((ends[0] - 1, ends[1] - 1))
        weights += [read_number("a number", weight, where) for weight in fields[2:]]
    if len(found.ends) != promised:
        raise BadText(f"{name} promises {promised:,} entries and has {len(found.ends):,}; is it cut short?")
    if weights:
        found.columns["weight"] = weights
    found.one_way = [symmetry == "general"] * len(found.ends)
    return found
