"""The audit trail of a hosted match: programs that join, over TCP or WebSocket, return, leave or are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland.host.observer import Observer
from hinterland.host.players.person import Person
from hinterland.web.shares import share_of

if TYPE_CHECKING:
    from hinterland.host.players.player_connection import PlayerConnection
    from hinterland.web.operations.audit import Audit


class MatchAudit(Observer):
    """Logs the programs of one match; pages log people themselves."""

    def __init__(self, audit: Audit, match_id: str) -> None:
        self._audit = audit
        self._table = match_id
        self._from: dict[int, str] = {}
        """Origin of each program, by number."""

    def on_join(self, player: PlayerConnection, origin: str) -> None:
        """Log a program that takes a seat."""
        self._note("program joins", player, origin)

    def on_return(self, player: PlayerConnection, origin: str) -> None:
        """Log a program that is back."""
        self._note("program is back", player, origin)

    def on_leave(self, player: PlayerConnection, detail: str) -> None:
        """Log a program that has left, and why."""
        if player.number in self._from:
            self._note("program is gone", player, self._from[player.number], detail=detail)

    def on_refusal(self, origin: str, detail: str) -> None:
        """Log a refused client, and why."""
        self._audit.note("program refused", _address(origin), table=self._table, detail=detail)

    def _note(self, kind: str, player: PlayerConnection, origin: str, **more: str) -> None:
        if not isinstance(player, Person):
            self._from[player.number] = origin
            fields = {"table": self._table, "number": player.number, "name": player.name, **more}
            self._audit.note(kind, _address(origin), **fields)


def _address(origin: str) -> str:
    """Return the share of an origin, which is HOST:PORT and the transport."""
    return share_of(origin.partition(" ")[0].rpartition(":")[0].strip("[]"))
