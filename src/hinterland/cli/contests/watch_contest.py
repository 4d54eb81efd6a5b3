"""Serves pages of a contest while it is played, from another process, so that no player's clock is disturbed.

That process reads a pipe from the process that plays. If the playing process ends, even by a kill, the pipe is closed,
and the pages end, too.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from hinterland.cli.console import say
from hinterland.errors import ArenaError, HinterlandError

if TYPE_CHECKING:
    from collections.abc import Iterator

READY_WORDS = " is ready at "
STOP_TIMEOUT_S = 5
PORT_OPTION = "--watch-port"


class ContestPages:
    """The pages that ``serve_pages`` serves."""

    def __init__(self, server: subprocess.Popen[str], url: str) -> None:
        self._server, self.url = server, url

    def stay(self) -> None:
        """Keep the pages open until Ctrl-C. Raises ArenaError if the server of the pages ends by itself."""
        say(f"the contest is over; its pages stay at {self.url} until Ctrl-C")
        with suppress(KeyboardInterrupt):
            self._server.wait()
            raise ArenaError("the server of the pages has ended; `hinterland serve --contests` shows them again")


@contextmanager
def serve_pages(folder: Path, port: int) -> Iterator[ContestPages]:
    """Serve the pages of a contest within the context. Raises ArenaError if the port cannot be used.

    Games that visitors play on these pages are not kept. ``hinterland serve`` can show the contest again later.
    """
    with tempfile.TemporaryDirectory(prefix="hinterland-") as data:
        call = [sys.executable, "-m", __name__, str(folder), str(port), data]
        pipe = subprocess.PIPE
        # The server has its own session, so that Ctrl-C reaches only the contest, which then stops the server.
        with subprocess.Popen(
            call, stdin=pipe, stdout=pipe, stderr=pipe, text=True, start_new_session=True
        ) as server:
            pages = None
            try:
                address = _wait_for_address(server)
                pages = ContestPages(server, f"{address}/contests/{quote(folder.absolute().name, safe='')}")
                say(f"watch it at {pages.url}")
                yield pages
            finally:
                _stop(server)
                if pages is not None:
                    say(f"its pages are closed; `hinterland serve --contests {folder}` shows them again")


def _wait_for_address(server: subprocess.Popen[str]) -> str:
    """Wait until the arena is ready; return its address.

    If the arena cannot start, raises ArenaError with the arena's message.
    """
    assert server.stdout is not None
    assert server.stderr is not None
    for line in server.stdout:
        if READY_WORDS in line:
            for pipe in (server.stdout, server.stderr):
                threading.Thread(target=pipe.read, daemon=True).start()  # unread output would block the server
            return line.rpartition(READY_WORDS)[2].strip()
        say(line.rstrip())
    raise ArenaError(server.stderr.read().strip() or "the pages could not be served")


def _stop(server: subprocess.Popen[str]) -> None:
    if server.poll() is None:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            server.kill()


def _end_with_starter() -> None:
    """Stop this process as soon as the process that plays the contest is gone."""
    os.read(0, 1)  # not sys.stdin, whose lock no thread may hold when the interpreter ends
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(STOP_TIMEOUT_S)
    os._exit(1)


def _serve(folder: str, port: str, data: str) -> int:
    """Serve the pages, in the process that ``serve_pages`` starts."""
    from hinterland.web.run_arena import run_arena  # noqa: PLC0415
    from hinterland.web.settings import Settings  # noqa: PLC0415

    threading.Thread(target=_end_with_starter, daemon=True).start()
    settings = Settings(port=int(port), data=Path(data), contests=Path(folder))
    try:
        run_arena(settings, lambda text: sys.stdout.write(f"{text}\n") and sys.stdout.flush(), option=PORT_OPTION)
    except HinterlandError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(_serve(*sys.argv[1:]))
