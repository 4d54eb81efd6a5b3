"""A disk that fails and loses power: data that was not synced may remain in part, as zeros, or not at all.

It wraps the system calls of ``hinterland.storage.append_file``, on real files. It promises no more than ext4 and
others: bytes are durable after ``fsync`` of their file, a name after ``fsync`` of its folder.
"""

import errno
import os
import stat


class Disk:
    """Stands for the module ``os``."""

    def __init__(self, chance, folder, faults):
        """``faults``: probability that a call fails."""
        self._chance, self._folder, self._faults = chance, folder, faults
        self.durable = {path.name: path.read_bytes() for path in folder.iterdir()}
        """Contents after a loss of power, by file name."""
        self._unsynced_names = set()
        self.failed = 0

    def __getattr__(self, name):
        return getattr(os, name)

    def _may_fail(self, number=errno.EIO):
        if self._chance.random() < self._faults:
            self.failed += 1
            raise OSError(number, os.strerror(number))

    def open(self, path, flags, *mode):
        self._may_fail()
        is_new = not path.exists()
        descriptor = os.open(path, flags, *mode)
        if is_new:
            self._unsynced_names.add(path.name)
        return descriptor

    def write(self, descriptor, data):
        """Write all of the data, or a part, or a part and then fail."""
        fate = self._chance.random()
        if fate < self._faults:
            self.failed += 1
            os.write(descriptor, data[: self._chance.randrange(len(data) + 1)])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return os.write(descriptor, data[: self._chance.randrange(1, len(data) + 1)] if fate > 0.7 else data)

    def ftruncate(self, descriptor, size):
        self._may_fail()
        os.ftruncate(descriptor, size)

    def fsync(self, descriptor):
        """Sync; a call that fails may have synced or not."""
        failing = self._chance.random() < self._faults
        if not failing or self._chance.random() < 0.5:
            self._sync(descriptor)
        if failing:
            self.failed += 1
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def _sync(self, descriptor):
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            for name in self._unsynced_names:
                self.durable.setdefault(name, b"")
            self._unsynced_names.clear()
            return
        for path in self._folder.iterdir():
            if os.path.samestat(path.stat(), os.fstat(descriptor)):
                self.durable[path.name] = path.read_bytes()

    def lose_power(self):
        """Leave on the real disk what a loss of power can leave."""
        for path in list(self._folder.iterdir()):
            now, kept = path.read_bytes(), self.durable.get(path.name)
            if kept is None or (path.name in self._unsynced_names and self._chance.random() < 0.5):
                path.unlink()
                continue
            path.write_bytes(self._left(kept, now))
        self._unsynced_names.clear()
        self.durable = {path.name: path.read_bytes() for path in self._folder.iterdir()}

    def _left(self, kept, now):
        """Return possible remains of a file whose synced content is ``kept`` and whose content is ``now``."""
        if not now.startswith(kept):
            return self._chance.choice((kept, now))  # the file was truncated without a sync
        fresh = now[len(kept) :]
        part = self._chance.randrange(len(fresh) + 1)
        return kept + self._chance.choice((b"", fresh[:part], fresh, fresh[:part] + bytes(len(fresh) - part)))
