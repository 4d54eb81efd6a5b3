"""Files of records from which the index reads new lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import msgspec

from hinterland.storage.identities import Identity
from hinterland.storage.index.game_rows import RecordLine
from hinterland.storage.records import LINE_START, MAX_LINE_BYTES

BATCH_BYTES = 1024 * 1024
"""Approximate number of bytes read in one transaction."""


class RecordSource(Protocol):
    """A contest's file of records: its games are listed although they have no journals."""

    name: str
    """Name of the contest; never empty."""
    path: Path

    def stamp(self) -> str:
        """Return a text that changes if another file replaces this one. Raises OSError.

        After such a change the index reads the new file from its beginning.
        """

    def identity(self, name: str) -> Identity | None:
        """Return the identity of a player of the contest, as it was at the last call of ``stamp``."""

    def url_of(self, found: RecordLine) -> str | None:
        """Return the address of a game's page; None for a record that does not count."""


def size_of(path: Path) -> int:
    """Return the number of bytes of a file; 0 if the file is missing."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def read_new_lines(path: Path, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Yield (offset, line) from ``start`` to ``end``, for about ``BATCH_BYTES``, without an incomplete last line."""
    end = min(end, start + BATCH_BYTES)
    with path.open("rb") as file:
        file.seek(start)
        while start < end and (line := file.readline(MAX_LINE_BYTES)).endswith(b"\n"):
            yield start, line
            start += len(line)


class RecordPlace(msgspec.Struct, frozen=True):
    """Place of a record: its file, offset and length."""

    source: str
    """Name of the contest; empty for the arena's own records."""
    at: int
    bytes: int


def read_line_at(path: Path | None, place: RecordPlace) -> bytes | None:
    """Return the record at a place of a file; None if the file is gone or was replaced."""
    try:
        if path is None:
            return None
        with path.open("rb") as file:
            file.seek(place.at)
            line = file.read(place.bytes)
    except OSError:
        return None
    return line if line.startswith(LINE_START) and line.endswith(b"\n") and line.count(b"\n") == 1 else None
