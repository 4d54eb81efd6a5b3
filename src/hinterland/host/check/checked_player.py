"""A bot in its seat while it is checked, and a tap on the link between referee and bot.

The tap keeps the last lines of the conversation, and cuts or joins the packets to the bot.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, Literal

from hinterland.contract import Game, Position
from hinterland.host.matchmaker import AdmissionLimits
from hinterland.host.network.link import Carrier, Link
from hinterland.host.observer import Observer
from hinterland.host.players.remote_player import RemotePlayer
from hinterland.referee import judge
from hinterland.referee.protocol import session
from hinterland.referee.verdicts import Verdict

BOT = 0
"""The usual player number of the bot."""
PAUSE_S = AdmissionLimits().pause_s
"""Seconds between two games in protocol hps, as in a match."""
Packets = Literal["whole", "pieces", "joined"]
PIECE_BYTES, PIECE_S = 7, 0.001
KEPT_LINES, MAX_LINE_CHARACTERS = 12, 160


class Tap:
    """Sits between a link and its carrier: to the link it looks like the carrier, to the carrier like the link."""

    def __init__(self, link: Link) -> None:
        self.packets: Packets = "whole"
        """How messages go to the bot: ``whole``, in small ``pieces``, or held back and ``joined`` until a request goes
        out."""
        self.lines: deque[str] = deque(maxlen=KEPT_LINES)
        """The last lines that went to and came from the bot, escaped."""
        self.link = link
        self._carrier: Carrier | None = None
        self._held = bytearray()
        self._is_silent = False
        self._sending: asyncio.TimerHandle | None = None

    def attach_carrier(self, carrier: Carrier) -> Tap:
        """Send over ``carrier`` from now on. Return this tap, which takes the bytes that the carrier receives."""
        self._carrier = carrier
        self.link.attach_carrier(self)
        return self

    @property
    def origin(self) -> str:
        return self._carrier.origin if self._carrier is not None else "nowhere"

    # To the bot

    def write(self, data: bytes) -> None:
        """Send bytes, or hold them back; send nothing after ``say_no_more``."""
        if self._is_silent:
            return
        self._keep("<", data)
        self._held += data
        if self.packets == "whole":
            self.flush()
        elif self.packets == "pieces" and self._sending is None:
            self._send_piece()

    def say_no_more(self) -> None:
        """Send the bytes held back, and drop all later bytes to the bot."""
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
        self.link.on_bytes(data, stamp_ns)

    def on_lost(self, verdict: Verdict, detail: str) -> None:
        self.lines.append(f"# {detail}")
        self.say_no_more()
        self.link.on_lost(verdict, detail)

    def _keep(self, sign: str, data: bytes) -> None:
        for line in data[-KEPT_LINES * 4096 :].splitlines()[-KEPT_LINES:]:
            text = ascii(line[: 4 * MAX_LINE_CHARACTERS].decode("utf-8", "backslashreplace"))[1:-1]
            long = len(text) > MAX_LINE_CHARACTERS
            self.lines.append(f"{sign} {text[:MAX_LINE_CHARACTERS]}{'…' if long else ''}")


class CheckedPlayer(RemotePlayer):
    """A bot in its seat, whose answers and unasked messages are noted."""

    def __init__(self, kind: Game, number: int, name: str, tap: Tap, *, grace_ms: int) -> None:
        super().__init__(kind, number, name, tap.link, Observer(), grace_ms=grace_ms, pause_s=PAUSE_S)
        self.tap = tap
        self.unasked: list[str] = []
        """A description of each message that the bot sent unasked."""
        self.answers: list[tuple[object, ...]] = []
        """For each answer in this game, the numbers that the bot sent."""
        self.took_s: list[float] = []
        """Seconds from each request to its answer."""
        self._refusals = 0

    def begin(self, packets: Packets, refusals: int) -> None:
        """Begin a game: send messages as ``packets`` says, and refuse the bot's first ``refusals`` answers."""
        self.tap.packets, self._refusals = packets, refusals
        self.answers, self.took_s = [], []

    def end(self) -> None:
        """End the game: send the bytes that were held back during it."""
        self.tap.packets = "whole"
        self.tap.flush()

    def request_move(self, request: judge.Request, message: session.MoveRequest, position: Position[Any, Any]) -> bool:
        """Ask for a move; bytes that were held back go out with the request."""
        is_there = super().request_move(request, message, position)
        if self.tap.packets == "joined":
            self.tap.flush()
        return is_there

    def bye(self) -> None:
        """Send the last message, and nothing after it; leave the connection open."""
        self._stop_awaiting()
        last = session.Farewell(detail="the checks are over", names=(self.name,), totals=(0,))
        self.tap.packets = "whole"
        self._link.say(self._link.session.dismiss(last))
        self.tap.say_no_more()

    def on_message(self, message: session.Inbound) -> None:
        """Note an answer, or a message that was not asked for; comments, which may come at any time, are not noted."""
        if isinstance(message, session.MoveReply):
            self.answers.append(message.numbers)
            self.took_s.append((message.stamp_ns - self._asked_ns) / 1e9)
            if self._refusals:
                self._refusals -= 1
                refusal = "this check refuses your first answer"
                message = session.UnreadableReply(message.turn, "refused", refusal, message.stamp_ns)
        if isinstance(message, session.Ignored) and not message.is_late_answer and message.detail != "a comment":
            self.unasked.append(message.detail)
        super().on_message(message)
