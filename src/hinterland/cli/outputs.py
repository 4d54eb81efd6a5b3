"""Lets commands survive output that fails: a terminal with an old encoding, a full disk, a reader that is gone."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress


def prepare() -> None:
    """Prepare the standard streams, so that unencodable characters or a broken stderr end no command."""
    _open_closed_streams()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    if type(sys.stderr) is io.TextIOWrapper and sys.stderr is sys.__stderr__:  # Python keeps it open
        sys.stderr = _IgnoringStream(
            sys.stderr.buffer, encoding=sys.stderr.encoding, errors="backslashreplace", line_buffering=True
        )


def finish() -> str:
    """Flush standard output. Return "" on success, else the reason of the failure in one line."""
    try:
        sys.stdout.flush()
    except OSError as error:  # a broken pipe is no fault: its reader has read enough
        was_read = isinstance(error, BrokenPipeError)
        fault = "" if was_read else f"standard output cannot be written: {error.strerror}"
    else:
        return ""
    with suppress(OSError):  # Python must not try again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return fault


def _open_closed_streams() -> None:
    """Open closed standard streams; a file opened later would otherwise get their descriptors, and their output."""
    for number, way, mode in ((0, os.O_RDONLY, "r"), (1, os.O_RDONLY, "w"), (2, os.O_WRONLY, "w")):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, way), True)  # descriptor 1 too: writing to it must fail
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, ("stdin", "stdout", "stderr")[number], stream)


class _IgnoringStream(io.TextIOWrapper):
    """A standard error stream that ignores errors while writing."""

    def write(self, text: str) -> int:
        with suppress(OSError, ValueError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            super().flush()
