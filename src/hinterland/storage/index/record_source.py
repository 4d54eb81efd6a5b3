"""Files of records that the index reads on in, from where reading stopped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import msgspec

from hinterland.storage.identities import Identity
from hinterland.storage.index.game_rows import RecordLine
from hinterland.storage.records import HEAD, LONGEST_LINE

BATCH_BYTES = 1024 * 1024


class RecordSource(Protocol):
    """A file of records whose games are listed although they have no journals: a contest."""

    name: str
    """By which it is known; never empty."""
    path: Path
    """The file."""

    def stamp(self) -> str:
        """Return what tells it from another of this name: where it changes, the file is read anew. Raises OSError."""

    def identity(self, name: str) -> Identity | None:
        """Return who one of its players is, as of the last stamp."""

    def url_of(self, found: RecordLine) -> str | None:
        """Return where a game is shown; None for a record that does not count."""


def size_of(path: Path) -> int:
    """Return how long a file is; 0 where it is not there."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def read_on(path: Path, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Yield (place, line) of about ``BATCH_BYTES`` of a file; a line that is being written is left out."""
    end = min(end, start + BATCH_BYTES)
    with path.open("rb") as file:
        file.seek(start)
        while start < end and (line := file.readline(LONGEST_LINE)).endswith(b"\n"):
            yield start, line
            start += len(line)


class RecordPlace(msgspec.Struct, frozen=True):
    """Where a record lies."""

    source: str
    """The name of the contest; empty for the arena's own records."""
    at: int
    bytes: int


def line_at(path: Path | None, place: RecordPlace) -> bytes | None:
    """Return the record at a place of a file, or None where there is none: the file is gone, or another by now."""
    try:
        if path is None:
            return None
        with path.open("rb") as file:
            file.seek(place.at)
            line = file.read(place.bytes)
    except OSError:
        return None
    return line if line.startswith(HEAD) and line.endswith(b"\n") and line.count(b"\n") == 1 else None
