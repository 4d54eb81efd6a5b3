"""Files of rows: what their endings mean, written part by part, and there whole or not at all."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from hinterland.errors import ArenaError, BadText, RecordError
from hinterland.storage.new_file import new_file
from hinterland.storage.tables.columns import columns, package
from hinterland.storage.tables.record_rows import Row

PART = 10_000
"""How many rows are held in memory at a time."""
MAGIC = {b"PAR1": ".parquet", b"ARRO": ".arrow"}
"""How files of columns begin."""


def check_out(file: Path, endings: Iterable[str] = ()) -> None:
    """Raise BadText or ArenaError now for what would keep a table from being written later."""
    known = list(endings or WRITERS)
    if file.suffix.lower() not in known:
        raise BadText(f"{file} should end in one of {', '.join(known)}")
    if file.suffix.lower() in MAGIC.values():
        package("pyarrow", f"a {file.suffix.lower()} file")
    if file.exists():
        raise ArenaError(f"{file} is there already; remove it, or name another file")
    if not file.parent.is_dir():
        raise ArenaError(f"{file} cannot be written: there is no folder {file.parent}")


def write_rows(file: Path, rows: Iterable[Row], kind: type) -> None:
    """Write rows, whose fields are those of a kind of struct, to a new file; its ending says how.

    Raises ArenaError where it cannot be written.
    """
    with _written(file) as out:
        WRITERS[file.suffix.lower()](out, rows, kind)


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
                yield from part.select(wanted.names).cast(wanted).to_pylist()
    except (OSError, arrow.ArrowException) as error:
        reason = str(getattr(error, "strerror", None) or error).strip().splitlines()[0]
        raise RecordError(f"{file} cannot be read: {reason}") from None


def _parts(file: BinaryIO, arrow: Any) -> tuple[Any, Iterator[Any]]:
    """Return the schema of an open file and its tables, one after another."""
    magic = file.read(4)
    file.seek(0)
    if MAGIC[magic] == ".parquet":
        parquet = package("pyarrow.parquet", "a .parquet file").ParquetFile(file, page_checksum_verification=True)
        return parquet.schema_arrow, (arrow.Table.from_batches([part]) for part in parquet.iter_batches(PART))
    opened = arrow.ipc.open_file(file)
    parts = (opened.get_batch(number) for number in range(opened.num_record_batches))
    return opened.schema, (arrow.Table.from_batches([part]) for part in parts)


def tables(rows: Iterable[Row], kind: type) -> Iterator[Any]:
    """Yield rows as tables of pyarrow, part by part. Raises RecordError for a number that no column holds."""
    arrow, schema = package("pyarrow", "a table"), columns(kind)
    waiting = iter(rows)
    while part := list(islice(waiting, PART)):
        try:
            yield arrow.Table.from_pylist(part, schema)
        except (arrow.ArrowInvalid, OverflowError) as error:
            raise RecordError(f"a number is too large for a column of 64 bits: {error}") from None


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


def _csv(out: BinaryIO, rows: Iterable[Row], kind: type) -> None:
    names = [field.encode_name for field in msgspec.structs.fields(kind)]
    text = io.TextIOWrapper(out, "utf-8", newline="")
    write_csv(text, names, rows)
    text.detach()


def write_csv(text: io.TextIOBase, names: list[str], rows: Iterable[Row]) -> None:
    """Write rows under a heading; lists and objects are written as JSON, what is not known is empty."""
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _flat(value) for name, value in row.items()})


def _flat(value: Any) -> Any:
    return msgspec.json.encode(value).decode() if isinstance(value, list | tuple | dict) else value


WRITERS: dict[str, Callable[[BinaryIO, Iterable[Row], type], None]] = {
    ".parquet": _parquet,
    ".arrow": _arrow,
    ".csv": _csv,
    ".jsonl": _lines,
}
"""How rows are written, by the ending of the file."""
