"""One game in play: hands events to the judge in the order in which they come, and carries out what it says.

Everything here runs in one event loop, each step without a pause, so that nothing comes between an event and what
follows from it. The flag falls by a timer; what came before the deadline is judged first, by its stamp.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from hinterland.referee import judge
from hinterland.referee.shell.watcher import Watcher
from hinterland.referee.wire import talk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.contract import Game
    from hinterland.referee.judge import Judged
    from hinterland.referee.shell.chair import Chair
    from hinterland.referee.shell.heartbeat import Heartbeat

__all__ = ["GameInPlay"]


class GameInPlay:
    """A game between chairs, given in the order of the seats."""

    def __init__(
        self,
        kind: Game,
        judged: Judged,
        chairs: Sequence[Chair],
        heartbeat: Heartbeat,
        watcher: Watcher,
        *,
        game_id: str,
        match: int = 1,
        number: int,
        of: int,
    ) -> None:
        self.kind = kind
        self.judged = judged
        self.chairs = tuple(chairs)
        self.game_id = game_id
        self.match = match
        """Which match of its host, from 1."""
        self.number = number
        """Which game of its match, from 1."""
        self.of = of
        """How many games the match has."""
        self.discarded = 0
        """Answers that were not to the question that stood."""
        self._heartbeat = heartbeat
        self._watcher = watcher
        self._lag_seen_ns = 0
        self._standstills_seen = 0
        self._timer: asyncio.TimerHandle | None = None
        self._over: asyncio.Future[Judged] = asyncio.get_running_loop().create_future()

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names in the order of the seats."""
        return tuple(chair.name for chair in self.chairs)

    @property
    def now_ns(self) -> int:
        """The time by which this game is played."""
        return time.monotonic_ns()

    async def play(self) -> Judged:
        """Play the game to its end."""
        with self._heartbeat:
            self._lag_seen_ns = self._heartbeat.lag_ns
            self._standstills_seen = len(self._heartbeat.standstills_ns)
            numbers = tuple(chair.number for chair in self.chairs)
            control = self.judged.clocks.control
            for seat, chair in enumerate(self.chairs):
                told = talk.Start(
                    game_id=self.game_id, rules=self.judged.position.rules, number=self.number, of=self.of, seat=seat,
                    numbers=numbers, names=self.names, control=control, grace_ms=chair.grace_ms,
                )  # fmt: skip
                chair.start(told, self.hand_in)
            self._watcher.game_began(self)
            for seat, chair in sorted(enumerate(self.chairs), key=lambda seated: seated[1].absent_since_ns):
                if chair.absence is not None:  # who left later is above who left earlier
                    verdict, detail = chair.absence
                    self.hand_in(judge.Fault(seat, verdict, detail), self.now_ns)
            self.hand_in(judge.Begin(), self.now_ns)
            try:
                return await self._over
            finally:
                self._stop_timer()

    def tell_the_end(self) -> None:
        """Tell everybody that the game is over. Its record is safe by then, since who is told may rely on it."""
        ending = self.judged.ending
        assert ending is not None, "only a game that has ended has an end to tell"
        over = talk.Over(ending=ending, moves=self.judged.position.moves, departures=self.judged.departures)
        for chair in self.chairs:
            chair.over(over)

    def void(self, detail: str, *, by_operator: bool = True) -> None:
        """End the game without a result."""
        self.hand_in(judge.Void(detail, "operator" if by_operator else "referee"), self.now_ns)

    def hand_in(self, event: judge.Event, now_ns: int) -> None:
        """Judge an event and carry out what follows. A fault of the referee itself makes the game void."""
        if self._over.done():
            return
        try:
            self._notice_lag(now_ns)
            self._judge(event, now_ns)
        except Exception as error:
            if not self._over.done():
                self._stop_timer()
                self._over.set_exception(error)

    def _notice_lag(self, now_ns: int) -> None:
        """Take the time by which the referee was late off the running clock."""
        heart = self._heartbeat
        heart.look(now_ns)
        lag_ns, self._lag_seen_ns = heart.lag_ns - self._lag_seen_ns, heart.lag_ns
        stood_ns, self._standstills_seen = heart.longest_ns(self._standstills_seen), len(heart.standstills_ns)
        if lag_ns > 0 and self.judged.clocks.running is not None:
            self._judge(judge.Lagged(lag_ns, stood_ns), now_ns)

    def _judge(self, event: judge.Event, now_ns: int) -> None:
        self.judged, effects = judge.step(self.judged, event, now_ns)
        for effect in effects:
            self._carry_out(effect)
        if effects:
            self._watcher.happened(self, effects)
        if self.judged.ending is None:
            self._notice_lag(self.now_ns)  # while the move was judged and the question sent
        self._set_timer()
        if self.judged.ending is not None and not self._over.done():
            self._stop_timer()
            self._over.set_result(self.judged)

    def _carry_out(self, effect: judge.Effect) -> None:
        match effect:
            case judge.Ask():
                self._ask(effect)
            case judge.Refused(seat, code, detail):
                self.chairs[seat].ask_again(code, detail)
            case judge.Departed(seat):
                self.chairs[seat].depart(effect)
            case judge.Discarded():
                self.discarded += 1

    def _ask(self, ask: judge.Ask) -> None:
        position = self.judged.position
        spare: Any = getattr(position, "weight_left", None)
        question = talk.Question(
            turn=ask.turn,
            clock=ask.clock,
            scores=judge.departed_scores(position.scores, frozenset(position.withdrawn)),
            moves=position.moves,
            weight_left=None if spare is None else spare(ask.seat),
        )
        self.chairs[ask.seat].ask(ask, question, position)
        now_ns = self.now_ns
        self._heartbeat.look(now_ns)
        self.judged, _ = judge.step(self.judged, judge.Sent(ask.turn), now_ns)

    def _set_timer(self) -> None:
        self._stop_timer()
        deadline_ns = self.judged.clocks.deadline_ns
        if deadline_ns is not None:
            wait_s = max(deadline_ns + 1 - self.now_ns, 0) / 1e9
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._ring)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ring(self) -> None:
        """The time of the seat to move may be up: what it has said by now is judged first."""  # noqa: D401
        self._timer = None
        seat = self.judged.clocks.running
        if seat is not None and self.judged.clocks.is_late(self.now_ns):
            self.chairs[seat].settle()
        self.hand_in(judge.Tick(), self.now_ns)
        if self._timer is None and not self._over.done():
            self._set_timer()
