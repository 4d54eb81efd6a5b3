"""The version of a program: a digest of its files, so that two programs under one name can be told apart.

The program is the first file or folder outside the system that the command line names; of a folder the code counts.
Later words count as text only, since they may name files that the program itself writes. A file ``bot.toml`` beside the
program names a folder of which all files count: ``folder = "."``. Interpreters do not count.
"""

from __future__ import annotations

import hashlib
import os
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from hinterland.errors import ArenaError, quote
from hinterland.host.processes.own_files import find_own_directory, is_part_of_program
from hinterland.host.processes.player_file import ENDINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hinterland.host.processes.command import Command

DIGITS = 12
SETTINGS_FILE = "bot.toml"
MAX_FILES = 10_000
"""Most files in a folder that counts as a program."""
READ_BYTES = 1 << 20


def find_version(command: Command) -> str:
    """Return the version of a command's program, in hexadecimal digits.

    Raises ArenaError if a file cannot be read, or if a folder has too many files.
    """
    program, digest = command.program(), _new_digest()
    paths = [program, *(command.directory / word for word in command.argv[1:] if word)]
    is_found = False
    for word, path in zip(command.argv, paths, strict=False):
        if not is_found and is_part_of_program(path):
            is_found = True
            for name, file in _list_files(path):
                if path.is_file() or file.suffix in ENDINGS:
                    digest.update(_encode(name) + _digest_file(file, *_stamp(file)))
        elif path != program:
            digest.update(_encode(word))
    for name, file in _list_files_of_settings(find_own_directory(command, program)):
        digest.update(_encode(name) + _digest_file(file, *_stamp(file)))
    return digest.hexdigest()


def find_file_version(path: Path) -> str:
    """Return the version of a file that cannot be started as it is. Raises ArenaError if it cannot be read."""
    digest = _new_digest()
    digest.update(_digest_file(path, *_stamp(path)))
    return digest.hexdigest()


def _new_digest() -> hashlib.blake2b:
    return hashlib.blake2b(digest_size=DIGITS // 2)


def _list_files_of_settings(own: Path | None) -> Iterator[tuple[str, Path]]:
    """Yield the files of the folder that ``bot.toml`` names, if there is one."""
    if own is None or not (own / SETTINGS_FILE).is_file():
        return
    path = own / SETTINGS_FILE
    try:
        settings = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ArenaError(f"{quote(str(path), 120)} cannot be read: {error}") from None
    folder = settings.get("folder")
    if not isinstance(folder, str) or settings.keys() != {"folder"} or not (own / folder).is_dir():
        raise ArenaError(f"{quote(str(path), 120)} should be one line that names the program's folder: folder = '.'")
    yield from _list_files(own / folder)


def _list_files(path: Path) -> Iterator[tuple[str, Path]]:
    """Yield a file, or the files of a folder, each with its name in the folder; hidden and compiled files do not count.

    Raises ArenaError for too many files.
    """
    if not path.is_dir():
        yield path.name, path
        return
    count = 0
    for folder, inside, names in os.walk(path):
        inside[:] = sorted(name for name in inside if not name.startswith((".", "__pycache__")))
        for name in sorted(name for name in names if not name.startswith(".")):
            count += 1
            if count > MAX_FILES:
                raise ArenaError(f"{quote(str(path), 120)} has more than {MAX_FILES:,} files, too many for a program")
            file = Path(folder, name)
            if file.is_file():
                yield file.relative_to(path).as_posix(), file


def _encode(text: str) -> bytes:
    data = text.encode("utf-8", "surrogateescape")
    return len(data).to_bytes(8) + data


def _stamp(file: Path) -> tuple[int, int, int]:
    try:
        found = file.stat()
    except OSError as error:
        raise ArenaError(f"{quote(str(file), 120)} cannot be read: {error.strerror}") from None
    return found.st_mtime_ns, found.st_size, found.st_ino


@lru_cache(4096)
def _digest_file(file: Path, *stamp: int) -> bytes:  # noqa: ARG001  (a file with another stamp is read again)
    digest = hashlib.blake2b(digest_size=32)
    try:
        with file.open("rb") as data:
            while chunk := data.read(READ_BYTES):
                digest.update(chunk)
    except OSError as error:
        raise ArenaError(f"{quote(str(file), 120)} cannot be read: {error.strerror}") from None
    return digest.digest()
