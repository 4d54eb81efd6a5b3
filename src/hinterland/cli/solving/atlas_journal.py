"""The file of an atlas that is being solved: CSV, to which entries are appended and flushed to the disk.

Entries are written in order, so the file is always a beginning of the finished file. If the command was killed, its
next run goes on after the last whole line.
"""

from __future__ import annotations

from pathlib import Path

from hinterland.dots.atlas.atlas_file import CSV_HEADER, Entry, count_types, from_row, to_row
from hinterland.dots.order_types.canonical import signs_of
from hinterland.dots.order_types.enumeration import list_codes
from hinterland.errors import BadText
from hinterland.storage.append_file import AppendFile


class AtlasJournal(AppendFile):
    """The file of an unfinished atlas."""

    def __init__(self, path: Path, dots: int) -> None:
        """Open and read a file, or begin a new one. Remove an incomplete last line.

        Raises BadText, and leaves the file unchanged, if the file is damaged, is no atlas, or is an atlas of another
        number of dots. Raises ArenaError if the file cannot be written.
        """
        super().__init__(path)
        try:
            self.entries: list[Entry] = self._read(dots)
            """The entries in the file."""
        except BaseException:
            self.close()
            raise

    def add(self, entries: list[Entry]) -> None:
        """Append entries and flush them to the disk. Raises ArenaError if the entries cannot be written."""
        self.append("".join(to_row(entry) + "\n" for entry in entries).encode("ascii"))
        self.entries += entries

    def _read(self, dots: int) -> list[Entry]:
        raw = self.path.read_bytes()
        if b"\n" not in raw and CSV_HEADER.encode().startswith(raw):
            self.truncate(0)
            self.append(f"{CSV_HEADER}\n".encode())
            return []
        whole = raw[: raw.rfind(b"\n") + 1]
        found = _parse(whole, self.path)
        if found and found[0].dots != dots:
            raise BadText(f"{self.path} is an atlas of {found[0].dots} dots, not of {dots}; name another file")
        if len(whole) < len(raw):
            self.truncate(len(whole))
        return found


def _parse(raw: bytes, path: Path) -> list[Entry]:
    """Read whole lines, and check that each holds the expected order type. Raises BadText."""
    head, *rows = raw.decode("ascii", "replace").split("\n")
    if head != CSV_HEADER or not rows:
        raise BadText(f"{path} is no atlas, its first line is not {CSV_HEADER}")
    found: list[Entry] = []
    for number, row in enumerate(rows[:-1]):
        where = f"{path}, line {number + 2}"
        entry = from_row(row, where)
        dots = found[0].dots if found else entry.dots
        if not _is_expected(entry, number, dots):
            raise BadText(f"{where}: order type {number} of {dots} dots should stand here; the file is damaged")
        found.append(entry)
    return found


def _is_expected(entry: Entry, number: int, dots: int) -> bool:
    """Say whether an entry describes order type ``number`` of ``dots`` dots."""
    if (entry.dots, entry.number) != (dots, number) or number >= count_types(dots):
        return False
    return entry.orientations == signs_of(int(list_codes(dots)[number]), dots)
