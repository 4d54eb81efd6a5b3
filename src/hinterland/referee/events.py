"""The judge's input and output as values: the events of a game, and the effects that the judge returns."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from hinterland.contract import Clock, Move
from hinterland.referee.diary import NoteMark
from hinterland.referee.verdicts import Departure, Ending, Verdict

# Events: the judge's input


class Begin(msgspec.Struct, frozen=True):
    """Start the game."""


class Answer(msgspec.Struct, frozen=True):
    """A seat answers the request of a turn."""

    seat: int
    """The seat that answers."""
    turn: int
    """The turn whose request is answered."""
    move: Any
    """The move."""
    note: str = ""
    """The player's note on its move, for the record."""
    marks: tuple[NoteMark, ...] = ()
    """What the player marked on the board."""


class Unreadable(msgspec.Struct, frozen=True):
    """A seat answers the request of a turn with something that is no move of this game."""

    seat: int
    """The seat that answers."""
    turn: int
    """The turn whose request is answered."""
    code: str
    """Code of the error."""
    detail: str
    """The same in words."""


class RequestSent(msgspec.Struct, frozen=True):
    """The request of a turn has been sent: the clock starts now."""

    turn: int
    """The turn of the request."""


class Lagged(msgspec.Struct, frozen=True):
    """The referee itself was late."""

    lag_ns: int
    """The total delay since the last ``Lagged`` event, in nanoseconds."""
    stood_ns: int = 0
    """Longest standstill of the whole machine during the delay; 0 if there was none."""


class Paused(msgspec.Struct, frozen=True):
    """The player that is to move was given a pause, in which its clock stood still."""

    turn: int
    """Number of the turn."""
    pause_ns: int
    """Length of the pause, in nanoseconds."""


class Tick(msgspec.Struct, frozen=True):
    """Time has passed, so the deadline may be over."""

    late_hint: str = ""
    """Advice to the author of the player, for the case that the player is late."""


class Resign(msgspec.Struct, frozen=True):
    """A seat resigns, whether or not it is to move."""

    seat: int
    """The seat that resigns."""


class Fault(msgspec.Struct, frozen=True):
    """The driver found a fault of a seat, such as a lost connection."""

    seat: int
    """The seat at fault."""
    verdict: Verdict
    """The kind of fault."""
    detail: str
    """The fault in words."""


class TakeBack(msgspec.Struct, frozen=True):
    """Go back to an earlier position. The clocks keep their times."""

    plies: int
    """Number of moves that remain."""


class Help(msgspec.Struct, frozen=True):
    """Somebody was shown what moves would gain, by a hint or a heat map."""


class Void(msgspec.Struct, frozen=True):
    """End the game without a result."""

    detail: str
    """The reason in words."""
    at_fault: int | Literal["operator", "referee"] = "operator"
    """The party at fault: a seat, the operator or the referee."""


Event = Begin | Answer | Unreadable | RequestSent | Lagged | Paused | Tick | Resign | Fault | TakeBack | Help | Void


# Effects: the judge's output


class Request(msgspec.Struct, frozen=True):
    """Ask a seat for its move. The answer must carry the turn and arrive by the deadline."""

    seat: int
    """The seat to ask."""
    turn: int
    """Number of the turn."""
    clock: Clock
    """The clock as the player sees it."""
    deadline_ns: int | None
    """The last moment at which an answer is in time, in nanoseconds; None: no limit."""


class Played(msgspec.Struct, frozen=True):
    """A move was made."""

    seat: int
    """The seat that moved."""
    move: Move
    """The move."""
    ms: int
    """Duration of the move, in milliseconds."""
    scores: tuple[int, ...]
    """The scores after the move."""
    note: str = ""
    """The player's note on the move, if any."""
    marks: tuple[NoteMark, ...] = ()
    """What the player marked on the board."""


class Refused(msgspec.Struct, frozen=True):
    """A move was illegal, but the seat may try again; the seat's clock runs on."""

    seat: int
    """The seat that moved."""
    code: str
    """Code of the rule that the move broke."""
    detail: str
    """The same in words."""


class Skipped(msgspec.Struct, frozen=True):
    """A move was illegal and the turn is lost."""

    seat: int
    """The seat that loses its turn."""
    code: str
    """Code of the rule that the move broke."""
    detail: str
    """The same in words."""
    plies: int
    """Number of moves made before this event."""


class Delayed(msgspec.Struct, frozen=True):
    """The referee was late; no clock was charged for the delay."""

    lag_ns: int
    """The total delay."""
    stood_ns: int = 0
    """Longest standstill of the whole machine during the delay; people are told of it unless it is 0, that is, none."""


class Discarded(msgspec.Struct, frozen=True):
    """An answer belonged to no open request, and changed nothing."""

    seat: int
    """The seat that answered."""
    detail: str
    """Why it does not count."""


class TakenBack(msgspec.Struct, frozen=True):
    """Moves were taken back."""

    plies: int
    """Number of moves that remain."""


class Helped(msgspec.Struct, frozen=True):
    """For the first time in the game somebody was shown what moves would gain."""


class Ended(msgspec.Struct, frozen=True):
    """The game is over; the last effect of every game."""

    ending: Ending
    """How it ended."""


Effect = Request | Played | Refused | Skipped | Delayed | Discarded | Departure | TakenBack | Helped | Ended
