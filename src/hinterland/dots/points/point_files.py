"""Points from files: CSV with a line x,y for each dot, or JSON [[x, y], …]; nothing is half-loaded.

Each reader is told what to make of the points, and names the file where that cannot be made.
"""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from hinterland.contract import read_json
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
        raise BadText(f"{_name(path)}: a file of dots ends in .csv or .json")
    made: B = READERS[suffix](path, make)
    return made


def from_csv(path: str | Path, make: Callable[[Any], B]) -> B:
    """Read lines ``x,y``, below an optional line of these words. Raises BadText or RulesError."""
    points: list[tuple[float, ...]] = []
    for number, line in enumerate(_text(path).splitlines(), start=1):
        fields = [field.strip() for field in line.split(",")]
        if fields == [""] or (not points and [field.lower() for field in fields] == HEADER):
            continue
        if len(fields) != 2:
            raise BadText(f"{_name(path)}, line {number}: expected x,y, not {shown(line)}")
        points.append(tuple(_number(field, f"{_name(path)}, line {number}") for field in fields))
    return _made(path, points, make)


def from_json(path: str | Path, make: Callable[[Any], B]) -> B:
    """Read ``[[x, y], …]``. Raises BadText or RulesError."""
    try:
        points = read_json(_text(path))
    except BadText as error:
        raise BadText(f"{_name(path)} is not whole JSON: {error}") from None
    return _made(path, points, make)


def _made(path: str | Path, points: object, make: Callable[[Any], B]) -> B:
    try:
        return make(points)
    except RulesError as error:
        raise RulesError(f"{_name(path)}: {error}") from None


def _name(path: str | Path) -> str:
    """Return the last part of a path, quoted."""
    return shown(Path(path).name or str(path))


def _number(text: str, where: str) -> float:
    try:
        if text.isascii() and "_" not in text:
            return float(text)
    except ValueError:
        pass
    raise BadText(f"{where}: a number was expected, not {shown(text)}")


def _text(path: str | Path) -> str:
    """Read a file in UTF-8. Raises BadText for one that is too large, not there, or in another encoding."""
    name = _name(path)
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):
            raise BadText(f"{name} is not a file")
        with Path(path).open("rb") as file:
            raw = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise BadText(f"{name} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(raw) > LARGEST:
        raise BadText(f"{name} is larger than {LARGEST // 2**20} MiB, the most that is read")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadText(f"{name} is not in UTF-8 (byte {error.start + 1}); save it in that encoding") from None


READERS: dict[str, Callable[[str | Path, Callable[[Any], Any]], Any]] = {".csv": from_csv, ".json": from_json}
"""How files are read, by the ends of their names."""
