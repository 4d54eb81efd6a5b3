"""The pages of a contest while it is played: an arena in a process of its own, so that no player's clock feels it."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import quote

from hinterland.cli.console import say
from hinterland.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

READY = " is ready at "
LONGEST_STOP_S = 5


@contextmanager
def watched(folder: Path, port: int) -> Iterator[None]:
    """Serve the pages of a contest until it has been played. Raises ArenaError where the port cannot be used.

    What is played on these pages is kept until then; the contest itself can be shown again by ``hinterland serve``.
    """
    with tempfile.TemporaryDirectory(prefix="hinterland-") as data:
        call = [sys.executable, "-m", "hinterland", "serve", "--contests", str(folder), "--port", str(port)]
        with subprocess.Popen(
            [*call, "--data", data], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as server:
            try:
                address = _address(server)
                say(f"watch it at {address}/contests/{quote(folder.absolute().name, safe='')}")
                yield
            finally:
                _stop(server)
    say(f"its pages are closed; `hinterland serve --contests {folder}` shows them again")


def _address(server: subprocess.Popen[str]) -> str:
    """Wait until the arena is ready and return where. Raises ArenaError in its words where it is not."""
    assert server.stdout is not None
    assert server.stderr is not None
    for line in server.stdout:
        if READY in line:
            for pipe in (server.stdout, server.stderr):
                threading.Thread(target=pipe.read, daemon=True).start()  # nothing it says may ever block it
            return line.rpartition(READY)[2].strip()
        say(line.rstrip())
    raise ArenaError(server.stderr.read().strip().removeprefix("hinterland: ") or "the pages could not be served")


def _stop(server: subprocess.Popen[str]) -> None:
    if server.poll() is None:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(LONGEST_STOP_S)
        except subprocess.TimeoutExpired:
            server.kill()
