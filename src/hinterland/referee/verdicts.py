"""The referee's decisions on a seat and a game: words that judge, records, journals, protocols and pages share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Literal

import msgspec

SEAT = re.compile(r"\bseat (\d{1,3})\b")


class Verdict(StrEnum):
    """Why the referee withdrew a seat, or ended the game."""

    TIME = "time"
    """No answer in time."""
    ILLEGAL = "illegal"
    """A move that the rules refuse."""
    RESIGNED = "resigned"
    """The player gave up."""
    CRASH = "crash"
    """The player's program failed."""
    START = "start"
    """The player's program could not be started, or did not introduce itself in time."""
    DISCONNECT = "disconnect"
    """The connection was lost."""
    PROTOCOL = "protocol"
    """A message that breaks the protocol."""
    OVERSIZE = "oversize"
    """A line longer than any answer can be."""
    FLOOD = "flood"
    """More lines or bytes than an answer needs."""
    VOID = "void"
    """The operator, or a fault of the referee, ended the game: it does not count."""


class Illegal(StrEnum):
    """Cost of an illegal move."""

    FORFEIT = "forfeit"
    """The seat leaves the game."""
    SKIP = "skip"
    """The turn is lost."""
    RETRY = "retry"
    """The seat may answer the same request again, as often as the game allows; this costs only time."""


class Departure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat left the game."""

    seat: int
    """The seat that left."""
    reason: Verdict
    """The reason."""
    detail: str
    """The reason in words."""
    plies: int
    """Number of moves made before the seat left."""


class Ending(msgspec.Struct, frozen=True):
    """How a game ended."""

    scores: tuple[int, ...]
    """Score of each seat; 0 for a seat that departed."""
    winners: tuple[int, ...]
    """The seats that won."""
    reason: str
    """Why it ended: a reason of the rules, such as ``complete``, or a verdict."""
    detail: str
    """The same in words."""
    at_fault: int | Literal["operator", "referee"] | None = None
    """The seat whose departure ended the game, or the party that made it void; None if it ended by the rules."""


def departed_scores(scores: tuple[int, ...], departed: frozenset[int]) -> tuple[int, ...]:
    """Return the scores with 0 for the seats that departed."""
    return tuple(0 if seat in departed else score for seat, score in enumerate(scores))


def replace_seats_by_names(text: str, names: Sequence[str]) -> str:
    """Replace each "seat N" in a judge's text by the name of the player in that seat."""
    return SEAT.sub(lambda found: names[int(found[1])] if int(found[1]) < len(names) else found[0], text)
