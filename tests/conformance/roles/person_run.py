"""A match of people in the arena: one plays well, the other's clock runs out meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from conformance.case_watcher import HOSTILE, CaseWatcher
from conformance.control_game import python
from conformance.roles.guest_run import GuestRun
from conformance.scripts.both_protocols import cell
from hinterland.errors import HinterlandError
from hinterland.referee import judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.fault_rows import FaultRow, Way
    from conformance.roles.places import Served
    from conformance.run_case import Surroundings
    from hinterland.host.live_game import LiveGame
    from hinterland.web.matches.hosted_match import HostedMatch

__all__ = ["PersonRun"]


class PersonRun(GuestRun):
    """One run, in which a person is hostile."""

    def __init__(self, row: FaultRow, way: Way, surroundings: Surroundings) -> None:
        super().__init__(row, way, surroundings)
        self.seen: PersonWatcher = PersonWatcher()

    async def play(self, served: Served) -> None:
        """Seat two people; the good one answers at once."""
        assert served.hosted is not None
        table = served.hosted
        _, good = await table.take_seat("good")
        self.seen.answers(table, good, self.surroundings.rules.size)  # type: ignore[attr-defined]
        await table.show.arrive(good)
        _, key = await table.take_seat("hostile")
        place = (str(served.page_port), self.address, served.table, key)
        await self.start_hostile((*python("bad_people.py"), self.row.misbehaviour, *place, self.tag))
        await self.until(served, lambda: bool(self.seen.games))
        table.show.leave(good)


class PersonWatcher(CaseWatcher):
    """Keeps all events, and answers for the good person."""

    def __init__(self) -> None:
        super().__init__()
        self._table: HostedMatch | None = None
        self._key, self._size = "", 0
        self._moving: set[asyncio.Task[None]] = set()

    def answers(self, table: HostedMatch, key: str, size: int) -> None:
        """Take the good person's key."""
        self._table, self._key, self._size = table, key, size

    def on_effects(self, game: LiveGame, effects: Sequence[judge.Effect]) -> None:
        super().on_effects(game, effects)
        for effect in effects:
            if isinstance(effect, judge.Request) and game.players[effect.seat].number != HOSTILE:
                task = asyncio.create_task(self._move(len(game.judged.position.moves)))
                self._moving.add(task)
                task.add_done_callback(self._moving.discard)

    async def _move(self, ply: int) -> None:
        assert self._table is not None
        with contextlib.suppress(HinterlandError):
            await self._table.show.move(self._key, ply, list(cell(ply, self._size)))
