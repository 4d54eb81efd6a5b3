"""A real Redis for tests and measurements, started from the system's redis-server, not as a service."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
import redis

PATIENCE_S = 10.0
DATABASES = 1000


class RedisServer:
    """A server that keeps nothing; it can be stopped and started again."""

    def __init__(self, program: str, folder: Path) -> None:
        """Start it."""
        self._socket = folder / "redis"
        self._command = [
            program, "--port", "0", "--unixsocket", str(self._socket), "--save", "", "--appendonly", "no",
            "--dir", str(folder), "--databases", str(DATABASES),
        ]  # fmt: skip
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = count()
        self.start()

    def url(self, number: int | None = None) -> str:
        """Return the address of a database that nobody else uses."""
        return f"unix://{self._socket}?db={next(self._numbers) if number is None else number}"

    def start(self) -> None:
        """Start the server again."""
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE_S
        with redis.Redis.from_url(self.url(0)) as client:
            while True:
                with contextlib.suppress(redis.ConnectionError):
                    client.ping()
                    return
                assert time.monotonic() < end, "redis-server does not answer"
                time.sleep(0.02)

    def stop(self) -> None:
        """Stop the server and close all connections."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """Freeze the server during the context: it keeps its connections, but does not answer."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)


@contextlib.contextmanager
def started() -> Iterator[RedisServer]:
    """Run a server during the context; if there is none, skip the test, or fail if nothing may be skipped."""
    program = shutil.which("redis-server")
    if program is None:
        (pytest.fail if os.environ.get("HINTERLAND_NO_SKIP") else pytest.skip)("redis-server is not installed")
    folder = Path(tempfile.mkdtemp(prefix="redis"))  # paths of sockets must be short
    server = RedisServer(program, folder)
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
