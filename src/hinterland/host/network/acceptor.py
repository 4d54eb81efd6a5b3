"""Accepts connections one at a time, so that a crowd at the door never holds up those inside.

The event loop's own server accepts all who wait in one go, and where the system has no descriptors left it says so once
for each of them, every second. Here one is accepted a turn of the loop; who comes when there is no room waits in the
system's queue until there is, and this is said once.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
"""The system has nothing left to give a connection."""
LOOK_AGAIN_S = 0.1


class Acceptor:
    """Takes connections from a listening socket. It belongs to one event loop, from ``start`` to ``stop``."""

    def __init__(
        self,
        listener: socket.socket,
        make: Callable[[], asyncio.BaseProtocol],
        lets_in: Callable[[str], bool] = lambda _: True,
    ) -> None:
        """Make ready; ``lets_in`` says of the address that a connection comes from whether it is taken or cut off."""
        self._listener = listener
        self._make = make
        self._lets_in = lets_in
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Take connections from now on."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Take no more; who was being taken is among the connections, or cut off, when this returns."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        is_exhausted = False
        while True:
            try:
                connection, address = await loop.sock_accept(self._listener)
            except OSError as error:
                if error.errno not in EXHAUSTED:
                    continue  # it was gone before it was taken
                if not is_exhausted:
                    what = "nobody else can connect for now: the system has no more descriptors"
                    loop.call_exception_handler({"message": what, "exception": error})
                is_exhausted = True
                await asyncio.sleep(LOOK_AGAIN_S)
                continue
            is_exhausted = False
            if self._lets_in(address[0] if isinstance(address, tuple) else ""):
                with contextlib.suppress(OSError):
                    await loop.connect_accepted_socket(self._make, connection)
            else:
                connection.close()
