"""The Arrow columns of rows, read off the types of their fields: what a record is stands in one place."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any

from msgspec import inspect

from hinterland.errors import ArenaError

Row = dict[str, Any]
"""Values by the names of their columns."""
SCALARS: dict[type, str] = {
    inspect.BoolType: "bool_",
    inspect.IntType: "int64",
    inspect.FloatType: "float64",
    inspect.StrType: "string",
}
"""Columns of plain values."""


def package(name: str, what: str) -> Any:
    """Return a package of the extra ``data``. Raises ArenaError where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise ArenaError(f"{what} needs {name}, which is not here: pip install 'hinterland[data]'") from None


def columns(kind: type) -> Any:
    """Return the ``pyarrow.Schema`` of rows of a kind of struct."""
    arrow = package("pyarrow", "a table")
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return arrow.schema([(field.encode_name, _column(field.type, arrow)) for field in info.fields])


def joined(tables: Iterable[Any], kind: type) -> Any:
    """Return tables of pyarrow, all of rows of a kind of struct, as one."""
    arrow = package("pyarrow", "a table")
    return arrow.concat_tables([columns(kind).empty_table(), *tables])


def _column(kind: Any, arrow: Any) -> Any:
    match kind:
        case inspect.UnionType(types=types):
            return _column(next(one for one in types if not isinstance(one, inspect.NoneType)), arrow)
        case inspect.VarTupleType(item_type=item):
            return arrow.list_(_column(item, arrow))
        case inspect.ListType(item_type=item) | inspect.TupleType(item_types=(item, *_)):
            return arrow.list_(_column(item, arrow))
        case inspect.StructType(fields=fields):
            return arrow.struct([(field.encode_name, _column(field.type, arrow)) for field in fields])
        case inspect.LiteralType():
            return arrow.string()
    return getattr(arrow, SCALARS[type(kind)])()
