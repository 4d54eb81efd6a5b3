"""Files of rows: what their endings mean, written part by part, and there whole or not at all."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from hinterland.errors import ArenaError, BadText, RecordError
from hinterland.storage.new_file import new_file
from hinterland.storage.tables.columns import Row, columns, package
from hinterland.storage.tables.csv_cells import escape_formula

PART, READ = 10_000, 1000
"""The most rows that are held in memory at a time, to be written and when they are read."""
PART_TEXT = 2**26
"""The most letters of them, so that large boards take no more memory than small ones."""
MAGIC = {b"PAR1": ".parquet", b"ARRO": ".arrow"}
"""How files of columns begin."""


def check_out(file: Path, endings: Iterable[str] = ()) -> None:
    """Raise BadText or ArenaError now for what would keep a table from being written later."""
    known = list(endings or WRITERS)
    if file.suffix.lower() not in known:
        raise BadText(f"{file} should end in one of {', '.join(known)}")
    if file.suffix.lower() in MAGIC.values():
        package("pyarrow", f"a {file.suffix.lower()} file")
    if os.path.lexists(file):
        raise ArenaError(f"{file} is there already; remove it, or name another file")
    if not file.parent.is_dir():
        raise ArenaError(f"{file} cannot be written: there is no folder {file.parent}")


def write_rows(file: Path, rows: Iterable[Row], kind: type) -> None:
    """Write rows, whose fields are those of a kind of struct, to a new file; its ending says how.

    Raises ArenaError where it cannot be written.
    """
    with _written(file) as out:
        WRITERS[file.suffix.lower()](out, rows, kind)


def packed(ending: str, rows: Iterable[Row], kind: type) -> bytes:
    """Return what a file with this ending holds of rows. Raises ArenaError where a package is missing."""
    out = io.BytesIO()
    WRITERS[ending](out, rows, kind)
    return out.getvalue()


def write_lines(file: Path, lines: Iterable[bytes]) -> None:
    """Write lines to a new file. Raises ArenaError where it cannot be written."""
    with _written(file) as out:
        out.writelines(lines)


@contextmanager
def _written(file: Path) -> Iterator[BinaryIO]:
    try:
        with new_file(file) as out:
            yield out
    except OSError as error:
        raise ArenaError(f"{file} cannot be written: {error.strerror or error}") from None


def is_table(file: Path) -> bool:
    """Say by its beginning whether a file holds columns; a pipe does not. Raises OSError."""
    if not file.is_file():
        return False
    with file.open("rb") as opened:
        return opened.read(4) in MAGIC


def read_rows(file: Path, kind: type) -> Iterator[Row]:
    """Yield the rows of a file of columns. Raises RecordError for one that is damaged or of another kind."""
    arrow = package("pyarrow", f"{file}")
    wanted = columns(kind)
    try:
        with file.open("rb") as opened:
            found, parts = _parts(opened, arrow)
            lacking = [name for name in wanted.names if name not in found.names]
            if lacking:
                raise RecordError(f"{file} has no column {lacking[0]!r}: `hinterland export --by game` writes all")
            for part in parts:
                part.validate(full=True)  # what was changed may point anywhere
                yield from part.select(wanted.names).cast(wanted).to_pylist()
    except (OSError, ValueError, KeyError, arrow.ArrowException) as error:
        reason = str(getattr(error, "strerror", None) or error).strip().splitlines()[0]
        raise RecordError(f"{file} cannot be read: {reason}") from None


def _parts(file: BinaryIO, arrow: Any) -> tuple[Any, Iterator[Any]]:
    """Return the schema of an open file and its tables, one after another."""
    magic = file.read(4)
    file.seek(0)
    if MAGIC[magic] == ".parquet":
        parquet = package("pyarrow.parquet", "a .parquet file").ParquetFile(file, page_checksum_verification=True)
        return parquet.schema_arrow, (arrow.Table.from_batches([part]) for part in parquet.iter_batches(READ))
    opened = arrow.ipc.open_file(file)
    parts = (opened.get_batch(number) for number in range(opened.num_record_batches))
    return opened.schema, (arrow.Table.from_batches([part]) for part in parts)


def tables(rows: Iterable[Row], kind: type) -> Iterator[Any]:
    """Yield rows as tables of pyarrow, part by part. Raises RecordError for a number that no column holds."""
    arrow, schema = package("pyarrow", "a table"), columns(kind)
    for part in _in_parts(rows):
        try:
            yield arrow.Table.from_pylist(part, schema)
        except (arrow.ArrowInvalid, OverflowError) as error:
            raise RecordError(f"a number is too large for a column of 64 bits: {error}") from None


def _in_parts(rows: Iterable[Row]) -> Iterator[list[Row]]:
    part: list[Row] = []
    letters = 0
    for row in rows:
        part.append(row)
        letters += sum(len(value) for value in row.values() if type(value) is str)
        if len(part) == PART or letters > PART_TEXT:
            yield part
            part, letters = [], 0
    if part:
        yield part


def _parquet(out: BinaryIO, rows: Iterable[Row], kind: type) -> None:
    parquet = package("pyarrow.parquet", "a .parquet file")
    with parquet.ParquetWriter(out, columns(kind), compression="zstd", write_page_checksum=True) as writer:
        for table in tables(rows, kind):
            writer.write_table(table)


def _arrow(out: BinaryIO, rows: Iterable[Row], kind: type) -> None:
    with package("pyarrow", "an .arrow file").ipc.new_file(out, columns(kind)) as writer:
        for table in tables(rows, kind):
            writer.write_table(table)


def _lines(out: BinaryIO, rows: Iterable[Row], kind: type) -> None:  # noqa: ARG001
    for row in rows:
        out.write(msgspec.json.encode(row) + b"\n")


def _array(out: BinaryIO, rows: Iterable[Row], kind: type) -> None:  # noqa: ARG001
    out.write(b"[\n")
    for number, row in enumerate(rows):
        out.write(b",\n" * (number > 0) + msgspec.json.encode(row))
    out.write(b"\n]\n")


def _csv(out: BinaryIO, rows: Iterable[Row], kind: type) -> None:
    """Write rows under a heading; lists, objects and truths are written as JSON, what is not known is empty."""
    text = io.TextIOWrapper(out, "utf-8", newline="")
    names = [field.encode_name for field in msgspec.structs.fields(kind)]
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _flat(value) for name, value in row.items()})
    text.detach()


def _flat(value: Any) -> Any:
    if isinstance(value, list | tuple | dict | bool):
        return msgspec.json.encode(value).decode()
    return escape_formula(value)


WRITERS: dict[str, Callable[[BinaryIO, Iterable[Row], type], None]] = {
    ".parquet": _parquet,
    ".arrow": _arrow,
    ".csv": _csv,
    ".jsonl": _lines,
    ".json": _array,
}
"""How rows are written, by the ending of the file."""
