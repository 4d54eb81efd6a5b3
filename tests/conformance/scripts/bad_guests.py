"""A hostile guest of a page: does one thing wrong. ``bad_guests.py MISBEHAVIOUR PORT ADDRESS TABLE TAG``.

What becomes of it is printed in a word or two; nothing where it is let be. It imports the standard library alone.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

if __name__ == "__main__":
    sys.path.insert(0, os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..")))  # noqa: PTH100, PTH118, PTH120

from conformance.scripts.page_guest import PageGuest, frame, tell

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from conformance.scripts.web_socket import WebSocket

__all__ = ["GUESTS", "main"]

FOR_EVER_S = 600
DRIP_S = 0.05
FEW, MANY = 10, 60
PIPELINED = 200
TEXT, PING, PONG, PART, FIRST_PART = 0x81, 0x89, 0x8A, 0x00, 0x01
CUT_OFF, REFUSED = "cut off", "refused"
FRAMES = {
    "pings": (b"", frame(PING)),
    "pongs": (b"", frame(PONG)),
    "fragments": (frame(FIRST_PART), frame(PART)),
    "texts": (b"", frame(TEXT, b'{"type":"rest","on":true}')),
    "bad_utf8": (b"", frame(TEXT, b"\xff\xfe")),
    "giant_frame": (frame(TEXT, b"", 1 << 40), b"x" * 65536),
}
"""What is sent first, and then without end."""


def _flood(guest: PageGuest, first: bytes, then: bytes) -> None:
    """Watch, and send without end."""
    watched = guest.watch()
    _raw(watched).sendall(first)
    while True:
        _raw(watched).sendall(then * 50 if len(then) < 100 else then)
        time.sleep(0.001)


def _raw(watched: WebSocket) -> socket.socket:
    """Return what is below a WebSocket."""
    return watched._below


def never_reads(guest: PageGuest) -> None:
    """Watch, and read nothing."""
    guest.watch(receive_bytes=1)
    time.sleep(FOR_EVER_S)


def half_a_handshake(guest: PageGuest) -> None:
    """Ask for a WebSocket, not to the end."""
    made = guest.connect()
    made.sendall(guest.request(f"{guest.table}/live", more="Upgrade: websocket\r\nConnection: Upgrade\r\n")[:-2])
    _until_cut_off([made])


def reconnects(guest: PageGuest) -> None:
    """Connect again and again, and look now and then whether one is let in."""
    while True:
        for _ in range(50):
            guest.connect().close()
        made = guest.connect()
        made.settimeout(0.02)
        with contextlib.suppress(TimeoutError):
            if not made.recv(1):
                raise ConnectionAbortedError
        made.close()


def slow_headers(guest: PageGuest) -> None:
    """Send headers byte by byte."""
    _drip(guest, guest.request(guest.table, more="X: ")[:-2])


def slow_body(guest: PageGuest) -> None:
    """Send a body byte by byte."""
    _drip(guest, guest.request("/api/games", "POST", more="Content-Length: 50000\r\n"))


def _drip(guest: PageGuest, head: bytes) -> None:
    connections = [guest.connect() for _ in range(FEW)]
    for made in connections:
        made.sendall(head)
        made.setblocking(False)
    while True:
        for made in connections:
            made.sendall(b"x")
            with contextlib.suppress(BlockingIOError):
                while made.recv(65536):
                    pass
                raise ConnectionAbortedError
        time.sleep(DRIP_S)


def idle_sockets(guest: PageGuest) -> None:
    """Open a crowd of connections and ask for nothing."""
    _until_cut_off([guest.connect() for _ in range(MANY)])


def _until_cut_off(connections: list[socket.socket]) -> None:
    for made in connections:
        while made.recv(65536):
            pass
    raise ConnectionAbortedError


def pipelines(guest: PageGuest) -> None:
    """Ask for many pages at once, and read none."""
    made = guest.connect(receive_bytes=1)
    while True:
        made.sendall(guest.request(guest.table) * PIPELINED)


def asks_for_pages(guest: PageGuest) -> None:
    """Ask for one page after another, over several connections."""
    while True:
        for made in [guest.connect() for _ in range(FEW)]:
            made.sendall(guest.request(guest.table) * FEW + guest.request(guest.table, more="Connection: close\r\n"))
            heard = b""
            while data := made.recv(65536):
                heard += data
            if b"HTTP/1.1 429 " in heard:
                tell(REFUSED)


GUESTS: dict[str, Callable[[PageGuest], None]] = {
    **{name: partial(_flood, first=first, then=then) for name, (first, then) in FRAMES.items()},
    **{
        act.__name__: act
        for act in (
            never_reads, half_a_handshake, reconnects, slow_headers, slow_body, idle_sockets, pipelines, asks_for_pages,
        )
    },
}  # fmt: skip
"""By name, what a hostile guest does until it is cut off."""


def main() -> None:
    """Do what the command line names, again where it is cut off."""
    name, port, address, table = sys.argv[1:5]
    guest = PageGuest(port, address, table)
    while True:
        with contextlib.suppress(ConnectionError):
            GUESTS[name](guest)
        tell(CUT_OFF)
        time.sleep(DRIP_S)


if __name__ == "__main__":
    main()
