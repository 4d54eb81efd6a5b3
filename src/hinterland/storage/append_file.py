"""The one kind of file that Hinterland keeps: appended to by one writer, each piece on the disk whole or not at all.

What is appended is synced before ``append`` returns, and so is the name of a file that was made. A disk that takes only
a part of a piece is freed of that part, before the next is written at the latest. What a crash cut short in the middle
of the last line stays behind the last line end, where the next writer finds it. A file that somebody has moved, deleted
or cut is noticed before anything is added to it.

Some file systems have no locks (NFS, SMB, FUSE), and some cannot sync a folder. There it goes on without, and says once
that nobody else is kept out: that is no reason to lose a game.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import sys
from functools import cache
from pathlib import Path
from typing import Self

from hinterland.errors import ArenaError, HinterlandError

if sys.platform != "win32":
    import fcntl

BINARY = getattr(os, "O_BINARY", 0)
BLOCK = 64 * 1024
CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.EBADF)
"""What file systems answer that sync files but no folders."""
log = logging.getLogger(__name__)


class AppendFile:
    """An open file. Writing is for one thread at a time."""

    def __init__(
        self,
        path: Path,
        *,
        error: type[HinterlandError] = ArenaError,
        locked: str | None = "{} is being written by another process",
    ) -> None:
        """Open a file, made if need be. ``error``: what is raised for whatever goes wrong, with the path in its text.

        ``locked``: what to say where another process has it; None lets several have it.
        """
        self.path = path
        self._error = error
        self._is_alone = locked is not None
        self._sound: int | None = None
        """How much of it is sound, where a piece that was written in part could not be taken off."""
        self._descriptor, is_new = -1, False
        try:
            is_new = not path.exists()
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY, 0o644)
            self._size = self.size
            if is_new:
                sync_folder(path.parent)
        except OSError as fault:
            self._give_up(is_new=is_new)
            raise self._cannot(fault) from None
        if locked is not None:
            self._lock(locked)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let another writer have the file; nothing can be appended any more."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return os.fstat(self._descriptor).st_size

    def append(self, data: bytes) -> None:
        """Add bytes and see them on the disk, all or none."""
        try:
            size = self._checked_size()
            try:
                written = 0
                while written < len(data):
                    written += os.write(self._descriptor, data[written:])
                os.fsync(self._descriptor)
                self._size = size + len(data)
            except OSError:
                self._forget(size)
                raise
        except OSError as fault:
            raise self._cannot(fault) from None

    def cut(self, size: int) -> None:
        """Take off what is behind so many bytes."""
        try:
            os.ftruncate(self._descriptor, size)
            self._size = size
        except OSError as fault:
            raise self._cannot(fault) from None

    def torn(self) -> bytes:
        """Return what stands behind the last line end, at most 16 MiB of it."""
        tail = b""
        start = self.size
        while start and b"\n" not in tail and len(tail) < 256 * BLOCK:
            step = min(start, BLOCK)
            start -= step
            os.lseek(self._descriptor, start, os.SEEK_SET)
            tail = os.read(self._descriptor, step) + tail
        return tail[tail.rfind(b"\n") + 1 :]

    def _give_up(self, *, is_new: bool) -> None:
        """Close a file that could not be made, and leave nothing of it."""
        if is_new and self._descriptor >= 0:
            with contextlib.suppress(OSError):
                self.path.unlink()
        self.close()

    def _lock(self, words: str) -> None:
        if not _can_lock(self._descriptor, self.path):
            self.close()
            raise self._error(words.format(self.path))

    def _checked_size(self) -> int:
        """Return the size, having taken off a piece that was written in part.

        Raises OSError, or the file's own error where somebody else has changed it.
        """
        if self._sound is not None:
            os.ftruncate(self._descriptor, self._sound)
            self._size, self._sound = self._sound, None
        if not self._is_alone:
            return self.size
        try:
            there = self.path.stat()
        except FileNotFoundError:
            raise self._error(f"{self.path} was moved or deleted while it was written") from None
        mine = os.fstat(self._descriptor)
        if not os.path.samestat(there, mine):
            raise self._error(f"{self.path} was replaced by another file while it was written")
        if mine.st_size != self._size:
            sizes = f"{self._size} bytes were there, {mine.st_size} are"
            raise self._error(f"{self.path} was changed by somebody else while it was written: {sizes}")
        return self._size

    def _forget(self, size: int) -> None:
        """Take a half-written piece off; should that fail too, it is tried again before the next is written."""
        try:
            os.ftruncate(self._descriptor, size)
            self._size = size
        except OSError:
            self._sound = size

    def _cannot(self, fault: OSError) -> HinterlandError:
        return self._error(f"{self.path} cannot be written: {fault.strerror}")


def _can_lock(descriptor: int, path: Path) -> bool:
    """Keep others out of an open file or folder, if they can be; return False where another process is in."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as fault:
        _say_without_locks(path if path.is_dir() else path.parent, fault.strerror)
    return True


@cache
def _say_without_locks(folder: Path, fault: str | None) -> None:
    """Say it once for each folder: an arena has a file for each of its games."""
    log.warning("%s has no locks of files (%s): see to it that no other process writes there", folder, fault)


def sync_folder(folder: Path) -> None:
    """See a new file's name on the disk, where folders can be synchronised. Raises OSError."""
    if sys.platform != "win32":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        except OSError as fault:
            if fault.errno not in CANNOT_SYNC:
                raise
        finally:
            os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Make a folder, and what is missing above it, and see its name on the disk. Raises OSError."""
    if not folder.exists():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)
    elif not folder.is_dir():
        folder.mkdir()  # which says what is wrong


def lock_folder(folder: Path, taken: str) -> int:
    """Keep others out of a folder until the descriptor is closed that is returned, or this process ends.

    The folder itself is locked, not a file in it that somebody may delete. Raises ArenaError with the words ``taken``
    where another has it, OSError where it cannot be had.
    """
    if sys.platform == "win32":  # which opens no folders
        return os.open(folder / "lock", os.O_RDWR | os.O_CREAT)
    descriptor = os.open(folder, os.O_RDONLY)
    if not _can_lock(descriptor, folder):
        os.close(descriptor)
        raise ArenaError(taken)
    return descriptor
