"""What the commands print with: tables on stdout, progress on stderr, and nothing that could steer a terminal."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from hinterland.errors import BadText

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from rich.progress import Progress
    from rich.table import Table

__all__ = ["plain", "print_json", "print_table", "progress", "quitting_at_once", "table", "with_names", "write_text"]

SHOW_CURSOR = "\x1b[?25h"
SEAT = re.compile(r"\bseat (\d{1,3})\b")


def plain(text: str) -> str:
    """Return a text with everything that is not printable shown as an escape."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


@contextmanager
def quitting_at_once() -> Iterator[None]:
    """Let Ctrl-C end the program on the spot while there is nothing to lose: a compiler cannot be interrupted."""

    def quit_now(*_: object) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(SHOW_CURSOR)
        sys.stderr.write("hinterland: interrupted\n")
        sys.stderr.flush()
        os._exit(130)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, quit_now)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def with_names(text: str, names: Sequence[str]) -> str:
    """Return a text of the judge in which seats have the names of those who sit there."""
    return SEAT.sub(lambda found: names[int(found[1])] if int(found[1]) < len(names) else found[0], text)


def table(*columns: str, numbers: bool = True) -> Table:
    """Return a table: the first column is words, the others are numbers unless told otherwise."""
    from rich import box  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(columns):
        right = numbers and place > 0
        made.add_column(column, justify="right" if right else "left", no_wrap=right)
    return made


def print_table(content: Table) -> None:
    """Print a table; where nobody looks at a terminal, as wide as it needs to be."""
    from rich.console import Console  # noqa: PLC0415

    Console(width=None if sys.stdout.isatty() else 200, highlight=False, markup=False).print(content)


def print_json(value: Any) -> None:
    """Print a value as one JSON document."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")


@contextmanager
def progress(*, quiet: bool = False) -> Iterator[Progress]:
    """Show bars on stderr while something goes on; they vanish when it is done, and only a terminal gets them."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    silent = quiet or not sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=silent) as bars:
        yield bars


def write_text(path: Path | None, text: str, mode: Literal["w", "a"] = "w") -> None:
    """Write a file, if there is to be one. Appending nothing before long work tells whether it can be written.

    Raises BadText where it cannot.
    """
    if path is None:
        return
    try:
        with path.open(mode, encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise BadText(f"{path} cannot be written: {error.strerror}") from None
