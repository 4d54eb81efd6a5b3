"""What the audit trail tells of a table: which programs join, over TCP or WebSocket, come back, go, or are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland.host.observer import Observer
from hinterland.host.players.person import Person
from hinterland.web.shares import share_of

if TYPE_CHECKING:
    from hinterland.host.players.player_connection import PlayerConnection
    from hinterland.web.operations.audit import Audit


class MatchAudit(Observer):
    """Notes who comes to one table and who goes; of people the pages have told already."""

    def __init__(self, audit: Audit, match_id: str) -> None:
        self._audit = audit
        self._table = match_id
        self._from: dict[int, str] = {}
        """Where each program came from, by number."""

    def on_join(self, player: PlayerConnection, origin: str) -> None:
        """Note that a program has a seat."""
        self._note("program joins", player, origin)

    def on_return(self, player: PlayerConnection, origin: str) -> None:
        """Note that a program is back."""
        self._note("program is back", player, origin)

    def on_leave(self, player: PlayerConnection, detail: str) -> None:
        """Note that a program is gone, and why."""
        if player.number in self._from:
            self._note("program is gone", player, self._from[player.number], detail=detail)

    def on_refusal(self, origin: str, detail: str) -> None:
        """Note who was sent away, and why."""
        self._audit.note("program refused", _address(origin), table=self._table, detail=detail)

    def _note(self, kind: str, player: PlayerConnection, origin: str, **more: str) -> None:
        if not isinstance(player, Person):
            self._from[player.number] = origin
            fields = {"table": self._table, "number": player.number, "name": player.name, **more}
            self._audit.note(kind, _address(origin), **fields)


def _address(origin: str) -> str:
    """Return in whose share an origin is: HOST:PORT, and what carries it."""
    return share_of(origin.partition(" ")[0].rpartition(":")[0].strip("[]"))
