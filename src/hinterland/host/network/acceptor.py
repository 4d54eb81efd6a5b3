"""Accepts connections one at a time, so that many new connections never delay the open ones.

The event loop's own server accepts all waiting connections at once. If the system has no descriptors left, that server
logs an error for each connection, every second. ``Acceptor`` accepts one connection in each turn of the loop. If there
are no descriptors left, new connections wait in the system's queue, and one error is logged.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import sys
from collections.abc import Callable
from typing import Any

from hinterland.errors import ArenaError

EXHAUSTED_ERRNOS = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
"""Errors that mean that the system has no resources for another connection."""
RETRY_S = 0.1
RESERVED_DESCRIPTORS = 200
"""Descriptors kept free for files, pipes of programs and libraries."""
MIN_CONNECTIONS = 50
"""Least number of connections with which a server is of use."""


class Acceptor:
    """Takes connections from a listening socket. It belongs to one event loop, from ``start`` to ``stop``."""

    def __init__(
        self,
        listener: socket.socket,
        make: Callable[[], asyncio.BaseProtocol],
        lets_in: Callable[[str], bool] = lambda _: True,
    ) -> None:
        """``lets_in`` gets the address of a connection and says whether to take it or cut it off."""
        self._listener = listener
        self._make = make
        self._lets_in = lets_in
        self._loop: asyncio.AbstractEventLoop | None = None
        self._taking: set[asyncio.Task[Any]] = set()
        self._waking: asyncio.TimerHandle | None = None
        self._is_exhausted = False

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        try:
            self._loop.add_reader(self._listener, self._accept)
        except NotImplementedError:  # Windows: only the loop's own server can accept
            opening = self._loop.create_server(self._make, sock=self._listener)
            self._taking.add(self._loop.create_task(opening))

    async def stop(self) -> None:
        """Take no more connections. Connections that are being accepted are taken before this returns."""
        if self._loop is not None:
            self._pause()
            for done in await asyncio.gather(*self._taking, return_exceptions=True):
                if isinstance(done, asyncio.Server):
                    done.close()
            self._loop = None

    def _pause(self) -> None:
        if self._waking is not None:
            self._waking.cancel()
        if self._loop is not None:
            with contextlib.suppress(NotImplementedError):
                self._loop.remove_reader(self._listener)

    def _accept(self) -> None:
        assert self._loop is not None
        try:
            connection, address = self._listener.accept()
        except OSError as error:
            if error.errno in EXHAUSTED_ERRNOS:
                self._wait(error)
            return
        self._is_exhausted = False
        if not self._lets_in(address[0] if isinstance(address, tuple) else ""):
            connection.close()
            return
        connection.setblocking(False)
        taking = self._loop.create_task(self._take(connection))
        self._taking.add(taking)
        taking.add_done_callback(self._taking.discard)

    async def _take(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            await asyncio.get_running_loop().connect_accepted_socket(self._make, connection)

    def _wait(self, error: OSError) -> None:
        """Stop accepting for a moment. Report only the first of several errors in a row."""
        assert self._loop is not None
        if not self._is_exhausted:
            what = "nobody else can connect for now: the system has no more descriptors"
            self._loop.call_exception_handler({"message": what, "exception": error})
        self._is_exhausted = True
        self._pause()
        self._waking = self._loop.call_later(RETRY_S, self._loop.add_reader, self._listener, self._accept)


def allow_connections(connections: int) -> int:
    """Raise this process's limit on descriptors to allow ``connections``; return how many it then allows.

    Raises ArenaError if the system allows fewer than ``MIN_CONNECTIONS``.
    """
    if sys.platform == "win32":
        return connections
    import resource  # noqa: PLC0415

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + RESERVED_DESCRIPTORS
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft != resource.RLIM_INFINITY and soft < MIN_CONNECTIONS + RESERVED_DESCRIPTORS:
        raise ArenaError(
            f"this process may open {soft} files, too few for a server; allow it {wanted} with `ulimit -n {wanted}`"
        )
    return connections if soft == resource.RLIM_INFINITY else min(connections, soft - RESERVED_DESCRIPTORS)
