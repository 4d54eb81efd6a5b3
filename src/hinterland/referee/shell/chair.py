"""A chair is where a player sits through a whole match, whoever it is: over a network, on pipes, or one of the house.

The game in play speaks to chairs only. A chair hands in what its player does, with the time at which it was done.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from hinterland.errors import BadText
from hinterland.referee import judge
from hinterland.referee.wire import talk

if TYPE_CHECKING:
    from hinterland.contract import Game, Position

__all__ = ["Absence", "Chair", "HandIn", "event_of"]

HandIn = Callable[[judge.Event, int], None]
"""Takes what happened, and when, in nanoseconds of the monotonic clock."""
Absence = tuple[judge.Verdict, str]
"""Why nobody sits in a chair."""


class Chair(Protocol):
    """One player of a match."""

    number: int
    """Which player, from 0."""
    name: str
    """What people call it."""
    grace_ms: int
    """What each of its moves may take without being charged."""
    illegal: judge.Illegal
    """What an illegal move costs it, unless the match says otherwise."""
    absent_since_ns: int
    """Since when nobody sits here, where nobody does."""

    @property
    def absence(self) -> Absence | None:
        """Why nobody sits here; None while somebody does."""

    async def open(self) -> None:
        """Get ready for the match. Raises ArenaError where that cannot be."""

    async def close(self) -> None:
        """Leave nothing behind."""

    async def prepare(self) -> None:
        """Get ready for a game, or find out that this cannot be. No answer of an earlier game may come after it."""

    def start(self, start: talk.Start, hand_in: HandIn) -> None:
        """Begin a game: whatever the player does until it is over is handed in."""

    def ask(self, ask: judge.Ask, question: talk.Question, position: Position[Any, Any]) -> None:
        """Ask for a move."""

    def ask_again(self, code: str, detail: str) -> None:
        """Say that the move was refused; the same question stands."""

    def settle(self) -> None:
        """Hand in what stands unfinished, if it can be an answer: the time is up."""

    def depart(self, departed: judge.Departed) -> None:
        """Note that this seat has left the game."""

    def over(self, over: talk.Over) -> None:
        """Say that the game is over."""

    def farewell(self, farewell: talk.Farewell) -> None:
        """Send the player away."""


def event_of(kind: Game, seat: int, heard: talk.Reply | talk.Unreadable) -> judge.Event:
    """Return what a heard answer means to the judge."""
    if isinstance(heard, talk.Unreadable):
        return judge.Unreadable(seat, heard.turn, heard.code, heard.detail)
    try:
        move = kind.move.from_numbers(list(heard.numbers))
    except BadText as error:
        return judge.Unreadable(seat, heard.turn, "not_a_move", str(error))
    return judge.Answer(seat, heard.turn, move)
