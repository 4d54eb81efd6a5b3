"""Divides lines into fields by tabs, semicolons, commas or spaces, and finds out whether the first is a heading."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from hinterland.errors import BadText, quote
from hinterland.graph.graphs.ranges import RANGES

COMMENTS = ("#", "%")
SPARE_LINES = 10_000
"""Approximate number of blank lines and comments that a file may have besides its edges."""
SAMPLE_LETTERS = 65_536
"""Number of letters at the beginning of a file by which the separator is found."""
SEPARATORS = "\t;,"
"""Separators in order of preference: names contain commas more often than semicolons, and never tabs."""
SEPARATOR_NAMES = {"\t": "tabs", ";": "semicolons", ",": "commas", " ": "spaces"}
QUOTED_TEXT = re.compile(r'"(?:[^"]|"")*"')
DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
SPACED_DECIMAL = re.compile(r"\s*\S+[ \t]+\S+[ \t]+[+-]?\d+,\d+\s*")
"""Matches a line of two names and a number with a decimal comma, separated by spaces."""


class Rows(NamedTuple):
    """The lines of a file, divided into fields."""

    separator: str
    lines: Iterator[tuple[str, list[str]]]
    """For each line that is neither blank nor a comment: the file and line in words, and the fields. Raises BadText."""
    has_decimal_commas: bool
    """Whether 1,5 means one and a half."""


def divide(name: str, text: str) -> Rows:
    """Divide lines into fields; networkx's attributes, in braces at the end of a line, are one field.

    Raises BadText.
    """
    if text and not text.endswith(("\n", "\r")):
        raise BadText(f"{name} may be cut short: its last line has no line break; add one if it is whole")
    lines, most = text.count("\n"), RANGES["edges"][1]
    if lines > most + SPARE_LINES:
        raise BadText(f"{name} has {lines:,} lines, more than the {most:,} edges that a graph can have")
    source = io.StringIO(text, newline="")
    first = next((line for line in source if not is_idle(line)), "")
    source.seek(0)
    mark, has_decimal_commas = _find_separator(
        first, _take_sample(text), is_tsv=name.lower().rstrip("'\"").endswith(".tsv")
    )
    if first.rstrip().endswith("}"):
        return Rows(mark, _divide_with_braces(name, source, mark), False)
    if mark == " " and '"' not in text:
        spaced = ((f"{name}, line {at}", line.split()) for at, line in enumerate(source, 1) if not is_idle(line))
        return Rows(mark, spaced, has_decimal_commas)
    return Rows(mark, _divide_quoted(name, source, mark), has_decimal_commas)


def is_idle(line: str) -> bool:
    """Say whether a line is blank or a comment."""
    return not line.strip() or line.lstrip().startswith(COMMENTS)


def _take_sample(text: str) -> list[str]:
    """Return the first lines without text in quotes or braces."""
    whole = text[:SAMPLE_LETTERS] if len(text) <= SAMPLE_LETTERS else text[:SAMPLE_LETTERS].rpartition("\n")[0]
    return [QUOTED_TEXT.sub('""', line).partition("{")[0] for line in whole.splitlines() if not is_idle(line)]


def _find_separator(first: str, lines: list[str], *, is_tsv: bool) -> tuple[str, bool]:
    """Return the separator of fields, and whether numbers have decimal commas."""
    if "\t" in first and (is_tsv or all("\t" in line for line in lines)):
        return "\t", False
    if lines and all(map(SPACED_DECIMAL.fullmatch, lines)):
        return " ", True
    counts = {mark: [line.count(mark) for line in lines] for mark in SEPARATORS}
    alike = [mark for mark, found in counts.items() if found and found[0] and len(set(found)) == 1]
    everywhere = [mark for mark, found in counts.items() if found and all(found)]
    somewhere = [mark for mark in SEPARATORS if lines and mark in lines[0]]
    mark = (*alike, *everywhere, *somewhere, " ")[0]
    return mark, mark == ";"


def _divide_with_braces(name: str, source: Iterator[str], mark: str) -> Iterator[tuple[str, list[str]]]:
    """Divide lines ``u v {…}``."""
    for at, line in enumerate(source, start=1):
        head, brace, rest = line.partition("{")
        ends = head.split() if mark == " " else [field.strip() for field in head.rstrip().rstrip(mark).split(mark)]
        if not is_idle(line):
            yield f"{name}, line {at}", [*ends, *([(brace + rest).strip()] if brace else [])]


def _divide_quoted(name: str, source: Iterator[str], mark: str) -> Iterator[tuple[str, list[str]]]:
    """Divide lines whose fields may be quoted and then contain separators and line breaks."""
    reader = csv.reader(source, delimiter=mark, strict=True, skipinitialspace=True)
    try:
        for read in reader:
            fields = [field.strip() for field in read]
            if mark == " ":
                fields = [field for field in fields if field]
            if any(fields) and not fields[0].startswith(COMMENTS):
                yield f"{name}, line {reader.line_num}", fields
    except csv.Error as error:
        raise BadText(f"{name}, line {reader.line_num}: not CSV, {error}") from None


SAMPLE_LINES = 1000
"""Most lines with which the first line is compared."""
END_NAMES = {
    ("u", "v"), ("source", "target"), ("from", "to"), ("src", "dst"), ("start", "end"), ("source", "sink"),
    ("head", "tail"), ("tail", "head"), ("parent", "child"), ("origin", "destination"), ("ego", "alter"),
    ("quelle", "ziel"), ("von", "nach"),
}  # fmt: skip
"""Usual names of the two ends of an edge. A numbered word, as in node1,node2, is usual, too."""
STEM = re.compile(r"([^\W\d_]+)[\W_]*(?:\d+|(?<=[\W_])[a-z])")
"""A word that a number or a letter follows, such as id_1 or Knoten B."""


def is_heading(name: str, text: str, first: Sequence[str]) -> bool:
    """Say whether a first line is a heading. Raises BadText if that is unclear.

    ``text``: the whole list, ``first``: the fields of its first line.
    """
    if len(first) < 2 or first[-1].startswith("{") or any(map(is_number, first)):
        return False
    below = (fields for _, fields in islice(divide(name, text).lines, 1, None))
    sample = list(islice(below, SAMPLE_LINES))
    if _stands_above_numbers(first, sample):
        return True
    stem = _stem(first[0])
    if stem and any(stem == _stem(fields[0]) for fields in sample):
        return False
    recurs = any(word in fields[:2] for fields in chain(sample, below) for word in first[:2])
    is_usual = _is_usual(*first[:2])
    if is_usual != recurs or not sample:
        return is_usual
    where = "one of its first two words stands" if recurs else "neither of its first two words stands"
    raise BadText(
        f"{name}: is the first line, {quote(','.join(first))}, a heading? {where.capitalize()} on another line; "
        "write --heading yes or --heading no (in Python heading=True or False)"
    )


def is_number(field: str) -> bool:
    """Say whether a field is a number, with a decimal point or comma."""
    try:
        float(field.replace(",", "."))
    except ValueError:
        return False
    return field.isascii()


def _stands_above_numbers(first: Sequence[str], sample: Sequence[Sequence[str]]) -> bool:
    """Say whether a column below the first line has only numbers, so that words in that line must be a heading."""
    columns = ([fields[at] for fields in sample if len(fields) > at and fields[at]] for at in range(len(first)))
    return any(column and all(map(is_number, column)) for column in columns)


def _is_usual(first: str, second: str) -> bool:
    """Say whether two words usually name the ends of edges: a known pair, or one word with two numbers or letters."""
    one, two = (re.sub(r"[\W_]*(node|vertex)?[\W_]*(id|name)?$", "", end.casefold()) for end in (first, second))
    return (one, two) in END_NAMES or (first != second and _stem(first) is not None and _stem(first) == _stem(second))


def _stem(field: str) -> str | None:
    found = STEM.fullmatch(field.casefold())
    return found[1] if found else None
