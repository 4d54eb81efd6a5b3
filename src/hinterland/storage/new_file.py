"""A new file that is there whole or not at all."""

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
    """Offer a file to write to, which takes its name when it is whole and on the disk.

    Raises OSError where it cannot be written, or something has the name by then.
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
    """Give a file its name, unless something has it by now. Raises OSError."""
    os.close(os.open(file, os.O_CREAT | os.O_EXCL))  # a rename alone would overwrite
    try:
        partial.replace(file)
        sync_folder(file.parent)
    except OSError:
        file.unlink()
        raise
