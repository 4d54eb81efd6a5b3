"""A session is the referee's side of the conversation with one player over one connection.

It turns bytes into messages, and messages into bytes, whatever carries them. The caller says when each byte came. A
session remembers only what its protocol needs: an unfinished line, the open request, the moves that the player knows.
The class ``LineSession`` does what all protocols share: it cuts lines, checks limits, and stops reading after a fault.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from hinterland.contract import Rules
from hinterland.errors import BadText, HinterlandError
from hinterland.referee.protocol import session
from hinterland.referee.protocol.framing import Framer, decode_line
from hinterland.referee.protocol.misconnections import describe_misconnection, make_http_refusal
from hinterland.referee.verdicts import Illegal, Verdict


class LineSession(ABC):
    """One conversation. Every method that sends something returns the bytes to send."""

    protocol: ClassVar[str]
    """Name of the protocol."""
    has_turn_numbers: ClassVar[bool]
    """Whether an answer names its request, so that a late answer cannot be taken for the answer to another request."""
    illegal: ClassVar[Illegal]
    """Cost of an illegal move, unless the match sets another."""
    habits: ClassVar[str]
    """Peculiarities taken over from the course's servers, in words; empty if there are none."""
    says_name: ClassVar[bool] = True
    """Whether a player introduces itself; if not, ``take_unfinished`` takes silence for an introduction."""
    number_is_final: ClassVar[bool] = True
    """Whether the greeting fixes the player's number; if not, the welcome does."""
    has_weights: ClassVar[bool] = True
    """Whether the protocol can express the weight of a stone."""
    has_tokens: ClassVar[bool] = True
    """Whether the protocol can express a token."""
    games: ClassVar[int | None] = None
    """Number of games of a match; None: one for each player."""
    announces_games: ClassVar[bool] = False
    """Whether a player is told how many games the match has."""

    def __init__(self, limits: session.InboundLimits | None = None) -> None:
        self.limits = limits or session.InboundLimits()
        self.is_closed = False
        """Whether the protocol was broken, so that nothing more is read."""
        self.version = ""
        """What the player said of its version; empty if nothing."""
        self.has_introduced = False
        """Whether the player has introduced itself."""
        self.framer = Framer(self.limits)
        self._strays = 0
        self._game: session.Start | None = None
        self._request: session.MoveRequest | None = None
        self._is_open = False
        """Whether the request waits for an answer."""

    @property
    def quiet_at_ns(self) -> int | None:
        """When silence will end an unfinished answer, if no byte comes; None if no answer is unfinished."""
        return None

    def feed(self, data: bytes, stamp_ns: int) -> Sequence[session.Inbound]:
        """Take bytes that came at ``stamp_ns``; return the messages that they complete."""
        if self.is_closed:
            return ()
        lines = self.framer.feed(data, stamp_ns)
        inbound: list[session.Inbound] = []
        if not self.has_introduced and (misconnected := describe_misconnection(self.framer.first, self.protocol)):
            return (self._break(Verdict.PROTOCOL, misconnected),)
        for line in lines:
            inbound += self._feed_line(line, stamp_ns)
            if self.is_closed:
                return inbound
        inbound += self._report_skipped()
        if self.framer.fault is not None:
            inbound.append(self._break(self.framer.fault.verdict, self.framer.fault.detail))
        return inbound

    def take_unfinished(self) -> Sequence[session.Inbound]:
        """Take an unfinished line as a whole line, if it can be a whole answer.

        Called after silence, or when the time is up.
        """
        return ()

    def end_of_file(self) -> Sequence[session.Inbound]:
        """Forget an unfinished line, since a line without an end is no answer."""
        if self.is_closed or not self.framer.take().strip():
            return ()
        return (session.Ignored("the connection ended in the middle of a line"),)

    @abstractmethod
    def greet(self, seating: session.Seating) -> bytes:
        """Send the first line."""

    @abstractmethod
    def expect(self, rules: Rules) -> None:
        """Take the rules, if they were unknown when the player was greeted."""

    @abstractmethod
    def welcome(self, number: int, name: str) -> bytes:
        """Confirm the introduction, with the player's final name."""

    def start(self, start: session.Start) -> bytes:
        """Announce a game."""
        self._game, self._request, self._is_open = start, None, False
        return b""

    def request_move(self, request: session.MoveRequest) -> bytes:
        """Ask for a move; from now on an answer to this request counts."""
        self.framer.renew()
        self._request, self._is_open = request, True
        return b""

    @abstractmethod
    def repeat_request(self, code: str, detail: str) -> bytes:
        """Tell the player that the answer was refused, and that the same request is open again."""

    @abstractmethod
    def withdraw_request(self) -> None:
        """Stop waiting for an answer; an answer that still comes is ignored."""

    def report_ignored(self, ignored: session.Ignored) -> bytes:  # noqa: ARG002
        """Report that a message changed nothing, if the protocol can."""
        return b""

    @abstractmethod
    def end_game(self, over: session.GameEnd) -> bytes:
        """Announce the end of a game."""

    @abstractmethod
    def dismiss(self, farewell: session.Farewell) -> bytes:
        """Send the last line."""

    @abstractmethod
    def _understand(self, text: str, stamp_ns: int) -> Sequence[session.Inbound]:
        """Return the messages in a line that is not blank. Raises BadText if the line breaks the protocol."""

    def _report_skipped(self) -> Sequence[session.Inbound]:
        """Return a message for each line that was too long to be read since the last call."""
        return ()

    def _feed_line(self, line: bytes, stamp_ns: int) -> Sequence[session.Inbound]:
        try:
            text = decode_line(line)
            return self._understand(text, stamp_ns) if text else ()
        except BadText as error:
            return (self._break(Verdict.PROTOCOL, str(error)),)

    def _break(self, verdict: Verdict, detail: str) -> session.Broken:
        self.is_closed = True
        self.framer.close()
        return session.Broken(verdict, detail)

    def _count_stray(self, detail: str) -> session.Inbound:
        """Count an answer that belongs to no request; too many in a row break the protocol."""
        self._strays += 1
        if self._strays > self.limits.stray_lines:
            return self._break(Verdict.PROTOCOL, f"more than {self.limits.stray_lines} answers in a row to no request")
        return session.Ignored(detail)

    def _make_refusal(self, detail: str) -> bytes | None:
        """Return ``detail`` as an HTTP response if the client seems to be a browser, else None."""
        return make_http_refusal(self.framer.first, detail) if not self.has_introduced else None

    @property
    def _playing(self) -> session.Start:
        if self._game is None:
            raise HinterlandError("no game has begun: call start before request_move and end_game")
        return self._game
