"""A match: one game for each player, with seats rotated. A void game is played again under the same number."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec

from hinterland import catalog
from hinterland.contract import Game, Move, Rules
from hinterland.host.commit import MatchStore
from hinterland.host.lag_monitor import Admission, LagMonitor
from hinterland.host.live_game import Commit, LiveGame
from hinterland.host.observer import Observer
from hinterland.host.player_connection import PlayerConnection
from hinterland.host.synchronous import timestamp
from hinterland.referee import match, record
from hinterland.referee.clock import NS_PER_MS, TimeControl
from hinterland.referee.game_terms import GameTerms
from hinterland.referee.judge import Judged
from hinterland.referee.protocol import session
from hinterland.referee.record import Record
from hinterland.referee.verdicts import Illegal, Verdict

OTHERS_LEAVING_S = 2.0
"""If a player has left between two games, the match waits this many seconds for the other players to leave, too."""
MAX_REFUSALS_PER_TURN = 20
"""Most illegal moves in one turn after which a player may still try again. One illegal move more is a verdict."""


class MatchConfig(msgspec.Struct, frozen=True, kw_only=True):
    """The terms of a match."""

    rules: Rules
    """The rules name the game and the number of its players."""
    control: TimeControl = TimeControl()
    illegal: Illegal | None = None
    """Cost of an illegal move; None: what each player's protocol says."""
    seed: int | None = None
    """Seed of the built-in players."""
    opening: tuple[Move, ...] = ()
    """First moves of every game, whichever player sits in which seat."""

    @property
    def kind(self) -> Game:
        """The game's entry of the catalogue."""
        return catalog.game(self.rules.game)

    def make_terms(self, players: Sequence[PlayerConnection], number: int, games: int) -> GameTerms:
        """Return the terms of game ``number``, counted from 1, in a match of ``games`` games.

        ``players`` are in the order of the seats.
        """
        names = tuple(player.name for player in players)
        return GameTerms(
            rules=self.rules, names=names, clock=self.control, seed=self.seed, number=number, games=games
        )


class Resumed(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a match whose host was ended, and which is to go on."""

    records: tuple[Record, ...] = ()
    """Records of the finished games."""
    game_id: str = ""
    """Id of the unfinished game, to which ``judged``, ``started`` and ``commit`` belong, too."""
    judged: Judged | None = None
    """State of the unfinished game; None if there was none."""
    started: str = ""
    commit: Commit | None = None


class MatchLength(msgspec.Struct, frozen=True, kw_only=True):
    """Which games a match has."""

    games: Sequence[int] | None = None
    """Numbers of the games to play; the first game is 0. None: one game for each player."""
    another: Callable[[], Awaitable[bool]] | None = None
    """A function that says after each game whether to play another one; None: always."""
    may_end_early: bool = True
    """Whether the match ends with the games so far if its players leave between two games."""


class Keeping(msgspec.Struct, frozen=True, kw_only=True):
    """The storage of a match, and the state from which the match goes on after a crash."""

    keep: Callable[[Record], None] | None = None
    """A function that writes a record to the disk. The function is called on a thread, before the result is
    announced."""
    file: str | None = None
    """The file of the records."""
    store: MatchStore | None = None
    """Writes the match to the disk move by move, so that it can go on after a crash."""
    resumed: Resumed | None = None
    """The state from which the match goes on after a crash; None for a new match."""


class LiveMatch:
    """One match. ``stop`` lets the running game finish; ``abort`` ends it."""

    def __init__(
        self,
        config: MatchConfig,
        players: Sequence[PlayerConnection],
        lag_monitor: LagMonitor,
        admission: Admission,
        observer: Observer,
        number: int,
        length: MatchLength,
        keeping: Keeping,
    ) -> None:
        """Prepare the match. ``number``: the match's number at its host, from 1."""
        self.records: list[Record] = []
        self._config = config
        self._players = tuple(players)
        self._lag_monitor = lag_monitor
        self._admission = admission
        self._observer = observer
        self._number = number
        self._games = range(len(self._players)) if length.games is None else length.games
        self._another = length.another
        self._may_end_early = length.may_end_early
        self._keeping = keeping
        self._resumed = keeping.resumed
        self._unplayed = ""
        self._game: LiveGame | None = None
        self._stopping = asyncio.Event()
        self._is_suspended = False
        for player in self._players:
            player.match = number

    def stop(self) -> None:
        """Begin no more games."""
        self._stopping.set()

    def abort(self, detail: str) -> None:
        """Begin no more games, and end the running game without a result."""
        self._stopping.set()
        if self._game is not None:
            self._game.void(detail)

    async def suspend(self) -> None:
        """Begin no more games, and stop the running game so that it can go on later."""
        self._is_suspended = True
        self._stopping.set()
        if self._game is not None:
            await self._game.suspend()
        elif self._resumed is not None and self._resumed.commit is not None:
            self._resumed.commit.drop()

    async def play(self) -> match.Result:
        """Play all games. Raises HinterlandError if a record cannot be written."""
        self._observer.on_match_begin(self._number, [player.name for player in self._players])
        if self._resumed is not None:
            self.records.extend(self._resumed.records)
        elif self._keeping.store is not None:
            await self._keeping.store.record_players(self._players)
        for number in self._games[len(self.records) :]:
            if self._unplayed or not await self._is_wanted():
                break
            await self._play_until_it_counts(number)
        names = [player.name for player in self._players]
        result = match.result(self._config.kind.name, names, self.records, self._keeping.file, self._number)
        result = msgspec.structs.replace(result, unplayed=self._unplayed)
        self._observer.on_match_over(result)
        return result

    async def _play_until_it_counts(self, number: int) -> None:
        detail = ""
        for _ in range(match.MAX_TRIES):
            kept = None if self._stopping.is_set() else await self._play_one(number)
            if kept is None:
                return
            if kept.reason != Verdict.VOID:
                self.records.append(kept)
                return
            detail = kept.detail
        raise match.make_void_error(number, detail)

    async def _is_deserted(self) -> bool:
        """Say whether the match ends with the games so far, because players left between two of them.

        A client may take the end of a game for the end of the match and hang up. A client must not win because it hangs
        up later than others do. If the match goes on, a player that left between two games counts as having left each
        game that is still to come.
        """
        left = [player for player in self._players if player.left_between_games]
        if not (left and self.records and self._may_end_early):
            return False
        guests = [player for player in self._players if player.can_leave]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(OTHERS_LEAVING_S):
                await asyncio.gather(*(guest.wait_until_absent() for guest in guests))
        left = [player for player in self._players if player.left_between_games]
        staying = [player for player in self._players if player.absence is None]
        is_alone = len(staying) == 1 and not all(player.announces_games for player in left)
        if is_alone or all(guest.absence is not None for guest in guests):
            games = [number + 1 for number in self._games[len(self.records) :]] if self._another is None else []
            self._unplayed = match.unplayed(games, [one.name for one in self._players if one.absence is not None])
            return True
        for player in left:
            player.left_between_games = False
        return False

    async def _is_wanted(self) -> bool:
        """Say whether to play another game: always for the first, and for a game that had begun before a crash."""
        goes_on = self._resumed is not None and self._resumed.judged is not None
        if self._another is None or not self.records or goes_on:
            return True
        wanted = asyncio.ensure_future(self._another())
        return await self._unless_stopping(wanted) and wanted.result()

    async def _wait_until_ready(self, players: Sequence[PlayerConnection]) -> bool:
        """Wait until all players are ready for a game. Return False if the match is to stop."""
        return await self._unless_stopping(asyncio.gather(*(player.prepare() for player in players)))

    async def _unless_stopping(self, ready: asyncio.Future[Any]) -> bool:
        """Wait until a future is done or the match is to stop. Return whether the match goes on."""
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            both: set[asyncio.Future[Any]] = {ready, stopping}
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if ready.done():
                ready.result()
            return not self._stopping.is_set()
        finally:
            stopping.cancel()
            ready.cancel()
            await asyncio.gather(ready, return_exceptions=True)

    async def _play_one(self, number: int) -> Record | None:
        """Play a game. Return None if the match is stopped before the game begins."""
        config = self._config
        players = [self._players[player] for player in match.seating(number, len(self._players))]
        if not await self._wait_until_ready(players):
            return None
        async with self._admission.game():
            if self._stopping.is_set() or await self._is_deserted():
                return None
            games = max(self._games) + 1 if self._another is None else number + 1
            terms = config.make_terms(players, number + 1, games)
            game_id, judged, started, commit = await self._begin_game(terms, players)
            if self._is_suspended and commit is not None:
                commit.drop()
                return None
            self._game = LiveGame(
                terms, judged, players, self._lag_monitor, self._observer,
                game_id=game_id, commit=commit, may_be_called_off=self._may_end_early,
            )  # fmt: skip
            try:
                judged = await self._game.play()
            finally:
                game, self._game = self._game, None
                if commit is not None and not self._is_suspended:
                    commit.drop()
        kept = record.of_game(terms, judged, started, tuple(player.version for player in players))
        if self._keeping.keep is not None and kept.reason != Verdict.VOID:
            await asyncio.get_running_loop().run_in_executor(None, self._keeping.keep, kept)
        game.announce_end()
        self._observer.on_game_over(game, kept)
        return kept

    async def _begin_game(
        self, terms: GameTerms, players: Sequence[PlayerConnection]
    ) -> tuple[str, Judged, str, Commit | None]:
        """Begin a game, or go on with one that a crash interrupted; return its id, state, time of start and commit."""
        config, resumed = self._config, self._resumed
        self._resumed = None
        options = {
            "illegal": tuple(config.illegal or player.illegal for player in players),
            "grace_ms": tuple(player.grace_ms for player in players),
            "most_refusals": MAX_REFUSALS_PER_TURN,
        }
        if resumed is not None and resumed.judged is not None:
            grace_ns = tuple(ms * NS_PER_MS for ms in options.pop("grace_ms"))  # type: ignore[attr-defined]
            clocks = msgspec.structs.replace(resumed.judged.clocks, grace_ns=grace_ns)
            judged = msgspec.structs.replace(resumed.judged, clocks=clocks, **options)
            return resumed.game_id, judged, resumed.started, resumed.commit
        judged = match.begin(terms, config.opening, **options)
        started = timestamp()
        if self._keeping.store is None:
            return secrets.token_urlsafe(9), judged, started, None
        game_id, commit = await self._keeping.store.begin_game(terms.number, players, started)
        return game_id, judged, started, commit


def make_farewell(result: match.Result) -> session.Farewell:
    """Return the last message of a match, with its result."""
    return session.Farewell(
        detail="the match is over",
        names=tuple(player.name for player in result.players),
        totals=tuple(player.total for player in result.players),
        winners=tuple(number for number, player in enumerate(result.players) if player.name in result.winners),
    )
