"""An atlas as a Parquet file."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import msgspec

from hinterland.errors import ArenaError, BadText

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hinterland.dots.atlas.atlas_file import Entry

__all__ = ["check", "write"]


def check(out: Path) -> None:
    """Raise now what would keep the file from being written later."""
    _pyarrow()
    if out.exists():
        raise BadText(f"{out} is there already; remove it, or name another file")


def write(out: Path, entries: Sequence[Entry]) -> None:
    """Write the entries, a column a field; points are lists of x and y."""
    arrow, parquet = _pyarrow()
    rows = [msgspec.to_builtins(entry) for entry in entries]
    part = out.with_name(out.name + ".part")
    try:
        parquet.write_table(arrow.Table.from_pylist(rows), part)
        part.replace(out)
    except OSError as error:
        raise ArenaError(f"{out} cannot be written: {error.strerror or error}") from None


def _pyarrow() -> tuple[Any, Any]:
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise ArenaError("a .parquet file needs the package pyarrow, which is not here; name a .csv file") from None
