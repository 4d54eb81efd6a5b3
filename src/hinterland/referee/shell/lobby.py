"""The lobby: who connects gets a number, says its name within a few seconds, and waits until a match is complete.

Numbers are given in the order of connecting. Who leaves before the match begins makes room for the next. Where tokens
are asked for, the token decides: it holds a name and a chair, and brings its player back to that chair later.
"""

from __future__ import annotations

import asyncio
import hmac
from typing import TYPE_CHECKING

import msgspec

from hinterland.referee.judge import Verdict
from hinterland.referee.shell.link import Link
from hinterland.referee.shell.remote import RemoteChair
from hinterland.referee.wire import talk
from hinterland.referee.wire.names import clean_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hinterland.referee.shell.heartbeat import Heartbeat
    from hinterland.referee.shell.link import Carrier
    from hinterland.referee.shell.play import Terms
    from hinterland.referee.shell.watcher import Watcher

__all__ = ["Doors", "Lobby", "Party"]

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
    limits: talk.Limits = talk.Limits()
    """What each connection may send."""


class Party:
    """The players of one match, while they gather."""

    def __init__(self, size: int) -> None:
        self.chairs: dict[int, RemoteChair] = {}
        """Those that have introduced themselves."""
        self.coming: set[int] = set()
        """Numbers of connections that have not yet."""
        self.size = size
        self.has_begun = False
        """Whether the match has begun: nobody comes or goes any more."""
        self._changed = asyncio.Event()

    @property
    def is_complete(self) -> bool:
        """Say whether everybody is here."""
        return len(self.chairs) == self.size

    def free_number(self) -> int | None:
        """Return the lowest number that nobody has."""
        return next((n for n in range(self.size) if n not in self.chairs and n not in self.coming), None)

    def give_up(self, number: int) -> None:
        """Free the chair of somebody who left."""
        self.chairs.pop(number, None)
        self.change()

    def change(self) -> None:
        """Let those who wait look again."""
        self._changed.set()

    async def changed(self) -> None:
        """Wait until somebody came or went."""
        self._changed.clear()
        await self._changed.wait()

    async def complete(self) -> list[RemoteChair]:
        """Wait until everybody is here; return them in the order of their numbers."""
        while not self.is_complete:
            await self.changed()
        return [self.chairs[number] for number in range(self.size)]


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
    ) -> None:
        """Open. ``size``: how many come to a match; ``tokens``: by name, None where nobody needs one."""
        self.party: Party | None = None
        """Who gathers now; None while nobody may come."""
        self.chairs: list[RemoteChair] = []
        """Everybody who sits in a match that goes on, for those who come back."""
        self.terms = terms
        self.heartbeat = heartbeat
        self.watcher = watcher
        self.doors = doors
        self.tokens = tokens
        self._size = size
        self._make_talk = make_talk
        self._open: dict[str, int] = {}
        self._wrong: dict[str, list[float]] = {}

    def gather(self) -> Party:
        """Begin to gather the players of a match."""
        self.party = Party(self._size)
        return self.party

    def welcome(self, carrier: Carrier, address: str) -> Link | None:
        """Take a new connection; None where it was sent away."""
        link = Link(self._make_talk(self.doors.limits), self.heartbeat)
        link.carried_by(carrier)
        refusal = self._refusal(address)
        number = None
        if refusal is None and self.tokens is None:
            number = None if self.party is None else self.party.free_number()
            if number is None:
                refusal = "all seats of this match are taken"
        if refusal is not None:
            self.watcher.noted(f"{carrier.origin} was sent away: {refusal}")
            link.close(link.talk.farewell(talk.Farewell(detail=refusal)))
            return None
        Arrival(self, link, number, address)
        return link

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
        gathering = [] if self.party is None else list(self.party.chairs.values())
        return next((chair for chair in (*self.chairs, *gathering) if chair.name == name), None)


class Arrival:
    """A connection whose player has not been introduced yet."""

    def __init__(self, lobby: Lobby, link: Link, number: int | None, address: str) -> None:
        self._lobby = lobby
        self._link = link
        self._address = address
        self._number = number
        self._party = lobby.party
        self._timer: asyncio.TimerHandle | None = asyncio.get_running_loop().call_later(
            lobby.doors.hello_s, self._too_late
        )
        lobby.count(address, +1)
        if number is not None and self._party is not None:
            self._party.coming.add(number)
        link.owner = self
        seating = talk.Seating(rules=lobby.terms.rules, number=number, needs_token=lobby.tokens is not None)
        link.say(link.talk.greet(seating))

    def heard(self, heard: talk.Heard) -> None:
        """Take the introduction; anything else is too early or wrong."""
        match heard:
            case talk.Introduction(name, token):
                self._introduce(name, token)
            case talk.Broken(verdict, detail):
                self._send_away(detail if detail.startswith("not_protocol") else f"{verdict}: {detail}")

    def lost(self, verdict: Verdict, detail: str) -> None:  # noqa: ARG002
        """Free the number."""
        self._leave()
        self._lobby.watcher.noted(f"{self._link.origin} left without a name: {detail}")

    def _introduce(self, name: str, token: str | None) -> None:
        if self._lobby.tokens is not None:
            self._introduce_by_token(token)
        elif self._party is not None and self._number is not None:
            self._leave()
            self._sit(self._party, self._number, clean_name(name, self._taken(self._party)))

    def _introduce_by_token(self, token: str | None) -> None:
        lobby = self._lobby
        name = lobby.name_of(token, self._address)
        if name is None:
            self._send_away("this token is not known here")
            return
        chair = lobby.seated(name)
        number = None if lobby.party is None else lobby.party.free_number()
        if chair is not None:
            if chair.absence is not None:
                self._send_away(f"{name} was taken out of this match: {chair.absence[1]}")
                return
            self._leave()
            chair.come_back(self._link)
        elif lobby.party is None or number is None:
            self._send_away("all seats of this match are taken")
        else:
            self._leave()
            self._sit(lobby.party, number, name)

    def _sit(self, party: Party, number: int, name: str) -> None:
        lobby, link = self._lobby, self._link
        chair = Waiting(party, lobby, number, name, link)
        party.chairs[number] = chair
        link.say(link.talk.welcome(number, name))
        lobby.watcher.came(number, name, link.origin)
        party.change()

    def _taken(self, party: Party) -> list[str]:
        return [chair.name for chair in party.chairs.values()]

    def _leave(self) -> None:
        """Count this connection no more among those that have not introduced themselves."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._lobby.count(self._address, -1)
        if self._party is not None and self._number is not None:
            self._party.coming.discard(self._number)

    def _send_away(self, detail: str) -> None:
        self._leave()
        self._lobby.watcher.noted(f"{self._link.origin} was sent away: {detail}")
        self._link.close(self._link.talk.farewell(talk.Farewell(detail=detail)))

    def _too_late(self) -> None:
        self._link.settle()
        if self._timer is not None:
            self._send_away(f"no name within {self._lobby.doors.hello_s:g} s")


class Waiting(RemoteChair):
    """A player that sits and waits; until the match begins it may leave without a trace."""

    def __init__(self, party: Party, lobby: Lobby, number: int, name: str, link: Link) -> None:
        super().__init__(
            lobby.terms.kind, number, name, link, lobby.watcher,
            grace_ms=lobby.doors.grace_ms, may_return=lobby.tokens is not None,
        )  # fmt: skip
        self._party = party

    @property
    def _is_waiting(self) -> bool:
        return not self._party.has_begun

    def heard(self, heard: talk.Heard) -> None:
        """Take what the player says; who breaks the protocol now loses its chair."""
        super().heard(heard)
        if self._is_waiting and isinstance(heard, talk.Broken):
            self._watcher.went(self.number, self.name, heard.detail)
            self._party.give_up(self.number)

    def lost(self, verdict: Verdict, detail: str) -> None:
        """Learn that the link is gone."""
        super().lost(verdict, detail)
        if self._is_waiting:
            self._party.give_up(self.number)
