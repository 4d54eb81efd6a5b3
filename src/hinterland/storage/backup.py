"""Backups of an arena's folder, made while the arena runs: one compressed tar of whole lines.

A game ends in three steps, each synced before the next: ``ended`` in its journal, the record in the file of records,
``recorded`` in its journal. All these files only grow, so a size says what a file held at a moment. Sizes are taken in
such an order that every copy is a folder that a crash could have left, which ``Archive`` repairs when the arena starts:

1. Sizes of the journals of games.
2. Size of the file of records. A journal that said ``recorded`` in step 1 has its record within this size.
3. Journals of matches: first those that go on, then those that are over.
4. Sizes of the journals of games again; these are copied. So every record in the copy has its game's ``ended`` (else
   the game would go on and be recorded twice), and no match names a missing game.

A journal that reached ``recorded`` after step 1 may have its record behind the size of step 2. Its copy leaves out that
line, so that ``Archive`` looks for the record. A game of a match that the match does not name yet is left out, since
the match will begin it anew.
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
from hinterland.storage.append_file import BLOCK_BYTES
from hinterland.storage.archive import is_id
from hinterland.storage.new_file import new_file

RECORDED_LINE = msgspec.json.encode(game_journal.Recorded()) + b"\n"
RECORDS_FILE = "records.jsonl"
"""The last file of a backup; a backup without it is incomplete."""


class Contents(msgspec.Struct):
    """Number of games and matches in a backup, and bytes of its records."""

    games: int = 0
    matches: int = 0
    records_bytes: int = 0


def back_up(data: Path, file: Path) -> Contents:
    """Copy an arena's folder into a new file, whole or not at all. Raises ArenaError."""
    if not (data / "games").is_dir():
        raise ArenaError(f"{data} is no data folder of an arena: there is no games/ in it")
    if os.path.lexists(file):
        raise ArenaError(f"{file} is there already; name a new file for the backup")
    try:
        with new_file(file) as out, tarfile.open(fileobj=out, mode="w:gz", compresslevel=6) as tar:
            contents = _copy_files(tar, data)
    except OSError as error:
        raise ArenaError(f"{data} cannot be backed up in {file}: {error.strerror or error}") from None
    return contents


def _copy_files(tar: tarfile.TarFile, data: Path) -> Contents:
    """Copy the files in the order that the module's docstring explains. Raises OSError."""
    before = journal_sizes(data / "games")
    with _open_records(data / RECORDS_FILE) as records:
        end = whole_size(records)
        matches = _read_matches(data / "matches")
        now = journal_sizes(data / "games")
        contents = Contents(records_bytes=end)
        for path, lines in matches.items():
            _add_file(tar, f"matches/{path.name}", path, lines)
            contents.matches += 1
        for path, size in journal_sizes(data / "over").items():
            _add_file(tar, f"over/{path.name}", path, _read_lines(path, size))
        for path, lines in _read_games(before, now, matches):
            _add_file(tar, f"games/{path.name}", path, lines)
            contents.games += 1
        records.seek(0)
        info = tarfile.TarInfo(RECORDS_FILE)
        info.size = end
        tar.addfile(info, records)
    return contents


def journal_sizes(folder: Path) -> dict[Path, int]:
    """Return the bytes of each journal in a folder."""
    found = {}
    for path in folder.glob("*.jsonl"):
        with contextlib.suppress(FileNotFoundError):  # a game that the disk refused, or a match that has just ended
            if is_id(path.stem):
                found[path] = path.stat().st_size
    return found


def whole_size(file: BinaryIO) -> int:
    """Return the bytes of a file up to and with its last line end."""
    start = file.seek(0, os.SEEK_END)
    while start:
        step = min(start, BLOCK_BYTES)
        file.seek(start - step)
        if (last := file.read(step).rfind(b"\n")) >= 0:
            return start - step + last + 1
        start -= step
    return 0


def _open_records(records: Path) -> BinaryIO:
    try:
        return records.open("rb")
    except FileNotFoundError:
        return io.BytesIO()


def _read_matches(folder: Path) -> dict[Path, bytes]:
    """Return the whole lines of each match journal, by path."""
    found = {}
    for path, size in journal_sizes(folder).items():
        with contextlib.suppress(FileNotFoundError):
            if lines := _read_lines(path, size):
                found[path] = lines
    return found


def _read_games(
    before: Mapping[Path, int], now: Mapping[Path, int], matches: Mapping[Path, bytes]
) -> Iterator[tuple[Path, bytes]]:
    """Yield the lines to copy of each game journal."""
    named: dict[str | None, tuple[str, ...]] = {path.stem: _game_ids(lines) for path, lines in matches.items()}
    for path, size in now.items():
        lines = _read_lines(path, size)
        if size != before.get(path):
            lines = lines.removesuffix(RECORDED_LINE)
        if lines and path.stem in named.get(_match_of(lines), (path.stem,)):
            yield path, lines


def _game_ids(match: bytes) -> tuple[str, ...]:
    try:
        return match_journal.restore_match(match.splitlines()).games
    except HinterlandError:  # no server can load it
        return ()


def _match_of(game: bytes) -> str | None:
    """Return the id of a game's match, or None."""
    try:
        return game_journal.read_setup(game[: game.index(b"\n")]).table
    except HinterlandError:
        return None


def _read_lines(path: Path, size: int) -> bytes:
    """Return the whole lines among the first ``size`` bytes of a file."""
    with path.open("rb") as file:
        data = file.read(size)
    return data[: data.rfind(b"\n") + 1]


def _add_file(tar: tarfile.TarFile, name: str, path: Path, lines: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size = len(lines)
    with contextlib.suppress(FileNotFoundError):
        info.mtime = path.stat().st_mtime_ns / 1e9  # lists of games are sorted by it
    tar.addfile(info, io.BytesIO(lines))
