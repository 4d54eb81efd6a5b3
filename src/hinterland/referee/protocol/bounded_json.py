"""Reads one JSON object from an untrusted sender: costly or ambiguous input is refused early.

It accepts less than JSON allows: few levels of nesting, and only numbers that every programming language can hold.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from functools import partial
from typing import Any, NoReturn

from hinterland.errors import BadText, quote

MAX_DEPTH = 8
"""Most levels of nested arrays and objects."""
MAX_WHOLE_NUMBER = 2**53 - 1
"""The greatest whole number that is exact in every language."""
STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
"""Matches a string. An unfinished string matches up to the end of the text, so that the search takes linear time."""
BRACKET = re.compile(r"[\[\]{}]")


def read_object(text: str, *, any_number: bool = False) -> dict[str, Any]:
    """Read the JSON object in a line.

    Raises BadText for anything but a JSON object, nesting deeper than 8, a repeated key, a number that is not finite, a
    whole number beyond 53 bits, and half of a surrogate pair. ``any_number``: accept all numbers, NaN and infinity too.
    """
    _check_depth(text)
    try:
        value = (LENIENT_DECODER if any_number else DECODER).decode(text)
    except json.JSONDecodeError as error:
        raise BadText(f"not JSON: {error.msg} at character {error.pos + 1}") from None
    if not isinstance(value, dict):
        raise BadText(f"a message is a JSON object, not {quote(value)}")
    if "\\u" in text:
        _check_whole_characters(value)
    return value


def _check_depth(text: str) -> None:
    """Raise BadText if brackets outside of strings are nested too deeply."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    depth = 0
    for bracket in BRACKET.findall(STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > MAX_DEPTH:
            raise BadText(f"arrays and objects are nested more than {MAX_DEPTH} deep")


def _check_whole_characters(value: object) -> None:
    match value:
        case str():
            if not value.isprintable() and any("\ud800" <= character <= "\udfff" for character in value):
                raise BadText(f"half of a surrogate pair: {quote(value)}")
        case dict():
            for name, part in value.items():
                _check_whole_characters(name)
                _check_whole_characters(part)
        case list():
            for part in value:
                _check_whole_characters(part)


def _read_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        double = next(name for name, count in counts.items() if count > 1)
        raise BadText(f"the key {quote(double)} is repeated in one object")
    return found


def _read_whole_number(digits: str) -> int:
    if len(digits) > 17 or abs(int(digits)) > MAX_WHOLE_NUMBER:
        raise BadText(f"the whole number {quote(digits, 24)} is beyond 53 bits")
    return int(digits)


def _read_finite_number(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise BadText(f"the number {quote(digits, 24)} is not finite")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise BadText(f"{name} is not JSON")


def _read_any_whole_number(digits: str) -> int | float:
    return float(digits) if len(digits) > 17 else int(digits)


_make_decoder = partial(json.JSONDecoder, object_pairs_hook=_read_pairs)
DECODER = _make_decoder(
    parse_int=_read_whole_number, parse_float=_read_finite_number, parse_constant=_refuse_constant
)
LENIENT_DECODER = _make_decoder(parse_int=_read_any_whole_number)
