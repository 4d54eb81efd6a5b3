"""Backups of an arena's folder, made while the arena runs: one compressed tar of whole lines.

``restore`` checks every file name and every line of a backup, and unpacks it into an empty folder.

A game ends in three steps, each synced before the next: ``ended`` in its journal, the record in the file of records,
``recorded`` in its journal. All these files only grow, so a file's first bytes, up to a size taken earlier, are what it
held then. The backup reads in this order, so that the copy is a folder as a crash could leave it, which ``Archive``
repairs when the arena starts:

1. Sizes of the journals of games.
2. Size of the file of records. If a journal said ``recorded`` in step 1, its game's record lies within this size.
3. Journals of the matches that are not over.
4. Names of the matches that are over. A match that was found in step 3 and has ended since is copied as it was then.
5. Sizes of the journals of games again; games are copied up to these sizes. So for every record in the copy, the game's
   journal says ``ended`` (otherwise the game would go on and be recorded twice), and no match names a missing game.

If ``recorded`` was written to a journal after step 1, the record may lie behind the size of step 2. The copy of such a
journal leaves out ``recorded``, so that ``Archive`` looks for the record. A game is left out if the copy of its match
does not name it: the restored match will begin this game anew.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import re
import shutil
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO

import msgspec

from hinterland.errors import ArenaError, BadText, HinterlandError, RecordError, quote
from hinterland.storage import records
from hinterland.storage.append_file import BLOCK_BYTES, lock_folder, new_file, sync_folder
from hinterland.storage.archive import STAGING_FOLDER, is_id
from hinterland.storage.journal import GAME_LINES, Recorded, read_lines, read_setup, restore_match

RECORDED_LINE = msgspec.json.encode(Recorded()) + b"\n"
RECORDS_FILE = "records.jsonl"
"""The last file of a backup; a backup without it is incomplete."""
MEMBER_NAME = re.compile(r"(games|matches|over)/[A-Za-z0-9_-]{16}\.jsonl|records\.jsonl")
MAX_MTIME_S = 2**40
"""Latest file time accepted, in seconds since 1970: 34,000 years from now. Some systems refuse later times."""
JOURNAL_FOLDERS = ("games", "matches", "over")
IN_USE = "another process is using {}; name a folder that is empty or not there"


class Contents(msgspec.Struct):
    """Numbers of games and matches in a backup, and the size of its records in bytes."""

    games: int = 0
    matches: int = 0
    records_bytes: int = 0


def back_up(data: Path, file: Path) -> Contents:
    """Copy an arena's folder into a new file, which appears whole or not at all. Raises ArenaError."""
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
        over = journal_sizes(data / "over")
        now = journal_sizes(data / "games")
        contents = Contents(records_bytes=end)
        for path, lines in matches.items():
            _add_file(tar, f"matches/{path.name}", path, lines)
            contents.matches += 1
        for path, size in over.items():
            if data / "matches" / path.name not in matches:
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
    """Return the size of each journal in a folder, in bytes, by path."""
    found = {}
    for path in folder.glob("*.jsonl"):
        with contextlib.suppress(FileNotFoundError):  # the file has been moved or deleted since the folder was listed
            if is_id(path.stem):
                found[path] = path.stat().st_size
    return found


def whole_size(file: BinaryIO) -> int:
    """Return the number of bytes of a file up to its last line end, which is included."""
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
    """Yield the path of each game's journal, and the lines of it to copy.

    ``before``, ``now``: sizes of steps 1 and 5; ``matches``: the lines of step 3.
    """
    named: dict[str | None, tuple[str, ...]] = {path.stem: _game_ids(lines) for path, lines in matches.items()}
    for path, size in now.items():
        lines = _read_lines(path, size)
        if size != before.get(path):
            lines = lines.removesuffix(RECORDED_LINE)
        if lines and path.stem in named.get(_match_of(lines), (path.stem,)):
            yield path, lines


def _game_ids(match: bytes) -> tuple[str, ...]:
    try:
        return restore_match(match.splitlines()).games
    except HinterlandError:  # no server can load it
        return ()


def _match_of(game: bytes) -> str | None:
    """Return the id of a game's match; None if the game belongs to no match."""
    try:
        return read_setup(game[: game.index(b"\n")]).table
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
        info.mtime = path.stat().st_mtime_ns / 1e9  # lists of games are sorted by this time
    tar.addfile(info, io.BytesIO(lines))


def restore(file: Path, data: Path) -> Contents:
    """Unpack a backup into an empty or new folder.

    Raises BadText if the file is no backup of an arena, RecordError if a file in it does not parse, ArenaError if the
    folder is in use or cannot be written. After an error the folder is as it was before.
    """
    with _empty_folder(data):
        stage = data / STAGING_FOLDER
        try:
            with _open_backup(file) as tar:
                _unpack(tar, stage, file)
            contents = _check_files(stage, file)
            _put_in_place(stage, data)
        finally:
            shutil.rmtree(stage, ignore_errors=True)
    return contents


def _put_in_place(stage: Path, data: Path) -> None:
    """Move all files from ``stage`` to ``data``, or none. Raises OSError."""
    moved: list[Path] = []
    try:
        for path in sorted(stage.iterdir()):
            moved.append(data / path.name)
            path.rename(moved[-1])
        for folder in (data, data.parent):  # ``data`` may be a new entry of its parent
            sync_folder(folder)
    except OSError:
        for path in moved:
            with contextlib.suppress(OSError):
                path.rename(stage / path.name)
        raise


@contextmanager
def _empty_folder(data: Path) -> Iterator[None]:
    """Lock a folder that is empty or not there; remove it afterwards if it is new and still empty."""
    is_new = not data.exists()
    try:
        data.mkdir(parents=True, exist_ok=True)
        lock = lock_folder(data, IN_USE.format(data))
        try:
            if any(path.name != "lock" for path in data.iterdir()):
                raise ArenaError(f"{data} is not empty; a backup is restored into a folder that is empty or not there")
            yield
        finally:
            os.close(lock)
            if is_new and not any(data.iterdir()):
                data.rmdir()
    except OSError as error:
        raise ArenaError(f"{data} cannot be written: {error.strerror or error}") from None


@contextmanager
def _open_backup(file: Path) -> Iterator[tarfile.TarFile]:
    """Open a backup. Raises BadText if the file is no backup, ArenaError if the file cannot be read."""
    try:
        opened = file.open("rb")
    except OSError as error:
        raise ArenaError(f"{file} cannot be read: {error.strerror}") from None
    with opened:
        try:
            with gzip.open(opened) as unzipped, tarfile.open(fileobj=unzipped, mode="r:") as tar:
                yield tar
                while unzipped.read(BLOCK_BYTES):  # gzip checks its checksum at the end
                    pass
        except (tarfile.TarError, EOFError, zlib.error) as error:
            raise BadText(f"{file} is no backup of an arena, or was cut short: {error}") from None
        except OSError as error:
            if error.errno is None:  # raised by gzip, or by a tar that ends too soon
                raise BadText(f"{file} is no backup of an arena, or was cut short: {error}") from None
            raise


def _unpack(tar: tarfile.TarFile, stage: Path, file: Path) -> None:
    """Write a backup's files to ``stage``; refuse every file that no arena writes. Raises BadText, OSError."""
    for folder in (stage, *(stage / name for name in JOURNAL_FOLDERS)):
        folder.mkdir()
    for member in tar:
        if MEMBER_NAME.fullmatch(member.name) is None:
            raise BadText(f"{file} is no backup of an arena: it holds {quote(member.name)}")
        if member.type not in (tarfile.REGTYPE, tarfile.AREGTYPE):
            raise BadText(f"{file} is no backup of an arena: {member.name} is no ordinary file")
        path = stage / member.name
        if path.exists():
            raise BadText(f"{file} is no backup of an arena: it holds {member.name} twice")
        content = tar.extractfile(member)
        assert content is not None
        _write_member(path, content)
        if not 0 <= member.mtime < MAX_MTIME_S:
            raise BadText(f"{file} is no backup of an arena: {member.name} has an impossible time")
        os.utime(path, (member.mtime, member.mtime))
    for folder in (*(stage / name for name in JOURNAL_FOLDERS), stage):
        sync_folder(folder)
    if not (stage / RECORDS_FILE).exists():
        raise BadText(f"{file} is no backup of an arena: there is no {RECORDS_FILE} in it")


def _write_member(path: Path, content: IO[bytes]) -> None:
    with path.open("xb") as out:
        shutil.copyfileobj(content, out)
        out.flush()
        os.fsync(out.fileno())


def _check_files(stage: Path, file: Path) -> Contents:
    """Parse every unpacked file. Raises RecordError that names ``file`` and the damaged place in it."""
    contents = Contents(records_bytes=(stage / RECORDS_FILE).stat().st_size)
    try:
        if contents.records_bytes:
            for _ in records.read(stage / RECORDS_FILE):
                pass
        for path in (stage / "games").iterdir():
            _check_game(path)
            contents.games += 1
        for path in (stage / "matches").iterdir():
            _check_match(path)
            contents.matches += 1
        for path in (stage / "over").iterdir():
            _check_match(path)
    except HinterlandError as error:
        raise RecordError(f"{file} is damaged: {str(error).replace(f'{stage}{os.sep}', '')}") from None
    return contents


def _check_match(path: Path) -> None:
    """Parse the journal of a match. Raises RecordError."""
    if restore_match(_read_whole_file(path)).setup.id != path.stem:
        raise RecordError(f"{path}: it is the journal of another match")


def _check_game(path: Path) -> None:
    """Parse the journal of a game. Raises RecordError."""
    first, *others = _read_whole_file(path)
    if read_setup(first).id != path.stem:
        raise RecordError(f"{path}: it is the journal of another game")
    for number, line in enumerate(others, start=2):
        try:
            GAME_LINES.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise RecordError(f"{path}, line {number}: {error}") from None


def _read_whole_file(path: Path) -> list[bytes]:
    lines, size = read_lines(path)
    if not lines or size != path.stat().st_size:
        raise RecordError(f"{path}: cut short: a line ends with a newline")
    return lines
