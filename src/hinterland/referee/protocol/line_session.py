"""A session is one side of the conversation with one player over one connection, whatever carries it.

It turns bytes into messages, and what is to be said into bytes. It is told the time of every byte and remembers only
what its protocol needs: an unfinished line, the question that stands, which moves the player knows. Here is what all
protocols have in common: the framing, the bounds, and the end of all reading.
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
    """One conversation. Every method that says something returns the bytes to send."""

    protocol: ClassVar[str]
    """Its name."""
    has_turn_numbers: ClassVar[bool]
    """Whether an answer says which question it answers: then a late one cannot be taken for another."""
    illegal: ClassVar[Illegal]
    """What an illegal move costs, unless the match says otherwise."""
    habits: ClassVar[str]
    """What is taken that the protocol does not ask for, in words; nothing where it is strict."""
    says_name: ClassVar[bool] = True
    """Whether a player introduces itself; where none does, ``take_unfinished`` takes a moment of silence for it."""
    number_is_final: ClassVar[bool] = True
    """Whether the first words tell the player its number for good, and not only the welcome."""
    has_weights: ClassVar[bool] = True
    """Whether there is a word for the weight of a stone."""
    has_tokens: ClassVar[bool] = True
    """Whether there is a word for a token."""
    games: ClassVar[int | None] = None
    """How many games a match has; None: each player begins one."""
    announces_games: ClassVar[bool] = False
    """Whether a player is told how many games the match has."""

    def __init__(self, limits: session.InboundLimits | None = None) -> None:
        self.limits = limits or session.InboundLimits()
        self.is_closed = False
        """Whether the protocol was broken: whatever comes now is not read."""
        self.has_introduced = False
        """Whether the player has said who it is."""
        self.framer = Framer(self.limits)
        self._strays = 0
        self._game: session.Start | None = None
        self._request: session.MoveRequest | None = None
        self._is_open = False
        """Whether an answer to what was asked is waited for."""

    @property
    def quiet_at_ns(self) -> int | None:
        """When an answer without a line end will count as whole if no byte comes; None where none stands."""
        return None

    def feed(self, data: bytes, stamp_ns: int) -> Sequence[session.Inbound]:
        """Take bytes that came at a moment."""
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
        if self.framer.fault is not None:
            inbound.append(self._break(self.framer.fault.verdict, self.framer.fault.detail))
        return inbound

    def take_unfinished(self) -> Sequence[session.Inbound]:
        """Take what stands without a line end as whole, if it can be: it was quiet, or the time is up."""
        return ()

    def end_of_file(self) -> Sequence[session.Inbound]:
        """Forget an unfinished line: without its end it is not an answer."""
        if self.is_closed or not self.framer.take().strip():
            return ()
        return (session.Ignored("the connection ended in the middle of a line"),)

    @abstractmethod
    def greet(self, seating: session.Seating) -> bytes:
        """Say the first words."""

    @abstractmethod
    def expect(self, rules: Rules) -> None:
        """Take the rules that will be played, where they were not yet known when the player was greeted."""

    @abstractmethod
    def welcome(self, number: int, name: str) -> bytes:
        """Say that the introduction was accepted, and under which name."""

    def start(self, start: session.Start) -> bytes:
        """Say that a game begins."""
        self._game, self._request, self._is_open = start, None, False
        return b""

    def request_move(self, request: session.MoveRequest) -> bytes:
        """Ask for a move; from now on an answer to this question is taken."""
        self.framer.renew()
        self._request, self._is_open = request, True
        return b""

    @abstractmethod
    def repeat_request(self, code: str, detail: str) -> bytes:
        """Say that the answer was refused and the same question stands again."""

    @abstractmethod
    def withdraw_request(self) -> None:
        """Nobody waits for an answer any more; one that comes is ignored."""

    def report_ignored(self, ignored: session.Ignored) -> bytes:  # noqa: ARG002
        """Say that something changed nothing, where the protocol has a word for it."""
        return b""

    @abstractmethod
    def end_game(self, over: session.GameEnd) -> bytes:
        """Say that a game is over."""

    @abstractmethod
    def dismiss(self, farewell: session.Farewell) -> bytes:
        """Say the last words."""

    @abstractmethod
    def _understand(self, text: str, stamp_ns: int) -> Sequence[session.Inbound]:
        """Say what a line that is not blank means. Raises BadText where it breaks the protocol."""

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

    def _stray(self, detail: str) -> session.Inbound:
        """Count an answer that nobody had asked for; too many in a row break the protocol."""
        self._strays += 1
        if self._strays > self.limits.stray_lines:
            return self._break(Verdict.PROTOCOL, f"more than {self.limits.stray_lines} answers in a row to no question")
        return session.Ignored(detail)

    def _refusal(self, detail: str) -> bytes | None:
        """Return the last words to one that speaks a protocol of its own; None to all others."""
        return make_http_refusal(self.framer.first, detail) if not self.has_introduced else None

    @property
    def _playing(self) -> session.Start:
        if self._game is None:
            raise HinterlandError("no game has begun in this conversation: start comes before ask and over")
        return self._game
