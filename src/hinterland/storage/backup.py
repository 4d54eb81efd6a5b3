"""Copies of an arena's folder, taken while the arena runs: one compressed tar of whole lines.

A game ends in three steps, each on the disk before the next: ``ended`` in its journal, the record in the file of
records, ``recorded`` in its journal. All these files only grow, so that a size tells what a file held at a moment. The
sizes are taken in an order in which every copy is a folder that a crash could have left behind, which is mended when
the arena starts (``Archive``):

1. of the journals of games, and 2. of the file of records: a journal that says ``recorded`` by then has its record;
3. of the journals of matches, those that go on before those that are over;
4. of the journals of games once more, which are what is copied: no record is there without its game's ``ended``, or the
   game would go on and be recorded twice; and no match names a game that is missing.

A journal that has come to ``recorded`` after 1 may have its record behind the size taken in 2. That line is left out
of its copy: the game is then one that ended and whose record may be there, which is looked at when the arena starts. A
game of a match that its match does not name yet is left out, since the match will begin it anew.
"""

from __future__ import annotations

import contextlib
import io
import os
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

import msgspec

from hinterland.errors import ArenaError, HinterlandError
from hinterland.storage import game_journal, match_journal
from hinterland.storage.append_file import BLOCK
from hinterland.storage.archive import is_id
from hinterland.storage.new_file import new_file

RECORDED = msgspec.json.encode(game_journal.Recorded()) + b"\n"
RECORDS = "records.jsonl"
"""The last file of a backup: where it is there, the backup is whole."""


class Contents(msgspec.Struct):
    """What a backup holds."""

    games: int = 0
    matches: int = 0
    records_bytes: int = 0


def back_up(data: Path, file: Path) -> Contents:
    """Copy an arena's folder into a new file, which is there whole or not at all. Raises ArenaError."""
    if not (data / "games").is_dir():
        raise ArenaError(f"{data} is no data folder of an arena: there is no games/ in it")
    if os.path.lexists(file):
        raise ArenaError(f"{file} is there already; name a new file for the backup")
    try:
        with new_file(file) as out, tarfile.open(fileobj=out, mode="w:gz", compresslevel=6) as tar:
            contents = _fill(tar, data)
    except OSError as error:
        raise ArenaError(f"{data} cannot be backed up in {file}: {error.strerror or error}") from None
    return contents


def _fill(tar: tarfile.TarFile, data: Path) -> Contents:
    """Copy the files; the order in which sizes are taken is that of the text above. Raises OSError."""
    before = sizes(data / "games")
    with _opened(data / RECORDS) as records:
        end = whole_size(records)
        matches = _matches(data / "matches")
        now = sizes(data / "games")
        contents = Contents(records_bytes=end)
        for path, lines in matches.items():
            _add(tar, f"matches/{path.name}", path, lines)
            contents.matches += 1
        for path, size in sizes(data / "over").items():
            _add(tar, f"over/{path.name}", path, _read(path, size))
        for path, lines in _games(before, now, matches):
            _add(tar, f"games/{path.name}", path, lines)
            contents.games += 1
        records.seek(0)
        info = tarfile.TarInfo(RECORDS)
        info.size = end
        tar.addfile(info, records)
    return contents


def sizes(folder: Path) -> dict[Path, int]:
    """Return how many bytes each journal of a folder has now."""
    found = {}
    for path in folder.glob("*.jsonl"):
        with contextlib.suppress(FileNotFoundError):  # a game that the disk refused, a match that is over
            if is_id(path.stem):
                found[path] = path.stat().st_size
    return found


def whole_size(file: BinaryIO) -> int:
    """Return how many bytes a file has up to its last line end."""
    start = file.seek(0, os.SEEK_END)
    while start:
        step = min(start, BLOCK)
        file.seek(start - step)
        if (last := file.read(step).rfind(b"\n")) >= 0:
            return start - step + last + 1
        start -= step
    return 0


def _opened(records: Path) -> BinaryIO:
    try:
        return records.open("rb")
    except FileNotFoundError:
        return io.BytesIO()


def _matches(folder: Path) -> dict[Path, bytes]:
    """Return the journals of matches that go on."""
    found = {}
    for path, size in sizes(folder).items():
        with contextlib.suppress(FileNotFoundError):
            if lines := _read(path, size):
                found[path] = lines
    return found


def _games(
    before: Mapping[Path, int], now: Mapping[Path, int], matches: Mapping[Path, bytes]
) -> Iterator[tuple[Path, bytes]]:
    """Yield the journals of games as they are to be copied."""
    named: dict[str | None, tuple[str, ...]] = {path.stem: _games_of(lines) for path, lines in matches.items()}
    for path, size in now.items():
        lines = _read(path, size)
        if size != before.get(path):
            lines = lines.removesuffix(RECORDED)
        if lines and path.stem in named.get(_table(lines), (path.stem,)):
            yield path, lines


def _games_of(match: bytes) -> tuple[str, ...]:
    try:
        return match_journal.restore(match.splitlines()).games
    except HinterlandError:  # no server goes on with it
        return ()


def _table(game: bytes) -> str | None:
    """Return the table at which a game is played, if it is at one."""
    try:
        return game_journal.read_setup(game[: game.index(b"\n")]).table
    except HinterlandError:
        return None


def _read(path: Path, size: int) -> bytes:
    """Return the whole lines among the first bytes of a file."""
    with path.open("rb") as file:
        data = file.read(size)
    return data[: data.rfind(b"\n") + 1]


def _add(tar: tarfile.TarFile, name: str, path: Path, lines: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size = len(lines)
    with contextlib.suppress(FileNotFoundError):
        info.mtime = path.stat().st_mtime_ns / 1e9  # games are listed by it
    tar.addfile(info, io.BytesIO(lines))
