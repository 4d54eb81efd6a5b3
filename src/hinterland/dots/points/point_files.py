"""Points from files: CSV with a line x,y for each dot, or JSON [[x, y], …]; nothing is half-loaded.

Who reads says what to make of the points; where that cannot be made, the file is named.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from hinterland.contract import read_json
from hinterland.contract.board_files import decode_utf8, quote_name, read_bytes, read_number
from hinterland.errors import BadText, RulesError, quote

LARGEST = 2**20
"""Bytes of the largest file that is read."""
HEADER = ["x", "y"]
B = TypeVar("B")


def read(path: str | Path, make: Callable[[Any], B], suffix: str | None = None) -> B:
    """Read a file by the end of its name, or as if that were ``suffix``. Raises BadText or RulesError."""
    suffix = suffix or Path(path).suffix.lower()
    if suffix not in READERS:
        raise BadText(f"{quote_name(path)}: a file of dots ends in .csv or .json")
    points = READERS[suffix](decode_utf8(read_bytes(path, LARGEST), quote_name(path)), quote_name(path))
    try:
        return make(points)
    except RulesError as error:
        raise RulesError(f"{quote_name(path)}: {error}") from None


def _from_csv(text: str, name: str) -> list[tuple[float, ...]]:
    """Read lines ``x,y``, below an optional line of these words."""
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
    """Read ``[[x, y], …]``."""
    try:
        return read_json(text)
    except BadText as error:
        raise BadText(f"{name} is not whole JSON: {error}") from None


READERS: dict[str, Callable[[str, str], Any]] = {".csv": _from_csv, ".json": _from_json}
"""How the text of a file is read, by the end of its name."""
