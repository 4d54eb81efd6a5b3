"""What is said to a player and what comes from it, whatever the protocol and whatever carries it."""

from __future__ import annotations

import msgspec

from hinterland.contract import Clock, Move, Rules
from hinterland.referee.clock import TimeControl
from hinterland.referee.verdicts import Departure, Ending, Verdict

Moves = tuple[tuple[int, Move], ...]


class InboundLimits(msgspec.Struct, frozen=True, kw_only=True):
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


# To the player


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


class MoveRequest(msgspec.Struct, frozen=True, kw_only=True):
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


class GameEnd(msgspec.Struct, frozen=True, kw_only=True):
    """A game has ended."""

    ending: Ending
    """How."""
    moves: Moves
    """All its moves."""
    departures: tuple[Departure, ...]
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


# From the player


class Introduction(msgspec.Struct, frozen=True):
    """A player says who it is."""

    name: str
    """As it was sent, decoded but not yet cleaned."""
    token: str | None = None
    """The token, where it sent one."""


class MoveReply(msgspec.Struct, frozen=True):
    """An answer to the question that stands."""

    turn: int
    """Its number."""
    numbers: tuple[object, ...]
    """The numbers of the move, not yet checked against anything: they may be of any JSON type."""
    stamp_ns: int
    """When its last byte came."""


class UnreadableReply(msgspec.Struct, frozen=True):
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
    """The protocol is broken; nothing more is read from this connection."""

    verdict: Verdict
    """protocol, oversize or flood."""
    detail: str
    """What was wrong, in words that are safe to print."""


Inbound = Introduction | MoveReply | UnreadableReply | Ignored | Broken
