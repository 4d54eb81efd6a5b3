"""Joins a carrier of bytes, such as a socket, with the session that reads the bytes as messages of a protocol.

In some protocols a short silence ends a line that came without a line end. The link waits for that silence, too.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Protocol

from hinterland.host.lag_monitor import LagMonitor
from hinterland.host.network.player_log import PlayerLog
from hinterland.referee.protocol.line_session import LineSession
from hinterland.referee.protocol.session import Inbound
from hinterland.referee.verdicts import Verdict


class Carrier(Protocol):
    """Carries bytes both ways: a socket, or a pair of pipes. No method ever blocks."""

    @property
    def origin(self) -> str:
        """Address of the other side, for people."""

    def write(self, data: bytes) -> None:
        """Send bytes. If the other side leaves too many bytes unread, the connection ends."""

    def stop_reading(self) -> None:
        """Read no more bytes."""

    def close(self) -> None:
        """Close when all bytes are sent, or after a moment if they cannot be sent."""


class Receiver(Protocol):
    """Takes what a socket or a program sends. Called in the event loop."""

    def on_bytes(self, data: bytes, stamp_ns: int) -> None:
        """Take bytes, with the moment of their arrival (monotonic clock, nanoseconds)."""

    def on_lost(self, verdict: Verdict, detail: str) -> None:
        """Learn that no more bytes will come, and why. Called once, and never after the referee has hung up."""


class LinkOwner(Protocol):
    """Takes the messages of a link."""

    def on_message(self, message: Inbound) -> None:
        """Take a message."""

    def on_lost(self, verdict: Verdict, detail: str) -> None:
        """Learn that the other side is gone. Called once, and not after ``Link.close``."""


class Link:
    """One connection, used only within one event loop."""

    def __init__(self, session: LineSession, lag_monitor: LagMonitor) -> None:
        self.session = session
        self.owner: LinkOwner | None = None
        self.log: PlayerLog | None = None
        """Takes all that is sent and received; None if no log is kept."""
        self._carrier: Carrier | None = None
        self._lag_monitor = lag_monitor
        self._quiet: asyncio.TimerHandle | None = None
        self._is_closed = False

    @property
    def origin(self) -> str:
        """Address of the other side, for people."""
        return self._carrier.origin if self._carrier is not None else "nowhere"

    @property
    def is_open(self) -> bool:
        """Whether messages can still be sent and received."""
        return not self._is_closed and self._carrier is not None

    def attach_carrier(self, carrier: Carrier) -> Link:
        """Send over ``carrier`` from now on. Return this link, which takes the bytes that the carrier receives."""
        self._carrier = carrier
        return self

    def say(self, data: bytes) -> None:
        """Send bytes that the session made."""
        if data and self._carrier is not None and not self._is_closed:
            if self.log is not None:
                self.log.on_sent(data)
            self._carrier.write(data)

    def close(self, last_words: bytes = b"") -> None:
        """Send the last words and hang up; nothing more is read."""
        if self._is_closed:
            return
        self.say(last_words)
        self._is_closed = True
        self._stop_timer()
        if self._carrier is not None:
            self._carrier.stop_reading()
            self._carrier.close()

    # Called by the carrier

    def on_bytes(self, data: bytes, stamp_ns: int) -> None:
        """Read bytes that came at ``stamp_ns``, and pass the messages in them to the owner."""
        self._lag_monitor.notice_delay(stamp_ns)
        if not self._is_closed:
            if self.log is not None:
                self.log.on_received(data)
            self._pass_on(self.session.feed(data, stamp_ns))

    def on_lost(self, verdict: Verdict, detail: str) -> None:
        """Learn that the connection has ended, and tell the owner."""
        if self._is_closed:
            return
        self._pass_on(self.session.end_of_file())
        if self._is_closed:
            return
        self._is_closed = True
        self._stop_timer()
        if self._carrier is not None:
            self._carrier.close()
        if self.owner is not None:
            self.owner.on_lost(verdict, detail)

    # Silence

    def take_unfinished(self) -> None:
        """Take an unfinished line as a whole line, if it can be a whole answer."""
        if not self._is_closed:
            self._pass_on(self.session.take_unfinished())

    def _pass_on(self, messages: Sequence[Inbound]) -> None:
        for message in messages:
            if self.owner is not None and not self._is_closed:
                self.owner.on_message(message)
        self._stop_timer()
        quiet_at_ns = self.session.quiet_at_ns
        if quiet_at_ns is not None and not self._is_closed:
            wait_s = max(quiet_at_ns - time.monotonic_ns(), 0) / 1e9
            self._quiet = asyncio.get_running_loop().call_later(wait_s, self.take_unfinished)

    def _stop_timer(self) -> None:
        if self._quiet is not None:
            self._quiet.cancel()
            self._quiet = None
