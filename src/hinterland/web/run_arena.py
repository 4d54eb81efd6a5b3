"""Runs the arena: takes the port, prepares the kernels, serves, and stops within two seconds."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import quote

from hinterland import catalog
from hinterland.errors import ArenaError
from hinterland.host.preparation import Preparation, list_uncompiled
from hinterland.host.processes.worker_processes import check_start
from hinterland.host.readiness import get_ready
from hinterland.jit import explain_missing_cache
from hinterland.web.app import create_app
from hinterland.web.metrics import MetricsServer
from hinterland.web.operations import event_log
from hinterland.web.relays import exchange
from hinterland.web.server import Server, address_of, listen
from hinterland.web.settings import Settings

if TYPE_CHECKING:
    from litestar import Litestar

    from hinterland.host.network.tcp import Listener
    from hinterland.web.arena import Arena

WARM_UP_AFTER_S = 2.0
"""Seconds after which drawing processes are started; earlier they would delay the first pages.

A page that needs such a process earlier starts it.
"""


def run_arena(settings: Settings, announce: Callable[[str], object], *, option: str = "--port") -> None:
    """Run the arena until it is interrupted. Raises ArenaError if a port, a folder or processes cannot be used.

    ``announce`` gets lines for people: that the start takes a while, and then the address of the ready arena.
    ``option``: name of the command-line option for the port. If the port is taken, the error message names it.
    """
    taken = listen(settings.host, settings.port, option)
    with contextlib.closing(taken) as listener, _metrics_listener(settings) as metrics:
        if settings.redis is not None:
            exchange.check(settings.redis)
        check_start()
        names = list(catalog.GAMES) if list_uncompiled() else []
        app = create_app(settings, Preparation(names))
        if not names:
            with _patience(announce):
                get_ready(*map(catalog.game, catalog.GAMES))
            if words := explain_missing_cache():
                announce(words)
        _serve(app, settings, listener, metrics, announce)


def _serve(
    app: Litestar, settings: Settings, listener: Listener, metrics: Listener | None,
    announce: Callable[[str], object],
) -> None:  # fmt: skip
    """Serve pages, and metrics if requested, until interrupted."""
    arena: Arena = app.state.arena
    loading = threading.Timer(WARM_UP_AFTER_S, _load_helpers, [arena])
    loading.daemon = True
    beside = [] if metrics is None else [MetricsServer(arena, metrics, lambda: server.config.shares)]

    def ready() -> None:
        for one in beside:
            one.start()
            announce(f"Metrics are at {address_of(settings.metrics_host, one.port)}/metrics")
        if arena.preparation.is_over:
            loading.start()
        address = settings.openness.public_url or address_of(settings.host, listener.port)
        announce("\n".join(_ready(settings, address, is_prepared=arena.preparation.is_over)))

    async def stop() -> None:
        await asyncio.gather(arena.stop(), *(one.stop() for one in beside))

    server = Server(app, settings, stop, ready)
    if settings.log is not None:
        event_log.begin(settings.log)  # only now: making the server sets up its own loggers
    server.run(sockets=listener.sockets)


def _load_helpers(arena: Arena) -> None:
    with contextlib.suppress(ArenaError):  # /healthz reports it
        arena.gallery.background.warm_up()


@contextlib.contextmanager
def _metrics_listener(settings: Settings) -> Iterator[Listener | None]:
    """Take the port for metrics, if requested. Raises ArenaError."""
    if settings.metrics_port is None:
        yield None
        return
    with contextlib.closing(listen(settings.metrics_host, settings.metrics_port, "--metrics-port")) as listener:
        yield listener


def _ready(settings: Settings, address: str, *, is_prepared: bool) -> Iterator[str]:
    """Yield the lines that announce a ready arena."""
    if not is_prepared:
        yield "Compiling the games in the background, for about a minute; a page that needs one says how far it is"
    yield f"Hinterland is ready at {address}"
    if (token := settings.openness.admin_token) is not None:
        link = f"{address}/admin?token={quote(token, safe='')}"
        yield f"Hosting matches needs the admin token; this address opens it: {link}"


@contextlib.contextmanager
def _patience(announce: Callable[[str], object], after_s: float = 1.5) -> Iterator[None]:
    """Announce a wait if the start takes longer than ``after_s`` seconds."""
    words = "Getting ready: loading the games, or compiling them if no cache can be kept"
    timer = threading.Timer(after_s, announce, [words])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
