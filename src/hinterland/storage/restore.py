"""A backup made into an arena's folder again: every name and every line is looked at before any is in its place."""

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
from hinterland.storage.append_file import BLOCK, lock_folder, sync_folder
from hinterland.storage.archive import STAGE
from hinterland.storage.backup import RECORDS, Contents

NAME = re.compile(r"(games|matches|over)/[A-Za-z0-9_-]{16}\.jsonl|records\.jsonl")
LATEST_S = 2**40
"""Seconds since 1970: what no clock shows for 34,000 years. Systems differ in what they take."""
FOLDERS = ("games", "matches", "over")
TAKEN = "another process is using {}; name a folder that is empty or not there"


def restore(file: Path, data: Path) -> Contents:
    """Unpack a backup into a folder that is empty or not there.

    Raises BadText where it is no backup of an arena, RecordError where a file in it does not parse, ArenaError where
    the folder cannot be had or written. Then the folder is as it was.
    """
    with _empty_folder(data):
        stage = data / STAGE
        try:
            with _opened(file) as tar:
                _unpack(tar, stage, file)
            contents = _checked(stage, file)
            _put_in_place(stage, data)
        finally:
            shutil.rmtree(stage, ignore_errors=True)
    return contents


def _put_in_place(stage: Path, data: Path) -> None:
    """Move all files to where they belong, or none. Raises OSError."""
    moved: list[Path] = []
    try:
        for path in sorted(stage.iterdir()):
            moved.append(data / path.name)
            path.rename(moved[-1])
        for folder in (data, data.parent):  # the folder's own name may be new
            sync_folder(folder)
    except OSError:
        for path in moved:
            with contextlib.suppress(OSError):
                path.rename(stage / path.name)
        raise


@contextmanager
def _empty_folder(data: Path) -> Iterator[None]:
    """Have an empty folder to oneself; one that was made is taken away again where it remains empty."""
    is_new = not data.exists()
    try:
        data.mkdir(parents=True, exist_ok=True)
        lock = lock_folder(data, TAKEN.format(data))
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
def _opened(file: Path) -> Iterator[tarfile.TarFile]:
    """Open a backup. Raises BadText where it is none, ArenaError where it cannot be read."""
    try:
        opened = file.open("rb")
    except OSError as error:
        raise ArenaError(f"{file} cannot be read: {error.strerror}") from None
    with opened:
        try:
            with gzip.open(opened) as unzipped, tarfile.open(fileobj=unzipped, mode="r:") as tar:
                yield tar
                while unzipped.read(BLOCK):  # to its checksum
                    pass
        except (tarfile.TarError, EOFError, zlib.error) as error:
            raise BadText(f"{file} is no backup of an arena, or was cut short: {error}") from None
        except OSError as error:
            if error.errno is None:  # what gzip complains of, and what a tar that ends too soon does
                raise BadText(f"{file} is no backup of an arena, or was cut short: {error}") from None
            raise


def _unpack(tar: tarfile.TarFile, stage: Path, file: Path) -> None:
    """Write the files of a backup, refusing whatever is not one of an arena's. Raises BadText, OSError."""
    for folder in (stage, *(stage / name for name in FOLDERS)):
        folder.mkdir()
    for member in tar:
        if NAME.fullmatch(member.name) is None:
            raise BadText(f"{file} is no backup of an arena: it holds {quote(member.name)}")
        if member.type not in (tarfile.REGTYPE, tarfile.AREGTYPE):
            raise BadText(f"{file} is no backup of an arena: {member.name} is no ordinary file")
        path = stage / member.name
        if path.exists():
            raise BadText(f"{file} is no backup of an arena: it holds {member.name} twice")
        content = tar.extractfile(member)
        assert content is not None
        _write(path, content)
        if not 0 <= member.mtime < LATEST_S:
            raise BadText(f"{file} is no backup of an arena: {member.name} is of no time that there is")
        os.utime(path, (member.mtime, member.mtime))
    for folder in (*(stage / name for name in FOLDERS), stage):
        sync_folder(folder)
    if not (stage / RECORDS).exists():
        raise BadText(f"{file} is no backup of an arena: there is no {RECORDS} in it")


def _write(path: Path, content: IO[bytes]) -> None:
    with path.open("xb") as out:
        shutil.copyfileobj(content, out)
        out.flush()
        os.fsync(out.fileno())


def _checked(stage: Path, file: Path) -> Contents:
    """See that every file parses. Raises RecordError that names the file and the line."""
    contents = Contents(records_bytes=(stage / RECORDS).stat().st_size)
    try:
        if contents.records_bytes:
            for _ in records.read(stage / RECORDS):
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
    """See that a journal of a match parses. Raises RecordError."""
    if match_journal.restore(_lines(path)).setup.id != path.stem:
        raise RecordError(f"{path}: it is the match of another table")


def _check_game(path: Path) -> None:
    """See that a journal of a game parses. Raises RecordError."""
    first, *others = _lines(path)
    if game_journal.read_setup(first).id != path.stem:
        raise RecordError(f"{path}: it is the journal of another game")
    for number, line in enumerate(others, start=2):
        try:
            msgspec.json.decode(line, type=game_journal.Line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise RecordError(f"{path}, line {number}: {error}") from None


def _lines(path: Path) -> list[bytes]:
    lines, size = game_journal.read(path)
    if not lines or size != path.stat().st_size:
        raise RecordError(f"{path}: cut short: a line ends with a newline")
    return lines
