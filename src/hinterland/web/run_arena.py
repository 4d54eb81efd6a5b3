"""Runs the arena: takes the port, gets the kernels ready, serves, and stops within two seconds when told to."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

from hinterland import catalog
from hinterland.host.readiness import get_ready
from hinterland.web.app import create_app
from hinterland.web.server import Server, address_of, listen
from hinterland.web.settings import Settings


def run_arena(settings: Settings, announce: Callable[[str], object]) -> None:
    """Run the arena until it is interrupted. Raises ArenaError where the port or a folder cannot be used.

    ``announce`` gets lines for people: that it takes a while, if it does; that the arena is ready, and where.
    """
    with contextlib.closing(listen(settings.host, settings.port)) as listener:
        app = create_app(settings)
        with _patience(announce):
            get_ready(*map(catalog.game, catalog.GAMES))
        address = address_of(settings.host, listener.getsockname()[1])
        server = Server(app, settings, app.state.arena.stop, lambda: announce(f"Hinterland is ready at {address}"))
        server.run(sockets=[listener])


@contextlib.contextmanager
def _patience(announce: Callable[[str], object], after_s: float = 1.5) -> Iterator[None]:
    """Say something where people would begin to wonder."""
    words = "Getting ready: compiling the games, which takes a minute the first time"
    timer = threading.Timer(after_s, announce, [words])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
