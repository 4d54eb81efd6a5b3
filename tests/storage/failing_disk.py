"""A disk that fails, or loses power, at one chosen system call.

It wraps this process's calls that change a folder, on real files: those of ``os`` and, for files written through
``open``, of ``io``. It promises what POSIX does: bytes are durable after ``fsync`` of their file, a new or changed name
after ``fsync`` of its folder. Needs /proc, for the names of descriptors.
"""

import errno
import io
import os
import shutil
import stat
from pathlib import Path

CHANGES = ("rename", "replace", "mkdir", "unlink", "rmdir", "link")
OPENED_TO_WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


class PowerLost(BaseException):
    """The power is gone: no call does anything any more."""


class FailingDisk:
    """Wraps system calls during the context."""

    def __init__(self, monkeypatch, folder, place=None, fate="before"):
        """``place``: which call fails, from 0; ``fate``: ``before`` it did anything, ``after`` it, or of ``power``."""
        self._patch, self._folder, self._place, self._fate = monkeypatch, folder.resolve(), place, fate
        self.calls = []
        self._names, self._bytes, self._kinds = {}, {}, {}

    def __enter__(self):
        self._remember(self._folder)
        self._real = {name: getattr(os, name) for name in (*CHANGES, "open", "write", "fsync", "ftruncate")}
        self._open = io.open
        self._context = self._patch.context()
        patch = self._context.__enter__()
        for name, real in self._real.items():
            patch.setattr(os, name, self._before(name, real))
        patch.setattr(io, "open", self._open_file)
        return self

    def __exit__(self, kind, *_):
        self._context.__exit__(None, None, None)
        return kind is PowerLost

    @property
    def has_failed(self):
        return self._place is not None and len(self.calls) > self._place

    def lose_power(self, *, names_are_kept):
        """Leave on the real disk what a loss of power can leave: of names that were not synced, none or all."""
        if names_are_kept:
            for path in self._folder.rglob("*"):
                self._names.setdefault(path.parent.stat().st_ino, {})
            for place in (self._folder, *(path for path in self._folder.rglob("*") if path.is_dir())):
                self._remember_names(place)
        root = self._folder.stat().st_ino
        for path in self._folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        self._rebuild(self._folder, root)

    def _rebuild(self, folder, number):
        for name, child in self._names.get(number, {}).items():
            if stat.S_ISDIR(self._kinds[child]):
                (folder / name).mkdir()
                self._rebuild(folder / name, child)
            else:
                (folder / name).write_bytes(self._bytes.get(child, b""))

    def _remember(self, folder):
        """Mark all that is there as synced."""
        self._remember_names(folder)
        for path in folder.iterdir():
            if path.is_dir():
                self._remember(path)
            else:
                self._bytes[path.stat().st_ino] = path.read_bytes()

    def _remember_names(self, folder):
        self._names[folder.stat().st_ino] = {path.name: path.stat().st_ino for path in folder.iterdir()}
        self._kinds |= {path.stat().st_ino: path.stat().st_mode for path in folder.iterdir()}

    def _is_ours(self, place, folder=None):
        if isinstance(place, int):
            place = Path(f"/proc/self/fd/{place}").readlink()
        within = Path.cwd() if folder is None else Path(f"/proc/self/fd/{folder}").readlink()
        return (within / os.fsdecode(place)).is_relative_to(self._folder)

    def _before(self, name, real):
        def call(place, *arguments, **options):
            looks = name == "open" and not arguments[0] & OPENED_TO_WRITE
            if looks or not self._is_ours(place, options.get("dir_fd")):
                return real(place, *arguments, **options)
            return self._step(name, lambda: self._do(name, real, place, *arguments, **options), (place, *arguments))

        return call

    def _do(self, name, real, place, *arguments, **options):
        done = real(place, *arguments, **options)
        if name == "fsync":
            path = Path(f"/proc/self/fd/{place}").readlink()
            if path.is_dir():
                self._remember_names(path)
            elif path.exists():
                self._bytes[path.stat().st_ino] = path.read_bytes()
        return done

    def _step(self, name, do, arguments):
        """Do a call, or fail. A write that fails ``after`` has written a half."""
        number = len(self.calls)
        self.calls.append(name)
        if self._fate == "power" and self.has_failed:
            raise PowerLost
        if number != self._place:
            return do()
        if self._fate == "after":
            if name == "write":
                self._real["write"](arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
            elif name == "open":
                os.close(do())
            else:
                do()
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    def _open_file(self, file, mode="r", *arguments, **options):
        """Open a file whose writes go through ``os.write``, so that they can fail, too."""
        if not isinstance(file, str | os.PathLike) or not set(mode) & set("wax+") or not self._is_ours(file):
            return self._open(file, mode, *arguments, **options)
        flags = os.O_RDWR | os.O_CREAT | (os.O_EXCL if "x" in mode else os.O_TRUNC if "w" in mode else os.O_APPEND)
        raw = _Raw(os.open(os.fspath(file), flags, 0o666), "r+b")
        buffered = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
        return buffered if "b" in mode else io.TextIOWrapper(buffered, encoding="utf-8")


class _Raw(io.FileIO):
    def write(self, data):
        return os.write(self.fileno(), bytes(data))
