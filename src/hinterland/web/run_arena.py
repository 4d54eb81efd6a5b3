"""Runs the arena: takes the port, gets the kernels ready, serves, and stops within two seconds when told to."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from urllib.parse import quote

from hinterland import catalog
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
            for name in catalog.GAMES:
                catalog.game(name).warm_up()
        address = address_of(settings.host, listener.getsockname()[1])
        public = settings.openness.public_url or address
        server = Server(app, settings, app.state.arena.stop, lambda: announce("\n".join(_ready(settings, public))))
        server.run(sockets=[listener])


def _ready(settings: Settings, address: str) -> Iterator[str]:
    """Yield what is said when the arena is ready."""
    yield f"Hinterland is ready at {address}"
    if (token := settings.openness.admin_token) is not None:
        link = f"{address}/admin?token={quote(token, safe='')}"
        yield f"Hosting matches needs the admin token; this address opens it: {link}"


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
