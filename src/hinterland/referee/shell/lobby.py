"""The lobby: who connects gets a number, says its name within a few seconds, and waits until a match is complete.

Numbers are given in the order of connecting. Who leaves before the match begins makes room for the next. Where tokens
are asked for, the token decides: it holds a name and a chair, and brings its player back to that chair later.
"""

from __future__ import annotations

import asyncio
import hmac
from collections import deque
from typing import TYPE_CHECKING

import msgspec

from hinterland.referee.shell.arrival import FULL, Arrival, Latecomer
from hinterland.referee.shell.link import Link
from hinterland.referee.shell.party import Party
from hinterland.referee.wire import talk

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hinterland.referee.shell.heartbeat import Heartbeat
    from hinterland.referee.shell.link import Carrier
    from hinterland.referee.shell.play import Terms
    from hinterland.referee.shell.remote import RemoteChair
    from hinterland.referee.shell.watcher import Watcher

__all__ = ["Doors", "Lobby"]

WRONG_TOKENS = 5
"""So many from one address, and it has to wait."""
WRONG_TOKENS_S = 60.0
MOST_ADDRESSES = 10_000
"""Of which wrong tokens are remembered."""


class Doors(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds on who may come in."""

    hello_s: float = 5.0
    """How long a connection may take to introduce its player."""
    connections: int = 1200
    """All together."""
    connections_per_address: int = 600
    grace_ms: int = 100
    """What the way through the network may take, each move."""
    pause_s: float = 2.0
    """In protocol hps, between the last line of a game and the next: clients in use take for one message what comes at
    once, or look at the result for a while before they read again."""
    owing_s: float | None = None
    """How long after its deadline a player may take to show that it is alive; None: as long as usual."""
    limits: talk.Limits = talk.Limits()
    """What each connection may send."""


class Lobby:
    """Seats those who come. It belongs to one event loop."""

    def __init__(
        self,
        terms: Terms,
        size: int,
        make_talk: Callable[[talk.Limits], talk.Talk],
        heartbeat: Heartbeat,
        watcher: Watcher,
        doors: Doors,
        tokens: Mapping[str, str] | None = None,
        *,
        matches: int = 1,
        new_party: Callable[[Party], object] = lambda _: None,
    ) -> None:
        """Open. ``size``: how many come to each of so many matches; ``tokens``: by name, None where nobody needs one.

        ``new_party`` is told when somebody has come to a match that nobody has come to before.
        """
        self.parties: list[Party] = []
        """Who gathers now."""
        self.chairs: list[RemoteChair] = []
        """Everybody who sits in a match that goes on, for those who come back."""
        self.terms = terms
        self.heartbeat = heartbeat
        self.watcher = watcher
        self.doors = doors
        self.tokens = tokens
        self._size = size
        self._matches_left = matches
        self._new_party = new_party
        self._waiting: deque[Latecomer] = deque()
        self._make_talk = make_talk
        self._open: dict[str, int] = {}
        self._wrong: dict[str, list[float]] = {}

    def close(self) -> None:
        """Let nobody in any more, and send away who waits."""
        self._matches_left = 0
        while self._waiting:
            self._waiting.popleft().send_away("the referee is closing")
        for party in self.parties:
            for chair in list(party.chairs.values()):
                chair.farewell(talk.Farewell(detail="the referee is closing"))
        self.parties.clear()

    def begin(self, party: Party) -> None:
        """Take note that a match begins: its players come and go no more."""
        party.has_begun = True
        self.parties.remove(party)
        self.chairs += party.chairs.values()

    def welcome(self, carrier: Carrier, address: str) -> Link | None:
        """Take a new connection; None where it was sent away."""
        link = Link(self._make_talk(self.doors.limits), self.heartbeat)
        link.carried_by(carrier)
        refusal = self._refusal(address)
        place = self.place() if refusal is None and self.tokens is None else None
        if refusal is None and place is None and self.tokens is None:
            if self._may_get_free:
                self._waiting.append(Latecomer(self, link, address))
                return link
            refusal = FULL
        if refusal is not None:
            self.send_away(link, refusal)
            return None
        Arrival(self, link, address, place)
        return link

    def send_away(self, link: Link, detail: str) -> None:
        """Say why, and hang up."""
        self.watcher.noted(f"{link.origin} was sent away: {detail}")
        link.close(link.talk.farewell(talk.Farewell(detail=detail)))

    @property
    def _may_get_free(self) -> bool:
        """Say whether a seat is kept for somebody who has not said a name yet."""
        return any(party.coming for party in self.parties)

    def review(self) -> None:
        """Let those in who wait for a seat, or send them away where none will get free."""
        while self._waiting:
            place = self.place()
            if place is None and self._may_get_free:
                return
            latecomer = self._waiting.popleft()
            if place is None:
                latecomer.send_away(FULL)
            else:
                latecomer.come_in(place)

    def forget(self, latecomer: Latecomer) -> None:
        """Take note that somebody waits no more."""
        if latecomer in self._waiting:
            self._waiting.remove(latecomer)

    def place(self) -> tuple[Party, int] | None:
        """Return where the next player goes: to the first party with a free number, or a new one; None: all is full."""
        for party in self.parties:
            if (number := party.free_number()) is not None:
                return party, number
        if not self._matches_left:
            return None
        self._matches_left -= 1
        party = Party(self._size)
        self.parties.append(party)
        self._new_party(party)
        return party, 0

    def _refusal(self, address: str) -> str | None:
        if self._open.get(address, 0) >= self.doors.connections_per_address:
            return f"more than {self.doors.connections_per_address} connections from one address"
        if sum(self._open.values()) >= self.doors.connections:
            return f"more than {self.doors.connections} connections"
        if len(self._recent_wrong(address)) >= WRONG_TOKENS:
            return "too many wrong tokens from this address; wait a minute"
        return None

    def count(self, address: str, step: int) -> None:
        """Count a connection that has not introduced its player, or that it has or is gone."""
        self._open[address] = self._open.get(address, 0) + step
        if not self._open[address]:
            del self._open[address]

    def name_of(self, token: str | None, address: str) -> str | None:
        """Return whose token this is, in a time that does not depend on how much of it is right."""
        assert self.tokens is not None
        given = (token or "").encode("utf-8", "replace")
        found = None
        for name, known in self.tokens.items():
            if hmac.compare_digest(given, known.encode()):
                found = name
        if found is None:
            if len(self._wrong) > MOST_ADDRESSES:
                self._wrong.clear()
            self._wrong[address] = [*self._recent_wrong(address), asyncio.get_running_loop().time()]
        return found

    def _recent_wrong(self, address: str) -> list[float]:
        since = asyncio.get_running_loop().time() - WRONG_TOKENS_S
        return [moment for moment in self._wrong.get(address, ()) if moment > since][-WRONG_TOKENS:]

    def seated(self, name: str) -> RemoteChair | None:
        """Return the chair of a player of this name, in a match that goes on or gathers."""
        gathering = [chair for party in self.parties for chair in party.chairs.values()]
        return next((chair for chair in (*self.chairs, *gathering) if chair.name == name), None)
