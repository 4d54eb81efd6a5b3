"""Files of records: one line of JSON for each finished game, synced before the result is reported.

Only one referee writes a file at a time. ``read`` also reads a table (.parquet, .arrow) that ``export`` has written
with one row for each game.
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
from hinterland.storage.tables import record_rows, table_files

MAX_LINE_BYTES = 16 * 1024 * 1024
LINE_START = b'{"format":"hinterland-record/'
"""Beginning of every line."""
IN_USE = "another referee writes {}; stop it or choose another file"


class RecordSink(Protocol):
    """Destination of a referee's records."""

    path: Path
    """The file that holds the records."""

    def add(self, record: Record) -> None:
        """Add and sync a record. Raises RecordError if the record cannot be written."""


class RecordFile(AppendFile):
    """A file of records, open for appending. Threads may share it.

    Opening the file cuts off an incomplete last line, whose game was never reported.
    """

    def __init__(self, path: Path, *, in_use_message: str = IN_USE) -> None:
        """Open a file. Raises RecordError if the file cannot be written, does not end in a record, or is locked.

        ``in_use_message``: the message if another process writes the file, with {} for the path.
        """
        super().__init__(path, error=RecordError, locked=in_use_message)
        self._adding = Lock()
        self.torn_bytes = 0
        """Number of bytes of the incomplete last line that was cut off; 0 if there was none."""
        try:
            self._mend()
        except BaseException:
            self.close()
            raise

    def add(self, record: Record) -> None:
        """Add and sync a record. Raises RecordError if the record cannot be written."""
        self.add_all([record])

    def add_all(self, records: Iterable[Record]) -> None:
        """Add and sync records, all or none. Raises RecordError if the records cannot be written."""
        with self._adding:
            self.append(b"".join(map(to_line, records)))

    def _mend(self) -> None:
        tail = self.read_torn_tail()
        written = tail.rstrip(b"\0")
        if not (written.startswith(LINE_START) or LINE_START.startswith(written)):
            raise RecordError(f"{self.path} ends in something that is no record; choose another file")
        if tail:
            self.truncate(self.size - len(tail))
            self.torn_bytes = len(tail)


def read(file: Path) -> Iterator[tuple[int, Record]]:
    """Yield (line number, record) of a file, or (row number, record) of a table. Raises RecordError naming the line."""
    number = 0
    try:
        if table_files.is_table(file):
            yield from _read_table(file)
            return
        with file.open("rb") as lines:
            while line := lines.readline(MAX_LINE_BYTES):
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
            yield number, record_rows.record_from_row(row)
        except RecordError as error:
            raise RecordError(f"{file}, row {number}: {error}") from None
    if number == 0:
        raise RecordError(f"{file} holds no record")


def export(files: Iterable[Path], out: Path, by: record_rows.RowKind = "game") -> int:
    """Write the records of files to one new file, whole or not at all; return the number of games.

    ``out`` ends in .parquet, .arrow, .csv or .jsonl. ``by``: whether a row is a game, a move or a seat. Games as .jsonl
    make another file of records. Raises HinterlandError.
    """
    rows_of = record_rows.row_maker(by)
    table_files.check_output(out)
    count = itertools.count()
    sound = (found for found, _ in zip(_read_checked(files), count, strict=False))
    if by == "game" and out.suffix.lower() == ".jsonl":
        table_files.write_lines(out, (to_line(record) for _, record in sound))
    else:
        rows = (row for place, record in sound for row in rows_of(place, record))
        table_files.write_rows(out, rows, record_rows.ROW_TYPES[by])
    return next(count)


def frame(files: Path | str | Iterable[Path | str], by: record_rows.RowKind = "game") -> Any:
    """Return the records of files as a ``polars.DataFrame``, with one row for each game, move or seat.

    The frame's method ``to_pandas`` makes a pandas frame. Raises HinterlandError: RecordError that names a damaged
    line, ArenaError if polars or pyarrow is missing.
    """
    rows_of = record_rows.row_maker(by)
    polars = table_files.import_extra("polars", "a frame")
    named = [files] if isinstance(files, Path | str) else list(files)
    rows = (row for place, record in _read_checked(map(Path, named)) for row in rows_of(place, record))
    kind = record_rows.ROW_TYPES[by]
    return polars.from_arrow(table_files.concat_tables(table_files.make_tables(rows, kind), kind))


def _read_checked(files: Iterable[Path]) -> Iterator[tuple[record_rows.FileLine, Record]]:
    """Yield the place and the record of each game. Raises RecordError for a wrong checksum or length."""
    for file in files:
        for number, record in read(file):
            try:
                check_sums(record)
                record_rows.check_lengths(record)
            except RecordError as error:
                raise RecordError(f"{file}, record {number}: {error}") from None
            yield record_rows.FileLine(str(file), number), record


def salvage(file: Path) -> Iterator[tuple[int, Record | RecordError]]:
    """Yield (line number, record) of each whole record in a damaged file, and an error for each damaged place.

    A record behind an incomplete one on the same line is found, too. Raises RecordError if the file cannot be read.
    """
    with contextlib.suppress(OSError):
        if table_files.is_table(file):
            raise RecordError(f"{file} is a table; salvage the file of records that it was made of")
    return _salvage_lines(file)


def _salvage_lines(file: Path) -> Iterator[tuple[int, Record | RecordError]]:
    try:
        with file.open("rb") as lines:
            number = 0
            while line := lines.readline(MAX_LINE_BYTES):
                number += 1
                for found in _split_records(line):
                    yield number, found
    except OSError as error:
        raise RecordError(f"{file} cannot be read: {error.strerror}") from None


def _split_records(line: bytes) -> Iterator[Record | RecordError]:
    """Yield the record of a line. If the line is damaged, yield an error, then any record that begins later in it."""
    start = 0
    while True:
        try:
            if not line.endswith(b"\n"):
                raise RecordError("cut short: a record ends with a newline")
            yield read_line(line[start:])
        except RecordError as error:
            if (later := line.find(LINE_START, start + 1)) < 0:
                yield error
                return
            yield RecordError(f"{error}; another record begins behind it")
            start = later
        else:
            return
