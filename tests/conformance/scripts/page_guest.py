"""What hostile guests and people at a page have in common: connections from an address of their own, frames, words."""

from __future__ import annotations

import os
import socket
import struct
import sys

from conformance.scripts.web_socket import WebSocket

__all__ = ["HELLO", "PageGuest", "frame", "tell"]

HELLO = b'{"type":"hello","key":null}'


def frame(first: int, payload: bytes = b"", size: int | None = None) -> bytes:
    """Return a frame as clients send it, masked with zeros; ``size``: what it says of its size, if not the truth."""
    size = len(payload) if size is None else size
    if size < 126:
        return struct.pack("!BBI", first, 0x80 | size, 0) + payload
    return struct.pack("!BBQI", first, 0xFF, size, 0) + payload


class PageGuest:
    """Who looks at a page of a port, from an address."""

    def __init__(self, port: str, address: str, table: str) -> None:
        self.table = table
        self._place, self._address = ("127.0.0.1", int(port)), address
        if hasattr(os, "nice"):
            os.nice(10)  # it would have a machine of its own

    def connect(self, receive_bytes: int = 0) -> socket.socket:
        """Open a connection."""
        made = socket.socket()
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if receive_bytes:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        made.bind((self._address, 0))
        made.connect(self._place)
        return made

    def request(self, path: str, method: str = "GET", body: bytes = b"", more: str = "") -> bytes:
        """Write a request."""
        length = f"Content-Length: {len(body)}\r\n" if body else ""
        return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._place[1]}\r\n{length}{more}\r\n".encode() + body

    def watch(self, hello: bytes = HELLO, receive_bytes: int = 0) -> WebSocket:
        """Open a live connection, and say what is said first."""
        opened = WebSocket(self.connect(receive_bytes), f"{self.table}/live")
        opened.sendall(hello + b"\n")
        return opened


def tell(word: str) -> None:
    """Say what became of this guest, once: the first word counts."""
    sys.stdout.write(word + "\n")
    sys.stdout.flush()
