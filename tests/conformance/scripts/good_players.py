"""The good players: one script plays them all, so that it can tell how fast the referee is between them.

``good_players.py SIZE`` reads lines ``PORT PROTOCOL NAME TOKEN PAUSE_MS`` (``-``: no token); for each a player
connects. For each move of a player with a pause it prints when the opponent was asked after it, and how much later,
both in nanoseconds.
"""

from __future__ import annotations

import heapq
import os
import selectors
import socket
import sys
import time

if __name__ == "__main__":
    sys.path.insert(0, os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..")))  # noqa: PTH100, PTH118, PTH120

from conformance.scripts.both_protocols import Speaker

__all__ = ["GoodPlayers", "main"]


class GoodPlayer:
    """One connection."""

    def __init__(self, port: int, protocol: str, name: str, token: str, pause_ms: int, size: int) -> None:
        self.pause_s = pause_ms / 1000
        self.speaker = Speaker(protocol, size)
        self.connection = socket.create_connection(("127.0.0.1", port))
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connection.sendall(self.speaker.join(name, token))


class GoodPlayers:
    """All players, and when each is to move."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._due: list[tuple[float, int, GoodPlayer]] = []
        self._sent_ns = 0
        self._count = 0
        self._selector = selectors.DefaultSelector()
        self._selector.register(0, selectors.EVENT_READ)
        self._orders = b""

    def play(self) -> None:
        """Play until the input ends."""
        while True:
            wait_s = max(self._due[0][0] - time.monotonic(), 0) if self._due else None
            for key, _ in self._selector.select(wait_s):
                if key.data is not None:
                    self._listen(key.data)
                elif not self._obey():
                    return
            while self._due and self._due[0][0] <= time.monotonic():
                self._move(heapq.heappop(self._due)[2])

    def _obey(self) -> bool:
        data = os.read(0, 65536)
        *orders, self._orders = (self._orders + data).split(b"\n")
        for order in orders:
            port, protocol, name, token, pause = order.decode().split()
            try:
                player = GoodPlayer(int(port), protocol, name, token.strip("-"), int(pause), self._size)
            except OSError:
                continue
            self._selector.register(player.connection, selectors.EVENT_READ, player)
        return bool(data)

    def _listen(self, player: GoodPlayer) -> None:
        try:
            data = player.connection.recv(65536)
        except OSError:
            data = b""
        if not data:
            self._selector.unregister(player.connection)
            player.connection.close()
            return
        if "ask" not in player.speaker.hear(data):
            return
        now_ns = time.monotonic_ns()
        if player.pause_s and self._sent_ns:
            print(now_ns, now_ns - self._sent_ns, flush=True)
            self._sent_ns = 0
        self._count += 1
        heapq.heappush(self._due, (time.monotonic() + player.pause_s, self._count, player))

    def _move(self, player: GoodPlayer) -> None:
        try:
            data = player.speaker.answer()
            if player.pause_s:
                self._sent_ns = time.monotonic_ns()
            player.connection.sendall(data)
        except OSError:
            pass


def main() -> None:
    """Play."""
    GoodPlayers(int(sys.argv[1])).play()


if __name__ == "__main__":
    main()
