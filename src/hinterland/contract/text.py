"""Values as people write them in a line of text."""

from __future__ import annotations

from typing import Any

import msgspec

from hinterland.errors import BadText, quote


def write_value(value: object) -> str:
    """Write a value so that ``read_value`` reads it back."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def several(count: int, what: str) -> str:
    """Write a number and a noun, with a plural s unless the number is 1."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def in_words(players: int, *parts: str) -> str:
    """Join parts of a description of rules; the number of players is added unless it is two."""
    return " · ".join(parts if players == 2 else (*parts, several(players, "player")))


def read_value(text: str) -> object:
    """Read a value as written in ``str(rules)`` or on a command line: valid JSON, otherwise the text itself."""
    try:
        value: object = read_json(text)
    except BadText:
        return text
    return value


def read_json(text: bytes | str, kind: Any = Any, form: str = "") -> Any:
    """Decode JSON from outside. Raises BadText for any fault in it, including nesting that is too deep.

    ``kind``: the expected type; ``form``: words with which the message begins.
    """
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadText(f"{form}: {error}" if form else str(error)) from None


def read_int(text: str) -> int:
    """Read a whole number of at most eleven digits. Raises BadText."""
    if not (text.isascii() and text.removeprefix("-").isdigit() and len(text) < 12):
        raise BadText(f"a whole number was expected, not {quote(text)}")
    return int(text)
