"""Reads the files that boards come from, and refuses those that are too large."""

from __future__ import annotations

import stat
from pathlib import Path

from hinterland.errors import BadText, quote


def quote_name(path: str | Path) -> str:
    """Quote the last part of a path, for messages."""
    return quote(Path(path).name or str(path))


def read_bytes(path: str | Path, most: int) -> bytes:
    """Read a file of at most ``most`` bytes. Raises BadText if it is larger, missing or not a regular file."""
    name, path = quote_name(path), Path(path)
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise BadText(f"{name} is not a file")
        with path.open("rb") as file:
            raw = file.read(most + 1)
    except (OSError, ValueError) as error:
        raise BadText(f"{name} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    check_size(name, len(raw), most)
    return raw


def check_size(name: str, size: int, most: int, kind: str = "") -> None:
    """Raise BadText if a file has more than ``most`` bytes; the message ends with ``kind``."""
    if size > most:
        raise BadText(f"{name} is larger than {most // 2**20} MiB, the most that is read{kind}")


def decode_utf8(raw: bytes, name: str) -> str:
    """Decode UTF-8. Raises BadText."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadText(f"{name} is not in UTF-8 (byte {error.start + 1}); save it in that encoding") from None


def read_number(what: str, text: str, where: str) -> float:
    """Read a number. Raises BadText."""
    try:
        if text.isascii() and "_" not in text:
            return float(text)
    except ValueError:
        pass
    raise BadText(f"{where}: {what} was expected, not {quote(text)}")
