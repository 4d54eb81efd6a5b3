"""Lines of fields, divided by commas, semicolons, tabs or spaces: whichever the first line uses."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from hinterland.errors import BadText
from hinterland.graph.graphs.ranges import RANGES

COMMENTS = ("#", "%")
SPARE_LINES = 10_000
"""Blank lines and comments that a file has beside its edges, about."""


def rows(name: str, text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield (file and line in words, fields) for each line that is neither blank nor a comment.

    Braces that end lines, as networkx writes attributes, are one field. Raises BadText.
    """
    if text and not text.endswith(("\n", "\r")):
        raise BadText(f"{name} may be cut short: its last line has no line break; add one if it is whole")
    lines, most = text.count("\n"), RANGES["edges"][1]
    if lines > most + SPARE_LINES:
        raise BadText(f"{name} has {lines:,} lines, more than the {most:,} edges that a graph can have")
    source = io.StringIO(text, newline="")
    first = next((line for line in source if not _is_idle(line)), "")
    mark = next((mark for mark in ",;\t" if mark in first), " ")
    source.seek(0)
    if first.rstrip().endswith("}"):
        yield from _with_braces(name, source, mark)
    elif mark == " " and '"' not in text:
        yield from ((f"{name}, line {at}", line.split()) for at, line in enumerate(source, 1) if not _is_idle(line))
    else:
        yield from _quoted(name, source, mark)


def _is_idle(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith(COMMENTS)


def _with_braces(name: str, source: Iterator[str], mark: str) -> Iterator[tuple[str, list[str]]]:
    """Divide lines ``u v {…}``."""
    for at, line in enumerate(source, start=1):
        head, brace, rest = line.partition("{")
        ends = head.split() if mark == " " else [field.strip() for field in head.rstrip().rstrip(mark).split(mark)]
        if not _is_idle(line):
            yield f"{name}, line {at}", [*ends, *([(brace + rest).strip()] if brace else [])]


def _quoted(name: str, source: Iterator[str], mark: str) -> Iterator[tuple[str, list[str]]]:
    """Divide lines whose fields may be quoted, and then hold the mark and line breaks."""
    reader = csv.reader(source, delimiter=mark, strict=True, skipinitialspace=mark == " ")
    try:
        for read in reader:
            fields = [field.strip() for field in read]
            if mark == " ":
                fields = [field for field in fields if field]
            if any(fields) and not fields[0].startswith(COMMENTS):
                yield f"{name}, line {reader.line_num}", fields
    except csv.Error as error:
        raise BadText(f"{name}, line {reader.line_num}: not CSV, {error}") from None
