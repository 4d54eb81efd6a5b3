"""Listening sockets and their connections. Bytes are stamped when they come in; nothing waits for a slow reader."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import socket
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from hinterland.errors import ArenaError
from hinterland.host.network.link import Receiver
from hinterland.referee.verdicts import Verdict

MAX_UNSENT_BYTES = 256 * 1024
"""Most bytes that may wait because the other side does not read; with more the connection is cut."""
KERNEL_BUFFER_BYTES = 64 * 1024
"""Size of the kernel's buffer for each direction of a connection."""
LISTEN_BACKLOG = 2048
"""Most connections that may wait to be accepted. A client that the system rejects would try again only after
seconds."""
CLOSE_TIMEOUT_S = 1.0
"""Seconds that a closing connection has to receive the last bytes sent."""
EVERY_INTERFACE = "*"
"""The host that means all addresses of this machine, IPv4 and IPv6."""
FREE_PORT_TRIES = 20
"""Most ports to try, if any will do, until one is free at all addresses of a host."""
KEEPALIVE_IDLE_S, KEEPALIVE_PROBE_S, KEEPALIVE_PROBES = 10, 5, 3
"""A peer whose cable was pulled is noticed after ``KEEPALIVE_IDLE_S + KEEPALIVE_PROBE_S * KEEPALIVE_PROBES``
seconds."""


class TcpCarrier(asyncio.Protocol):
    """One TCP connection."""

    def __init__(self, welcome: Callable[[TcpCarrier], Receiver | None], gone: Callable[[TcpCarrier], object]) -> None:
        """Make one.

        ``welcome`` takes the open connection, and returns None to refuse it; ``gone`` is called when the connection
        ends.
        """
        self.origin = "nowhere"
        self.address = ""
        self._welcome = welcome
        self._gone = gone
        self._receiver: Receiver | None = None
        self._transport: asyncio.Transport | None = None
        self._cutting: asyncio.TimerHandle | None = None

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.set_write_buffer_limits(high=MAX_UNSENT_BYTES)
        peer = transport.get_extra_info("peername")
        if isinstance(peer, tuple):
            self.address = str(peer[0])
            self.origin = f"[{peer[0]}]:{peer[1]}" if ":" in self.address else f"{peer[0]}:{peer[1]}"
        _tune(transport.get_extra_info("socket"))
        self._receiver = self._welcome(self)

    def data_received(self, data: bytes) -> None:
        if self._receiver is not None:
            self._receiver.on_bytes(data, time.monotonic_ns())

    def connection_lost(self, exc: Exception | None) -> None:
        if self._cutting is not None:
            self._cutting.cancel()
        self._transport = None
        self._gone(self)
        self._lost("the connection was reset" if exc is not None else "the connection was closed")

    def eof_received(self) -> bool:
        """End the connection when the other side sends no more."""
        self._lost("the connection was closed")
        return False

    # Carrier

    def write(self, data: bytes) -> None:
        """Send bytes; disconnect if too many wait unread."""
        if self._transport is None or self._transport.is_closing():
            return
        self._transport.write(data)
        if self._transport.get_write_buffer_size() > MAX_UNSENT_BYTES:
            self._transport.abort()
            self._lost(f"it left more than {MAX_UNSENT_BYTES // 1024} KiB unread")

    def write_eof(self) -> None:
        """Send no more bytes; received bytes are still taken."""
        if self._transport is not None and not self._transport.is_closing():
            with contextlib.suppress(OSError):
                self._transport.write_eof()

    def stop_reading(self) -> None:
        self._receiver = None
        if self._transport is not None and not self._transport.is_closing():
            self._transport.pause_reading()

    def close(self) -> None:
        if self._transport is None:
            return
        self._transport.close()
        if self._cutting is None:
            self._cutting = asyncio.get_running_loop().call_later(CLOSE_TIMEOUT_S, self._transport.abort)

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def _lost(self, detail: str) -> None:
        receiver, self._receiver = self._receiver, None
        if receiver is not None:
            receiver.on_lost(Verdict.DISCONNECT, detail)


def _tune(connection: socket.socket) -> None:
    """Send small messages at once, bound the kernel's buffers, and notice a peer that vanishes silently."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (
        ("TCP_KEEPIDLE", KEEPALIVE_IDLE_S),
        ("TCP_KEEPINTVL", KEEPALIVE_PROBE_S),
        ("TCP_KEEPCNT", KEEPALIVE_PROBES),
    ):
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


class Listener:
    """The listening sockets of one host: one for each of its addresses."""

    def __init__(self, host: str, sockets: Sequence[socket.socket]) -> None:
        """``host``: as ``bare_host`` returns it."""
        self.sockets = list(sockets)
        bound_host, self.port = sockets[0].getsockname()[:2]
        self.host: str = bound_host if len(sockets) == 1 else host
        """The bound address; if there are several, the host name that stands for them."""

    async def accept(self) -> socket.socket:
        """Wait for one connection."""
        loop = asyncio.get_running_loop()
        while True:
            knocked = asyncio.Event()
            try:
                for listener in self.sockets:
                    loop.add_reader(listener, knocked.set)
                await knocked.wait()
            except NotImplementedError:  # Windows: its event loop waits for one socket only
                return (await loop.sock_accept(self.sockets[0]))[0]
            finally:
                for listener in self.sockets:
                    with contextlib.suppress(NotImplementedError):
                        loop.remove_reader(listener)
            for listener in self.sockets:
                with contextlib.suppress(BlockingIOError, ConnectionAbortedError):
                    connection, _ = listener.accept()
                    connection.setblocking(False)
                    return connection

    def close(self) -> None:
        for listener in self.sockets:
            listener.close()


def bare_host(host: str) -> str:
    """Return a host without the brackets of an IPv6 address; an empty host becomes ``*``."""
    host = host.strip()
    return (host[1:-1] if host.startswith("[") and host.endswith("]") else host) or EVERY_INTERFACE


def listen(
    host: str,
    port: int,
    option: str = "--port",
    *,
    sends: int = KERNEL_BUFFER_BYTES,
    receives: int | None = KERNEL_BUFFER_BYTES,
) -> Listener:
    """Listen on a port at all addresses of a host. Raises ArenaError, which says what to do instead.

    ``option``: the command's option for another port, named in error messages. ``sends`` and ``receives``: sizes of the
    system's buffers for each connection, in bytes; None leaves the size to the system.
    """
    if not 0 <= port <= 65535:
        raise ArenaError(f"a port is a number from 0 to 65535, not {port}; choose another with {option}")
    host = bare_host(host)
    try:
        addresses = _look_up_addresses(host)
    except OSError as error:
        raise ArenaError(f"{host} is no address to listen on: {error.strerror}; choose another with --host") from None
    for left in reversed(range(FREE_PORT_TRIES)):
        try:
            return Listener(host, _bind_all(addresses, port, sends, receives))
        except OSError as error:
            is_taken_by_chance = port == 0 and error.errno == errno.EADDRINUSE and left > 0
            if not is_taken_by_chance:
                raise _explain_bind_error(host, port, option, error) from None
    raise AssertionError


@cache  # so that name servers are asked at the start, and never on an event loop
def _look_up_addresses(host: str) -> tuple[tuple[socket.AddressFamily, tuple[Any, ...]], ...]:
    name = None if host == EVERY_INTERFACE else host
    found = socket.getaddrinfo(name, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    return tuple(dict.fromkeys((family, address) for family, _, _, _, address in found))


def _bind_all(
    addresses: Sequence[tuple[socket.AddressFamily, tuple[Any, ...]]], port: int, sends: int, receives: int | None
) -> list[socket.socket]:
    """Return a socket for each address that this machine has, all at the same port. Raises OSError."""
    listeners: list[socket.socket] = []
    lacking: OSError | None = None
    try:
        for family, (name, _, *scope) in addresses:
            try:
                listeners.append(_bind(family, (name, port, *scope), len(addresses) > 1, sends, receives))
            except OSError as error:
                if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                    raise
                lacking = error
            else:
                port = listeners[0].getsockname()[1]
        if not listeners:
            raise lacking or OSError(errno.EADDRNOTAVAIL, os.strerror(errno.EADDRNOTAVAIL))
    except OSError:
        for listener in listeners:
            listener.close()
        raise
    return listeners


def _bind(
    family: socket.AddressFamily, address: tuple[Any, ...], is_one_of_several: bool, sends: int, receives: int | None
) -> socket.socket:
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, is_one_of_several)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, sends)
        if receives is not None:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
        listener.bind(address)
        listener.listen(LISTEN_BACKLOG)
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    return listener


def _explain_bind_error(host: str, port: int, option: str, error: OSError) -> ArenaError:
    if error.errno == errno.EADDRINUSE:
        return ArenaError(f"port {port} on {host} is in use; choose another with {option}")
    if error.errno in (errno.EACCES, errno.EPERM):
        return ArenaError(
            f"port {port} on {host} may not be used by this user; choose another with {option}, above 1023"
        )
    if error.errno == errno.EADDRNOTAVAIL:
        return ArenaError(f"{host} is no address of this machine; choose another with --host")
    return ArenaError(f"port {port} on {host} cannot be used: {error.strerror}; choose another with {option}")
