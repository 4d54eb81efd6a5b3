"""One live game: gives events to the judge in the order in which they come, and carries out the judge's effects.

Each seat has a ``PlayerConnection``: a person in a browser, a player of this process, a program, a bot over a network.
Everything here runs in one event loop. A ``commit`` judges events on a thread and writes them to the disk: other events
wait in a queue meanwhile, and no effect is announced before it is on the disk. Without a ``commit`` each event is
judged at once, so that nothing comes between an event and its effects.

A timer watches the deadline of the running clock. When the timer fires, an answer that the player has sent by then is
judged first; its time stamp says whether it was in time.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Sequence
from typing import Protocol

from hinterland.host.lag_monitor import LagMonitor
from hinterland.host.player_connection import PlayerConnection
from hinterland.referee import judge
from hinterland.referee.game_terms import GameTerms
from hinterland.referee.judge import Judged
from hinterland.referee.protocol import session

OWN_LOAD_DELAY_NS = 50_000_000
"""Longest delay, in nanoseconds, that is credited to the player to move even if the player's own processes caused
it."""


class Commit(Protocol):
    """Judges the events of a game and writes them to the disk."""

    async def __call__(self, game: Judged, event: judge.Event, now_ns: int) -> judge.Step:
        """Judge an event that came at ``now_ns``, and write its effects. Raises HinterlandError if that fails."""

    async def suspend(self, game: Judged, now_ns: int) -> None:
        """Write how much time each seat has left, and close the journal."""

    def drop(self) -> None:
        """Close the journal."""


class GameObserver(Protocol):
    """Interface of an observer of one game. A whole host has an ``observer.Observer``, with the same methods."""

    def on_note(self, line: str) -> None:
        """Hear a line of text about a player."""

    def on_game_begin(self, game: LiveGame) -> None:
        """Hear that the game begins, or goes on after a restart."""

    def on_effects(self, game: LiveGame, effects: Sequence[judge.Effect]) -> None:
        """Hear the effects of an event, such as a request or a departure."""


class LiveGame:
    """One game. Its players are given in the order of the seats."""

    def __init__(
        self,
        terms: GameTerms,
        judged: Judged,
        players: Sequence[PlayerConnection],
        lag_monitor: LagMonitor,
        observer: GameObserver,
        *,
        game_id: str,
        commit: Commit | None = None,
        may_be_called_off: bool = False,
    ) -> None:
        """``may_be_called_off``: whether the game is void if only one player is left before anybody has moved."""
        self.terms = terms
        self.judged = judged
        self.players = tuple(players)
        self.names = terms.names
        self.game_id = game_id
        self.match = players[0].match
        """Number of the match at its host, from 1."""
        self.number = terms.number
        """Number of the game in its match, from 1."""
        self.discarded = 0
        """Number of answers that belonged to no open request."""
        self._lag_monitor = lag_monitor
        self._observer = observer
        self._commit = commit
        self._may_be_called_off = may_be_called_off
        self._opening = len(judged.position.moves)
        self._lag_before_ns = (0, 0)
        """The lag monitor's ``lag_ns`` and ``brief_ns`` when the last request reached its player."""
        self._credited_ns = 0
        """Nanoseconds of delay credited to the player since the last request reached it."""
        self._standstills_seen = 0
        self._timer: asyncio.TimerHandle | None = None
        self._has_request_arrived = True
        """Whether the last request has reached its player."""
        self._paused_seat: int | None = None
        """The seat whose clock is paused, now or as soon as the seat is to move; None if there is no such seat."""
        self._paused_since_ns: int | None = None
        """Moment since which the clock of the seat to move is paused; None if it is not."""
        self._events: deque[tuple[judge.Event, int]] = deque()
        self._committing: asyncio.Task[None] | None = None
        self._over: asyncio.Future[Judged] = asyncio.get_running_loop().create_future()

    @property
    def now_ns(self) -> int:
        """The present moment, in nanoseconds of the monotonic clock."""
        return time.monotonic_ns()

    @property
    def clock_ns(self) -> int:
        """The moment up to which the clocks have run. No clock runs until the request has reached its player."""
        if not self._has_request_arrived:
            return self.judged.clocks.since_ns
        return self.now_ns if self._paused_since_ns is None else self._paused_since_ns

    @property
    def clock_stands(self) -> bool:
        """Whether the clock of the seat to move stands still."""
        return not self._has_request_arrived or self._paused_since_ns is not None

    @property
    def is_busy(self) -> bool:
        return self._committing is not None

    @property
    def is_timed(self) -> bool:
        """Whether the running clock has a deadline."""
        return self._timer is not None

    async def play(self) -> Judged:
        """Play the game to its end. Raises HinterlandError if an event cannot be written."""
        with self._lag_monitor if self.judged.clocks.control.is_limited else contextlib.nullcontext():
            self._forget_lag()
            self._standstills_seen = len(self._lag_monitor.standstills_ns)
            self._announce_start()
            for seat, player in sorted(enumerate(self.players), key=lambda seated: seated[1].absent_since_ns):
                if player.absence is not None:  # a player that left later ranks higher, so it comes later
                    self.submit_event(judge.Fault(seat, *player.absence), self.now_ns)
            self.submit_event(judge.Begin(), self.now_ns)
            try:
                return await self._over
            finally:
                self._stop_timer()

    def _announce_start(self) -> None:
        numbers = tuple(player.number for player in self.players)
        for seat, player in enumerate(self.players):
            message = session.Start(
                game_id=self.game_id, terms=self.terms, seat=seat, numbers=numbers, grace_ms=player.grace_ms
            )  # fmt: skip
            player.start(message, self.submit_event)
        self._observer.on_game_begin(self)

    def announce_end(self) -> None:
        """Tell all players that the game is over.

        Call it once the record is on the disk, since players may rely on the end.
        """
        ending = self.judged.ending
        assert ending is not None, "only a game that has ended has an end to tell"
        over = session.GameEnd(ending=ending, moves=self.judged.position.moves, departures=self.judged.departures)
        for player in self.players:
            player.end_game(over)

    def void(self, detail: str) -> None:
        self.submit_event(judge.Void(detail), self.now_ns)

    def pause_clock(self, seat: int) -> None:
        """Stop a seat's clock, now or once its turn comes, until ``resume_clock``. The game must have a commit."""
        self._paused_seat = seat
        self._begin_rest()

    def resume_clock(self) -> None:
        is_resting, self._paused_seat = self._paused_seat is not None, None
        if is_resting and self._paused_since_ns is not None:
            self.submit_event(judge.Paused(self.judged.turn, self.now_ns - self._paused_since_ns), self.now_ns)

    def _begin_rest(self) -> None:
        running = self.judged.clocks.running
        if running is not None and running == self._paused_seat and self._paused_since_ns is None:
            self._paused_since_ns = self.now_ns
            self._stop_timer()

    def _apply_pause(self, pause: judge.Paused, now_ns: int) -> judge.Step:
        self._paused_since_ns = None
        return judge.step(self.judged, pause, now_ns)

    async def suspend(self) -> None:
        """Stop in the middle of the game: judge and write all events so far, and the time that each seat has left."""
        self._stop_timer()
        self._over.cancel()
        await self.wait_until_judged()
        if not self._has_request_arrived:  # no clock is charged for a request that has not arrived
            self.judged, _ = self._start_request_clock(self.judged.turn, self.now_ns)
        if self._paused_since_ns is not None:
            pause = judge.Paused(self.judged.turn, self.now_ns - self._paused_since_ns)
            self.judged, _ = self._apply_pause(pause, self.now_ns)
        if self._commit is not None:
            await self._commit.suspend(self.judged, self.now_ns)

    async def wait_until_judged(self) -> None:
        while self._committing is not None:
            await asyncio.wait([self._committing])

    # Events

    def submit_event(self, event: judge.Event, now_ns: int) -> None:
        """Judge an event and carry out its effects. An error of the referee itself is raised by ``play``."""
        if self._over.done():
            return
        if isinstance(event, judge.Fault) and self._calls_off(event):
            event = judge.Void(f"{self.players[event.seat].name} had left before a move was made", event.seat)
        if self._commit is not None:
            self._events.append((event, now_ns))
            if self._committing is None:
                self._committing = asyncio.get_running_loop().create_task(self._commit_events(self._commit))
            return
        try:
            self._notice_lag(now_ns)
            self._apply_step(*judge.step(self.judged, event, now_ns))
        except Exception as error:
            self._fail(error)

    def _calls_off(self, fault: judge.Fault) -> bool:
        """Say whether a departure between games makes the game void: one player is left, and nobody has moved yet."""
        position = self.judged.position
        return (
            self._may_be_called_off
            and self.players[fault.seat].left_between_games
            and fault.seat in position.staying
            and len(position.staying) == 2
            and len(position.moves) == self._opening
        )

    async def _commit_events(self, commit: Commit) -> None:
        """Judge the submitted events, one after another."""
        while self._events:
            try:
                self._notice_lag(self._events[0][1])  # a standstill may end the game before the events that it delayed
                event, now_ns = self._events.popleft()
                if isinstance(event, judge.RequestSent):
                    step = self._start_request_clock(event.turn, now_ns)
                elif isinstance(event, judge.Paused):
                    step = self._apply_pause(event, now_ns)
                else:
                    step = await commit(self.judged, event, now_ns)
                self._apply_step(*step)
                if isinstance(event, judge.Paused):
                    self._observer.on_effects(self, ())
            except Exception as error:
                self._fail(error)
                self._events.clear()
        self._committing = None

    def _fail(self, error: Exception) -> None:
        self._stop_timer()
        if not self._over.done():
            self._over.set_exception(error)

    def _notice_lag(self, now_ns: int) -> None:
        """Find out how late the referee was, and credit the player to move with that time."""
        monitor = self._lag_monitor
        monitor.notice_delay(now_ns)
        lag_ns = monitor.uncharged_ns(*self._lag_before_ns) - self._credited_ns
        self._credited_ns += lag_ns
        stood_ns = monitor.longest_standstill_ns(self._standstills_seen)
        self._standstills_seen = len(monitor.standstills_ns)
        is_long = stood_ns > judge.LONGEST_STANDSTILL_NS  # ends the game even if nothing is credited
        if (lag_ns <= 0 and not is_long) or self.judged.clocks.running is None:
            return
        mover = self.players[self.judged.clocks.running]
        if lag_ns > OWN_LOAD_DELAY_NS and mover.crowds_the_machine():
            self._observer.on_note(
                f"{mover.name}: its own processes caused {lag_ns / 1e9:.2f} s of delay, which count"
            )
            return
        lagged = judge.Lagged(max(lag_ns, 0), stood_ns)
        if self._commit is not None and is_long:
            self._events.appendleft((lagged, now_ns))  # this event ends the game, so it must be written
        else:
            self._apply_step(*judge.step(self.judged, lagged, now_ns))

    def _forget_lag(self) -> None:
        """Count only delays after now."""
        self._lag_before_ns = self._lag_monitor.lag_ns, self._lag_monitor.brief_ns
        self._credited_ns = 0

    def _apply_step(self, judged: Judged, effects: tuple[judge.Effect, ...]) -> None:
        """Make ``judged`` the state of this game, and carry out ``effects``."""
        self.judged = judged
        if self._over.cancelled():
            return
        for effect in effects:
            self._carry_out(effect)
        if effects:
            self._observer.on_effects(self, effects)
        if self.judged.ending is None:
            self._notice_lag(self.now_ns)  # delays while the referee judged and sent the request
            self._begin_rest()
            self._set_timer()
        elif not self._over.done():
            self._stop_timer()
            self._over.set_result(self.judged)

    def _carry_out(self, effect: judge.Effect) -> None:
        match effect:
            case judge.Request():
                self._request_move(effect)
            case judge.Refused(seat, code, detail):
                self.players[seat].repeat_request(code, detail)
            case judge.Departure(seat):
                self.players[seat].depart(effect)
            case judge.Discarded():
                self.discarded += 1

    def _request_move(self, request: judge.Request) -> None:
        position = self.judged.position
        message = session.MoveRequest(
            turn=request.turn,
            clock=request.clock,
            scores=judge.departed_scores(position.scores, frozenset(position.withdrawn)),
            moves=position.moves,
            between=tuple(position.between),
            weight_left=position.weight_left(request.seat),
        )
        self._has_request_arrived = False
        if self.players[request.seat].request_move(request, message, position):
            now_ns = self.now_ns
            self._lag_monitor.notice_delay(now_ns)
            self.judged, _ = self._start_request_clock(request.turn, now_ns)

    def _start_request_clock(self, turn: int, now_ns: int) -> judge.Step:
        """Start the clock of the seat whose request has arrived."""
        if turn == self.judged.turn:
            self._has_request_arrived = True
            self._forget_lag()
        return judge.step(self.judged, judge.RequestSent(turn), now_ns)

    # The deadline

    def _set_timer(self) -> None:
        """Set the timer to the deadline. A timer set to an earlier moment may stay: when it fires, it is set again."""
        deadline_ns = self.judged.clocks.deadline_ns
        if deadline_ns is None or self.clock_stands:
            self._stop_timer()
            return
        loop = asyncio.get_running_loop()
        rings_at = loop.time() + max(deadline_ns + 1 - self.now_ns, 0) / 1e9
        if self._timer is None or self._timer.when() > rings_at:
            self._stop_timer()
            self._timer = loop.call_at(rings_at, self._on_deadline)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _on_deadline(self) -> None:
        self._timer = None
        seat = self.judged.clocks.running
        if seat is None or not self.judged.clocks.is_late(self.now_ns):
            self._set_timer()
            return
        self.players[seat].take_unfinished()
        self.submit_event(judge.Tick(self.players[seat].late_hint), self.now_ns)
