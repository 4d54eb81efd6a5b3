"""An append-only file with one writer: the only kind of file in which Hinterland keeps data.

``append`` writes all of its bytes or none, and syncs them before it returns. The name of a new file is synced, too. A
partial write is cut off again, at the latest before the next append. A crash can leave an incomplete last line, which
``read_torn_tail`` returns to the next writer. ``append`` raises an error if another program has moved, deleted or
changed the file.

``new_file`` writes a file that appears whole or not at all.

Some file systems have no locks (NFS, SMB, FUSE), and some cannot sync a folder. On such systems files are written
without a lock or without that sync, because refusing to write would lose games. One warning says that a lock is
missing.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import secrets
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import BinaryIO, Self

from hinterland.errors import ArenaError, HinterlandError

if sys.platform != "win32":
    import fcntl

BINARY = getattr(os, "O_BINARY", 0)
BLOCK_BYTES = 64 * 1024
FOLDER_SYNC_ERRNOS = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.EBADF)
"""Error numbers by which a file system says that it cannot sync folders."""
log = logging.getLogger(__name__)


class AppendFile:
    """An open file. Only one thread may write at a time."""

    def __init__(
        self,
        path: Path,
        *,
        error: type[HinterlandError] = ArenaError,
        locked: str | None = "{} is being written by another process",
    ) -> None:
        """Open a file, or create it. ``error``: the class of every error raised; the messages name the path.

        ``locked``: the message if another process holds the lock, with {} for the path; None: take no lock.
        """
        self.path = path
        self._error = error
        self._is_alone = locked is not None
        self._sound_size: int | None = None
        """Number of bytes before a partial write that could not be cut off; None if there is no such write."""
        self._descriptor, is_new = -1, False
        try:
            is_new = not path.exists()
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY, 0o644)
            self._size = self.size
            if is_new:
                sync_folder(path.parent)
        except OSError as fault:
            self._discard(is_new=is_new)
            raise self._write_error(fault) from None
        if locked is not None:
            self._lock(locked)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the file for another writer."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1

    @property
    def size(self) -> int:
        """Number of bytes in the file."""
        return os.fstat(self._descriptor).st_size

    def append(self, data: bytes) -> None:
        """Append all of the bytes or none, and sync them."""
        try:
            size = self._check_size()
            try:
                written = 0
                while written < len(data):
                    written += os.write(self._descriptor, data[written:])
                os.fsync(self._descriptor)
                self._size = size + len(data)
            except OSError:
                self._undo_partial_write(size)
                raise
        except OSError as fault:
            raise self._write_error(fault) from None

    def truncate(self, size: int) -> None:
        """Cut the file off after ``size`` bytes."""
        try:
            os.ftruncate(self._descriptor, size)
            self._size = size
        except OSError as fault:
            raise self._write_error(fault) from None

    def read_torn_tail(self) -> bytes:
        """Return the bytes behind the last line end, at most 16 MiB."""
        tail = b""
        start = self.size
        while start and b"\n" not in tail and len(tail) < 256 * BLOCK_BYTES:
            step = min(start, BLOCK_BYTES)
            start -= step
            os.lseek(self._descriptor, start, os.SEEK_SET)
            tail = os.read(self._descriptor, step) + tail
        return tail[tail.rfind(b"\n") + 1 :]

    def _discard(self, *, is_new: bool) -> None:
        """Close a file that could not be opened, and delete it if it is new."""
        if is_new and self._descriptor >= 0:
            with contextlib.suppress(OSError):
                self.path.unlink()
        self.close()

    def _lock(self, message: str) -> None:
        if not _lock_descriptor(self._descriptor, self.path):
            self.close()
            raise self._error(message.format(self.path))

    def _check_size(self) -> int:
        """Cut off a partial write, check that nobody else changed the file, and return the file's size.

        Raises OSError, or ``self._error`` if somebody else changed the file.
        """
        if self._sound_size is not None:
            os.ftruncate(self._descriptor, self._sound_size)
            self._size, self._sound_size = self._sound_size, None
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

    def _undo_partial_write(self, size: int) -> None:
        """Cut off a partial write. If this fails, ``_check_size`` tries again before the next append."""
        try:
            os.ftruncate(self._descriptor, size)
            self._size = size
        except OSError:
            self._sound_size = size

    def _write_error(self, fault: OSError) -> HinterlandError:
        return self._error(f"{self.path} cannot be written: {fault.strerror}")


def _lock_descriptor(descriptor: int, path: Path) -> bool:
    """Lock an open file or folder; return False if another process holds the lock.

    Returns True, after a warning, if the file system has no locks.
    """
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as fault:
        _warn_without_locks(path if path.is_dir() else path.parent, fault.strerror)
    return True


@cache
def _warn_without_locks(folder: Path, fault: str | None) -> None:
    """Warn only once for each folder, since an arena has a file for each of its games."""
    log.warning("%s has no locks of files (%s): see to it that no other process writes there", folder, fault)


def sync_folder(folder: Path) -> None:
    """Sync the names in a folder to the disk; do nothing if the file system cannot. Raises OSError."""
    if sys.platform != "win32":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        except OSError as fault:
            if fault.errno not in FOLDER_SYNC_ERRNOS:
                raise
        finally:
            os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Make a folder and its missing parents, and sync their names. Raises OSError."""
    if not folder.exists():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)
    elif not folder.is_dir():
        folder.mkdir()  # fails with the fitting error


def lock_folder(folder: Path, in_use_message: str) -> int:
    """Lock a folder, and return a descriptor. Closing the descriptor, or the end of this process, unlocks it.

    The lock is on the folder itself, not on a file in it that somebody may delete. Raises ArenaError with
    ``in_use_message`` if another process holds the lock, OSError if the folder cannot be opened.
    """
    if sys.platform == "win32":  # Windows opens no folders
        return os.open(folder / "lock", os.O_RDWR | os.O_CREAT)
    descriptor = os.open(folder, os.O_RDONLY)
    if not _lock_descriptor(descriptor, folder):
        os.close(descriptor)
        raise ArenaError(in_use_message)
    return descriptor


@contextlib.contextmanager
def new_file(file: Path) -> Iterator[BinaryIO]:
    """Yield a temporary file to write to; at the end of the block sync it and rename it to ``file``.

    Raises OSError if the file cannot be written, or if ``file`` exists by then.
    """
    partial = file.with_name(f".{file.name}.{secrets.token_hex(4)}.partial")
    try:
        with partial.open("xb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        _rename(partial, file)
    finally:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)


def _rename(partial: Path, file: Path) -> None:
    """Rename ``partial`` to ``file``. Raises OSError if ``file`` exists already."""
    os.close(os.open(file, os.O_CREAT | os.O_EXCL))  # a rename alone would overwrite another file
    try:
        partial.replace(file)
        sync_folder(file.parent)
    except OSError:
        file.unlink()
        raise
