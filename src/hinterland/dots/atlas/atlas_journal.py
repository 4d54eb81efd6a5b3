"""The file into which an atlas is written while it is worked out: CSV that only grows, each chunk seen on the disk.

Entries come in order, so the file is the beginning of the finished one at any time; after a kill, work goes on behind
its last whole line.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from hinterland.dots.atlas.atlas_file import HEAD, Entry, from_row, to_row, types_of
from hinterland.dots.order_types.canonical import signs_of
from hinterland.dots.order_types.enumeration import codes
from hinterland.errors import ArenaError, BadText

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["AtlasJournal", "read"]


class AtlasJournal:
    """An atlas in a file, opened for going on with it."""

    def __init__(self, path: Path, dots: int) -> None:
        """Open the file, or begin it; what a kill left of a last line is dropped.

        Raises BadText for a file that is something else, damaged, or of another number of dots, and leaves it as it
        is; ArenaError for one that cannot be written, or that another process is writing.
        """
        self._path = path
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise ArenaError(f"{path} cannot be written: {error.strerror}") from None
        try:
            self._lock()
            self.entries: list[Entry] = self._read(dots)
            """What is in the file."""
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)

    def append(self, entries: Iterable[Entry]) -> None:
        """Add entries, and see them on the disk. Raises ArenaError."""
        added = list(entries)
        self._write("".join(to_row(entry) + "\n" for entry in added))
        self.entries += added

    def _lock(self) -> None:
        if sys.platform == "win32":
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ArenaError(f"{self._path} is being written by another process") from None

    def _read(self, dots: int) -> list[Entry]:
        with os.fdopen(os.dup(self._file), "rb") as file:
            file.seek(0)
            raw = file.read()
        if b"\n" not in raw and HEAD.encode().startswith(raw):
            os.ftruncate(self._file, 0)
            self._write(HEAD + "\n")
            return []
        whole = raw[: raw.rfind(b"\n") + 1]
        found = _parsed(whole, self._path)
        if found and found[0].dots != dots:
            raise BadText(f"{self._path} is an atlas of {found[0].dots} dots, not of {dots}; name another file")
        if len(whole) < len(raw):
            os.ftruncate(self._file, len(whole))
        return found

    def _write(self, text: str) -> None:
        left = text.encode("ascii")
        try:
            while left:
                left = left[os.write(self._file, left) :]
            os.fsync(self._file)
        except OSError as error:
            raise ArenaError(f"{self._path} cannot be written: {error.strerror}") from None


def read(path: Path) -> list[Entry]:
    """Read a finished atlas. Raises BadText for one that is cut short, damaged or something else."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise BadText(f"{path} cannot be read: {error.strerror}") from None
    found = _parsed(raw, path)
    if not found or len(found) < types_of(found[0].dots) or not raw.endswith(b"\n"):
        raise BadText(
            f"{path} is cut short in line {len(raw.splitlines()) + 1}; hinterland atlas --out goes on with it"
        )
    return found


def _parsed(raw: bytes, path: Path) -> list[Entry]:
    """Read whole lines, and whether each is the one that should stand there. Raises BadText."""
    head, *rows = raw.decode("ascii", "replace").split("\n")
    if head != HEAD or not rows:
        raise BadText(f"{path} is no atlas, its first line is not {HEAD}")
    found: list[Entry] = []
    for number, row in enumerate(rows[:-1]):
        where = f"{path}, line {number + 2}"
        entry = from_row(row, where)
        dots = found[0].dots if found else entry.dots
        if not _stands_rightly(entry, number, dots):
            raise BadText(f"{where}: order type {number} of {dots} dots should stand here; the file is damaged")
        found.append(entry)
    return found


def _stands_rightly(entry: Entry, number: int, dots: int) -> bool:
    """Say whether an entry has this number, among those of so many dots, and the order type that goes with it."""
    if (entry.dots, entry.number) != (dots, number) or number >= types_of(dots):
        return False
    return entry.orientations == signs_of(int(codes(dots)[number]), dots)
