"""The referee's ends of a program's pipes, in the event loop: bounded, and never blocking."""

from __future__ import annotations

import asyncio
import fcntl
import os
import termios
import time
from collections.abc import Callable
from typing import IO

CHUNK_BYTES = 64 * 1024
MAX_DRAINED_BYTES = 1024 * 1024
MAX_UNSENT_BYTES = 256 * 1024
TAIL_BYTES = 4096
KEPT_BYTES = 64 * 1024
"""Number of bytes kept of the end of a stream. A long stack trace fits whole; its first lines say most."""


class PipeReader:
    """Reads from a pipe and passes each piece on with the moment of its arrival, in nanoseconds."""

    def __init__(self, loop: asyncio.AbstractEventLoop, pipe: IO[bytes], take: Callable[[bytes, int], None]) -> None:
        self._loop, self._pipe, self._take = loop, pipe, take
        self._is_reading = True
        os.set_blocking(pipe.fileno(), False)
        loop.add_reader(pipe.fileno(), self._read)

    def _read(self) -> int:
        """Pass on one piece and return its length; 0 if there is none."""
        stamp_ns = time.monotonic_ns()
        try:
            data = os.read(self._pipe.fileno(), CHUNK_BYTES)
        except BlockingIOError:
            return 0
        except OSError:
            data = b""
        if not data:
            self.stop()
            return 0
        self._take(data, stamp_ns)
        return len(data)

    def drain(self) -> None:
        """Pass on what is in the pipe now, such as the last words of a program that has ended."""
        left = MAX_DRAINED_BYTES
        while self._is_reading and left > 0 and (count := self._read()):
            left -= count

    def stop(self) -> None:
        """Stop reading. Once the pipe is full, the program waits."""
        if self._is_reading:
            self._is_reading = False
            self._loop.remove_reader(self._pipe.fileno())

    def close(self) -> None:
        """Close the pipe. A program that still writes to the pipe gets an error."""
        self.stop()
        self._pipe.close()


class PipeWriter:
    """Writes to a pipe what fits, keeps the rest and sends it when there is room."""

    def __init__(self, loop: asyncio.AbstractEventLoop, pipe: IO[bytes]) -> None:
        self._loop, self._pipe = loop, pipe
        self._unsent = bytearray()
        os.set_blocking(pipe.fileno(), False)

    def write(self, data: bytes) -> bool:
        """Send bytes, or drop them if the pipe is closed. Return False if more than ``MAX_UNSENT_BYTES`` wait."""
        if self._pipe.closed:
            return True
        if self._unsent:
            self._unsent += data
        else:
            self._unsent = bytearray(data)
            self._send()
            if self._unsent:
                self._loop.add_writer(self._pipe.fileno(), self._send)
        return len(self._unsent) <= MAX_UNSENT_BYTES

    def _send(self) -> None:
        try:
            del self._unsent[: os.write(self._pipe.fileno(), self._unsent)]
        except BlockingIOError:
            return
        except OSError:
            self.close()
            return
        if not self._unsent:
            self._loop.remove_writer(self._pipe.fileno())

    @property
    def is_drained(self) -> bool:
        """Whether everything was sent and read; True if the system does not say."""
        if self._unsent or self._pipe.closed:
            return False
        try:
            waiting = fcntl.ioctl(self._pipe.fileno(), termios.FIONREAD, bytes(4))
        except OSError:
            return True
        return not any(waiting)

    def close(self) -> None:
        """Close the pipe; unsent bytes are lost."""
        self._unsent.clear()
        if not self._pipe.closed:
            self._loop.remove_writer(self._pipe.fileno())
            self._pipe.close()


class Tail:
    """The end of a stream."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self._begin = 0

    def add(self, data: bytes, _stamp_ns: int) -> None:
        self._kept += data
        self._begin += max(len(self._kept) - KEPT_BYTES, 0)
        del self._kept[:-KEPT_BYTES]

    @property
    def end(self) -> int:
        """Length of the stream so far, in bytes."""
        return self._begin + len(self._kept)

    @property
    def kept(self) -> bytes:
        return bytes(self._kept[-TAIL_BYTES:])

    def text(self, begin: int = 0) -> str:
        """Return the stream from byte ``begin`` on, but at most its last 64 KiB."""
        return self._kept[max(begin - self._begin, 0) :].decode("utf-8", "replace")
