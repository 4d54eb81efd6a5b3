"""The file into which an atlas is written while it is worked out: CSV that only grows, each chunk seen on the disk.

Entries come in order, so the file is the beginning of the finished one at any time; after a kill, work goes on behind
its last whole line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from hinterland.dots.atlas.atlas_file import HEAD, Entry, from_row, to_row, types_of
from hinterland.dots.order_types.canonical import signs_of
from hinterland.dots.order_types.enumeration import codes
from hinterland.errors import BadText

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["AtlasJournal", "GrowingFile", "read"]


class GrowingFile(Protocol):
    """An open file that this process alone writes (``storage.append_file``)."""

    path: Path
    """Where it is."""

    def read(self) -> bytes:
        """Return all that is in it."""

    def append(self, data: bytes) -> None:
        """Add bytes and see them on the disk, all or none."""

    def cut(self, size: int) -> None:
        """Take off what is behind so many bytes."""


class AtlasJournal:
    """An atlas in an open file, to be gone on with."""

    def __init__(self, file: GrowingFile, dots: int) -> None:
        """Read the file, or begin it; what a kill left of a last line is dropped.

        Raises BadText for a file that is something else, damaged, or of another number of dots, and leaves it as it
        is; what the file raises where it cannot be written.
        """
        self._file = file
        self.entries: list[Entry] = self._read(dots)
        """What is in the file."""

    def append(self, entries: Iterable[Entry]) -> None:
        """Add entries, and see them on the disk."""
        added = list(entries)
        self._file.append("".join(to_row(entry) + "\n" for entry in added).encode("ascii"))
        self.entries += added

    def _read(self, dots: int) -> list[Entry]:
        raw = self._file.read()
        if b"\n" not in raw and HEAD.encode().startswith(raw):
            self._file.cut(0)
            self._file.append(f"{HEAD}\n".encode())
            return []
        whole = raw[: raw.rfind(b"\n") + 1]
        found = _parsed(whole, self._file.path)
        if found and found[0].dots != dots:
            raise BadText(f"{self._file.path} is an atlas of {found[0].dots} dots, not of {dots}; name another file")
        if len(whole) < len(raw):
            self._file.cut(len(whole))
        return found


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
