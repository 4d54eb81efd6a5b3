"""Points from files: CSV with a line x,y for each dot, or JSON [[x, y], …]; a file is read as a whole or refused.

The caller says what to make of the points. If that fails, the message names the file.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from hinterland.contract import read_json
from hinterland.contract.board_files import decode_utf8, quote_name, read_bytes, read_number
from hinterland.errors import BadText, RulesError, quote

MAX_FILE_BYTES = 2**20
"""Largest size of a file in bytes."""
HEADER = ["x", "y"]
B = TypeVar("B")


def read(path: str | Path, make: Callable[[Any], B], suffix: str | None = None) -> B:
    """Read a file by its suffix, or as if it had ``suffix``. Raises BadText or RulesError."""
    suffix = suffix or Path(path).suffix.lower()
    if suffix not in READERS:
        raise BadText(f"{quote_name(path)}: a file of dots ends in .csv or .json")
    points = READERS[suffix](decode_utf8(read_bytes(path, MAX_FILE_BYTES), quote_name(path)), quote_name(path))
    try:
        return make(points)
    except RulesError as error:
        raise RulesError(f"{quote_name(path)}: {error}") from None


def _from_csv(text: str, name: str) -> list[tuple[float, ...]]:
    """Read lines ``x,y``, after an optional header line ``x,y``."""
    points: list[tuple[float, ...]] = []
    for at, line in enumerate(text.splitlines(), start=1):
        fields = [field.strip() for field in line.split(",")]
        if fields == [""] or (not points and [field.lower() for field in fields] == HEADER):
            continue
        if len(fields) != 2:
            raise BadText(f"{name}, line {at}: expected x,y, not {quote(line)}")
        points.append(tuple(read_number("a number", field, f"{name}, line {at}") for field in fields))
    return points


def _from_json(text: str, name: str) -> Any:
    try:
        return read_json(text)
    except BadText as error:
        raise BadText(f"{name} is not valid JSON: {error}") from None


READERS: dict[str, Callable[[str, str], Any]] = {".csv": _from_csv, ".json": _from_json}
"""Readers of the text of a file, by its suffix."""
