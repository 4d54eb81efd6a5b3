"""Tables of the arena at which programs from outside play before a referee; who made one may close it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from typing import TYPE_CHECKING

import msgspec

from hinterland.errors import ArenaError, HinterlandError
from hinterland.referee.shell.host import Host
from hinterland.referee.shell.tcp import listen
from hinterland.web.refereed import RefereedTable
from hinterland.web.seating import digest
from hinterland.web.server import reached_at

if TYPE_CHECKING:
    import socket

    from hinterland.referee.shell.host import Plan
    from hinterland.storage.records import RecordSink
    from hinterland.web.settings import Place

__all__ = ["Hosted", "HostedCard", "Hosting"]

log = logging.getLogger("hinterland.web")
SWEEP_S = 5.0
STOP_S = 1.2
"""How long a table that is closed may take to say goodbye."""
MOST_OVER = 8
"""Tables kept for those who want to see the result."""


class HostedCard(msgspec.Struct, frozen=True):
    """A table in a list."""

    url: str
    game: str
    title: str
    address: str
    protocol: str
    over: bool


class Hosted:
    """One table and its host. It belongs to the event loop."""

    def __init__(
        self, plan: Plan, listener: socket.socket, host_name: str, key: str, records: RecordSink | None
    ) -> None:
        """Begin to host. ``host_name``: by which the port is reached; ``key``: who shows it may close the table."""
        self.address = reached_at(host_name, listener.getsockname()[1])
        self.table = RefereedTable(plan, self.address)
        self._key_sha256 = digest(key)
        self._host = Host(plan, self.table, records=records)
        self.table.lobby = self._host.lobby
        self._serving = asyncio.get_running_loop().create_task(self._serve(listener))

    async def _serve(self, listener: socket.socket) -> None:
        detail = "all that was planned has been played"
        try:
            await self._host.serve(listener)
        except HinterlandError as error:
            detail = f"the referee had to stop: {error}"
            log.warning("table %s: %s", self.table.id, detail)
        except Exception:
            detail = "the referee failed; it has been noted"
            log.exception("table %s failed", self.table.id)
        finally:
            self.table.close(detail)

    def opens(self, key: str) -> bool:
        """Say whether a key is that of this table."""
        return secrets.compare_digest(digest(key), self._key_sha256)

    async def stop(self, detail: str) -> None:
        """Send the players away. A running game has no result; those that are over keep theirs."""
        if not self._serving.done():
            self.table.close(detail)
            self._host.abort(detail)
            _, late = await asyncio.wait([self._serving], timeout=STOP_S)
            for task in late:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task

    @property
    def card(self) -> HostedCard:
        """The table in a list."""
        table = self.table
        kind = table.plan.terms.kind
        return HostedCard(
            f"/tables/{table.id}", kind.title, table.title, self.address, table.plan.protocol, table.is_over
        )


class Hosting:
    """All tables at which referees play. It belongs to the event loop."""

    def __init__(self, place: Place, records: RecordSink | None) -> None:
        """Host at a place. ``records``: where finished games are kept."""
        self._place = place
        self._records = records
        self._tables: dict[str, Hosted] = {}
        self._sweeper: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to close tables to which nobody comes."""
        self._sweeper = asyncio.get_running_loop().create_task(self._sweep())

    async def stop(self) -> None:
        """Close all tables; may be called twice."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        await asyncio.gather(*(hosted.stop("the arena is stopping") for hosted in self._tables.values()))
        for hosted in self._tables.values():
            hosted.table.audience.dismiss(1012, "the arena is stopping")

    def open(self, plan: Plan, port: int, key: str) -> Hosted:
        """Open a table. Raises ArenaError where there are too many, or where the port is taken."""
        most = self._place.limits.hosted_tables
        if sum(not hosted.table.is_over for hosted in self._tables.values()) >= most:
            raise ArenaError(f"all {most} tables for programs are taken; try again when one is over")
        try:
            listener = listen(self._place.host, port)
        except ArenaError as error:
            raise ArenaError(str(error).partition("; choose another")[0]) from None
        hosted = Hosted(plan, listener, self._place.host, key, self._records)
        self._tables[hosted.table.id] = hosted
        self._forget()
        return hosted

    def find(self, table_id: str) -> Hosted | None:
        """Return a table, or None."""
        return self._tables.get(table_id)

    def cards(self) -> list[HostedCard]:
        """List the tables, the latest first."""
        return [hosted.card for hosted in reversed(self._tables.values())]

    def _forget(self) -> None:
        """Let go of the oldest results."""
        over = [table_id for table_id, hosted in self._tables.items() if hosted.table.is_over]
        for table_id in over[:-MOST_OVER]:
            self._tables.pop(table_id).table.audience.dismiss(1000, "this table is no more")

    async def _sweep(self) -> None:
        patience_s = self._place.limits.deserted_s
        while True:
            await asyncio.sleep(min(SWEEP_S, patience_s))
            for hosted in list(self._tables.values()):
                table = hosted.table
                if not table.is_over and table.is_deserted and time.monotonic() - table.seen_s > patience_s:
                    minutes = f"{patience_s / 60:g} minutes"
                    await hosted.stop(f"nobody came within {minutes}")
            self._forget()
