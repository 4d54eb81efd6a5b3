"""Messages to and from a player, as values that are the same for all protocols and carriers."""

from __future__ import annotations

import msgspec

from hinterland.contract import Clock, Move, Rules
from hinterland.referee.diary import NoteMark
from hinterland.referee.game_terms import GameTerms
from hinterland.referee.verdicts import Departure, Ending, Verdict

Moves = tuple[tuple[int, Move], ...]


class InboundLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits on what a connection may send.

    A player that exceeds a limit gets a verdict; bytes beyond the limit are never kept in memory.
    """

    line_bytes: int = 4096
    """Most bytes of a line, without its line end."""
    turn_bytes: int = 512 * 1024
    """Most bytes from one request to the next."""
    turn_lines: int = 64
    """Most lines from one request to the next."""
    stray_lines: int = 16
    """Most answers in a row that belong to no request."""
    quiet_ns: int = 100_000_000
    """Nanoseconds of silence that end an answer without a line end (protocol hps)."""


# To the player


class Seating(msgspec.Struct, frozen=True, kw_only=True):
    """The first message to a player."""

    rules: Rules
    """Rules of the match."""
    number: int | None
    """Number of the player in the match, from 0, in the order of connecting. None: the player's token decides."""
    needs_token: bool = False
    """Whether the introduction must hold a token."""


class Start(msgspec.Struct, frozen=True, kw_only=True):
    """A game begins."""

    game_id: str
    """Id of the game, unique among all games of this referee."""
    terms: GameTerms
    """The terms of the game. The seed in them is never sent; a player gets only its ``seed_of_seat``."""
    seat: int
    """The seat of this player."""
    numbers: tuple[int, ...]
    """The number of the player in each seat."""
    grace_ms: int
    """Milliseconds of each move that are not charged, for the way through the network."""


class MoveRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A player is asked for a move."""

    turn: int
    """Number of the turn in the game."""
    clock: Clock
    """The player's clock."""
    scores: tuple[int, ...]
    """The present scores by seat."""
    moves: Moves
    """All moves so far, (seat, move) in order of play."""
    between: tuple[tuple[int, int, str], ...] = ()
    """Lost turns and departures so far; see ``Position.between``."""
    weight_left: int | None = None
    """The weight that the player may still spend, in games with weights."""


class GameEnd(msgspec.Struct, frozen=True, kw_only=True):
    """A game has ended."""

    ending: Ending
    """How it ended."""
    moves: Moves
    """All moves of the game."""
    departures: tuple[Departure, ...]
    """The seats that left, with the reasons."""


class Farewell(msgspec.Struct, frozen=True, kw_only=True):
    """The match is over, or the player is sent away."""

    detail: str
    """The reason in words."""
    names: tuple[str, ...] = ()
    """Names by player number; empty if there is no result."""
    totals: tuple[int, ...] = ()
    """Total scores by player number."""
    winners: tuple[int, ...] = ()
    """Numbers of the winners."""


# From the player


class Introduction(msgspec.Struct, frozen=True):
    """A player introduces itself."""

    name: str
    """The name as sent, decoded but not yet cleaned."""
    token: str | None = None
    """The token, if the player sent one."""


class MoveReply(msgspec.Struct, frozen=True):
    """An answer to the open request."""

    turn: int
    """Number of the turn."""
    numbers: tuple[object, ...]
    """The numbers of the move, unchecked: they may be of any JSON type."""
    stamp_ns: int
    """Moment when the answer's last byte came."""
    note: str = ""
    """What the player said about the move, cleaned."""
    marks: tuple[NoteMark, ...] = ()
    """What the player marked on the board."""


class UnreadableReply(msgspec.Struct, frozen=True):
    """An answer to the open request that follows the protocol, but from which no move can be read.

    The judge treats it as an illegal move.
    """

    turn: int
    """Number of the turn."""
    code: str
    """The error, as a code."""
    detail: str
    """The same in words."""
    stamp_ns: int
    """Moment when the answer's last byte came."""


class Ignored(msgspec.Struct, frozen=True):
    """A message that changes nothing: a comment, an answer to no request, or a late answer."""

    detail: str
    """A description in words."""
    is_late_answer: bool = False
    """Whether this is a late answer to the last request, which shows that the player is alive."""


class Broken(msgspec.Struct, frozen=True):
    """The protocol is broken; nothing more is read from this connection."""

    verdict: Verdict
    """The verdict: protocol, oversize or flood."""
    detail: str
    """The fault, in words that are safe to print."""


Inbound = Introduction | MoveReply | UnreadableReply | Ignored | Broken
