"""What hostile players have in common, and the list of all that they can do wrong."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NoReturn

from conformance.scripts.both_protocols import Speaker

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from conformance.scripts.web_socket import WebSocket

__all__ = ["FOR_EVER_S", "MISBEHAVIOURS", "HostilePlayer", "misbehaviour"]

FOR_EVER_S = 600
MISBEHAVIOURS: dict[str, Callable[[HostilePlayer], None]] = {}
"""By name, what a hostile player does."""


def misbehaviour(function: Callable[[HostilePlayer], None]) -> Callable[[HostilePlayer], None]:
    """Enter a function in the list by its name."""
    MISBEHAVIOURS[function.__name__] = function
    return function


class HostilePlayer:
    """What every hostile player can do: talk, wait, and play on as if nothing had happened."""

    def __init__(self, way: str, size: int, clock_ms: int) -> None:
        self.clock_s = clock_ms / 1000
        self.connection: socket.socket | WebSocket | None = None
        self._path = ""
        self.is_json, self.token, self._port, self._size = True, "", 0, size
        if way != "pipes":
            _, port, protocol, self.token, self._path = way.split(":")
            self._port, self.is_json = int(port), protocol == "json"
        self.speaker = Speaker("json" if self.is_json else "hps", size)
        self._heard: list[str] = []

    def connect(self, origin: str = "", receive_bytes: int = 0) -> None:
        """Open a (new) connection, where there is a network; join next."""
        if not self._port:
            return
        import socket

        self.speaker = Speaker("json" if self.is_json else "hps", self._size)
        self._heard.clear()
        self.connection = socket.socket()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if receive_bytes:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        if origin:
            self.connection.bind((origin, 0))
        print(time.monotonic_ns(), flush=True)
        self.connection.connect(("127.0.0.1", self._port))
        if self._path:
            from conformance.scripts.web_socket import WebSocket

            self.connection = WebSocket(self.connection, self._path)

    def read(self) -> bytes:
        """Read what there is."""
        return self.connection.recv(65536) if self.connection else os.read(0, 65536)

    def say(self, data: bytes) -> None:
        """Send bytes, all of them, if anybody takes them."""
        if self.connection:
            self.connection.sendall(data)
            return
        while data:
            data = data[os.write(1, data) :]

    def join(self) -> None:
        """Connect and introduce oneself."""
        self.connect()
        self.say(self.speaker.join("hostile", self.token))

    def until(self, wanted: str) -> None:
        """Listen until something is said; end where nothing more will be."""
        while wanted not in self._heard:
            data = self.read()
            if not data:
                os._exit(0)
            self._heard += self.speaker.hear(data)
        last = len(self._heard) - 1 - self._heard[::-1].index(wanted)
        del self._heard[: last + 1]  # what came behind it in the same packet is for the next time

    def until_asked(self) -> None:
        """Join and wait for the first question."""
        self.join()
        self.until("ask")

    def play_on(self, answer: Callable[[], None] | None = None) -> None:
        """Answer every question, by default as one should."""
        while True:
            (answer or (lambda: self.say(self.speaker.answer())))()
            self.until("ask")

    def idle(self) -> NoReturn:
        """Do nothing for ever."""
        time.sleep(FOR_EVER_S)
        os._exit(0)

    def repeat(self, data: bytes, pause_s: float = 0.0) -> NoReturn:
        """Send the same for ever."""
        while True:
            self.say(data)
            time.sleep(pause_s)
