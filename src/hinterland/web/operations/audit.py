"""The audit trail: a log of who created, joined and closed matches and games, and of who was refused.

The same event of one address is logged ten times a minute; one line at the end of the minute says how many more of
these events there were. In all there are at most ``LINES_PER_MINUTE`` lines a minute and one line for the rest, so no
attack fills a disk.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter

from hinterland.host.observer import Observer
from hinterland.host.player_connection import PlayerConnection
from hinterland.host.players.person import Person
from hinterland.web.operations.event_log import with_fields
from hinterland.web.rates import share_of

log = logging.getLogger("hinterland.audit")
MINUTE_S = 60.0
LINES_PER_ADDRESS = 10
"""Most lines a minute about one kind of event of one address."""
LINES_PER_MINUTE = 600
"""Most lines a minute in all, not counting summaries."""
MAX_FIELD_CHARACTERS = 200
"""Longest field, in characters."""


class Audit:
    """Logs the actions of clients. Call the methods only in the event loop."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[str, str]] = Counter()
        """Events of this minute, by address and kind."""
        self._told = 0
        self._dropped = 0
        """Number of events of this minute that were left out because ``LINES_PER_MINUTE`` lines had been written."""
        self._minute: asyncio.TimerHandle | None = None

    def note(self, kind: str, address: str, **fields: object) -> None:
        """Log an event, unless there were too many events in this minute."""
        if self._minute is None:
            self._minute = asyncio.get_running_loop().call_later(MINUTE_S, self.sum_up)
        if self._told >= LINES_PER_MINUTE and (address, kind) not in self._seen:
            self._dropped += 1
            return
        self._seen[address, kind] += 1
        if self._seen[address, kind] <= LINES_PER_ADDRESS:
            self._told += 1
            texts = {name: str(value)[:MAX_FIELD_CHARACTERS] for name, value in fields.items()}
            log.info(kind, extra=with_fields(address=address, **texts))

    def sum_up(self) -> None:
        """End the minute: log how many events were left out."""
        if self._minute is not None:
            self._minute.cancel()
            self._minute = None
        for (address, kind), count in self._seen.items():
            if count > LINES_PER_ADDRESS:
                log.info(
                    "%s: more of the same", kind, extra=with_fields(address=address, count=count - LINES_PER_ADDRESS)
                )
        if self._dropped:
            log.info("more than can be told", extra=with_fields(count=self._dropped))
        self._seen.clear()
        self._told = self._dropped = 0


class MatchAudit(Observer):
    """Logs programs that join one match, return, leave or are refused.

    People are logged by the endpoints that pages call.
    """

    def __init__(self, audit: Audit, match_id: str) -> None:
        self._audit = audit
        self._table = match_id
        self._from: dict[int, str] = {}
        """By player number: where each program connects from, as HOST:PORT and the transport."""

    def on_join(self, player: PlayerConnection, origin: str) -> None:
        self._note("program joins", player, origin)

    def on_return(self, player: PlayerConnection, origin: str) -> None:
        self._note("program is back", player, origin)

    def on_leave(self, player: PlayerConnection, detail: str) -> None:
        if player.number in self._from:
            self._note("program is gone", player, self._from[player.number], detail=detail)

    def on_refusal(self, origin: str, detail: str) -> None:
        self._audit.note("program refused", _address(origin), table=self._table, detail=detail)

    def _note(self, kind: str, player: PlayerConnection, origin: str, **more: str) -> None:
        if not isinstance(player, Person):
            self._from[player.number] = origin
            fields = {"table": self._table, "number": player.number, "name": player.name, **more}
            self._audit.note(kind, _address(origin), **fields)


def _address(origin: str) -> str:
    """Return the address (for IPv6 the /64) in an origin, which is HOST:PORT and the transport."""
    return share_of(origin.partition(" ")[0].rpartition(":")[0].strip("[]"))
