"""Files of records: a line of JSON a finished game, added by one referee alone, on the disk before a result is told.

Tables that ``export`` makes of them, a row a game, are read like the lines.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

from hinterland.errors import RecordError
from hinterland.referee.record import Record, read_line, to_line
from hinterland.referee.verification import check_sums
from hinterland.storage.append_file import AppendFile
from hinterland.storage.tables import columns, record_rows, table_files

LONGEST_LINE = 16 * 1024 * 1024
HEAD = b'{"format":"hinterland-record/'
"""How every line begins."""
TAKEN = "another referee writes {}; stop it or choose another file"


class RecordSink(Protocol):
    """Where a referee puts records."""

    path: Path
    """Where they can be read."""

    def add(self, record: Record) -> None:
        """Add a record and see it safely on the disk. Raises RecordError where it cannot be written."""


class RecordFile(AppendFile):
    """A file of records that is added to. Threads may share it.

    A last line that a crash cut short is taken off when the file is opened: nobody was told of it.
    """

    def __init__(self, path: Path, *, taken: str = TAKEN) -> None:
        """Open a file. Raises RecordError where it cannot be written, is something else, or another writes it.

        ``taken``: what to say then.
        """
        super().__init__(path, error=RecordError, locked=taken)
        self._adding = Lock()
        self.torn_bytes = 0
        """How much of a line that was cut short was taken off."""
        try:
            self._mend()
        except BaseException:
            self.close()
            raise

    def add(self, record: Record) -> None:
        """Add a record and see it safely on the disk. Raises RecordError where it cannot be written."""
        self.add_all([record])

    def add_all(self, records: Iterable[Record]) -> None:
        """Add records and see them on the disk, all or none. Raises RecordError where they cannot be written."""
        with self._adding:
            self.append(b"".join(map(to_line, records)))

    def _mend(self) -> None:
        torn = self.torn()
        written = torn.rstrip(b"\0")
        if not (written.startswith(HEAD) or HEAD.startswith(written)):
            raise RecordError(f"{self.path} ends in something that is no record; choose another file")
        if torn:
            self.cut(self.size - len(torn))
            self.torn_bytes = len(torn)


def read(file: Path) -> Iterator[tuple[int, Record]]:
    """Yield (line number, record) of a file, or (row number, record) of a table. Raises RecordError that names it."""
    number = 0
    try:
        if table_files.is_table(file):
            yield from _read_table(file)
            return
        with file.open("rb") as lines:
            while line := lines.readline(LONGEST_LINE):
                number += 1
                try:
                    if not line.endswith(b"\n"):
                        raise RecordError("cut short: a record ends with a newline")
                    yield number, read_line(line)
                except RecordError as error:
                    raise RecordError(f"{file}, line {number}: {error}") from None
    except OSError as error:
        raise RecordError(f"{file} cannot be read: {error.strerror}") from None
    if number == 0:
        raise RecordError(f"{file} holds no record")


def _read_table(file: Path) -> Iterator[tuple[int, Record]]:
    number = 0
    for number, row in enumerate(table_files.read_rows(file, record_rows.RecordRow), start=1):
        try:
            yield number, record_rows.record_of(row)
        except RecordError as error:
            raise RecordError(f"{file}, row {number}: {error}") from None
    if number == 0:
        raise RecordError(f"{file} holds no record")


def export(files: Iterable[Path], out: Path, by: record_rows.By = "game") -> int:
    """Write what files hold to a new file, and return how many games that was.

    ``out``: .parquet, .arrow, .csv or .jsonl; games as .jsonl are lines of records, of which others are rows ``by`` a
    game, a move or a seat. It is there whole or not at all. Raises HinterlandError.
    """
    rows_of = record_rows.rows_of(by)
    table_files.check_out(out)
    count = itertools.count()
    sound = (found for found, _ in zip(_sound(files), count, strict=False))
    if by == "game" and out.suffix.lower() == ".jsonl":
        table_files.write_lines(out, (to_line(record) for _, record in sound))
    else:
        rows = (row for place, record in sound for row in rows_of(place, record))
        table_files.write_rows(out, rows, record_rows.KINDS[by])
    return next(count)


def frame(files: Path | str | Iterable[Path | str], by: record_rows.By = "game") -> Any:
    """Return what files hold as a ``polars.DataFrame`` of a row a game, a move or a seat; it has ``to_pandas()``.

    Raises HinterlandError: RecordError that names a damaged line, ArenaError where polars or pyarrow is missing.
    """
    rows_of = record_rows.rows_of(by)
    polars = columns.package("polars", "a frame")
    named = [files] if isinstance(files, Path | str) else list(files)
    rows = (row for place, record in _sound(map(Path, named)) for row in rows_of(place, record))
    return polars.from_arrow(columns.joined(table_files.tables(rows, record_rows.KINDS[by]), record_rows.KINDS[by]))


def _sound(files: Iterable[Path]) -> Iterator[tuple[record_rows.FileLine, Record]]:
    """Yield the records of files and where they stand. Raises RecordError where something was changed."""
    for file in files:
        for number, record in read(file):
            try:
                check_sums(record)
                record_rows.check_lengths(record)
            except RecordError as error:
                raise RecordError(f"{file}, record {number}: {error}") from None
            yield record_rows.FileLine(str(file), number), record


def salvage(file: Path) -> Iterator[tuple[int, Record | RecordError]]:
    """Return (line number, record) of what is whole in a damaged file, and the error of each place that is not.

    A record behind one that was cut short, on the same line, is found. Raises RecordError where nothing can be read.
    """
    with contextlib.suppress(OSError):
        if table_files.is_table(file):
            raise RecordError(f"{file} is a table; salvage the file of records that it was made of")
    return _salvaged(file)


def _salvaged(file: Path) -> Iterator[tuple[int, Record | RecordError]]:
    try:
        with file.open("rb") as lines:
            number = 0
            while line := lines.readline(LONGEST_LINE):
                number += 1
                for found in _whole_parts(line):
                    yield number, found
    except OSError as error:
        raise RecordError(f"{file} cannot be read: {error.strerror}") from None


def _whole_parts(line: bytes) -> Iterator[Record | RecordError]:
    """Yield what a line holds: a record, or an error and the record that begins later in it, if one does."""
    start = 0
    while True:
        try:
            if not line.endswith(b"\n"):
                raise RecordError("cut short: a record ends with a newline")
            yield read_line(line[start:])
        except RecordError as error:
            if (later := line.find(HEAD, start + 1)) < 0:
                yield error
                return
            yield RecordError(f"{error}; another record begins behind it")
            start = later
        else:
            return
