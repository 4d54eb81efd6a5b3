"""Points from files: CSV with a line x,y for each dot, or JSON [[x, y], …]; nothing is half-loaded.

Each reader is told what to make of the points, and names the file where that cannot be made.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from hinterland.contract import read_json
from hinterland.contract.board_files import bytes_of, decoded, name_of, number
from hinterland.errors import BadText, RulesError, shown

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["LARGEST", "READERS", "from_csv", "from_json", "read"]

LARGEST = 2**20
"""Bytes of the largest file that is read."""
HEADER = ["x", "y"]
B = TypeVar("B")


def read(path: str | Path, make: Callable[[Any], B]) -> B:
    """Read a file whose name ends in .csv or .json. Raises BadText or RulesError."""
    suffix = Path(path).suffix.lower()
    if suffix not in READERS:
        raise BadText(f"{name_of(path)}: a file of dots ends in .csv or .json")
    made: B = READERS[suffix](path, make)
    return made


def from_csv(path: str | Path, make: Callable[[Any], B]) -> B:
    """Read lines ``x,y``, below an optional line of these words. Raises BadText or RulesError."""
    points: list[tuple[float, ...]] = []
    for at, line in enumerate(decoded(bytes_of(path, LARGEST), name_of(path)).splitlines(), start=1):
        fields = [field.strip() for field in line.split(",")]
        if fields == [""] or (not points and [field.lower() for field in fields] == HEADER):
            continue
        if len(fields) != 2:
            raise BadText(f"{name_of(path)}, line {at}: expected x,y, not {shown(line)}")
        points.append(tuple(number("a number", field, f"{name_of(path)}, line {at}") for field in fields))
    return _made(path, points, make)


def from_json(path: str | Path, make: Callable[[Any], B]) -> B:
    """Read ``[[x, y], …]``. Raises BadText or RulesError."""
    try:
        points = read_json(decoded(bytes_of(path, LARGEST), name_of(path)))
    except BadText as error:
        raise BadText(f"{name_of(path)} is not whole JSON: {error}") from None
    return _made(path, points, make)


def _made(path: str | Path, points: object, make: Callable[[Any], B]) -> B:
    try:
        return make(points)
    except RulesError as error:
        raise RulesError(f"{name_of(path)}: {error}") from None


READERS: dict[str, Callable[[str | Path, Callable[[Any], Any]], Any]] = {".csv": from_csv, ".json": from_json}
"""How files are read, by the ends of their names."""
