"""Makes output robust against an old encoding of the terminal, a full disk, and a reader that is gone."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress


def prepare() -> None:
    """Prepare the standard streams, so that no unknown character and no broken stderr ends a command."""
    _open_closed_streams()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    if type(sys.stderr) is io.TextIOWrapper and sys.stderr is sys.__stderr__:  # Python keeps it open
        sys.stderr = _IgnoringStream(
            sys.stderr.buffer, encoding=sys.stderr.encoding, errors="backslashreplace", line_buffering=True
        )


def finish() -> str:
    """Flush standard output. Return "", or if that fails the reason in one line."""
    try:
        sys.stdout.flush()
    except OSError as error:  # a reader that stops has read enough
        was_read = isinstance(error, BrokenPipeError)
        fault = "" if was_read else f"standard output cannot be written: {error.strerror}"
    else:
        return ""
    with suppress(OSError):  # Python must not try again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return fault


def _open_closed_streams() -> None:
    """Open closed standard streams: else the next opened file would get the descriptor of one, and its output."""
    for number, way, mode in ((0, os.O_RDONLY, "r"), (1, os.O_RDONLY, "w"), (2, os.O_WRONLY, "w")):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, way), True)  # descriptor 1 cannot be written, so its writer fails
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, ("stdin", "stdout", "stderr")[number], stream)


class _IgnoringStream(io.TextIOWrapper):
    """Standard error that ignores errors in writing."""

    def write(self, text: str) -> int:
        with suppress(OSError, ValueError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            super().flush()
