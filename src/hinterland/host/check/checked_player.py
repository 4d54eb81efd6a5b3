"""A bot in its seat while it is checked."""

from __future__ import annotations

from typing import Any

from hinterland.contract import Game, Position
from hinterland.host.check.tap import Packets, Tap
from hinterland.host.matchmaker import AdmissionLimits
from hinterland.host.network.link import Link
from hinterland.host.observer import Observer
from hinterland.host.players.remote_player import RemotePlayer
from hinterland.referee import judge
from hinterland.referee.protocol import session

BOT = 0
"""The usual player number of the bot."""
PAUSE_S = AdmissionLimits().pause_s
"""Pause between two games of protocol hps, as in a match."""


class CheckedPlayer(RemotePlayer):
    """A bot in its seat. Its answers and everything that it sends unasked are noted."""

    def __init__(self, kind: Game, number: int, name: str, link: Link, tap: Tap, *, grace_ms: int) -> None:
        super().__init__(kind, number, name, link, Observer(), grace_ms=grace_ms, pause_s=PAUSE_S)
        self.tap = tap
        self.unasked: list[str] = []
        """What it sent unasked, in words."""
        self.answers: list[tuple[object, ...]] = []
        """The numbers of each answer in this game."""
        self.took_s: list[float] = []
        """Duration of each answer."""
        self._refusals = 0

    def begin(self, packets: Packets, refusals: int) -> None:
        """Begin a game with these packets, in which the first ``refusals`` answers are refused."""
        self.tap.packets, self._refusals = packets, refusals
        self.answers, self.took_s = [], []

    def end(self) -> None:
        """Send the bytes that were held back during the game."""
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
        """Note answers, and messages that were not asked for; comments are always allowed."""
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
