"""A match between chairs: one game a player, seats rotated; a void game is played again under the same number."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Any

import msgspec

from hinterland.contract import Game, Move, Rules
from hinterland.errors import ArenaError
from hinterland.referee import match, record
from hinterland.referee.clock import TimeControl
from hinterland.referee.judge import Illegal, Verdict
from hinterland.referee.shell.game import GameInPlay
from hinterland.referee.shell.local import timestamp
from hinterland.referee.wire import talk

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hinterland.referee.record import Record
    from hinterland.referee.shell.admission import Admission
    from hinterland.referee.shell.chair import Chair
    from hinterland.referee.shell.heartbeat import Heartbeat
    from hinterland.referee.shell.watcher import Watcher

__all__ = ["MOST_REFUSALS", "MatchInPlay", "Terms", "farewell"]

TRIES = 3
"""How often a game that the referee itself spoiled is begun."""
MOST_REFUSALS = 20
"""Who is asked again after an illegal move is so this often a turn; the next one is a verdict."""


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What a match is played under."""

    kind: Game
    """The game."""
    rules: Rules
    """Its rules; they say how many players there are."""
    control: TimeControl = TimeControl()
    """How much time there is."""
    illegal: Illegal | None = None
    """What an illegal move costs; None: to each player what its protocol has it cost."""
    seed: int | None = None
    """Of the players of the house."""
    opening: tuple[Move, ...] = ()
    """The first moves of every game, whoever sits where."""


class MatchInPlay:
    """One match. ``stop`` lets the running game finish, ``abort`` does not."""

    def __init__(
        self,
        terms: Terms,
        chairs: Sequence[Chair],
        heartbeat: Heartbeat,
        admission: Admission,
        watcher: Watcher,
        number: int = 1,
        games: int | None = None,
        keep: Callable[[Record], None] | None = None,
        file: str | None = None,
    ) -> None:
        """Make ready.

        ``number``: which match of its host; ``games``: how many it has, None: one a player;
        ``keep`` puts a record on the disk, on a thread, before anybody is told;
        ``file`` is where.
        """
        self.records: list[Record] = []
        self._terms = terms
        self._chairs = tuple(chairs)
        self._heartbeat = heartbeat
        self._admission = admission
        self._watcher = watcher
        self._number = number
        self._games = games or len(self._chairs)
        self._keep = keep
        self._file = file
        self._game: GameInPlay | None = None
        self._stopping = asyncio.Event()

    @property
    def _is_stopping(self) -> bool:
        return self._stopping.is_set()

    def stop(self) -> None:
        """Begin no more games."""
        self._stopping.set()

    def abort(self, detail: str) -> None:
        """Begin no more games and end the running one without a result."""
        self._stopping.set()
        if self._game is not None:
            self._game.void(detail)

    async def play(self) -> match.Result:
        """Play all games. Raises HinterlandError where a record cannot be kept."""
        self._watcher.match_began([chair.name for chair in self._chairs])
        for number in range(self._games):
            detail = ""
            for _ in range(TRIES):
                kept = None if self._is_stopping else await self._play_one(number)
                if kept is None:
                    break
                if kept.reason != Verdict.VOID:
                    self.records.append(kept)
                    break
                detail = kept.detail
            else:
                raise ArenaError(f"game {number + 1} was void {TRIES} times, the last time because {detail}")
        result = match.result(
            self._terms.kind.name, [chair.name for chair in self._chairs], self.records, self._file, self._number
        )  # fmt: skip
        self._watcher.match_over(result)
        return result

    async def _prepared(self, chairs: Sequence[Chair]) -> bool:
        """Wait until all are ready for a game; say whether it is to begin."""
        ready = asyncio.gather(*(chair.prepare() for chair in chairs))
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            both: set[asyncio.Future[Any]] = {ready, stopping}
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if ready.done():
                ready.result()
            return not self._is_stopping
        finally:
            stopping.cancel()
            ready.cancel()
            await asyncio.gather(ready, return_exceptions=True)

    async def _play_one(self, number: int) -> Record | None:
        """Play a game; None where no more games begin by the time all are ready for it."""
        terms = self._terms
        chairs = [self._chairs[player] for player in match.seating(number, len(self._chairs))]
        if not await self._prepared(chairs):
            return None
        async with self._admission.game():
            if self._is_stopping:
                return None
            judged = match.begin(
                terms.rules,
                terms.control,
                terms.opening,
                illegal=[terms.illegal or chair.illegal for chair in chairs],
                most_refusals=MOST_REFUSALS,
                grace_ms=[chair.grace_ms for chair in chairs],
            )
            started = timestamp()
            self._game = GameInPlay(
                terms.kind, judged, chairs, self._heartbeat, self._watcher,
                game_id=secrets.token_urlsafe(9), match=self._number, number=number + 1, of=self._games,
            )  # fmt: skip
            try:
                judged = await self._game.play()
            finally:
                game, self._game = self._game, None
        kept = record.of_game(terms.kind, judged, game.names, seed=terms.seed, number=number + 1, started=started)
        if self._keep is not None and kept.reason != Verdict.VOID:
            await asyncio.get_running_loop().run_in_executor(None, self._keep, kept)
        game.tell_the_end()
        self._watcher.game_over(game, kept)
        return kept

def farewell(result: match.Result) -> talk.Farewell:
    """Return the last words of a match: its result."""
    return talk.Farewell(
        detail="the match is over",
        names=tuple(player.name for player in result.players),
        totals=tuple(player.total for player in result.players),
        winners=tuple(number for number, player in enumerate(result.players) if player.name in result.winners),
    )
