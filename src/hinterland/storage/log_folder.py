"""A folder of logs, one file for each game, of a bounded size.

The name of a file is that of its game; if a player left the game, the reason follows: ``4.2.1.txt``,
``4.2.1-crash.txt``. Several processes may write into one folder. If the files grow too large together, the oldest logs
of games without a fault go first. Logs help to find faults and prove nothing, so they are not synced to the disk, and
games go on if a log cannot be written.
"""

from __future__ import annotations

import contextlib
import logging
import os
from functools import cache
from pathlib import Path
from typing import NamedTuple

from hinterland.errors import ArenaError

log = logging.getLogger(__name__)

FOLDER = "logs"
"""Name of the folder of logs in the folder of a contest."""
MAX_BYTES = 256 * 1024 * 1024
"""Most bytes of all logs in a folder."""
CHECKED_BYTES = MAX_BYTES // 256
"""Bytes that a process writes between two looks at the size of the folder."""
SLACK_BYTES = MAX_BYTES // 8
"""Room that a look leaves for what all processes write until they look again."""
ENDING = ".txt"
TITLE_MARK = "==="
"""Beginning of a line that holds the title of a part of a log."""
SHOWN_LINES, SHOWN_CHARACTERS = 20, 400
"""Most lines of a part of a log that a page shows, and most characters of a line."""


class LogPart(NamedTuple):
    """A part of a log, as pages show it."""

    title: str
    text: str


class LogFolder:
    """A folder of logs. A method is called by one thread at a time."""

    def __init__(self, path: Path, max_bytes: int = MAX_BYTES) -> None:
        """``max_bytes``: most bytes of all logs."""
        self.path = path
        self._max_bytes = max_bytes
        self._unchecked_bytes = CHECKED_BYTES

    def make(self) -> None:
        """Make the folder if it is missing. Raises ArenaError."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ArenaError(f"{self.path} cannot be a folder of logs: {error.strerror}") from None

    def write(self, game: str, fault: str, text: str) -> None:
        """Write the log of a game, or warn once that it cannot be written.

        ``fault``: why a player left the game; empty if none did.
        """
        data = text.encode("utf-8", "replace")
        path = self.path / log_name(game, fault)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError as error:
            with contextlib.suppress(OSError):
                path.unlink()
            _warn_once(self.path, error.strerror or "")
            return
        self._unchecked_bytes += len(data)
        if self._unchecked_bytes >= CHECKED_BYTES * self._max_bytes // MAX_BYTES:
            self._unchecked_bytes = 0
            self._remove_oldest()

    def _remove_oldest(self) -> None:
        """Remove logs until those that are left are small enough together."""
        with contextlib.suppress(OSError), os.scandir(self.path) as entries:
            found = [(_has_fault(entry.name), entry.stat().st_mtime_ns, entry.stat().st_size, entry.path)
                     for entry in entries if entry.name.endswith(ENDING)]  # fmt: skip
            excess = sum(size for _, _, size, _ in found) - self._max_bytes + SLACK_BYTES * self._max_bytes // MAX_BYTES
            for _, _, size, path in sorted(found):
                if excess <= 0:
                    break
                Path(path).unlink(missing_ok=True)
                excess -= size


def read_log(folder: Path, game: str, fault: str) -> str | None:
    """Return the log of a game, or None if there is none. ``fault``: why a player left the game, or empty."""
    try:
        return (folder / log_name(game, fault)).read_text("utf-8", "replace")
    except OSError:
        return None


def shorten_log(text: str) -> list[LogPart]:
    """Return the last lines of each part of a log that is not empty."""
    parts = text.split(f"\n{TITLE_MARK} ")[1:]
    titled = (part.partition("\n") for part in parts)
    return [LogPart(title, lines) for title, _, body in titled if (lines := _last_lines(body))]


def _last_lines(text: str) -> str:
    """Return the last lines of a text, long lines shortened."""
    lines = text.strip("\n").splitlines()
    kept = [f"{line[:SHOWN_CHARACTERS]} …" if len(line) > SHOWN_CHARACTERS else line for line in lines[-SHOWN_LINES:]]
    return "\n".join((["…"] if len(lines) > SHOWN_LINES else []) + kept)


def log_name(game: str, fault: str) -> str:
    """Return the name of a game's log. ``fault``: why a player left the game; empty if none did."""
    return f"{game}-{fault}{ENDING}" if fault else f"{game}{ENDING}"


@cache
def _warn_once(path: Path, reason: str) -> None:
    log.warning("logs cannot be written to %s: %s; the games go on without them", path, reason)


def _has_fault(name: str) -> bool:
    return name.removesuffix(ENDING)[-1:].isalpha()
