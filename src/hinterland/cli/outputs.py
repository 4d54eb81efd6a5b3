"""What a command writes, wherever it goes: to a terminal of another age, a full disk, or nobody."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress


def prepare() -> None:
    """Let no letter that an output does not know, and nothing about standard error, end a command."""
    _open_what_is_closed()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    if type(sys.stderr) is io.TextIOWrapper and sys.stderr is sys.__stderr__:  # Python keeps it open
        sys.stderr = _Unheeded(
            sys.stderr.buffer, encoding=sys.stderr.encoding, errors="backslashreplace", line_buffering=True
        )


def finish() -> str:
    """Write what is left of standard output. Return in one line why that cannot be; empty where it could."""
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


def _open_what_is_closed() -> None:
    """Leave none of the three closed: what is opened next would take its place, and get what was meant for it."""
    for number, way, mode in ((0, os.O_RDONLY, "r"), (1, os.O_RDONLY, "w"), (2, os.O_WRONLY, "w")):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, way), True)  # descriptor 1 cannot be written, so its writer fails
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, ("stdin", "stdout", "stderr")[number], stream)


class _Unheeded(io.TextIOWrapper):
    """Standard error: that nobody can read it changes nothing about what is done."""

    def write(self, text: str) -> int:
        with suppress(OSError, ValueError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            super().flush()
