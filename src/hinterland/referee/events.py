"""What happens to a game under a judge, and what the judge has done about it: its input and its output, as values."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from hinterland.contract import Clock, Move
from hinterland.referee.verdicts import Departure, Ending, Verdict

# Events: the judge's input


class Begin(msgspec.Struct, frozen=True):
    """Start the game."""


class Answer(msgspec.Struct, frozen=True):
    """A seat answers the question of a turn."""

    seat: int
    """Who answers."""
    turn: int
    """Which question is answered."""
    move: Any
    """The move."""
    note: str = ""
    """What a player of the house says of it, for the record."""


class Unreadable(msgspec.Struct, frozen=True):
    """A seat answers the question of a turn with something that is no move of this game."""

    seat: int
    """Who answers."""
    turn: int
    """Which question is answered."""
    code: str
    """What is wrong, for programs."""
    detail: str
    """The same in words."""


class RequestSent(msgspec.Struct, frozen=True):
    """The question of a turn has been written: the clock starts now."""

    turn: int
    """Which question."""


class Lagged(msgspec.Struct, frozen=True):
    """The referee itself was late."""

    lag_ns: int
    """By how much, all in all, since it last said so."""
    stood_ns: int = 0
    """For how long of that it stood still at once, with the whole machine, if it did."""


class Paused(msgspec.Struct, frozen=True):
    """Whoever is asked in a turn was given a pause, in which its clock stood."""

    turn: int
    """Which question."""
    pause_ns: int
    """For how long."""


class Tick(msgspec.Struct, frozen=True):
    """Time has passed: the deadline may be over."""

    late_hint: str = ""
    """What the author of a player may ask, where it is late."""


class Resign(msgspec.Struct, frozen=True):
    """A seat gives up, whether or not it is to move."""

    seat: int
    """Who gives up."""


class Fault(msgspec.Struct, frozen=True):
    """The driver found a seat at fault."""

    seat: int
    """Whose fault it is."""
    verdict: Verdict
    """What kind of fault."""
    detail: str
    """What happened, in words."""


class TakeBack(msgspec.Struct, frozen=True):
    """Go back to the position after so many moves. Clocks keep what they show."""

    plies: int
    """How many moves stay."""


class Help(msgspec.Struct, frozen=True):
    """Somebody was told what a move would gain."""


class Void(msgspec.Struct, frozen=True):
    """End the game without a result."""

    detail: str
    """Why, in words."""
    at_fault: int | Literal["operator", "referee"] = "operator"
    """A seat, the operator or the referee."""


Event = Begin | Answer | Unreadable | RequestSent | Lagged | Paused | Tick | Resign | Fault | TakeBack | Help | Void


# Effects: the judge's output


class Request(msgspec.Struct, frozen=True):
    """Ask a seat for its move; the answer must carry the turn and arrive by the deadline (nanoseconds, None: never)."""

    seat: int
    """Whom to ask."""
    turn: int
    """The number of the question."""
    clock: Clock
    """What the player is told of its time."""
    deadline_ns: int | None
    """The last moment at which an answer is in time."""


class Played(msgspec.Struct, frozen=True):
    """A move was made."""

    seat: int
    """Who moved."""
    move: Move
    """The move."""
    ms: int
    """How long it took."""
    scores: tuple[int, ...]
    """The scores after it."""
    note: str = ""
    """What its player says of it, if anything."""


class Refused(msgspec.Struct, frozen=True):
    """A move was illegal and the seat may try again; its clock runs on."""

    seat: int
    """Whose move it was."""
    code: str
    """The rule that failed, for programs."""
    detail: str
    """The same in words."""


class Skipped(msgspec.Struct, frozen=True):
    """A move was illegal and the turn is lost."""

    seat: int
    """Whose turn it was."""
    code: str
    """The rule that failed, for programs."""
    detail: str
    """The same in words."""
    plies: int
    """After how many moves."""


class Delayed(msgspec.Struct, frozen=True):
    """The referee was late; no clock was charged for it."""

    lag_ns: int
    """By how much, all in all."""
    stood_ns: int = 0
    """For how long of that it stood still at once, with the whole machine: that is worth telling."""


class Discarded(msgspec.Struct, frozen=True):
    """An answer was not to the question that stands, and changed nothing."""

    seat: int
    """Who answered."""
    detail: str
    """Why it does not count."""


class TakenBack(msgspec.Struct, frozen=True):
    """Moves were taken back; so many are left."""

    plies: int
    """How many moves are left."""


class Helped(msgspec.Struct, frozen=True):
    """For the first time in the game somebody was told what a move would gain."""


class Ended(msgspec.Struct, frozen=True):
    """The game is over; the last effect of every game."""

    ending: Ending
    """How it ended."""


Effect = Request | Played | Refused | Skipped | Delayed | Discarded | Departure | TakenBack | Helped | Ended
