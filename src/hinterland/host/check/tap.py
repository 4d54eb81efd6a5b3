"""A tap on a link: keeps the last lines of a conversation, and cuts or joins the packets to the bot."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Literal

from hinterland.host.network.link import Carrier, Link
from hinterland.referee.verdicts import Verdict

Packets = Literal["whole", "pieces", "joined"]
PIECE_BYTES, PIECE_S = 7, 0.001
KEPT_LINES, MAX_LINE_CHARACTERS = 12, 160


class Tap:
    """Stands between a carrier and a link, and acts as the other for each of them."""

    def __init__(self, link: Link) -> None:
        self.packets: Packets = "whole"
        """How messages are sent: as they are, in small pieces, or held back and joined until a request goes out."""
        self.lines: deque[str] = deque(maxlen=KEPT_LINES)
        """The last lines, escaped."""
        self._link = link
        self._carrier: Carrier | None = None
        self._held = bytearray()
        self._is_silent = False
        self._sending: asyncio.TimerHandle | None = None

    def attach_carrier(self, carrier: Carrier) -> Tap:
        """Take a carrier and return this tap, which receives what the carrier brings."""
        self._carrier = carrier
        self._link.attach_carrier(self)
        return self

    @property
    def origin(self) -> str:
        return self._carrier.origin if self._carrier is not None else "nowhere"

    # To the bot

    def write(self, data: bytes) -> None:
        """Send bytes, or hold them back; send nothing after the last words."""
        if self._is_silent:
            return
        self._keep("<", data)
        self._held += data
        if self.packets == "whole":
            self.flush()
        elif self.packets == "pieces" and self._sending is None:
            self._send_piece()

    def say_no_more(self) -> None:
        """Send the bytes held back, and nothing from now on: the stream to the bot ends."""
        self.flush()
        self._is_silent = True

    def flush(self) -> None:
        """Send the bytes held back, in one piece."""
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None
        if self._held and self._carrier is not None:
            self._carrier.write(bytes(self._held))
        self._held.clear()

    def _send_piece(self) -> None:
        piece = bytes(self._held[:PIECE_BYTES])
        del self._held[:PIECE_BYTES]
        if piece and self._carrier is not None:
            self._carrier.write(piece)
        wait = asyncio.get_running_loop().call_later
        self._sending = wait(PIECE_S, self._send_piece) if self._held else None

    def stop_reading(self) -> None:
        if self._carrier is not None:
            self._carrier.stop_reading()

    def close(self) -> None:
        self.flush()
        if self._carrier is not None:
            self._carrier.close()

    # From the bot

    def on_bytes(self, data: bytes, stamp_ns: int) -> None:
        self._keep(">", data)
        self._link.on_bytes(data, stamp_ns)

    def on_lost(self, verdict: Verdict, detail: str) -> None:
        self.lines.append(f"# {detail}")
        self.say_no_more()
        self._link.on_lost(verdict, detail)

    def _keep(self, sign: str, data: bytes) -> None:
        for line in data[-KEPT_LINES * 4096 :].splitlines()[-KEPT_LINES:]:
            text = ascii(line[: 4 * MAX_LINE_CHARACTERS].decode("utf-8", "backslashreplace"))[1:-1]
            long = len(text) > MAX_LINE_CHARACTERS
            self.lines.append(f"{sign} {text[:MAX_LINE_CHARACTERS]}{'…' if long else ''}")
