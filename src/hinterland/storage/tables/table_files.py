"""Files of rows in five formats. A file's ending says which. A new file appears whole or not at all.

Arrow schemas are made from the types of structs, so that rows are defined in one place. A spreadsheet computes text
that begins like a formula, and a formula can open addresses or start programs. Strangers choose names, so such text
gets an apostrophe before it in CSV (OWASP, "CSV Injection").
"""

from __future__ import annotations

import csv
import importlib
import io
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec import inspect

from hinterland.errors import ArenaError, BadText, RecordError
from hinterland.storage.append_file import new_file

Row = dict[str, Any]
"""Values by column name."""
ARROW_TYPES: dict[type, str] = {
    inspect.BoolType: "bool_",
    inspect.IntType: "int64",
    inspect.FloatType: "float64",
    inspect.StrType: "string",
}
"""Names of pyarrow's functions that make the Arrow types of plain values."""
FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")  # the last four are full-width forms of the first four
WRITTEN_ROWS = 10_000
"""Greatest number of rows held in memory while writing."""
READ_ROWS = 1000
"""Greatest number of rows held in memory while reading."""
MAX_PART_LETTERS = 2**26
"""Greatest number of letters held in memory while writing, so that large boards need no more memory than small ones."""
MAGIC = {b"PAR1": ".parquet", b"ARRO": ".arrow"}
"""First bytes of a file, and the format that has them."""


def import_extra(name: str, what: str) -> Any:
    """Import a package of the extra ``data``, which ``what`` needs. Raises ArenaError if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise ArenaError(f"{what} needs {name}, which is not here: pip install 'hinterland[data]'") from None


def make_schema(kind: type) -> Any:
    """Return the ``pyarrow.Schema`` of rows with the fields of a struct type."""
    arrow = import_extra("pyarrow", "a table")
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return arrow.schema([(field.encode_name, _arrow_type(field.type, arrow)) for field in info.fields])


def concat_tables(tables: Iterable[Any], kind: type) -> Any:
    """Concatenate pyarrow tables whose rows have the fields of one struct type."""
    arrow = import_extra("pyarrow", "a table")
    return arrow.concat_tables([make_schema(kind).empty_table(), *tables])


def _arrow_type(kind: Any, arrow: Any) -> Any:
    match kind:
        case inspect.UnionType(types=types):
            return _arrow_type(next(one for one in types if not isinstance(one, inspect.NoneType)), arrow)
        case inspect.VarTupleType(item_type=item):
            return arrow.list_(_arrow_type(item, arrow))
        case inspect.ListType(item_type=item) | inspect.TupleType(item_types=(item, *_)):
            return arrow.list_(_arrow_type(item, arrow))
        case inspect.StructType(fields=fields):
            return arrow.struct([(field.encode_name, _arrow_type(field.type, arrow)) for field in fields])
        case inspect.LiteralType():
            return arrow.string()
    return getattr(arrow, ARROW_TYPES[type(kind)])()


def escape_formula(cell: object) -> object:
    """Put an apostrophe before text that a spreadsheet would compute; return every other cell as it is."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) else cell


def check_output(file: Path, endings: Iterable[str] = ()) -> None:
    """Raise BadText or ArenaError if a table cannot be written to ``file``."""
    known = list(endings or WRITERS)
    if file.suffix.lower() not in known:
        raise BadText(f"{file} should end in one of {', '.join(known)}")
    if file.suffix.lower() in MAGIC.values():
        import_extra("pyarrow", f"a {file.suffix.lower()} file")
    if os.path.lexists(file):
        raise ArenaError(f"{file} is there already; remove it, or name another file")
    if not file.parent.is_dir():
        raise ArenaError(f"{file} cannot be written: there is no folder {file.parent}")


def write_rows(file: Path, rows: Iterable[Row], kind: type) -> None:
    """Write rows to a new file, in the format of its ending. ``kind``: the struct type whose fields the rows have.

    Raises ArenaError if the file cannot be written.
    """
    with _create(file) as out:
        WRITERS[file.suffix.lower()](out, rows, kind)


def encode_rows(ending: str, rows: Iterable[Row], kind: type) -> bytes:
    """Return the bytes of a file of rows with this ending. Raises ArenaError if a package is missing."""
    out = io.BytesIO()
    WRITERS[ending](out, rows, kind)
    return out.getvalue()


def write_lines(file: Path, lines: Iterable[bytes]) -> None:
    """Write lines to a new file. Raises ArenaError if the file cannot be written."""
    with _create(file) as out:
        out.writelines(lines)


@contextmanager
def _create(file: Path) -> Iterator[BinaryIO]:
    try:
        with new_file(file) as out:
            yield out
    except OSError as error:
        raise ArenaError(f"{file} cannot be written: {error.strerror or error}") from None


def is_table(file: Path) -> bool:
    """Say whether a file is a regular file that begins like Parquet or Arrow. Raises OSError."""
    if not file.is_file():
        return False
    with file.open("rb") as opened:
        return opened.read(4) in MAGIC


def read_rows(file: Path, kind: type) -> Iterator[Row]:
    """Yield the rows of a Parquet or Arrow file. Raises RecordError if the file is damaged or lacks a column."""
    arrow = import_extra("pyarrow", f"{file}")
    wanted = make_schema(kind)
    try:
        with file.open("rb") as opened:
            found, parts = _open_columns(opened, arrow)
            lacking = [name for name in wanted.names if name not in found.names]
            if lacking:
                raise RecordError(f"{file} has no column {lacking[0]!r}: `hinterland export --by game` writes all")
            for part in parts:
                part.validate(full=True)  # a damaged file may point to memory outside its buffers
                yield from part.select(wanted.names).cast(wanted).to_pylist()
    except (OSError, ValueError, KeyError, arrow.ArrowException) as error:
        reason = str(getattr(error, "strerror", None) or error).strip().splitlines()[0]
        raise RecordError(f"{file} cannot be read: {reason}") from None


def _open_columns(file: BinaryIO, arrow: Any) -> tuple[Any, Iterator[Any]]:
    """Return the schema of an open file, and an iterator over its tables, each a part of the rows."""
    magic = file.read(4)
    file.seek(0)
    if MAGIC[magic] == ".parquet":
        parquet = import_extra("pyarrow.parquet", "a .parquet file").ParquetFile(file, page_checksum_verification=True)
        return parquet.schema_arrow, (arrow.Table.from_batches([part]) for part in parquet.iter_batches(READ_ROWS))
    opened = arrow.ipc.open_file(file)
    parts = (opened.get_batch(number) for number in range(opened.num_record_batches))
    return opened.schema, (arrow.Table.from_batches([part]) for part in parts)


def make_tables(rows: Iterable[Row], kind: type) -> Iterator[Any]:
    """Yield rows as pyarrow tables, part by part. Raises RecordError for a number of more than 64 bits."""
    arrow, schema = import_extra("pyarrow", "a table"), make_schema(kind)
    for part in _split_rows(rows):
        try:
            yield arrow.Table.from_pylist(part, schema)
        except (arrow.ArrowInvalid, OverflowError) as error:
            raise RecordError(f"a number is too large for a column of 64 bits: {error}") from None


def _split_rows(rows: Iterable[Row]) -> Iterator[list[Row]]:
    part: list[Row] = []
    letters = 0
    for row in rows:
        part.append(row)
        letters += sum(len(value) for value in row.values() if type(value) is str)
        if len(part) == WRITTEN_ROWS or letters > MAX_PART_LETTERS:
            yield part
            part, letters = [], 0
    if part:
        yield part


def _write_parquet(out: BinaryIO, rows: Iterable[Row], kind: type) -> None:
    parquet = import_extra("pyarrow.parquet", "a .parquet file")
    with parquet.ParquetWriter(out, make_schema(kind), compression="zstd", write_page_checksum=True) as writer:
        for table in make_tables(rows, kind):
            writer.write_table(table)


def _write_arrow(out: BinaryIO, rows: Iterable[Row], kind: type) -> None:
    with import_extra("pyarrow", "an .arrow file").ipc.new_file(out, make_schema(kind)) as writer:
        for table in make_tables(rows, kind):
            writer.write_table(table)


def _write_jsonl(out: BinaryIO, rows: Iterable[Row], kind: type) -> None:  # noqa: ARG001
    for row in rows:
        out.write(msgspec.json.encode(row) + b"\n")


def _write_json(out: BinaryIO, rows: Iterable[Row], kind: type) -> None:  # noqa: ARG001
    out.write(b"[\n")
    for number, row in enumerate(rows):
        out.write(b",\n" * (number > 0) + msgspec.json.encode(row))
    out.write(b"\n]\n")


def _write_csv(out: BinaryIO, rows: Iterable[Row], kind: type) -> None:
    """Write a header and rows; lists, objects and booleans are written as JSON, None as an empty cell."""
    text = io.TextIOWrapper(out, "utf-8", newline="")
    names = [field.encode_name for field in msgspec.structs.fields(kind)]
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _csv_cell(value) for name, value in row.items()})
    text.detach()


def _csv_cell(value: Any) -> Any:
    if isinstance(value, list | tuple | dict | bool):
        return msgspec.json.encode(value).decode()
    return escape_formula(value)


WRITERS: dict[str, Callable[[BinaryIO, Iterable[Row], type], None]] = {
    ".parquet": _write_parquet,
    ".arrow": _write_arrow,
    ".csv": _write_csv,
    ".jsonl": _write_jsonl,
    ".json": _write_json,
}
"""Writers, by the ending of the file."""
