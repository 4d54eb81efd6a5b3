"""A table: one game going on, driven through the pure judge.

Persons answer over their sockets, programs on threads; deadlines are timers. Every event is judged alone, written to
the journal and only then shown to anybody. Where the journal cannot be written the table closes, and everybody comes
back to what is on the disk.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from hinterland.errors import HinterlandError, IllegalMove
from hinterland.referee import judge
from hinterland.web.audience import Audience
from hinterland.web.board_drawings import drawing_of
from hinterland.web.snapshot import as_list, encode_moves
from hinterland.web.waiting import Bench, Waiting, no_pause

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    import msgspec

    from hinterland.contract import Move
    from hinterland.web.desk import Desk
    from hinterland.web.journal import Restored
    from hinterland.web.seating import Seat, Setup

__all__ = ["Table"]

log = logging.getLogger("hinterland.web")


class Table:
    """One game in memory. Its methods belong to the event loop."""

    def __init__(
        self,
        setup: Setup,
        restored: Restored,
        desk: Desk,
        bench: Bench,
        *,
        pause: Callable[[], Awaitable[None]] = no_pause,
        on_end: Callable[[Table], None] = lambda _: None,
        on_failure: Callable[[Table], None] = lambda _: None,
    ) -> None:
        """Set up a table. ``pause`` is awaited before a program is asked; the others are told how it came to an end."""
        self.setup = setup
        self.game = restored.game
        self.scores_after = restored.scores_after
        self.audience = Audience()
        self.drawing = drawing_of(setup.game, setup.rules, f"/games/{setup.id}")
        self.next_url: str | None = None
        self._has_begun = restored.game.ending is not None
        self._is_closed = False
        self._desk = desk
        self._bench = bench
        self._waiting = Waiting(setup, bench, self._hand_in, pause)
        self._on_end = on_end
        self._on_failure = on_failure
        self._turn = asyncio.Lock()
        self._encoded: msgspec.Raw | None = None

    # What is seen

    match = None

    @property
    def id(self) -> str:
        """The id of the game."""
        return self.setup.id

    @property
    def game_name(self) -> str:
        """What is played."""
        return self.setup.game_name

    @property
    def brief(self) -> dict[str, Any]:
        """Its rules, as ``Rules.brief`` tells them."""
        return self.setup.brief

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who plays."""
        return self.setup.seats

    @property
    def places(self) -> tuple[int, ...]:
        """Seats are shown in their order."""
        return tuple(range(len(self.setup.seats)))

    def opens(self, key: str | None) -> bool:
        """Say whether a key is that of this game."""
        return self.setup.opens(key)

    @property
    def now_ns(self) -> int:
        """The time of this table."""
        return self._waiting.watch.now_ns()

    @property
    def moves_encoded(self) -> msgspec.Raw:
        """The moves so far, encoded once for all viewers."""
        if self._encoded is None:
            self._encoded = as_list(encode_moves(self.game, self.scores_after))
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
        return self._turn.locked() or self._waiting.is_thinking

    @property
    def waits(self) -> bool:
        """Say whether nothing will happen until somebody comes: no clock is running either."""
        return not self.is_busy and not self._waiting.is_timed

    def undo_to(self) -> int | None:
        """Return the number of moves before the last move of a person; None where nothing can be taken back."""
        if not self._has_begun or self.game.ending is not None or self.game.departures or self._desk.is_full:
            return None
        own = [ply for ply, (seat, _) in enumerate(self.game.position.moves) if seat in self.setup.persons]
        return own[-1] if own else None

    # What may happen

    async def arrive(self, *, plays: bool) -> None:
        """Note that somebody looks. A game with persons in it begins when they come; no clock runs before."""
        if plays or not self.setup.persons or self.game.position.to_move is None:
            await self.begin()

    async def begin(self) -> None:
        """Ask the seat to move, unless that was done before."""
        await self._surely(self._begin())

    async def move(self, ply: int, numbers: object) -> None:
        """Make a person's move, as move number ``ply`` + 1. Raises HinterlandError in words for that person."""
        await self._surely(self._move(ply, self.setup.game.move.from_numbers(numbers)))

    async def undo(self) -> None:
        """Go back to before the last move of a person. Raises IllegalMove where there is none."""
        await self._surely(self._undo())

    async def resign(self) -> None:
        """Give up for the person to move, or for the only person. Raises IllegalMove where it is not clear who."""
        await self._surely(self._resign())

    async def close(self) -> None:
        """Put the game away: stop its clock, its timer and its program."""
        self._is_closed = True
        self._waiting.stop()
        async with self._turn:
            await self._bench.judges.run(self._desk.put_away, self.game, self.now_ns)

    async def _begin(self) -> None:
        async with self._turn:
            if not self._has_begun:
                self._has_begun = True
                await self._happens(judge.Begin())

    async def _move(self, ply: int, move: Move) -> None:
        async with self._turn:
            self._check_running()
            made = len(self.game.position.moves)
            if ply != made:
                raise IllegalMove("out_of_turn", f"move {made + 1} is to be made now, not move {ply + 1}")
            seat = self.game.position.to_move
            if seat is None or seat not in self.setup.persons:
                name = "nobody" if seat is None else self.setup.seats[seat].name
                raise IllegalMove("out_of_turn", f"it is the turn of {name}")
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
                    raise IllegalMove("out_of_turn", "with several persons in the game, who resigns does so in turn")
                seat = staying[0]
            await self._happens(judge.Resign(seat))

    def _check_running(self) -> None:
        if self.game.ending is not None:
            raise IllegalMove("game_over", "the game is over")
        if not self._has_begun or self._is_closed:
            raise IllegalMove("out_of_turn", "the game is not going on")

    # How it happens

    async def _surely(self, work: Coroutine[None, None, None]) -> None:
        """Carry an event through also when the connection that brought it is gone before it is judged."""
        await asyncio.shield(self._waiting.spawn(work))

    async def _hand_in(self, event: judge.Event) -> None:
        async with self._turn:
            await self._happens(event)

    async def _happens(self, event: judge.Event) -> tuple[judge.Effect, ...]:
        """Judge an event, write it down, and carry its effects out. The turn must be held."""
        if self._is_closed:
            return ()
        now_ns = self.now_ns
        try:
            with self._waiting.watch.held():
                game, effects = await self._bench.judges.run(self._desk.decide, self.game, event, now_ns)
        except Exception as error:
            self._fail(error)
            raise
        self._take(game, effects)
        return effects

    def _take(self, game: judge.Judged, effects: tuple[judge.Effect, ...]) -> None:
        """Show everybody the game as it is now."""
        is_new = game is not self.game
        self.game = game
        self._encoded = None
        for effect in effects:
            match effect:
                case judge.Played():
                    self.scores_after = (*self.scores_after, effect.scores)
                case judge.TakenBack(plies):
                    self.scores_after = self.scores_after[:plies]
                case judge.Ask() if not self._is_closed:
                    self._waiting.think(effect, game.position)
                case judge.Ended():
                    self._waiting.stop()
                    self._on_end(self)
        if not self._is_closed:
            self._waiting.set_timer(game.clocks)
        if is_new:
            self.audience.wake()

    def _fail(self, error: Exception) -> None:
        """Give the table up after a fault of the house."""
        words = str(error)
        if not isinstance(error, HinterlandError):
            log.error("game %s failed", self.setup.id, exc_info=error)
            words = "the server failed; the game goes on from its last move"
        self._is_closed = True
        self._waiting.stop()
        for viewer in self.audience:
            viewer.complain(words)
        self.audience.dismiss(1011, "the game could not go on")
        self._desk.drop()
        self._on_failure(self)
