"""Restores a backup into an arena's folder, after a check of every file name and every line."""

from __future__ import annotations

import contextlib
import gzip
import os
import re
import shutil
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec

from hinterland.errors import ArenaError, BadText, HinterlandError, RecordError, quote
from hinterland.storage import game_journal, match_journal, records
from hinterland.storage.append_file import BLOCK_BYTES, lock_folder, sync_folder
from hinterland.storage.archive import STAGING_FOLDER
from hinterland.storage.backup import RECORDS_FILE, Contents

MEMBER_NAME = re.compile(r"(games|matches|over)/[A-Za-z0-9_-]{16}\.jsonl|records\.jsonl")
MAX_MTIME_S = 2**40
"""Seconds since 1970, 34,000 years from now. Systems differ in the latest time that they accept."""
JOURNAL_FOLDERS = ("games", "matches", "over")
IN_USE = "another process is using {}; name a folder that is empty or not there"


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
    """Move all files to their places, or none. Raises OSError."""
    moved: list[Path] = []
    try:
        for path in sorted(stage.iterdir()):
            moved.append(data / path.name)
            path.rename(moved[-1])
        for folder in (data, data.parent):  # the name of ``data`` may be new
            sync_folder(folder)
    except OSError:
        for path in moved:
            with contextlib.suppress(OSError):
                path.rename(stage / path.name)
        raise


@contextmanager
def _empty_folder(data: Path) -> Iterator[None]:
    """Lock an empty folder; remove it afterwards if it is new and still empty."""
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
    """Open a backup. Raises BadText if it is none, ArenaError if it cannot be read."""
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
    """Write the files of a backup; refuse every file that no arena writes. Raises BadText, OSError."""
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
        _write_synced(path, content)
        if not 0 <= member.mtime < MAX_MTIME_S:
            raise BadText(f"{file} is no backup of an arena: {member.name} has an impossible time")
        os.utime(path, (member.mtime, member.mtime))
    for folder in (*(stage / name for name in JOURNAL_FOLDERS), stage):
        sync_folder(folder)
    if not (stage / RECORDS_FILE).exists():
        raise BadText(f"{file} is no backup of an arena: there is no {RECORDS_FILE} in it")


def _write_synced(path: Path, content: IO[bytes]) -> None:
    with path.open("xb") as out:
        shutil.copyfileobj(content, out)
        out.flush()
        os.fsync(out.fileno())


def _check_files(stage: Path, file: Path) -> Contents:
    """Parse every file. Raises RecordError that names the file and the line."""
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
    if match_journal.restore_match(_read_lines(path)).setup.id != path.stem:
        raise RecordError(f"{path}: it is the journal of another match")


def _check_game(path: Path) -> None:
    """Parse the journal of a game. Raises RecordError."""
    first, *others = _read_lines(path)
    if game_journal.read_setup(first).id != path.stem:
        raise RecordError(f"{path}: it is the journal of another game")
    for number, line in enumerate(others, start=2):
        try:
            msgspec.json.decode(line, type=game_journal.Line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise RecordError(f"{path}, line {number}: {error}") from None


def _read_lines(path: Path) -> list[bytes]:
    lines, size = game_journal.read(path)
    if not lines or size != path.stat().st_size:
        raise RecordError(f"{path}: cut short: a line ends with a newline")
    return lines
