"""A player's side of a WebSocket (RFC 6455), with the manners of a socket: lines in, lines out, a text frame a line."""

from __future__ import annotations

import socket
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

__all__ = ["WebSocket"]

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
NO_MASK = bytes(4)
"""Of which every byte leaves a byte as it is."""
KEY = "dGhlIHNhbXBsZSBub25jZQ=="


class WebSocket:
    """An open connection. What is asked of a socket and is not here is asked of the one below."""

    def __init__(self, below: socket.socket, path: str) -> None:
        """Shake hands over a connection to a server."""
        self._below, self._heard, self._line = below, b"", b""
        host, port = below.getpeername()
        more = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13"
        below.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n{more}\r\n\r\n".encode())
        while b"\r\n\r\n" not in self._heard and (data := below.recv(65536)):
            self._heard += data
        self._heard = self._heard.partition(b"\r\n\r\n")[2]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._below, name)

    def sendall(self, data: bytes) -> None:
        """Send each whole line as a frame, all at once as a socket would; a part of one waits for the rest."""
        *lines, self._line = (self._line + data).split(b"\n")
        self._below.sendall(b"".join(_as_frame(TEXT, line) for line in lines))

    def recv(self, _most: int) -> bytes:
        """Return the next frame as a line; nothing where the other side has hung up."""
        while True:
            while (frame := self._frame()) is None:
                data = self._below.recv(65536)
                if not data:
                    return b""
                self._heard += data
            kind, text = frame
            if kind == TEXT:
                return text + b"\n"
            if kind == CLOSE:
                return b""
            if kind == PING:
                self._below.sendall(_as_frame(PONG, text))

    def _frame(self) -> tuple[int, bytes] | None:
        """Take the next frame out of what was heard: its kind and what it says."""
        if len(self._heard) < 2:
            return None
        kind, size, start = self._heard[0] & 15, self._heard[1] & 127, 2
        if size > 125:
            start = 4 if size == 126 else 10
            if len(self._heard) < start:
                return None
            size = int.from_bytes(self._heard[2:start], "big")
        if len(self._heard) < start + size:
            return None
        text, self._heard = self._heard[start : start + size], self._heard[start + size :]
        return kind, text


def _as_frame(kind: int, text: bytes) -> bytes:
    size = len(text)
    head = struct.pack("!BB", 128 | kind, 128 | size) if size < 126 else (
        struct.pack("!BBH", 128 | kind, 254, size) if size < 65536 else struct.pack("!BBQ", 128 | kind, 255, size)
    )  # fmt: skip
    return head + NO_MASK + text
