"""Who sits at a board through a whole match: over a network, on pipes, in a browser, or in this process.

A live game speaks to player connections only, and they hand in what their players do, with the time at which it was
done.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from hinterland.contract import Game, Position
from hinterland.errors import BadText
from hinterland.referee import judge
from hinterland.referee.protocol import session
from hinterland.referee.verdicts import Illegal

SubmitEvent = Callable[[judge.Event, int], None]
"""Takes what happened, and when, in nanoseconds of the monotonic clock."""
Absence = tuple[judge.Verdict, str]
"""Why nobody plays for a seat."""


class PlayerConnection:
    """One player of a match. This one is asked and never answers; override what its kind does otherwise."""

    grace_ms = 0
    """What each of its moves may take without being charged."""
    illegal = Illegal.FORFEIT
    """What an illegal move costs it, unless the match says otherwise."""
    absent_since_ns = 0
    """Since when nobody plays, where nobody does."""
    absence: Absence | None = None
    """Why nobody plays; None while somebody does."""
    match = 1
    """Which match of its host it plays, from 1."""
    can_leave = False
    """Whether it can leave the match before its end, so that nobody takes its place."""
    left_between_games = False
    """Whether it left after the end of a game and before it had answered anything in the next."""
    late_hint = ""
    """What its author may ask where it is late; nothing where that cannot help."""
    announces_games = True
    """Whether it was told how many games the match has."""

    def __init__(self, number: int, name: str) -> None:
        self.number = number
        """Which player, from 0."""
        self.name = name
        """What people call it."""
        self._start: session.Start | None = None
        self._submit_event: SubmitEvent | None = None

    async def open(self) -> None:
        """Get ready for the match. Raises ArenaError where that cannot be."""

    async def close(self) -> None:
        """Leave nothing behind."""

    async def wait_absent(self) -> None:
        """Wait until nobody plays for it any more."""
        await asyncio.Event().wait()

    async def prepare(self) -> None:
        """Get ready for a game, or find out that this cannot be. No answer of an earlier game may come after it."""

    def start(self, start: session.Start, submit_event: SubmitEvent) -> None:
        """Begin a game: whatever the player does until it is over is handed in."""
        self._start, self._submit_event = start, submit_event

    def request_move(self, request: judge.Request, message: session.MoveRequest, position: Position[Any, Any]) -> bool:  # noqa: ARG002
        """Ask for a move. Return whether the request has arrived; if not, submit ``judge.RequestSent`` when it has."""
        return True

    def repeat_request(self, code: str, detail: str) -> None:
        """Say that the move was refused; the same question stands."""

    def take_unfinished(self) -> None:
        """Hand in what stands unfinished, if it can be an answer: the time is up."""

    def crowds_the_machine(self) -> bool:
        """Say whether its own processes want more processors than there are; False where that cannot be seen."""
        return False

    def depart(self, departed: judge.Departure) -> None:
        """Note that this seat has left the game."""

    def end_game(self, over: session.GameEnd) -> None:  # noqa: ARG002
        """Say that the game is over."""
        self._start = self._submit_event = None

    def dismiss(self, farewell: session.Farewell) -> None:
        """Send the player away."""


def event_of(kind: Game, seat: int, message: session.MoveReply | session.UnreadableReply) -> judge.Event:
    """Return what an answer means to the judge."""
    if isinstance(message, session.UnreadableReply):
        return judge.Unreadable(seat, message.turn, message.code, message.detail)
    try:
        move = kind.move.from_numbers(list(message.numbers))
    except BadText as error:
        return judge.Unreadable(seat, message.turn, "not_a_move", str(error))
    return judge.Answer(seat, message.turn, move)
