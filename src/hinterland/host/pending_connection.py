"""A connection before its player has introduced itself, which must happen within a few seconds."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from hinterland.host.match_queue import MatchQueue, WaitingPlayer
from hinterland.host.players.remote_player import FLUSH_HINT
from hinterland.referee.protocol import session
from hinterland.referee.protocol.names import clean_name

if TYPE_CHECKING:
    from hinterland.host.lobby import Lobby
    from hinterland.host.network.link import Link
    from hinterland.referee.verdicts import Verdict

UNKNOWN_TOKEN = "this token is unknown"
WRONG_TOKEN_DELAY_S = 1.0
"""Seconds that the answer to a wrong token is delayed after many wrong ones; a right one is never delayed."""
ALL_SEATS_TAKEN = "all seats are taken"
NUMBER_TAKEN_MEANWHILE = "another player took your number by sending its name first; connect again"


class PendingConnection:
    """A connection whose player has not been introduced yet."""

    def __init__(self, lobby: Lobby, link: Link, address: str, number: int | None) -> None:
        """Make one. ``number``: the number that the connection was told; None if its token will decide."""
        self.address = address
        self.number = number
        self._lobby = lobby
        self._link = link
        self._timer: asyncio.TimerHandle | None = None
        self._is_pending = True
        self._is_wrong = False
        """Whether it has shown a wrong token and waits for the answer; further messages are ignored."""
        link.owner = self

    def greet(self) -> None:
        """Send the rules, and wait for the introduction."""
        lobby, link = self._lobby, self._link
        wait_s = lobby.admission.hello_s if link.session.says_name else lobby.admission.limits.quiet_ns / 1e9
        self._timer = asyncio.get_running_loop().call_later(wait_s, self._on_timeout)
        rules, needs_token = lobby.config.rules, lobby.tokens is not None
        link.say(link.session.greet(session.Seating(rules=rules, number=self.number, needs_token=needs_token)))

    def on_message(self, message: session.Inbound) -> None:
        """Take the introduction; anything else is too early or wrong."""
        match message:
            case _ if self._is_wrong:
                return
            case session.Broken(verdict, detail):
                self.send_away(detail if detail.startswith("not_protocol") else f"{verdict}: {detail}")
            case session.Introduction(name, token):
                if self.number is None:
                    self._show_token(token)
                else:
                    self._take_seat(self.number, name)

    def on_lost(self, verdict: Verdict, detail: str) -> None:  # noqa: ARG002
        self._leave()
        self._lobby.observer.on_refusal(self._link.origin, f"left without a name: {detail}")

    def send_away(self, detail: str) -> None:
        """Send the reason, and hang up."""
        self._leave()
        self._lobby.send_away(self._link, detail)

    def _take_seat(self, number: int, name: str) -> None:
        """Seat the player under its number, or under another if the protocol can still say so."""
        link, lobby = self._link, self._lobby
        place = lobby.find_seat(number) or (None if link.session.number_is_final else lobby.find_seat())
        if place is None:
            self.send_away(ALL_SEATS_TAKEN if lobby.is_full else NUMBER_TAKEN_MEANWHILE)
        else:
            self.seat_player(place, clean_name(name, place[0].names))

    def _show_token(self, token: str | None) -> None:
        name = self._lobby.name_of(token, self.address)
        if name is None and self._lobby.is_guessed_from(self.address):
            self._is_wrong = True
            if self._timer is not None:
                self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_later(WRONG_TOKEN_DELAY_S, self.send_away, UNKNOWN_TOKEN)
        elif name is None:
            self.send_away(UNKNOWN_TOKEN)
        else:
            self._lobby.seat_token_holder(self, name)

    def hand_over(self) -> Link:
        """Return the link to its new owner."""
        self._leave()
        return self._link

    def seat_player(self, place: tuple[MatchQueue, int], name: str) -> None:
        """Seat the player under its name."""
        queue, number = place
        lobby, link, admission = self._lobby, self.hand_over(), self._lobby.admission
        player = WaitingPlayer(
            lobby.config.kind, number, name, link, lobby.observer,
            grace_ms=admission.grace_ms, pause_s=admission.pause_s, late_reply_s=admission.late_reply_s,
            may_return=lobby.tokens is not None,
        )  # fmt: skip
        player.queue = queue
        player.on_left = lobby.send_away_surplus
        queue.seat(player)
        link.say(link.session.welcome(number, name))
        lobby.observer.on_join(player, link.origin)
        lobby.send_away_surplus()

    def _leave(self) -> None:
        """Stop waiting for the introduction."""
        if self._timer is not None:
            self._timer.cancel()
        self._is_pending = False
        self._lobby.forget(self)

    def _on_timeout(self) -> None:
        """Take an unfinished line as the name, or silence where the protocol sends none; else send it away."""
        self._link.take_unfinished()
        if self._is_pending:
            late_hint = "" if self._link.session.framer.first else f"; {FLUSH_HINT}"
            self.send_away(f"no name within {self._lobby.admission.hello_s:g} s{late_hint}")
