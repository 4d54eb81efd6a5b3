"""Players over a WebSocket. Each text frame is a line of protocol json; everything else is as over TCP."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import Any

from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from hinterland.host.lobby import Lobby
from hinterland.host.network.link import Link
from hinterland.host.network.tcp import CLOSE_TIMEOUT_S, MAX_UNSENT_BYTES
from hinterland.referee.protocol import messages
from hinterland.referee.verdicts import Verdict

POLICY, NORMAL, TOO_BIG = 1008, 1000, 1009


class SocketCarrier:
    """The transport of one player. Writing does not wait; a limited number of unsent bytes is kept."""

    def __init__(self, socket: WebSocket[Any, Any, Any]) -> None:
        client = socket.client
        self.address = client.host if client else ""
        self.origin = f"{client.host}:{client.port} (WebSocket)" if client else "a WebSocket"
        self._socket = socket
        self._link: Link | None = None
        self._unsent: deque[bytes] = deque()
        self._unsent_bytes = 0
        self._changed = asyncio.Event()
        self._is_closing = False
        self._is_cut = asyncio.Event()

    # Carrier

    def write(self, data: bytes) -> None:
        """Send each line in its own frame. Close the connection if the client leaves too much unread."""
        if self._is_closing:
            return
        self._unsent.extend(line for line in data.split(b"\n") if line)
        self._unsent_bytes += len(data)
        self._changed.set()
        if self._unsent_bytes > MAX_UNSENT_BYTES:
            self._is_cut.set()
            self._lose(Verdict.DISCONNECT, f"it left more than {MAX_UNSENT_BYTES // 1024} KiB unread")

    def stop_reading(self) -> None:
        """Stop reading."""
        self._link = None

    def close(self) -> None:
        """Close once everything is sent, after ``CLOSE_TIMEOUT_S`` at the latest."""
        if not self._is_closing:
            self._is_closing = True
            self._changed.set()
            asyncio.get_running_loop().call_later(CLOSE_TIMEOUT_S, self._is_cut.set)

    # The connection

    async def carry(self, link: Link | None) -> None:
        """Pass what the client sends on to ``link`` until either side closes.

        Without a link, only send what has been written.
        """
        if not self._is_closing:
            self._link = link
        hearing = asyncio.ensure_future(self._hear())
        telling = asyncio.ensure_future(self._tell())
        cutting = asyncio.ensure_future(self._is_cut.wait())
        tasks = {hearing, telling, cutting}
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
            self._lose(Verdict.DISCONNECT, "the connection was closed")
        for end in ends:
            if isinstance(end, Exception) and not isinstance(end, WebSocketDisconnect | OSError):
                raise end

    async def _hear(self) -> None:
        """Pass frames on, each with its time of arrival, until the client leaves or breaks the protocol."""
        while True:
            message: Any = await self._socket.receive()
            stamp_ns = time.monotonic_ns()
            if message["type"] != "websocket.receive":
                is_too_big = message.get("code") == TOO_BIG
                verdict = Verdict.OVERSIZE if is_too_big else Verdict.DISCONNECT
                self._lose(verdict, "a frame longer than any answer" if is_too_big else "the connection was closed")
                return
            text = message.get("text")
            if self._link is None:
                continue
            if text is None:
                self._lose(Verdict.PROTOCOL, "a binary frame; lines are sent as text")
                self.close()
                continue
            line = text.removesuffix("\n").encode("utf-8", "surrogateescape")
            self._link.on_bytes(line + b"\n", stamp_ns)

    async def _tell(self) -> None:
        while True:
            while self._unsent:
                line = self._unsent.popleft()
                await self._send({"type": "websocket.send", "text": line.decode()})
                self._unsent_bytes -= len(line) + 1
            if self._is_closing:
                await self._send({"type": "websocket.close", "code": NORMAL, "reason": ""})
                return
            await self._changed.wait()
            self._changed.clear()

    async def _send(self, message: Any) -> None:
        try:
            await self._socket.send(message)
        except RuntimeError:  # the server has closed the WebSocket for a frame too large
            raise WebSocketDisconnect(detail="gone") from None

    def _lose(self, verdict: Verdict, detail: str) -> None:
        link, self._link = self._link, None
        if link is not None:
            link.on_lost(verdict, detail)


async def join(socket: WebSocket[Any, Any, Any], lobby: Lobby) -> None:
    """Let a player join over a WebSocket, and pass the player's lines on until the connection ends."""
    await socket.accept()
    carrier = SocketCarrier(socket)
    link = lobby.welcome(carrier, carrier.address)
    await carrier.carry(link)


async def send_away(socket: WebSocket[Any, Any, Any], detail: str) -> None:
    """Tell a client, in the protocol, why nobody can join here."""
    await socket.accept()
    await socket.send_text(messages.encode(messages.Bye(detail, (), (), ())).decode().rstrip("\n"))
    await socket.close(POLICY, detail[:40])
