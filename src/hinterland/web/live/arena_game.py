"""A game that began on a page: persons who share one key, and built-in players on shared threads.

The game has a journal. If persons play, the game begins when its page is opened with the key; until then no clock runs.
If the journal cannot be written, the game closes, and pages load it again as it is on the disk.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from hinterland.errors import HinterlandError, IllegalMove
from hinterland.host.commit import JournalCommit
from hinterland.host.lag_monitor import LagMonitor
from hinterland.host.live_game import LiveGame
from hinterland.host.player_connection import PlayerConnection
from hinterland.host.players.in_process import PooledPlayer
from hinterland.host.players.person import Person
from hinterland.host.thread_pools import SERVER_ITSELF, Workers
from hinterland.referee import judge
from hinterland.storage.game_setup import Seat, Setup
from hinterland.storage.journal import Restored
from hinterland.web.live.game_view import GameProgress, GameView
from hinterland.web.live.page_messages import Matter

log = logging.getLogger("hinterland.web")
UNWATCHED_PLAY_S = 60.0
"""Seconds for which built-in players play on after the last viewer has left."""
CROWDED_THREADS = 2.0
"""Thinking or waiting players per thread from which viewers are told that programs think for less time."""


class ArenaGame(GameView):
    """One game in memory. Call the methods only in the event loop."""

    def __init__(
        self,
        setup: Setup,
        restored: Restored,
        commit: JournalCommit,
        thinkers: Workers,
        lag_monitor: LagMonitor,
        *,
        asker: str = SERVER_ITSELF,
        pause: Callable[[], Awaitable[None]] | None = None,
        on_over: Callable[[ArenaGame, bool], None],
    ) -> None:
        """``asker``: the client on whose share of the threads the built-in players think.

        ``pause``: awaited before each move of a built-in player; by default a game without persons pauses while nobody
        watches. ``on_over``: called at the end; its second argument says whether a fault of the server ended the game.
        """
        super().__init__(setup.id, setup.game, setup.page_rules, restored.game, f"/games/{setup.id}")
        self.setup = setup
        kinds = sorted(seat.kind for seat in setup.seats)
        self._is_unhurried = setup.control.is_limited and kinds == ["person"] + ["program"] * (len(kinds) - 1)
        """Whether one person plays with a clock against built-in players only: nobody waits if this clock stands."""
        self._thinkers = thinkers.share_for(asker, self._rank)
        self._pause = pause or (None if setup.persons else self._wait_for_visit)
        self._looked_at_s = time.monotonic()
        self._looked_at = asyncio.Event()
        self._is_paused = False
        """Whether the game waits for a viewer."""
        self._commit = commit
        self._on_over = on_over
        self._players = [self._player(number, seat) for number, seat in enumerate(setup.seats)]
        self._live = LiveGame(
            setup.terms, msgspec.structs.replace(restored.game, illegal=tuple(one.illegal for one in self._players)),
            self._players, lag_monitor, self, game_id=setup.id, commit=commit,
        )  # fmt: skip
        self._progress = GameProgress(self._live, tuple(range(len(setup.seats))), restored.scores_after)
        self._playing: asyncio.Task[judge.Judged] | None = None
        self._is_closed = False

    def _player(self, number: int, seat: Seat) -> PlayerConnection:
        if seat.kind == "person":
            return Person(number, seat.name, waits_to_begin=self._is_unhurried)
        if seat.kind == "bot":  # replayed only
            return PlayerConnection(number, seat.name)
        setup = self.setup
        return PooledPlayer(setup.game, number, seat.name, seat.name, setup.seed or 0, self._thinkers, self._pause)

    # State

    @property
    def progress(self) -> GameProgress:
        return self._progress

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.setup.seats

    @property
    def clock_stands(self) -> bool:
        """Say whether the clock of the person to move stands: before their first move, or while the rules are open."""
        return self.game.clocks.running in self.setup.persons and self._live.clock_stands

    @property
    def is_busy(self) -> bool:
        """Say whether a move is being judged or a built-in player is thinking."""
        thinks = any(isinstance(one, PooledPlayer) and one.is_thinking for one in self._players)
        return self._live.is_busy or (thinks and not self._is_paused)

    @property
    def is_idle(self) -> bool:
        """Say whether nothing can happen until a viewer comes: nobody thinks, and no clock runs."""
        return not self.is_busy and not self._live.is_timed

    def own_places(self, key: str | None) -> frozenset[int]:
        return frozenset(self.setup.persons if self.setup.has_key(key) else ())

    def undo_ply(self) -> int | None:
        if not self._is_going_on or self.game.departures or self._commit.is_full:
            return None
        own = [ply for ply, (seat, _) in enumerate(self.game.position.moves) if seat in self.setup.persons]
        return own[-1] if own else None

    @property
    def _is_going_on(self) -> bool:
        return self._playing is not None and self.game.ending is None and not self._is_closed

    @property
    def remark(self) -> str | None:
        crowded = self.game.ending is None and self._thinkers.crowding >= CROWDED_THREADS
        return "many games are being played here, so programs think for less time" if crowded else None

    def note_visit(self) -> None:
        """Note that somebody has looked at the game."""
        self._looked_at_s = time.monotonic()
        self._looked_at.set()

    def _rank(self) -> int:
        """Return the game's rank in the queue for threads, the lowest first: 0 with persons, 1 if watched, else 2."""
        return 0 if self.setup.persons else 1 if self.audience else 2

    async def _wait_for_visit(self) -> None:
        """Wait for a viewer if nobody watches and nobody has looked at the game for ``UNWATCHED_PLAY_S``."""
        while not self.audience and time.monotonic() - self._looked_at_s > UNWATCHED_PLAY_S:
            self._looked_at.clear()
            self._is_paused = True
            try:
                await self._looked_at.wait()
            finally:
                self._is_paused = False

    # Actions

    async def arrive(self, key: str | None) -> None:
        """Note a viewer. A game with persons begins when a viewer with its key comes; until then no clock runs."""
        if self.setup.has_key(key) or not self.setup.persons or self.game.position.to_move is None:
            await self.begin()

    def leave(self, key: str | None) -> None:
        self.note_visit()
        self._go_on(key)

    async def begin(self) -> None:
        """Ask the first seat to move; may be called twice."""
        if self._playing is None and self.game.ending is None and self.setup.table is None:
            self._playing = asyncio.get_running_loop().create_task(self._live.play())
            self._playing.add_done_callback(self._ended)
            await asyncio.sleep(0)  # let it begin
            await self._live.wait_until_judged()

    async def move(self, key: str | None, ply: int, numbers: object) -> None:
        await self._check(key)
        made = len(self.game.position.moves)
        if ply != made:
            raise IllegalMove("out_of_turn", f"move {made + 1} is to be made now, not move {ply + 1}")
        seat = self.game.position.to_move
        player = None if seat is None else self._players[seat]
        if not isinstance(player, Person):
            raise IllegalMove("out_of_turn", f"it is the turn of {player.name if player else 'nobody'}")
        self.submit_move(self._live, player, ply, numbers)
        await self._live.wait_until_judged()

    async def undo(self, key: str | None) -> None:
        await self._check(key)
        plies = self.undo_ply()
        if plies is None:
            raise IllegalMove("no_undo", "there is no move to take back")
        self._live.submit_event(judge.TakeBack(plies), self._live.now_ns)
        await self._live.wait_until_judged()

    def rest(self, key: str | None, *, on: bool) -> None:
        """If ``on``, stop the person's clock, as the rules are open; if not, resume it.

        If several people play, the clock is never stopped.
        """
        if on and self._is_unhurried and self.own_places(key) and self.game.ending is None:
            self._live.pause_clock(*self.setup.persons)
            self.audience.wake()
        elif not on:
            self._go_on(key)

    def _go_on(self, key: str | None) -> None:
        if self.own_places(key):
            self._live.resume_clock()

    def help(self) -> None:
        """Note that somebody has had advice about a move, except in a game without persons, where it helps nobody."""
        if self.setup.persons and self.game.ending is None:
            super().help()

    async def resign(self, key: str | None) -> None:
        """Resign for the person to move, or for the only person. Raises IllegalMove if it is not clear who resigns."""
        await self._check(key)
        staying = [seat for seat in self.setup.persons if seat not in self.game.position.withdrawn]
        seat = self.game.position.to_move
        if seat not in staying:
            if len(staying) != 1:
                raise IllegalMove("out_of_turn", "with several people in the game, you can resign only on your turn")
            seat = staying[0]
        self._live.submit_event(judge.Resign(seat), self._live.now_ns)
        await self._live.wait_until_judged()

    async def wish(self, key: str | None, matter: Matter, *, yes: bool) -> None:  # noqa: ARG002
        raise IllegalMove("no_wish", "there is nothing to agree on in a game in one browser")

    async def _check(self, key: str | None) -> None:
        """Wait until the judge is free.

        Raises IllegalMove unless ``key`` is the game's key and the game is going on.
        """
        if not self.own_places(key):
            raise IllegalMove("not_yours", "you are watching: only the browser that began the game may move")
        self._live.resume_clock()
        await self._live.wait_until_judged()
        if self.game.ending is not None:
            raise IllegalMove("game_over", "the game is over")
        if not self._is_going_on:
            raise IllegalMove("out_of_turn", "the game is not going on")

    async def close(self) -> None:
        """Suspend the game: stop its clock, its timer and its players."""
        self._is_closed = True
        self._stop_players()
        await self._live.suspend()

    # Events

    def on_effects(self, game: LiveGame, effects: Sequence[judge.Effect]) -> None:  # noqa: ARG002
        self._progress.take(effects)
        self.audience.wake()

    def _ended(self, playing: asyncio.Task[judge.Judged]) -> None:
        if playing.cancelled() or self._is_closed:
            return
        error = playing.exception()
        if error is None:
            self._live.announce_end()
            self._on_over(self, False)
        else:
            self._fail(error)

    def _stop_players(self) -> None:
        for player in self._players:
            if isinstance(player, PooledPlayer):
                player.stop()

    def _fail(self, error: BaseException) -> None:
        """Close the game after a fault of the server; it can be loaded again from its journal."""
        words = str(error)
        if not isinstance(error, HinterlandError):
            log.error("game %s failed", self.setup.id, exc_info=error)
            words = "the server failed; the game goes on from its last move"
        self._is_closed = True
        self._stop_players()
        for viewer in self.audience:
            viewer.complain(words)
        self.audience.dismiss(1011, "the game could not go on")
        self._commit.drop()
        self._on_over(self, True)
