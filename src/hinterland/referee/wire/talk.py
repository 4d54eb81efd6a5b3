"""A talk is one side of the conversation with one player over one connection, whatever its protocol and its carrier.

It turns bytes into what was heard, and what is to be said into bytes. It is told the time of every byte and remembers
only what its protocol needs: an unfinished line, the question that stands, which moves the player knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol

import msgspec

from hinterland.contract import Clock, Move, Rules
from hinterland.referee.clock import TimeControl
from hinterland.referee.judge import Departed, Ending, Illegal, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "Broken",
    "Farewell",
    "Heard",
    "Ignored",
    "Introduction",
    "Limits",
    "Over",
    "Question",
    "Reply",
    "Seating",
    "Start",
    "Talk",
    "Unreadable",
]

Moves = tuple[tuple[int, Move], ...]


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds on what a connection may send. What is more is a verdict, never memory."""

    line_bytes: int = 4096
    """The longest line, without its end."""
    turn_bytes: int = 64 * 1024
    """From one question to the next."""
    turn_lines: int = 64
    """From one question to the next."""
    stray_lines: int = 16
    """Answers in a row that nobody had asked for."""
    quiet_ns: int = 100_000_000
    """After so long without a byte, an answer without a line end is whole (protocol hps)."""


# What is said


class Seating(msgspec.Struct, frozen=True, kw_only=True):
    """What a player is told when it connects."""

    rules: Rules
    """What will be played."""
    number: int | None
    """Which player, from 0, in the order of connecting; the same through the match. None: its token will say."""
    needs_token: bool = False
    """Whether the introduction must hold a token."""


class Start(msgspec.Struct, frozen=True, kw_only=True):
    """A game begins."""

    game_id: str
    """Unique among all games of this referee."""
    rules: Rules
    """What is played."""
    number: int
    """Which game of the match, from 1."""
    of: int
    """How many games the match has."""
    seat: int
    """The seat of this player."""
    numbers: tuple[int, ...]
    """The number of the player in each seat."""
    names: tuple[str, ...]
    """The name of the player in each seat."""
    control: TimeControl
    """How much time there is."""
    grace_ms: int
    """What a move may take without being charged, for the way through the network."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A player is to move."""

    turn: int
    """The number of the question within the game."""
    clock: Clock
    """What is left of this player's time."""
    scores: tuple[int, ...]
    """By seat, now."""
    moves: Moves
    """All moves so far, (seat, move) in order of play."""
    weight_left: int | None = None
    """What the player may still spend, in games whose stones have weights."""


class Over(msgspec.Struct, frozen=True, kw_only=True):
    """A game has ended."""

    ending: Ending
    """How."""
    moves: Moves
    """All its moves."""
    departures: tuple[Departed, ...]
    """Who left, and why."""


class Farewell(msgspec.Struct, frozen=True, kw_only=True):
    """The match is over, or the player is sent away."""

    detail: str
    """Why, in words."""
    names: tuple[str, ...] = ()
    """The players by number; empty where there is no result."""
    totals: tuple[int, ...] = ()
    """Their scores added up."""
    winners: tuple[int, ...] = ()
    """The numbers of those who won."""


# What is heard


class Introduction(msgspec.Struct, frozen=True):
    """A player says who it is."""

    name: str
    """As it was sent, decoded but not yet cleaned."""
    token: str | None = None
    """The token, where it sent one."""


class Reply(msgspec.Struct, frozen=True):
    """An answer to the question that stands."""

    turn: int
    """Its number."""
    numbers: tuple[object, ...]
    """The numbers of the move, not yet checked against anything: they may be of any JSON type."""
    stamp_ns: int
    """When its last byte came."""


class Unreadable(msgspec.Struct, frozen=True):
    """An answer to the question that stands that is a message, but not of a move: the rules will refuse it."""

    turn: int
    """The number of the question."""
    code: str
    """What is wrong, for programs."""
    detail: str
    """The same in words."""
    stamp_ns: int
    """When its last byte came."""


class Ignored(msgspec.Struct, frozen=True):
    """Something that changes nothing: a comment, an answer nobody asked for, an answer that comes too late."""

    detail: str
    """What it was, in words."""
    is_late_answer: bool = False
    """Whether it answers the last question of a game that went on without it: the player is alive."""


class Broken(msgspec.Struct, frozen=True):
    """The protocol is broken; nothing more will be heard on this connection."""

    verdict: Verdict
    """protocol, oversize or flood."""
    detail: str
    """What was wrong, in words that are safe to print."""


Heard = Introduction | Reply | Unreadable | Ignored | Broken


class Talk(Protocol):
    """One conversation. Every method that says something returns the bytes to send."""

    has_turn_numbers: ClassVar[bool]
    """Whether an answer says which question it answers: then a late one cannot be taken for another."""
    says_name: ClassVar[bool]
    """Whether a player introduces itself; where none does, ``settle`` takes a moment of silence for it."""
    illegal: ClassVar[Illegal]
    """What an illegal move costs, unless the match says otherwise."""
    habits: ClassVar[str]
    """What is taken that the protocol does not ask for, in words; nothing where it is strict."""
    is_closed: bool
    """Whether the protocol was broken: whatever comes now is not read."""

    @property
    def quiet_at_ns(self) -> int | None:
        """When an answer without a line end will count as whole if no byte comes; None where none stands."""

    def hear(self, data: bytes, stamp_ns: int) -> Sequence[Heard]:
        """Take bytes that came at a moment."""

    def settle(self) -> Sequence[Heard]:
        """Take what stands without a line end as whole, if it can be: it was quiet, or the time is up."""

    def end_of_file(self) -> Sequence[Heard]:
        """Note that the other side will send no more; a line without its end is not an answer."""

    def greet(self, seating: Seating) -> bytes:
        """Say the first words."""

    def welcome(self, number: int, name: str) -> bytes:
        """Say that the introduction was accepted, and under which name."""

    def start(self, start: Start) -> bytes:
        """Say that a game begins."""

    def ask(self, question: Question) -> bytes:
        """Ask for a move; from now on an answer to this question is heard."""

    def ask_again(self, code: str, detail: str) -> bytes:
        """Say that the answer was refused and the same question stands again."""

    def withdraw_question(self) -> None:
        """Nobody waits for an answer any more; one that comes is ignored."""

    def ignored(self, ignored: Ignored) -> bytes:
        """Say that something changed nothing, where the protocol has a word for it."""

    def over(self, over: Over) -> bytes:
        """Say that a game is over."""

    def farewell(self, farewell: Farewell) -> bytes:
        """Say the last words."""
