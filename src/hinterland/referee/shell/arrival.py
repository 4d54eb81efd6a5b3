"""A connection between its first byte and the name of its player, which has to come within a few seconds."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from hinterland.referee.shell.party import GatheringChair
from hinterland.referee.wire import talk
from hinterland.referee.wire.names import clean_name

if TYPE_CHECKING:
    from hinterland.referee.judge import Verdict
    from hinterland.referee.shell.link import Link
    from hinterland.referee.shell.lobby import Lobby
    from hinterland.referee.shell.party import Party

__all__ = ["FULL", "Arrival", "Latecomer"]

FULL = "all seats are taken"


class Arrival:
    """A connection whose player has not been introduced yet."""

    def __init__(self, lobby: Lobby, link: Link, address: str, place: tuple[Party, int] | None) -> None:
        """Greet. ``place``: the party and number that are kept for it; None where its token will tell."""
        self._lobby = lobby
        self._link = link
        self._address = address
        self._place = place
        wait_s = lobby.doors.hello_s if link.talk.says_name else lobby.doors.limits.quiet_ns / 1e9
        self._timer: asyncio.TimerHandle | None = asyncio.get_running_loop().call_later(wait_s, self._silent)
        lobby.count(address, +1)
        if place is not None:
            place[0].coming.add(place[1])
        number = None if place is None else place[1]
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
        self._lobby.review()

    def _introduce(self, name: str, token: str | None) -> None:
        if self._place is None:
            self._introduce_by_token(token)
        else:
            self._sit(self._place, clean_name(name, self._place[0].names))

    def _introduce_by_token(self, token: str | None) -> None:
        lobby = self._lobby
        name = lobby.name_of(token, self._address)
        if name is None:
            self._send_away("this token is not known here")
            return
        chair = lobby.seated(name)
        place = lobby.place() if chair is None else None
        if chair is not None and chair.absence is not None:
            self._send_away(f"{name} was taken out of this match: {chair.absence[1]}")
        elif chair is not None:
            self._leave()
            chair.come_back(self._link)
        elif place is None:
            self._send_away(FULL)
        else:
            self._sit(place, name)

    def _sit(self, place: tuple[Party, int], name: str) -> None:
        self._leave()
        party, number = place
        lobby, link = self._lobby, self._link
        chair = GatheringChair(
            lobby.terms.kind, number, name, link, lobby.watcher,
            grace_ms=lobby.doors.grace_ms, pause_s=lobby.doors.pause_s, owing_s=lobby.doors.owing_s,
            may_return=lobby.tokens is not None,
        )  # fmt: skip
        chair.party = party
        chair.gone = lobby.review
        party.sit(chair)
        link.say(link.talk.welcome(number, name))
        lobby.watcher.came(number, name, link.origin)
        lobby.review()

    def _leave(self) -> None:
        """Count this connection no more among those that have not introduced themselves."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._lobby.count(self._address, -1)
        if self._place is not None:
            self._place[0].coming.discard(self._place[1])

    def _send_away(self, detail: str) -> None:
        self._leave()
        self._lobby.send_away(self._link, detail)
        self._lobby.review()

    def _silent(self) -> None:
        """Take what stands for the introduction, or the silence where the protocol has none; else it is too late."""
        self._link.settle()
        if self._timer is not None:
            self._send_away(f"no name within {self._lobby.doors.hello_s:g} s")


class Latecomer:
    """A connection that came when every seat was kept for somebody, but not everybody had said a name.

    Seats are promised to connections, and some connections never speak: so this one waits, ungreeted, until the others
    have decided.
    """

    def __init__(self, lobby: Lobby, link: Link, address: str) -> None:
        self._lobby = lobby
        self._link = link
        self._address = address
        self._said: list[talk.Heard] = []
        lobby.count(address, +1)
        link.owner = self

    def heard(self, heard: talk.Heard) -> None:
        """Keep what is said too early, which can only be a name."""
        if isinstance(heard, talk.Broken):
            self._lobby.forget(self)
            self.send_away(heard.detail)
        else:
            self._said.append(heard)

    def lost(self, verdict: Verdict, detail: str) -> None:  # noqa: ARG002
        """Wait no more."""
        self._lobby.forget(self)
        self._lobby.count(self._address, -1)

    def come_in(self, place: tuple[Party, int]) -> None:
        """Take a seat that got free."""
        self._lobby.count(self._address, -1)
        arrival = Arrival(self._lobby, self._link, self._address, place)
        for heard in self._said:
            arrival.heard(heard)

    def send_away(self, detail: str) -> None:
        """Learn that no seat got free."""
        self._lobby.count(self._address, -1)
        self._lobby.send_away(self._link, detail)
