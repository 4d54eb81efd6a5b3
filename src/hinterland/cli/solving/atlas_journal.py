"""The file into which an atlas is written while it is worked out: CSV that only grows, each chunk seen on the disk.

Entries come in order, so the file is the beginning of the finished one at any time; after a kill, work goes on behind
its last whole line.
"""

from __future__ import annotations

from pathlib import Path

from hinterland.dots.atlas.atlas_file import HEAD, Entry, from_row, to_row, types_of
from hinterland.dots.order_types.canonical import signs_of
from hinterland.dots.order_types.enumeration import codes
from hinterland.errors import BadText
from hinterland.storage.append_file import AppendFile


class AtlasJournal(AppendFile):
    """An atlas to be gone on with."""

    def __init__(self, path: Path, dots: int) -> None:
        """Open and read a file, or begin it; what a kill left of a last line is dropped.

        Raises BadText for a file that is something else, damaged, or of another number of dots, and leaves it as it
        is; ArenaError where it cannot be written.
        """
        super().__init__(path)
        try:
            self.entries: list[Entry] = self._read(dots)
            """What is in the file."""
        except BaseException:
            self.close()
            raise

    def add(self, entries: list[Entry]) -> None:
        """Add entries, and see them on the disk. Raises ArenaError where it cannot be written."""
        self.append("".join(to_row(entry) + "\n" for entry in entries).encode("ascii"))
        self.entries += entries

    def _read(self, dots: int) -> list[Entry]:
        raw = self.path.read_bytes()
        if b"\n" not in raw and HEAD.encode().startswith(raw):
            self.cut(0)
            self.append(f"{HEAD}\n".encode())
            return []
        whole = raw[: raw.rfind(b"\n") + 1]
        found = _parsed(whole, self.path)
        if found and found[0].dots != dots:
            raise BadText(f"{self.path} is an atlas of {found[0].dots} dots, not of {dots}; name another file")
        if len(whole) < len(raw):
            self.cut(len(whole))
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
