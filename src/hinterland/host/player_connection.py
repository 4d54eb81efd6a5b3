"""The referee's connection to a player for a whole match: over a network, pipes, a browser, or within this process.

A live game speaks to its players only through such connections. A player connection submits to the game what its player
does, as events with their times.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from hinterland.contract import Game, Position
from hinterland.errors import BadText
from hinterland.host.network.player_log import PlayerLog
from hinterland.referee import judge
from hinterland.referee.protocol import session
from hinterland.referee.verdicts import Illegal

SubmitEvent = Callable[[judge.Event, int], None]
"""Takes an event and its time, in nanoseconds of the monotonic clock."""
Absence = tuple[judge.Verdict, str]
"""Why a player is gone: the verdict, and a sentence for people."""


class PlayerConnection:
    """One player of a match. This base class never answers; subclasses override what differs."""

    grace_ms = 0
    """Milliseconds of each move that are not charged."""
    illegal = Illegal.FORFEIT
    """Cost of an illegal move, unless the match sets another."""
    absent_since_ns = 0
    """When the player went, in nanoseconds of the monotonic clock; of no meaning while ``absence`` is None."""
    absence: Absence | None = None
    """Why the player is gone; None while it is not."""
    match = 1
    """Number of the match at its host, from 1."""
    is_opened_by_game = False
    """Whether ``prepare`` opens the player if it is not open."""
    can_leave = False
    """Whether the player can leave for good before the match ends."""
    left_between_games = False
    """Whether the player left after the end of a game and before its first answer in the next game."""
    late_hint = ""
    """Advice to the author of a late player; empty if no advice would help."""
    announces_games = True
    """Whether the player was told how many games the match has."""
    version = ""
    """What tells this program from others of its name: a digest of its files, or what it said; empty: unknown."""
    log: PlayerLog | None = None
    """What the player says and hears in the present game; None if no log is kept."""

    def __init__(self, number: int, name: str) -> None:
        self.number = number
        """Number of the player in its match, from 0."""
        self.name = name
        self._start: session.Start | None = None
        self._submit_event: SubmitEvent | None = None

    async def open(self) -> None:
        """Get ready for the match. Raises ArenaError if that fails."""

    async def close(self) -> None:
        """Free all resources."""

    async def wait_until_absent(self) -> None:
        """Wait until the player has left for good."""
        await asyncio.Event().wait()

    async def prepare(self) -> None:
        """Get ready for a game, or find out that this is impossible.

        After this, no answer of an earlier game may come.
        """

    def start(self, start: session.Start, submit_event: SubmitEvent) -> None:
        """Begin a game. The player's events are submitted until the game is over."""
        self._start, self._submit_event = start, submit_event

    def request_move(self, request: judge.Request, message: session.MoveRequest, position: Position[Any, Any]) -> bool:  # noqa: ARG002
        """Ask for a move. Return whether the request has arrived; if not, submit ``judge.RequestSent`` when it has."""
        return True

    def repeat_request(self, code: str, detail: str) -> None:
        """Tell the player that its move was refused; the same request stands."""

    def take_unfinished(self) -> None:
        """Submit an unfinished answer, if it can be a whole one. This is called when the player's time is up."""

    def crowds_the_machine(self) -> bool:
        """Say whether the player's own processes want more processors than there are; False if unknown."""
        return False

    def depart(self, departed: judge.Departure) -> None:
        """Note that the player has left the game."""

    def end_game(self, over: session.GameEnd) -> None:  # noqa: ARG002
        """Tell the player how the game ended."""
        self._start = self._submit_event = None

    def dismiss(self, farewell: session.Farewell) -> None:
        """Send the last message of the match, and hang up."""


def event_of(kind: Game, seat: int, message: session.MoveReply | session.UnreadableReply) -> judge.Event:
    """Return the event that submits a player's answer to the judge."""
    if isinstance(message, session.UnreadableReply):
        return judge.Unreadable(seat, message.turn, message.code, message.detail)
    try:
        move = kind.move.from_numbers(list(message.numbers))
    except BadText as error:
        return judge.Unreadable(seat, message.turn, "not_a_move", str(error))
    return judge.Answer(seat, message.turn, move, message.note, message.marks)
