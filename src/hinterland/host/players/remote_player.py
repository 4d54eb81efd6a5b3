"""The seat of a player at the other end of a link, which is a connection or a pair of pipes.

A player that missed its deadline still owes an answer. The answer will be ignored, but it shows that the player is
alive. If no answer comes within ``LATE_REPLY_S``, the connection is closed. In a protocol without turn numbers a late
answer could be taken for a move of the next game. So the next game waits for the late answer, and also for the answer
to a request that was open when a game ended.

A player with a token may come back on a new link. The clock of a player that is away runs on; if the player has not
come back at its deadline, it is out of the game. Without a token, a lost connection puts a player out at once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import msgspec

from hinterland.contract import Game, Position, Rules
from hinterland.host.network.link import Link
from hinterland.host.network.player_log import PlayerLog
from hinterland.host.observer import Observer
from hinterland.host.player_connection import PlayerConnection, SubmitEvent, event_of
from hinterland.referee import judge
from hinterland.referee.clock import NS_PER_MS
from hinterland.referee.protocol import session
from hinterland.referee.verdicts import Verdict

FLUSH_HINT = "does it flush its output?"
"""Advice to the author of a player that is connected and has never answered."""
LATE_REPLY_S = 10.0
"""Seconds that a player which missed its deadline still has to send a late answer; without it the connection is closed.

Programs have the shorter ``program_player.LATE_REPLY_S``, since they can be started anew."""
SEAT_TAKEN_OVER = session.Farewell(detail="another connection took this seat")


class RemotePlayer(PlayerConnection):
    """A player on a link, used only within one event loop."""

    can_leave = True
    can_be_replaced = False
    """Whether the player can be started anew for the next game if it does not answer any more."""
    may_return = False
    """Whether the player may come back on a new link after it has lost its connection."""
    return_s = 0.0
    """Seconds that a game waits at its beginning for a player that is away and may return."""

    def __init__(
        self,
        kind: Game,
        number: int,
        name: str,
        link: Link,
        observer: Observer,
        *,
        grace_ms: int,
        pause_s: float = 0.0,
        late_reply_s: float | None = None,
    ) -> None:
        super().__init__(number, name)
        self.grace_ms = grace_ms
        self.illegal = link.session.illegal
        self.ignored = 0
        """Number of messages that changed nothing."""
        self._kind = kind
        self._link = link
        self._observer = observer
        self._pause_s = 0.0 if link.session.has_turn_numbers else pause_s
        self._rested_at_s = 0.0
        self._has_returned = asyncio.Event()
        self._late_reply_s = LATE_REPLY_S if late_reply_s is None else late_reply_s
        self._request: session.MoveRequest | None = None
        self._asked_ns = 0
        self._awaits_answer = False
        """Whether a request waits for an answer."""
        self._match_rules: Rules | None = None
        self._seat = 0
        self._late_reply_timer: asyncio.TimerHandle | None = None
        self._is_late_reply_over = asyncio.Event()
        self._is_late_reply_over.set()
        self.announces_games = link.session.announces_games
        self._is_absent = asyncio.Event()
        self._has_finished = False
        """Whether the player has seen the end of a game."""
        self._has_answered = False
        """Whether the player has answered anything in the current game."""
        self._has_ever_answered = False
        self.log = PlayerLog() if observer.keeps_logs else None
        self.version = link.session.version
        link.owner, link.log = self, self.log

    def _use_link(self, link: Link) -> None:
        self._stop_awaiting()
        self._link = link
        self.version = link.session.version
        link.owner, link.log = self, self.log

    @property
    def is_connected(self) -> bool:
        return self._link.is_open

    @property
    def late_hint(self) -> str:  # type: ignore[override]
        """The question about flushing, if the player is connected and has never answered; otherwise empty."""
        return "" if self._has_ever_answered or not self._link.is_open else FLUSH_HINT

    # PlayerConnection

    async def close(self) -> None:
        self.dismiss(session.Farewell(detail="the referee is closing"))

    async def wait_until_absent(self) -> None:
        await self._is_absent.wait()

    async def prepare(self) -> None:
        """Wait for a late answer of an earlier game, for a player that is away, and for the pause between games."""
        await self._is_late_reply_over.wait()
        if self.may_return and self.return_s and not self._link.is_open:
            try:
                async with asyncio.timeout(self.return_s):
                    await self._has_returned.wait()
            except TimeoutError:
                self._fail(Verdict.DISCONNECT, f"{self.name} did not come back within {self.return_s:g} s")
        rest_s = self._rested_at_s - asyncio.get_running_loop().time()
        if rest_s > 0 and self._link.is_open:
            await asyncio.sleep(rest_s)

    def start(self, start: session.Start, submit_event: SubmitEvent) -> None:
        super().start(start, submit_event)
        self._seat, self._awaits_answer, self._has_answered = start.seat, False, False
        self._link.say(self._link.session.start(start))

    def request_move(self, request: judge.Request, message: session.MoveRequest, position: Position[Any, Any]) -> bool:  # noqa: ARG002
        self._request, self._awaits_answer, self._asked_ns = message, True, time.monotonic_ns()
        self._link.say(self._link.session.request_move(message))
        return True

    def repeat_request(self, code: str, detail: str) -> None:
        self._awaits_answer = True
        self._link.say(self._link.session.repeat_request(code, detail))

    def take_unfinished(self) -> None:
        """Take an unfinished answer. A player that is not connected at its deadline has left."""
        if self._link.is_open:
            self._link.take_unfinished()
        else:
            self._fault(Verdict.DISCONNECT, f"{self.name} did not come back in time")

    def depart(self, departed: judge.Departure) -> None:
        was_asked, self._awaits_answer = self._awaits_answer, False
        self._link.session.withdraw_request()
        if departed.reason is Verdict.TIME and was_asked:
            self._await_late_reply(self._give_up)

    def end_game(self, over: session.GameEnd) -> None:
        if self._awaits_answer and not self._link.session.has_turn_numbers:
            self._await_late_reply(self._stop_awaiting)
        super().end_game(over)
        self._awaits_answer, self._has_finished = False, True
        self._link.session.withdraw_request()
        self._link.say(self._link.session.end_game(over))
        self._rested_at_s = asyncio.get_running_loop().time() + self._pause_s

    def dismiss(self, farewell: session.Farewell) -> None:
        self._stop_awaiting()
        self._link.close(self._link.session.dismiss(farewell))

    # LinkOwner

    def on_message(self, message: session.Inbound) -> None:
        if self._link.session.has_turn_numbers:
            self._stop_awaiting()
        match message:
            case session.MoveReply() | session.UnreadableReply():
                self._awaits_answer = False
                self._has_answered = self._has_ever_answered = True
                if self._submit_event is not None:
                    self._submit_event(event_of(self._kind, self._seat, message), message.stamp_ns)
            case session.Broken(verdict, detail):
                self._fail(verdict, detail)
                self._link.close(self._link.session.dismiss(session.Farewell(detail=f"{verdict}: {detail}")))
            case session.Ignored():
                self.ignored += 1
                self._link.say(self._link.session.report_ignored(message))
                if message.is_late_answer:
                    self._stop_awaiting()
            case session.Introduction():
                self.ignored += 1

    def on_lost(self, verdict: Verdict, detail: str) -> None:
        self._stop_awaiting()
        self._has_returned.clear()
        self._observer.on_leave(self, detail)
        if not self.may_return:
            self.left_between_games = self.can_leave and self._is_between_games
            self._fail(verdict, detail)

    @property
    def _is_between_games(self) -> bool:
        """Whether the player has seen the end of a game and answered nothing since."""
        return self._has_finished and (self._submit_event is None or not self._has_answered)

    def welcome(self, rules: Rules) -> None:
        """Tell the player its number and the rules; call this if its match was not known when it was greeted."""
        self._match_rules = rules
        self._say_welcome()

    def _say_welcome(self) -> None:
        if self._match_rules is not None:
            self._link.session.expect(self._match_rules)
        self._link.say(self._link.session.welcome(self.number, self.name))

    def come_back(self, link: Link) -> None:
        """Go on over a new link; close the old link if it is still open."""
        if self._link.is_open:
            self._link.close(self._link.session.dismiss(SEAT_TAKEN_OVER))
        self._use_link(link)
        self._has_returned.set()
        self._say_welcome()
        self._repeat_start_and_request()
        self._observer.on_return(self, link.origin)

    def _repeat_start_and_request(self) -> None:
        """Tell a player that has come back its game and seat again, and the request that it has not answered."""
        if self._start is not None:
            self._link.say(self._link.session.start(self._start))
        if self._request is not None and self._awaits_answer:
            self._link.say(self._link.session.request_move(self._with_time_left(self._request)))

    def _with_time_left(self, message: session.MoveRequest) -> session.MoveRequest:
        """Return a request with the time that is left by now."""
        left_ms = message.clock.left_ms
        if left_ms is None:
            return message
        passed_ms = (time.monotonic_ns() - self._asked_ns) // NS_PER_MS
        clock = msgspec.structs.replace(message.clock, left_ms=max(left_ms - passed_ms, 0))
        return msgspec.structs.replace(message, clock=clock)

    def _fail(self, verdict: Verdict, detail: str) -> None:
        """Note that the player is gone, and report the fault to its game.

        If no game runs, the next game learns of the fault at its start.
        """
        if self.absence is None:
            self.absence = (verdict, detail)
            self.absent_since_ns = time.monotonic_ns()
            self._is_absent.set()
        self._fault(verdict, detail)

    def _fault(self, verdict: Verdict, detail: str) -> None:
        if self._submit_event is not None:
            is_void = verdict is Verdict.VOID
            fault = judge.Void(detail, "referee") if is_void else judge.Fault(self._seat, verdict, detail)
            self._submit_event(fault, time.monotonic_ns())

    def _await_late_reply(self, otherwise: Callable[[], None]) -> None:
        """Wait for a late answer. If no answer has come within ``late_reply_s``, call ``otherwise``."""
        if self._link.is_open:
            if self.can_be_replaced or not self._link.session.has_turn_numbers:
                self._is_late_reply_over.clear()
            self._late_reply_timer = asyncio.get_running_loop().call_later(self._late_reply_s, otherwise)

    def _give_up(self) -> None:
        """Hang up on a player that sent not even a late answer: the player would waste the next game's time, too."""
        self._stop_awaiting()
        detail = f"no answer within {self._late_reply_s:g} s after its time was up"
        self._observer.on_leave(self, detail)
        self._link.close(self._link.session.dismiss(session.Farewell(detail=detail)))
        self._fail(Verdict.DISCONNECT, detail)

    def _stop_awaiting(self) -> None:
        if self._late_reply_timer is not None:
            self._late_reply_timer.cancel()
            self._late_reply_timer = None
        self._is_late_reply_over.set()
