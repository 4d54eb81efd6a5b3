"""Runs the arena: takes the port, gets the kernels ready, serves, and stops within two seconds when told to."""

from __future__ import annotations

import contextlib
import errno
import signal
import socket
import sys
import threading
from typing import TYPE_CHECKING

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from hinterland import catalog
from hinterland.errors import ArenaError
from hinterland.web.app import create_app

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from litestar import Litestar

    from hinterland.web.arena import Arena
    from hinterland.web.settings import Settings

__all__ = ["serve"]

GRACE_S = 1
SPARE_CONNECTIONS = 500
"""On top of the viewers, for pages and files."""
SEND_BUFFER_BYTES = 128 * 1024
"""Of the kernel, a connection: small, so that who does not read is noticed before much memory is filled."""
SIGNALS = (signal.SIGINT, signal.SIGTERM)


def serve(settings: Settings, announce: Callable[[str], object]) -> None:
    """Run the arena until it is interrupted. Raises ArenaError where the port or a folder cannot be used.

    ``announce`` gets lines for people: that it takes a while, if it does; that the arena is ready, and where.
    """
    with contextlib.closing(_listen(settings)) as listener:
        app = create_app(settings)
        with _patience(announce):
            warm_up()
        address = _address(settings.host, listener.getsockname()[1])
        server = _Server(_config(app, settings), app.state.arena, lambda: announce(f"Hinterland is ready at {address}"))
        server.run(sockets=[listener])


def warm_up() -> None:
    """Compile all kernels of all games, so that the first game does not wait for them."""
    for name in catalog.GAMES:
        catalog.game(name).warm_up()


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


def _listen(settings: Settings) -> socket.socket:
    """Take the port. Raises ArenaError that says what to do instead."""
    host, port = settings.host, settings.port
    if not 0 <= port <= 65535:
        raise ArenaError(f"a port is a number from 0 to 65535, not {port}; choose another with --port")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ArenaError(f"{host} is no address to listen on: {error.strerror}; choose another with --host") from None
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        listener.bind(address)
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise _refused(host, port, error) from None
    return listener


def _refused(host: str, port: int, error: OSError) -> ArenaError:
    if error.errno == errno.EADDRINUSE:
        return ArenaError(f"port {port} on {host} is in use; choose another with --port")
    if error.errno in (errno.EACCES, errno.EPERM):
        return ArenaError(f"port {port} on {host} may not be used by this user; choose another with --port, above 1023")
    if error.errno == errno.EADDRNOTAVAIL:
        return ArenaError(f"{host} is no address of this machine; choose another with --host")
    return ArenaError(f"port {port} on {host} cannot be used: {error.strerror}; choose another with --port")


def _address(host: str, port: int) -> str:
    """Return the address to open; one that means every interface is reached by the machine's own name."""
    shown = "localhost" if host in ("0.0.0.0", "::", "") else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"


def _config(app: Litestar, settings: Settings) -> uvicorn.Config:
    limits = settings.limits
    return uvicorn.Config(
        app,
        http="h11",
        ws=_Connection,
        ws_max_size=limits.frame_bytes,
        ws_ping_interval=limits.ping_s,
        ws_ping_timeout=2 * limits.ping_s,
        ws_per_message_deflate=False,
        h11_max_incomplete_event_size=limits.frame_bytes,
        limit_concurrency=limits.viewers + SPARE_CONNECTIONS,
        timeout_graceful_shutdown=GRACE_S,
        timeout_keep_alive=10,
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_level="warning",
    )


class _Connection(WebSocketsSansIOProtocol):
    """A WebSocket that is cut off, rather than closed in good order, when the other side has stopped reading.

    Closing in good order waits until all that was sent has been taken, which may be never.
    """

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self._cut_off_if_stuck()

    def shutdown(self) -> None:
        super().shutdown()
        self._cut_off_if_stuck()

    def handle_ping(self) -> None:
        """Answer, unless the answers are piling up unread."""
        super().handle_ping()
        self._cut_off_if_stuck()

    def _cut_off_if_stuck(self) -> None:
        if not self.writable.is_set():
            self.transport.abort()


class _Server(uvicorn.Server):
    """Says when it is ready, closes the games before the connections, and ends without dying of the signal."""

    def __init__(self, config: uvicorn.Config, arena: Arena, is_ready: Callable[[], object]) -> None:
        super().__init__(config)
        self._arena = arena
        self._is_ready = is_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._is_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._arena.stop()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on SIGINT and SIGTERM, at once on a second one."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
