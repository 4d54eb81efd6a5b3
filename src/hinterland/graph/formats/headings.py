"""Decides whether the first line of a list names its columns, or asks if that is unclear."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, islice

from hinterland.errors import BadText, quote
from hinterland.graph.formats.fields import divide_lines

SAMPLE_LINES = 1000
"""Lines that are compared with the first."""
END_NAMES = {
    ("u", "v"), ("source", "target"), ("from", "to"), ("src", "dst"), ("start", "end"), ("source", "sink"),
    ("head", "tail"), ("tail", "head"), ("parent", "child"), ("origin", "destination"), ("ego", "alter"),
    ("quelle", "ziel"), ("von", "nach"),
}  # fmt: skip
"""Names of the two ends of an edge; one numbered word, as node1,node2, counts as well."""
STEM = re.compile(r"([^\W\d_]+)[\W_]*(?:\d+|(?<=[\W_])[a-z])")
"""A word with a number or letter behind it: id_1, Knoten B."""


def is_heading(name: str, text: str, first: Sequence[str]) -> bool:
    """Say whether a first line is a heading. Raises BadText if that is unclear.

    ``text``: the whole list, ``first``: the fields of its first line.
    """
    if len(first) < 2 or first[-1].startswith("{") or any(map(is_number, first)):
        return False
    below = (fields for _, fields in islice(divide_lines(name, text), 1, None))
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
    """Say whether a column has a word first and only numbers below."""
    columns = ([fields[at] for fields in sample if len(fields) > at and fields[at]] for at in range(len(first)))
    return any(column and all(map(is_number, column)) for column in columns)


def _is_usual(first: str, second: str) -> bool:
    """Say whether two words usually name the ends of edges: a known pair, or one word numbered or lettered."""
    one, two = (re.sub(r"[\W_]*(node|vertex)?[\W_]*(id|name)?$", "", end.casefold()) for end in (first, second))
    return (one, two) in END_NAMES or (first != second and _stem(first) is not None and _stem(first) == _stem(second))


def _stem(field: str) -> str | None:
    found = STEM.fullmatch(field.casefold())
    return found[1] if found else None
