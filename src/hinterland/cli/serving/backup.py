"""``hinterland backup`` and ``restore``: save an arena's folder in one file, and restore it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hinterland.cli.console import plain

if TYPE_CHECKING:
    from hinterland.storage.backup import Contents


def backup(data: Path, file: Path, /) -> int:
    """Save the games and records of an arena, which may be running, in one compressed file.

    Parameters
    ----------
    data
        The arena's folder, as in `hinterland serve --data`.
    file
        The new file, such as arena.tar.gz; an existing file is never overwritten.
    """
    from hinterland.storage.backup import back_up  # noqa: PLC0415

    _say(f"{data} is backed up in {file}", back_up(data, file))
    return 0


def restore(file: Path, data: Path, /) -> int:
    """Restore an arena's folder from a backup, if every file in it is sound.

    Parameters
    ----------
    file
        A file made by `hinterland backup`.
    data
        A folder that is empty or does not exist.
    """
    from hinterland.storage.backup import restore  # noqa: PLC0415

    _say(f"{file} is restored in {data}", restore(file, data))
    return 0


def _say(what: str, contents: Contents) -> None:
    games = "1 game" if contents.games == 1 else f"{contents.games} games"
    matches = "1 match that goes on" if contents.matches == 1 else f"{contents.matches} matches that go on"
    sys.stdout.write(f"{plain(what)}: {games}, {matches}, {contents.records_bytes:,} bytes of records\n")
