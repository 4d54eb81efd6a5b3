"""A table: one game going on, driven through the pure judge.

Persons answer over their sockets, programs on threads; deadlines are timers. Every event is judged alone, written to the
journal and only then shown to anybody. Where the journal cannot be written the table closes, and what is on the disk stands.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from hinterland.errors import HinterlandError, IllegalMove
from hinterland.referee import judge
from hinterland.referee.shell import local
from hinterland.web import journal
from hinterland.web.audience import Audience
from hinterland.web.snapshot import encode_moves
from hinterland.web.stopwatch import Stopwatch

if TYPE_CHECKING:
    from collections.abc import Awaitable, Coroutine

    import msgspec

    from hinterland.contract import Move
    from hinterland.web.journal import Journal, Restored
    from hinterland.web.seating import Setup
    from hinterland.web.workers import Workers

__all__ = ["Bench", "Table"]

Finish = Callable[["Setup", judge.Judged, "Journal"], None]

log = logging.getLogger("hinterland.web")
MOST_LINES = 50_000
"""Of a journal: past this nothing can be taken back."""
SOON_S = 0.02


class Bench:
    """The threads that all tables share: some judge and write, others think."""

    def __init__(self, judges: Workers, thinkers: Workers) -> None:
        self.judges = judges
        self.thinkers = thinkers


async def no_pause() -> None:
    """Let programs move as soon as they can."""


class Table:
    """One game in memory. Its methods belong to the event loop."""

    def __init__(
        self,
        setup: Setup,
        restored: Restored,
        bench: Bench,
        *,
        book: Journal | None = None,
        pause: Callable[[], Awaitable[None]] = no_pause,
        finish: Finish = lambda *_: None,
        on_end: Callable[[Table], None] = lambda _: None,
        on_failure: Callable[[Table], None] = lambda _: None,
    ) -> None:
        """Set up a table.

        ``book`` is None for a show that nobody keeps; ``pause`` is awaited before a program is asked; ``finish`` keeps the record,
        on a thread; ``on_end`` and ``on_failure`` are told that the game is over or cannot go on.
        """
        self.setup = setup
        self.game = restored.game
        self.scores_after = restored.scores_after
        self.audience = Audience()
        self.watch = Stopwatch()
        self.next_url: str | None = None
        self.has_begun = restored.game.ending is not None
        self._bench = bench
        self._book = book
        self._pause = pause
        self._finish = finish
        self._on_end = on_end
        self._on_failure = on_failure
        self._turn = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._thinking: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._encoded: msgspec.Raw | None = None
        self._is_closed = False

    # What is seen

    @property
    def moves_encoded(self) -> msgspec.Raw:
        """The moves so far, encoded once for all viewers."""
        if self._encoded is None:
            self._encoded = encode_moves(self)
        return self._encoded

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores now; a game that is over has those of its ending."""
        if self.game.ending is not None:
            return self.game.ending.scores
        return self.scores_after[-1] if self.scores_after else (0,) * len(self.setup.seats)

    @property
    def is_busy(self) -> bool:
        """Say whether something is being judged or a program is thinking."""
        return self._turn.locked() or self._thinking is not None

    @property
    def waits(self) -> bool:
        """Say whether nothing will happen until somebody comes: no clock is running either."""
        return not self.is_busy and self._timer is None

    def undo_to(self) -> int | None:
        """Return the number of moves before the last move of a person; None where nothing can be taken back."""
        if self.game.ending is not None or self.game.departures or not self.has_begun:
            return None
        if self._book is not None and self._book.lines > MOST_LINES:
            return None
        own = [ply for ply, (seat, _) in enumerate(self.game.position.moves) if seat in self.setup.persons]
        return own[-1] if own else None

    # What happens

    async def arrive(self, *, plays: bool) -> None:
        """Note that somebody looks. A game with persons in it begins when they come, so no clock runs before."""
        if plays or not self.setup.persons or self.game.position.to_move is None:
            await self.begin()

    async def begin(self) -> None:
        """Ask the seat to move, unless that was done before."""
        await self._surely(self._begin())

    async def move(self, ply: int, numbers: object) -> None:
        """Make a person's move. Raises HinterlandError, in words for that person."""
        await self._surely(self._move(ply, self.setup.game.move.from_numbers(numbers)))

    async def undo(self) -> None:
        """Go back to before the last move of a person. Raises IllegalMove where there is none."""
        await self._surely(self._undo())

    async def resign(self) -> None:
        """Give up for the person to move, or for the only person. Raises IllegalMove where it is not clear who."""
        await self._surely(self._resign())

    async def _begin(self) -> None:
        async with self._turn:
            if not self.has_begun:
                self.has_begun = True
                await self._happens(judge.Begin())

    async def _move(self, ply: int, move: Move) -> None:
        async with self._turn:
            self._check_running()
            made = len(self.game.position.moves)
            if ply != made:
                raise IllegalMove("out_of_turn", f"move {made + 1} is to be made now, not move {ply + 1}")
            seat = self.game.position.to_move
            if seat is None or seat not in self.setup.persons:
                raise IllegalMove("out_of_turn", f"it is the turn of {self._name(seat)}")
            effects = await self._happens(judge.Answer(seat, self.game.turn, move))
        for effect in effects:
            if isinstance(effect, judge.Refused):
                raise IllegalMove(effect.code, effect.detail)

    async def _undo(self) -> None:
        async with self._turn:
            self._check_running()
            plies = self.undo_to()
            if plies is None:
                raise IllegalMove("no_undo", "there is no move to take back")
            await self._happens(judge.TakeBack(plies))

    async def _resign(self) -> None:
        async with self._turn:
            self._check_running()
            staying = [seat for seat in self.setup.persons if seat not in self.game.position.withdrawn]
            seat = self.game.position.to_move
            if seat is None or seat not in staying:
                if len(staying) != 1:
                    raise IllegalMove("out_of_turn", "who resigns does so in turn")
                seat = staying[0]
            await self._happens(judge.Resign(seat))

    async def close(self) -> None:
        """Put the game away: stop its clock, its timer and its program."""
        self._is_closed = True
        self._stop_waiting()
        async with self._turn:
            if self._book is not None:
                await self._bench.judges.run(self._put_away)
                self._book = None

    def _put_away(self) -> None:
        """Runs on a thread. What a turn has used so far is kept, so that the clock goes on from there."""
        assert self._book is not None
        clocks, now_ns = self.game.clocks, self.watch.now_ns()
        if clocks.running is not None:
            left = tuple(clocks.left_now_ns(seat, now_ns) for seat in range(len(clocks.left_ns)))
            try:
                self._book.write([journal.Clocked(journal.left_ms(left))])
            except HinterlandError as error:
                log.warning("%s", error)
        self._book.close()

    # How it happens

    def _check_running(self) -> None:
        if self.game.ending is not None:
            raise IllegalMove("game_over", "the game is over")
        if not self.has_begun or self._is_closed:
            raise IllegalMove("out_of_turn", "the game has not begun")

    def _name(self, seat: int | None) -> str:
        return "nobody" if seat is None else self.setup.seats[seat].name

    async def _happens(self, event: judge.Event) -> tuple[judge.Effect, ...]:
        """Judge an event, write it down, and carry its effects out. Called with the turn held."""
        if self._is_closed:
            return ()
        now_ns = self.watch.now_ns()
        try:
            with self.watch.held():
                game, effects = await self._bench.judges.run(self._judge, event, now_ns)
        except Exception as error:
            self._fail(error)
            raise
        if game is not self.game:
            self._take(game, effects)
        self._set_timer()
        return effects

    def _judge(self, event: judge.Event, now_ns: int) -> judge.Step:
        """Runs on a thread."""
        game, effects = judge.step(self.game, event, now_ns)
        for effect in effects:
            if isinstance(effect, judge.Refused) and effect.seat not in self.setup.persons:
                fault = judge.Fault(effect.seat, judge.Verdict.ILLEGAL, f"{self._name(effect.seat)}: {effect.detail}")
                game, effects = judge.step(self.game, fault, now_ns)
        if self._book is not None:
            self._keep(self._book, game, effects)
        return game, effects

    def _keep(self, book: Journal, game: judge.Judged, effects: tuple[judge.Effect, ...]) -> None:
        if lines := journal.lines_of(effects, game):
            book.write(lines)
        if game.ending is not None and self.game.ending is None:
            try:
                self._finish(self.setup, game, book)
            except HinterlandError as error:
                log.warning("%s; the record is added when the arena starts again", error)

    def _take(self, game: judge.Judged, effects: tuple[judge.Effect, ...]) -> None:
        """Show everybody the game as it is now."""
        self.game = game
        self._encoded = None
        for effect in effects:
            match effect:
                case judge.Played():
                    self.scores_after = (*self.scores_after, effect.scores)
                case judge.TakenBack(plies):
                    self.scores_after = self.scores_after[:plies]
                case judge.Ask():
                    self._ask(effect)
                case judge.Ended():
                    self._stop_waiting()
                    self._on_end(self)
        self.audience.wake()

    def _ask(self, ask: judge.Ask) -> None:
        self._stop_waiting()
        if ask.seat in self.setup.programs and not self._is_closed:
            self._thinking = self._spawn(self._think(ask))

    async def _think(self, ask: judge.Ask) -> None:
        """Let a program choose. Its clock stands still until a processor is free for it."""
        player, position = self.setup.programs[ask.seat], self.game.position
        rng = np.random.default_rng([self.setup.seed, 0, ask.seat, len(position.moves)])
        with self.watch.held():
            await self._pause()
            await self._bench.thinkers.turn()
        event = await self._bench.thinkers.start(local.choose, player, position, ask, rng)
        self._thinking = None
        async with self._turn:
            await self._happens(event)

    def _set_timer(self) -> None:
        """Ring when the running clock has run out."""
        self._stop_timer()
        deadline = self.game.clocks.deadline_ns
        if deadline is not None and not self._is_closed:
            wait_s = max((deadline - self.watch.now_ns()) / 1e9, 0.0) + SOON_S
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._ring)

    def _ring(self) -> None:
        self._timer = None
        if self.game.clocks.is_late(self.watch.now_ns()):
            self._spawn(self._tick())
        else:
            self._set_timer()

    async def _tick(self) -> None:
        async with self._turn:
            await self._happens(judge.Tick())

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _stop_waiting(self) -> None:
        self._stop_timer()
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None

    async def _surely(self, work: Coroutine[None, None, None]) -> None:
        """Carry an event through also when the connection that brought it is gone before it is judged."""
        await asyncio.shield(self._spawn(work))

    def _spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # who waits has been told; the house's own faults are in the log

    def _fail(self, error: Exception) -> None:
        """Give the table up after a fault of the house: everybody comes back to what is on the disk."""
        if not isinstance(error, HinterlandError):
            log.error("game %s failed", self.setup.id, exc_info=error)
        self._is_closed = True
        self._stop_waiting()
        words = str(error) if isinstance(error, HinterlandError) else "the server failed; the game goes on from its last move"
        for viewer in self.audience:
            viewer.complain(words)
        self.audience.dismiss(1011, "the game could not go on")
        if self._book is not None:
            self._book.close()
            self._book = None
        self._on_failure(self)
