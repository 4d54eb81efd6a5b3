"""Arrow schemas made from the types of structs, so that records are defined in one place."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any

from msgspec import inspect

from hinterland.errors import ArenaError

Row = dict[str, Any]
"""Values by column name."""
ARROW_TYPES: dict[type, str] = {
    inspect.BoolType: "bool_",
    inspect.IntType: "int64",
    inspect.FloatType: "float64",
    inspect.StrType: "string",
}
"""Names of pyarrow's functions for the types of plain values."""


def import_extra(name: str, what: str) -> Any:
    """Import a package of the extra ``data``; ``what`` needs it. Raises ArenaError if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise ArenaError(f"{what} needs {name}, which is not here: pip install 'hinterland[data]'") from None


def make_schema(kind: type) -> Any:
    """Return the ``pyarrow.Schema`` of a struct's type."""
    arrow = import_extra("pyarrow", "a table")
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return arrow.schema([(field.encode_name, _arrow_type(field.type, arrow)) for field in info.fields])


def concat_tables(tables: Iterable[Any], kind: type) -> Any:
    """Concatenate pyarrow tables whose rows are of one struct's type."""
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
