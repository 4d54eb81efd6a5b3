"""The web server: listens on a port and serves an application.

The server stops within a second, whoever is connected.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections import deque
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from hinterland.host.network import tcp
from hinterland.host.network.acceptor import Acceptor, allow_connections
from hinterland.web.connections import Connections, HttpConnection, WebSocketConnection, with_mapped_networks
from hinterland.web.openness import own_names
from hinterland.web.rates import widest_share_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from litestar import Litestar

    from hinterland.web.settings import Place

GRACE_S = 1
SPARE_CONNECTIONS = 500
"""Connections for pages and files, besides those of viewers."""
SEND_BUFFER_BYTES = 128 * 1024
"""Send buffer of a connection: small, so that a client that does not read is noticed early."""
ANY_HOST = ("0.0.0.0", "::", tcp.EVERY_INTERFACE)
"""Hosts that mean every interface."""


def listen(host: str, port: int, option: str = "--port") -> tcp.Listener:
    """Listen on a port for pages. Raises ArenaError, whose message names ``option`` for another port."""
    return tcp.listen(host, port, option, sends=SEND_BUFFER_BYTES, receives=None)


def address_of(host: str, port: int) -> str:
    """Return the address to open in a browser, with ``localhost`` for a host that means every interface."""
    host = tcp.bare_host(host)
    return f"http://{_place('localhost' if host in ANY_HOST else host, port)}"


def reachable_address(host: str, port: int) -> str:
    """Return HOST:PORT for other machines. A host that means every interface is replaced by this machine's address."""
    host = tcp.bare_host(host)
    return _place(_own_address() if host in ANY_HOST else host, port)


def _place(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _own_address() -> str:
    """Return the address from which this machine would send to others. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address reserved for documentation: nobody is there
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def _config(app: Litestar, place: Place) -> _Config:
    limits = place.limits
    most = allow_connections(limits.viewers + SPARE_CONNECTIONS)
    proxies, turns = (
        place.openness.trust_proxy,
        FairRequestQueue(_below_path(place.openness.base, _answer_head_as_get(app))),
    )
    config = _Config(
        ProxyHeadersMiddleware(turns, with_mapped_networks(proxies)) if proxies else turns,
        http=HttpConnection,
        ws=WebSocketConnection,
        ws_max_size=limits.frame_bytes,
        ws_ping_interval=limits.ping_s,
        ws_ping_timeout=2 * limits.ping_s,
        ws_per_message_deflate=False,
        h11_max_incomplete_event_size=limits.frame_bytes,
        timeout_graceful_shutdown=GRACE_S,
        timeout_keep_alive=10,
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_level="error",
    )
    config.shares = Connections(limits, most, proxies)
    return config


def _answer_head_as_get(app: Any) -> Any:
    """Let the application answer HEAD as it answers GET; the server leaves out the body."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        is_head = scope["type"] == "http" and scope["method"] == "HEAD"
        await app({**scope, "method": "GET"} if is_head else scope, receive, send)

    return answer


def _below_path(base: str, app: Any) -> Any:
    """Serve an application below a path of its host, whether the proxy passes that path on or not.

    The routes of the application do not have this path, but the addresses in its pages and redirects begin with it.
    """

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        async def lead(message: Any) -> None:
            if message["type"] == "http.response.start":
                found = [(name, _led(name, value)) for name, value in message.get("headers", ())]
                message = {**message, "headers": found}
            await send(message)

        if scope["type"] != "lifespan":
            path = _without(unquote(base), scope["path"])
            scope = {**scope, "path": path, "raw_path": quote(path).encode()}
        await app(scope, receive, lead)

    def _led(name: bytes, value: bytes) -> bytes:
        is_own = name == b"location" and value.startswith(b"/") and not value.startswith(b"//")
        return base.encode() + value if is_own else value

    return answer if base else app


def _without(base: str, path: str) -> str:
    return path.removeprefix(base) or "/" if path == base or path.startswith(f"{base}/") else path


class _Config(uvicorn.Config):
    """Carries the shared limits to each connection."""

    shares: Connections


class FairRequestQueue:
    """Passes requests to an ASGI application: one request of each address in a turn of the event loop.

    The event loop handles everything that has arrived before it looks for more. Without this queue, many short requests
    of one address would delay all other requests and all moves. Use a queue only in one event loop.
    """

    def __init__(self, app: Any) -> None:
        self._app = app
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """Waiting requests, by address; every address that has started a request in this turn has a queue."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request when the turn of its address has come."""
        if scope["type"] != "lifespan":
            await self._turn(widest_share_of(scope["client"][0]) if scope.get("client") else "")
        await self._app(scope, receive, send)

    async def _turn(self, address: str) -> None:
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._next)
        if address not in self._waiting:
            self._waiting[address] = deque()
            return
        mine = loop.create_future()
        self._waiting[address].append(mine)
        await mine

    def _next(self) -> None:
        """Start the next waiting request of each address."""
        for address, queue in list(self._waiting.items()):
            while queue and queue[0].done():  # the client has disconnected
                queue.popleft()
            if queue:
                queue.popleft().set_result(None)
            else:
                del self._waiting[address]
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._next)


class Server(uvicorn.Server):
    """A web server that says when it is ready, closes the application before its connections, and handles signals."""

    config: _Config

    def __init__(
        self,
        app: Litestar,
        place: Place,
        close: Callable[[], Awaitable[None]],
        is_ready: Callable[[], object] = lambda: None,
        *,
        hears_signals: bool = True,
    ) -> None:
        super().__init__(_config(app, place))
        self._place = place
        self._close = close
        self._is_ready = is_ready
        self._hears_signals = hears_signals
        self._acceptors: list[Acceptor] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve."""
        if not self._place.is_loopback:
            own_names()  # starts the thread that asks the name server
        await super().startup([])
        if self.started:
            admit = self.config.shares.admit_connection
            self._acceptors = [Acceptor(one, self._connection, admit) for one in sockets or ()]
            for acceptor in self._acceptors:
                acceptor.start()
            self._is_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close the application, then the connections."""
        for acceptor in self._acceptors:
            await acceptor.stop()
        await self._close()
        await super().shutdown(sockets)

    def _connection(self) -> HttpConnection:
        return HttpConnection(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on SIGINT and SIGTERM, and at once on a second signal, unless the caller handles signals itself."""
        with super().capture_signals() if self._hears_signals else contextlib.nullcontext():
            yield
            self._captured_signals.clear()  # else uvicorn would raise the signals again
