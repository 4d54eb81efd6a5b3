"""What a referee decides of a seat and of a game: the words that judge, records, journals, wire and pages share."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

import msgspec


class Verdict(StrEnum):
    """Why the referee took a seat out of a game, or ended the game."""

    TIME = "time"
    """No answer within the time."""
    ILLEGAL = "illegal"
    """A move that the rules refuse."""
    RESIGNED = "resigned"
    """The player gave up."""
    CRASH = "crash"
    """The player's program failed."""
    START = "start"
    """The player's program could not be started, or did not introduce itself in time."""
    DISCONNECT = "disconnect"
    """The connection is gone."""
    PROTOCOL = "protocol"
    """Something that is no message of the protocol."""
    OVERSIZE = "oversize"
    """A line longer than any answer can be."""
    FLOOD = "flood"
    """More lines or bytes than anybody needs for an answer."""
    VOID = "void"
    """The operator, or a fault of the referee, ended the game: it does not count."""


class Illegal(StrEnum):
    """What an illegal move costs."""

    FORFEIT = "forfeit"
    """The seat leaves the game."""
    SKIP = "skip"
    """The turn is lost."""
    RETRY = "retry"
    """Nothing but time: the same question stands again, so often a turn as the game allows."""


class Departure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat left the game after so many moves, and why."""

    seat: int
    """Who left."""
    reason: Verdict
    """Why."""
    detail: str
    """Why, in words."""
    plies: int
    """After how many moves."""


class Ending(msgspec.Struct, frozen=True):
    """How the game ended: the rules' reason or the referee's, and in words."""

    scores: tuple[int, ...]
    """One a seat; nothing for those that departed."""
    winners: tuple[int, ...]
    """The seats that won."""
    reason: str
    """The rules' reason or the referee's verdict."""
    detail: str
    """The same in words."""
    at_fault: int | Literal["operator", "referee"] | None = None
    """A seat, where the game ended because it left; who made it void; nobody where the rules ended it."""


def departed_scores(scores: tuple[int, ...], departed: frozenset[int]) -> tuple[int, ...]:
    """Return the scores with nothing for the seats that departed."""
    return tuple(0 if seat in departed else score for seat, score in enumerate(scores))
