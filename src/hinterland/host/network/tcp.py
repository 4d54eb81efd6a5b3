"""The listening socket and its connections: bytes are stamped as they come in; nothing waits for a slow reader."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import sys
import time
from collections.abc import Callable

from hinterland.errors import ArenaError
from hinterland.host.network.link import Receiver
from hinterland.referee.verdicts import Verdict

UNSENT_BYTES = 256 * 1024
"""More than this unread by the other side, and it is hung up on."""
KERNEL_BYTES = 64 * 1024
"""Of the kernel's buffers, a connection and direction."""
BACKLOG = 2048
"""How many may knock at once; a system that has to turn one away lets it wait for seconds."""
LAST_WORDS_S = 1.0
"""How long a closing connection may take to receive what was sent last."""
IDLE_S, PROBE_S, PROBES = 10, 5, 3
"""A peer whose cable was pulled is noticed after IDLE_S + PROBE_S * PROBES seconds."""


class TcpCarrier(asyncio.Protocol):
    """One connection."""

    def __init__(self, welcome: Callable[[TcpCarrier], Receiver | None], gone: Callable[[TcpCarrier], object]) -> None:
        """Make one for ``welcome`` to take once it stands, None if nobody listens; ``gone`` is told of its end."""
        self.origin = "nowhere"
        self.address = ""
        self._welcome = welcome
        self._gone = gone
        self._receiver: Receiver | None = None
        self._transport: asyncio.Transport | None = None
        self._cutting: asyncio.TimerHandle | None = None

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to listen."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.set_write_buffer_limits(high=UNSENT_BYTES)
        peer = transport.get_extra_info("peername")
        if isinstance(peer, tuple):
            self.address = str(peer[0])
            self.origin = f"[{peer[0]}]:{peer[1]}" if ":" in self.address else f"{peer[0]}:{peer[1]}"
        _tune(transport.get_extra_info("socket"))
        self._receiver = self._welcome(self)

    def data_received(self, data: bytes) -> None:
        """Stamp what has come and pass it on."""
        if self._receiver is not None:
            self._receiver.received(data, time.monotonic_ns())

    def connection_lost(self, exc: Exception | None) -> None:
        """Say why nothing more will come."""
        if self._cutting is not None:
            self._cutting.cancel()
        self._transport = None
        self._gone(self)
        self._lost("the connection was reset" if exc is not None else "the connection was closed")

    def eof_received(self) -> bool:
        """Take the end of what the other side sends for the end of the connection."""
        self._lost("the connection was closed")
        return False

    # Carrier

    def write(self, data: bytes) -> None:
        """Send bytes; hang up where too many wait unread."""
        if self._transport is None or self._transport.is_closing():
            return
        self._transport.write(data)
        if self._transport.get_write_buffer_size() > UNSENT_BYTES:
            self._transport.abort()
            self._lost(f"it left more than {UNSENT_BYTES // 1024} KiB unread")

    def write_eof(self) -> None:
        """Send no more; what comes is still taken."""
        if self._transport is not None and not self._transport.is_closing():
            with contextlib.suppress(OSError):
                self._transport.write_eof()

    def stop_reading(self) -> None:
        """Take no more bytes."""
        self._receiver = None
        if self._transport is not None and not self._transport.is_closing():
            self._transport.pause_reading()

    def close(self) -> None:
        """Hang up once all is sent, or a moment later whether it is or not."""
        if self._transport is None:
            return
        self._transport.close()
        if self._cutting is None:
            self._cutting = asyncio.get_running_loop().call_later(LAST_WORDS_S, self._transport.abort)

    def abort(self) -> None:
        """Hang up at once."""
        if self._transport is not None:
            self._transport.abort()

    def _lost(self, detail: str) -> None:
        receiver, self._receiver = self._receiver, None
        if receiver is not None:
            receiver.lost(Verdict.DISCONNECT, detail)


def _tune(connection: socket.socket) -> None:
    """Send small messages at once, bound the kernel's buffers, and notice a peer that is gone without a word."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", IDLE_S), ("TCP_KEEPINTVL", PROBE_S), ("TCP_KEEPCNT", PROBES)):
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def listen(
    host: str, port: int, option: str = "--port", *, sends: int = KERNEL_BYTES, receives: int | None = KERNEL_BYTES
) -> socket.socket:
    """Take a port. Raises ArenaError that says what to do instead; ``option`` is how another port is chosen.

    ``sends`` and ``receives``: the bytes that the system may keep for each connection; None leaves it to the system.
    """
    if not 0 <= port <= 65535:
        raise ArenaError(f"a port is a number from 0 to 65535, not {port}; choose another with {option}")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ArenaError(f"{host} is no address to listen on: {error.strerror}; choose another with --host") from None
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, sends)
        if receives is not None:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
        listener.bind(address)
        listener.listen(BACKLOG)
        listener.setblocking(False)
    except OSError as error:
        listener.close()
        raise _refused(host, port, option, error) from None
    return listener


def _refused(host: str, port: int, option: str, error: OSError) -> ArenaError:
    if error.errno == errno.EADDRINUSE:
        return ArenaError(f"port {port} on {host} is in use; choose another with {option}")
    if error.errno in (errno.EACCES, errno.EPERM):
        return ArenaError(
            f"port {port} on {host} may not be used by this user; choose another with {option}, above 1023"
        )
    if error.errno == errno.EADDRNOTAVAIL:
        return ArenaError(f"{host} is no address of this machine; choose another with --host")
    return ArenaError(f"port {port} on {host} cannot be used: {error.strerror}; choose another with {option}")
