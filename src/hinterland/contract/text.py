"""Values as people write them in a line of text."""

from __future__ import annotations

from typing import Any

import msgspec

from hinterland.errors import BadText, shown

__all__ = ["plain", "read_json", "read_value", "read_whole"]


def plain(value: object) -> str:
    """Write a value as ``read_value`` reads it."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def read_value(text: str) -> object:
    """Read a value as written in ``str(rules)`` or on a command line: JSON where it is, else the text itself."""
    try:
        value: object = read_json(text)
    except BadText:
        return text
    return value


def read_json(text: bytes | str) -> Any:
    """Decode JSON from outside. Raises BadText for whatever is wrong with it, bottomless nesting included."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadText(str(error)) from None


def read_whole(text: str) -> int:
    """Read a whole number of at most eleven digits. Raises BadText."""
    if not (text.isascii() and text.removeprefix("-").isdigit() and len(text) < 12):
        raise BadText(f"a whole number was expected, not {shown(text)}")
    return int(text)
