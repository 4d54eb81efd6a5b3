"""Whether the first line of a list names its columns: known where it can be, else asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, islice

from hinterland.errors import BadText, quote
from hinterland.graph.formats.fields import rows

SAMPLE = 1000  # lines that are compared with the first
PAIRS = {
    ("u", "v"), ("source", "target"), ("from", "to"), ("src", "dst"), ("start", "end"), ("source", "sink"),
    ("head", "tail"), ("tail", "head"), ("parent", "child"), ("origin", "destination"), ("ego", "alter"),
    ("quelle", "ziel"), ("von", "nach"),
}  # fmt: skip
"""What the two ends of an edge are called, beside one word that is numbered: node1,node2."""
STEM = re.compile(r"([^\W\d_]+)[\W_]*(?:\d+|(?<=[\W_])[a-z])")
"""A word that is numbered or lettered: id_1, Knoten B."""


def is_heading(name: str, text: str, first: Sequence[str]) -> bool:
    """Say whether a first line is a heading. Raises BadText where there is no telling.

    ``text``: the whole list, ``first``: the fields of its first line.
    """
    if len(first) < 2 or first[-1].startswith("{") or any(map(is_number, first)):
        return False
    below = (fields for _, fields in islice(rows(name, text), 1, None))
    sample = list(islice(below, SAMPLE))
    if _stands_above_numbers(first, sample):
        return True
    stem = _stem(first[0])
    if stem and any(stem == _stem(fields[0]) for fields in sample):
        return False
    recurs = any(word in fields[:2] for fields in chain(sample, below) for word in first[:2])
    is_usual = _is_usual(*first[:2])
    if is_usual != recurs or not sample:
        return is_usual
    told = "one of its first two words stands" if recurs else "neither of its first two words stands"
    raise BadText(
        f"{name}: is the first line, {quote(','.join(first))}, a heading? {told.capitalize()} on another line; "
        "write --heading yes or --heading no (in Python heading=True or False)"
    )


def is_number(field: str) -> bool:
    """Say whether a field is a number, with a point or a comma."""
    try:
        float(field.replace(",", "."))
    except ValueError:
        return False
    return field.isascii()


def _stands_above_numbers(first: Sequence[str], sample: Sequence[Sequence[str]]) -> bool:
    """Say whether a column has a word first and nothing but numbers below."""
    columns = ([fields[at] for fields in sample if len(fields) > at and fields[at]] for at in range(len(first)))
    return any(column and all(map(is_number, column)) for column in columns)


def _is_usual(first: str, second: str) -> bool:
    """Say whether two words are what ends of edges are called: a usual pair, or one word numbered or lettered."""
    one, two = (re.sub(r"[\W_]*(node|vertex)?[\W_]*(id|name)?$", "", end.casefold()) for end in (first, second))
    return (one, two) in PAIRS or (first != second and _stem(first) is not None and _stem(first) == _stem(second))


def _stem(field: str) -> str | None:
    found = STEM.fullmatch(field.casefold())
    return found[1] if found else None
