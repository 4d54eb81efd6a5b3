"""A connection between its first byte and the name of its player, which has to come within a few seconds."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from hinterland.host.match_queue import MatchQueue, WaitingPlayer
from hinterland.referee.protocol import session
from hinterland.referee.protocol.names import clean_name

if TYPE_CHECKING:
    from hinterland.host.lobby import Lobby
    from hinterland.host.network.link import Link
    from hinterland.referee.verdicts import Verdict

FULL = "all seats are taken"


class PendingConnection:
    """A connection whose player has not been introduced yet.

    Seats are promised to connections, and some connections never speak: so one that comes when every seat is kept for
    somebody who has not said a name waits, ungreeted, until the others have decided. What it says meanwhile is kept.
    """

    def __init__(self, lobby: Lobby, link: Link, address: str) -> None:
        self._lobby = lobby
        self._link = link
        self._address = address
        self._place: tuple[MatchQueue, int] | None = None
        self._early: list[session.Inbound] | None = []
        """What came before the greeting; None after it."""
        self._timer: asyncio.TimerHandle | None = None
        self._is_pending = True
        lobby.count(address, +1)
        link.owner = self

    def greet(self, place: tuple[MatchQueue, int] | None) -> None:
        """Greet. ``place``: the queue and number that are kept for it; None where its token will tell."""
        lobby, link, number = self._lobby, self._link, None
        wait_s = lobby.admission.hello_s if link.session.says_name else lobby.admission.limits.quiet_ns / 1e9
        self._timer = asyncio.get_running_loop().call_later(wait_s, self._silent)
        if place is not None:
            queue, number = self._place = place
            queue.coming.add(number)
        seating = session.Seating(rules=lobby.config.rules, number=number, needs_token=lobby.tokens is not None)
        link.say(link.session.greet(seating))
        early, self._early = self._early or [], None
        for message in early:
            self.on_message(message)

    def on_message(self, message: session.Inbound) -> None:
        """Take the introduction, if it does not come before the greeting; anything else is too early or wrong."""
        match message:
            case session.Broken(verdict, detail):
                is_told = self._early is not None or detail.startswith("not_protocol")
                self.send_away(detail if is_told else f"{verdict}: {detail}")
            case _ if self._early is not None:
                self._early.append(message)
            case session.Introduction(name, token):
                if self._place is None:
                    self._show_token(token)
                else:
                    self.sit(self._place, clean_name(name, self._place[0].names))

    def lost(self, verdict: Verdict, detail: str) -> None:  # noqa: ARG002
        """Free the number."""
        self._leave()
        if self._early is None:
            self._lobby.observer.noted(f"{self._link.origin} left without a name: {detail}")
            self._lobby.review()

    def send_away(self, detail: str) -> None:
        """Say why, and hang up."""
        self._leave()
        self._lobby.send_away(self._link, detail)
        if self._early is None:
            self._lobby.review()

    def _show_token(self, token: str | None) -> None:
        name = self._lobby.name_of(token, self._address)
        if name is None:
            self.send_away("this token is not known here")
        else:
            self._lobby.recognised(self, name)

    def handed_over(self) -> Link:
        """Return the connection to whoever goes on with it."""
        self._leave()
        return self._link

    def sit(self, place: tuple[MatchQueue, int], name: str) -> None:
        """Seat the player under its name."""
        queue, number = place
        lobby, link, admission = self._lobby, self.handed_over(), self._lobby.admission
        player = WaitingPlayer(
            lobby.config.kind, number, name, link, lobby.observer,
            grace_ms=admission.grace_ms, pause_s=admission.pause_s, late_reply_s=admission.late_reply_s,
            may_return=lobby.tokens is not None,
        )  # fmt: skip
        player.queue = queue
        player.gone = lobby.review
        queue.sit(player)
        link.say(link.session.welcome(number, name))
        lobby.observer.came(player, link.origin)
        lobby.review()

    def _leave(self) -> None:
        """Count this connection no more among those that have not introduced themselves."""
        if self._timer is not None:
            self._timer.cancel()
        if self._is_pending:
            self._is_pending = False
            self._lobby.count(self._address, -1)
        if self._early is not None:
            self._lobby.forget(self)
        if self._place is not None:
            self._place[0].coming.discard(self._place[1])

    def _silent(self) -> None:
        """Take what stands for the introduction, or the silence where the protocol has none; else it is too late."""
        self._link.settle()
        if self._is_pending:
            self.send_away(f"no name within {self._lobby.admission.hello_s:g} s")
