"""A new file that appears whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from hinterland.storage.append_file import sync_folder


@contextlib.contextmanager
def new_file(file: Path) -> Iterator[BinaryIO]:
    """Open a temporary file to write to; at the end sync it and give it its name.

    Raises OSError if it cannot be written, or if the name is in use by then.
    """
    partial = file.with_name(f".{file.name}.{secrets.token_hex(4)}.partial")
    try:
        with partial.open("xb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        _rename(partial, file)
    finally:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)


def _rename(partial: Path, file: Path) -> None:
    """Rename a file to a name that is free. Raises OSError."""
    os.close(os.open(file, os.O_CREAT | os.O_EXCL))  # a rename alone would overwrite another file
    try:
        partial.replace(file)
        sync_folder(file.parent)
    except OSError:
        file.unlink()
        raise
