"""The chair of a player at the other end of a link.

A player that missed its deadline owes an answer, which will be ignored: it shows that somebody is there. Where none
comes the connection is closed. In a protocol without turn numbers, in which a late answer could become a move of the
next game, that game waits for it, and so it does when a game ends while a question stands. A player with a token may
come back on a new link while its own clock runs; without one, a lost connection is a verdict.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import msgspec

from hinterland.referee import judge
from hinterland.referee.clock import NS_PER_MS
from hinterland.referee.judge import Verdict
from hinterland.referee.shell.chair import Absence, HandIn, event_of
from hinterland.referee.wire import talk

if TYPE_CHECKING:
    from collections.abc import Callable

    from hinterland.contract import Game, Position
    from hinterland.referee.shell.link import Link
    from hinterland.referee.shell.watcher import Watcher

__all__ = ["RemoteChair"]

OWING_S = 10.0
"""How long after its deadline a player may take to show that it is alive."""


class RemoteChair:
    """A player on a link. It belongs to the event loop."""

    can_be_replaced = False
    """Whether a fresh player can take the next game where this one is dead; then it is worth while to find out."""

    def __init__(
        self,
        kind: Game,
        number: int,
        name: str,
        link: Link,
        watcher: Watcher,
        *,
        grace_ms: int,
        pause_s: float = 0.0,
        owing_s: float | None = None,
        may_return: bool = False,
    ) -> None:
        self.number = number
        self.name = name
        self.grace_ms = grace_ms
        self.illegal = link.talk.illegal
        self.absence: Absence | None = None
        self.absent_since_ns = 0
        self.ignored = 0
        """Messages that changed nothing."""
        self._kind = kind
        self._link = link
        self._watcher = watcher
        self._may_return = may_return
        self._pause_s = 0.0 if link.talk.has_turn_numbers else pause_s
        self._rested_at_s = 0.0
        self._owing_s = OWING_S if owing_s is None else owing_s
        self._start: talk.Start | None = None
        self._question: talk.Question | None = None
        self._asked_ns = 0
        self._is_asked = False
        """Whether the question waits for an answer."""
        self._hand_in: HandIn | None = None
        self._seat = 0
        self._owing: asyncio.TimerHandle | None = None
        self._is_paid = asyncio.Event()
        self._is_paid.set()
        link.owner = self

    def _sit_on(self, link: Link) -> None:
        """Go on over another link."""
        self._settle_debt()
        self._link = link
        link.owner = self

    @property
    def is_connected(self) -> bool:
        """Say whether the link stands."""
        return self._link.is_open

    # Chair

    async def open(self) -> None:
        """Nothing is to be done: who sits here has come by itself."""

    async def close(self) -> None:
        """Hang up."""
        self.farewell(talk.Farewell(detail="the referee is closing"))

    async def prepare(self) -> None:
        """Wait until no late answer of an earlier game can come any more, and a pause after the last words of one."""
        await self._is_paid.wait()
        rest_s = self._rested_at_s - asyncio.get_running_loop().time()
        if rest_s > 0 and self._link.is_open:
            await asyncio.sleep(rest_s)

    def start(self, start: talk.Start, hand_in: HandIn) -> None:
        """Begin a game."""
        self._start, self._hand_in, self._seat, self._is_asked = start, hand_in, start.seat, False
        self._link.say(self._link.talk.start(start))

    def ask(self, ask: judge.Ask, question: talk.Question, position: Position[Any, Any]) -> None:  # noqa: ARG002
        """Ask for a move."""
        self._question, self._is_asked, self._asked_ns = question, True, time.monotonic_ns()
        self._link.say(self._link.talk.ask(question))

    def ask_again(self, code: str, detail: str) -> None:
        """Say that the move was refused; the same question stands."""
        self._is_asked = True
        self._link.say(self._link.talk.ask_again(code, detail))

    def settle(self) -> None:
        """Take what stands unfinished; who is not connected at its deadline has left."""
        if self._link.is_open:
            self._link.settle()
        else:
            self._fault(Verdict.DISCONNECT, f"{self.name} did not come back in time")

    def depart(self, departed: judge.Departed) -> None:
        """Note that this seat has left the game."""
        was_asked, self._is_asked = self._is_asked, False
        self._link.talk.withdraw_question()
        if departed.verdict is Verdict.TIME and was_asked:
            self._owe(self._give_up)

    def over(self, over: talk.Over) -> None:
        """Say that the game is over."""
        if self._is_asked and not self._link.talk.has_turn_numbers:
            self._owe(self._settle_debt)
        self._hand_in = None
        self._is_asked = False
        self._start = None
        self._link.talk.withdraw_question()
        self._link.say(self._link.talk.over(over))
        self._rested_at_s = asyncio.get_running_loop().time() + self._pause_s

    def farewell(self, farewell: talk.Farewell) -> None:
        """Send the player away."""
        self._settle_debt()
        self._link.close(self._link.talk.farewell(farewell))

    # LinkOwner

    def heard(self, heard: talk.Heard) -> None:
        """Take what the player says."""
        if self._link.talk.has_turn_numbers:
            self._settle_debt()
        match heard:
            case talk.Reply() | talk.Unreadable():
                self._is_asked = False
                if self._hand_in is not None:
                    self._hand_in(event_of(self._kind, self._seat, heard), heard.stamp_ns)
            case talk.Broken(verdict, detail):
                self._fail(verdict, detail)
                self._link.close(self._link.talk.farewell(talk.Farewell(detail=f"{verdict}: {detail}")))
            case talk.Ignored():
                self.ignored += 1
                self._link.say(self._link.talk.ignored(heard))
                if heard.is_late_answer:
                    self._settle_debt()
            case talk.Introduction():
                self.ignored += 1

    def lost(self, verdict: Verdict, detail: str) -> None:
        """Learn that the link is gone."""
        self._settle_debt()
        self._watcher.went(self.number, self.name, detail)
        if not self._may_return:
            self._fail(verdict, detail)

    def come_back(self, link: Link) -> None:
        """Go on over a new link; the old one, if it still stands, is closed."""
        if self._link.is_open:
            self._link.close(self._link.talk.farewell(talk.Farewell(detail="another connection took this seat")))
        self._sit_on(link)
        link.say(link.talk.welcome(self.number, self.name))
        if self._start is not None:
            link.say(link.talk.start(self._start))
        if self._question is not None and self._is_asked:
            link.say(link.talk.ask(self._asked_before(self._question)))
        self._watcher.returned(self.number, self.name, link.origin)

    def _asked_before(self, question: talk.Question) -> talk.Question:
        """Return a question with what is left of the time by now."""
        left_ms = question.clock.left_ms
        if left_ms is None:
            return question
        passed_ms = (time.monotonic_ns() - self._asked_ns) // NS_PER_MS
        clock = msgspec.structs.replace(question.clock, left_ms=max(left_ms - passed_ms, 0))
        return msgspec.structs.replace(question, clock=clock)

    def _fail(self, verdict: Verdict, detail: str) -> None:
        """Leave for good. A connection that broke off between games is a fault of the next one."""
        if self.absence is None:
            self.absence = (verdict, detail)
            self.absent_since_ns = time.monotonic_ns()
        self._fault(verdict, detail)

    def _fault(self, verdict: Verdict, detail: str) -> None:
        if self._hand_in is not None:
            self._hand_in(judge.Fault(self._seat, verdict, detail), time.monotonic_ns())

    def _owe(self, otherwise: Callable[[], None]) -> None:
        """Wait for a late answer; do something else where none has come after a while."""
        if self._link.is_open:
            if self.can_be_replaced or not self._link.talk.has_turn_numbers:
                self._is_paid.clear()
            self._owing = asyncio.get_running_loop().call_later(self._owing_s, otherwise)

    def _give_up(self) -> None:
        """Hang up on a player that said nothing at all: it would waste another game's time."""
        self._settle_debt()
        detail = f"no answer within {self._owing_s:g} s after its time was up"
        self._watcher.went(self.number, self.name, detail)
        self._link.close(self._link.talk.farewell(talk.Farewell(detail=detail)))
        self._fail(Verdict.DISCONNECT, detail)

    def _settle_debt(self) -> None:
        if self._owing is not None:
            self._owing.cancel()
            self._owing = None
        self._is_paid.set()
