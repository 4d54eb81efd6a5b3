"""The matchmaker takes connections, waits until their players introduce themselves, and passes them to ``Seats``.

``Seats`` may be a lobby, which seats players in the queues of its matches, or a contest, in which bots wait until their
opponents are free. If tokens are required, a player's token gives its name, and brings the player back to its match
after a lost connection.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol, TypeVar

import msgspec

from hinterland.host.live_match import MatchConfig
from hinterland.host.network.link import Carrier, Link
from hinterland.host.observer import Observer
from hinterland.host.player_connection import PlayerConnection
from hinterland.host.players.remote_player import FLUSH_HINT, RemotePlayer
from hinterland.referee.protocol import session
from hinterland.referee.verdicts import Verdict

R = TypeVar("R", bound=RemotePlayer)
HASH_PREFIX = "sha256:"
"""Prefix of a digest that stands in the place of a token, so that the token itself need not be stored."""
WRONG_TOKENS_UNTIL_DELAY = 5
"""If an address has sent this many wrong tokens within ``WRONG_TOKENS_S``, the answer to the last one is delayed."""
WRONG_TOKENS_S = 60.0
WRONG_TOKEN_DELAY_S = 1.0
"""Seconds by which the answer to a wrong token is delayed if its address has sent many. A right token is always
answered at once."""
MAX_GUESSING_ADDRESSES = 10_000
"""Most addresses whose wrong tokens are remembered."""
UNKNOWN_TOKEN = "this token is unknown"
ALL_SEATS_TAKEN = "all seats are taken"


class AdmissionLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds on new connections and players."""

    hello_s: float = 5.0
    """Seconds that a connection has to introduce its player."""
    connections: int = 1200
    """Most connections without a name. A further one replaces the oldest one of the address that has most."""
    connections_per_address: int = 600
    """Most connections without a name from one address."""
    grace_ms: int = 100
    """Milliseconds of network delay in each move that are not charged."""
    pause_s: float = 2.0
    """Seconds between two games in protocol hps. Some clients mistake two lines that come together for one message, or
    show the result for a while before they read on."""
    late_reply_s: float | None = None
    """After a missed deadline, seconds to wait for the late answer; None: ``remote_player.LATE_REPLY_S``."""
    limits: session.InboundLimits = session.InboundLimits()
    """Limits on what each connection may send."""


class Seats(Protocol):
    """Interface of a lobby or a contest, which seats the players that the matchmaker admits."""

    def choose_number(self, told: Counter[int | None]) -> int | None:
        """Return the number to tell a new connection without a token; None if no seat is free.

        ``told``: for each number, how many connections without a name were told this number.
        """

    def list_players(self) -> Iterable[PlayerConnection]:
        """Return the players that may come back after a lost connection."""

    def seat(self, newcomer: Newcomer, name: str) -> None:
        """Seat a player, or send it away. ``name`` is the name that the player sent, or that belongs to its token."""


class Matchmaker:
    """Admits the players that connect. It belongs to one event loop."""

    def __init__(
        self,
        config: MatchConfig,
        make_link: Callable[[], Link],
        observer: Observer,
        admission: AdmissionLimits,
        tokens: Mapping[str, str] | None,
        seats: Seats,
    ) -> None:
        """``config``: the terms that newcomers are told.

        ``tokens``: the token of each player by name; None if none is needed.
        """
        self.config = config
        self.observer = observer
        self.admission = admission
        self.tokens = tokens
        self.seats = seats
        self.make_link = make_link
        self._closed: str | None = None
        self._newcomers: dict[Newcomer, None] = {}
        """Connections without a name, in the order of connecting."""
        self._wrong: dict[str, list[float]] = {}

    def welcome(self, carrier: Carrier, address: str) -> Link | None:
        """Take a new connection. Return its link, or None if the connection was sent away."""
        link = self.make_link()
        link.attach_carrier(carrier)
        told = Counter(one.number for one in self._newcomers)
        number = self.seats.choose_number(told) if self.tokens is None else None
        refusal = self._find_refusal(address) or (ALL_SEATS_TAKEN if number is None and self.tokens is None else None)
        if refusal is not None:
            self.send_away(link, refusal)
            return None
        if len(self._newcomers) >= self.admission.connections:
            self._make_room()
        newcomer = Newcomer(self, link, address, number)
        self._newcomers[newcomer] = None
        newcomer.greet()
        return link

    def make_player(self, make: type[R], number: int, name: str, link: Link, return_s: float = 0.0) -> R:
        """Make the player at the other end of a link. If tokens are required, the player may return to its match."""
        admission = self.admission
        player = make(
            self.config.kind, number, name, link, self.observer,
            grace_ms=admission.grace_ms, pause_s=admission.pause_s, late_reply_s=admission.late_reply_s,
        )  # fmt: skip
        player.may_return, player.return_s = self.tokens is not None, return_s
        return player

    def send_away(self, link: Link, detail: str) -> None:
        """Send the reason, and hang up."""
        self.observer.on_refusal(link.origin, f"was sent away: {detail}")
        link.close(link.session.dismiss(session.Farewell(detail=detail)))

    def send_newcomers_away(self, detail: str) -> None:
        """Send away all connections without a name."""
        for newcomer in list(self._newcomers):
            newcomer.send_away(detail)

    def close(self, detail: str) -> None:
        """Admit nobody from now on, and send newcomers a reason."""
        self._closed = detail
        self.send_newcomers_away(detail)

    def forget(self, newcomer: Newcomer) -> None:
        self._newcomers.pop(newcomer, None)

    def _make_room(self) -> None:
        """Close the oldest connection without a name, of the address that has the most of them."""
        address = Counter(newcomer.address for newcomer in self._newcomers).most_common(1)[0][0]
        longest = next(newcomer for newcomer in self._newcomers if newcomer.address == address)
        longest.send_away("too many connections from this address have sent no name")

    def _find_refusal(self, address: str) -> str | None:
        most = self.admission.connections_per_address
        if self._closed is None and sum(newcomer.address == address for newcomer in self._newcomers) >= most:
            return f"more than {most} connections from one address have sent no name"
        return self._closed

    # Tokens

    def name_of(self, token: str | None, address: str) -> str | None:
        """Return the name of the player that has this token; None if nobody has.

        The time taken does not depend on how many characters of the token are right.
        """
        assert self.tokens is not None
        given = token or ""
        found = None
        for name, known in self.tokens.items():
            if hmac.compare_digest(_digest(given), known.encode() if known.startswith(HASH_PREFIX) else _digest(known)):
                found = name
        if found is None:
            if len(self._wrong) > MAX_GUESSING_ADDRESSES:
                self._wrong.clear()
            self._wrong[address] = [*self._recent_wrong(address), asyncio.get_running_loop().time()]
        return found

    def is_guessed_from(self, address: str) -> bool:
        """Say whether an address has sent ``WRONG_TOKENS_UNTIL_DELAY`` wrong tokens in the last minute."""
        return len(self._recent_wrong(address)) >= WRONG_TOKENS_UNTIL_DELAY

    def _recent_wrong(self, address: str) -> list[float]:
        since = asyncio.get_running_loop().time() - WRONG_TOKENS_S
        return [moment for moment in self._wrong.get(address, ()) if moment > since][-WRONG_TOKENS_UNTIL_DELAY:]

    def admit_token_holder(self, newcomer: Newcomer, name: str) -> None:
        """Bring a player back to its seat if it has one; otherwise let ``seats`` find one."""
        player = self.find_player(name)
        if player is not None and player.absence is None:
            player.come_back(newcomer.hand_over())
        else:
            self.seats.seat(newcomer, name)

    def find_player(self, name: str) -> RemotePlayer | None:
        """Return the player with this name that plays, or waits for its match to begin; None if there is none."""
        named = (player for player in self.seats.list_players() if player.name == name)
        return next((player for player in named if isinstance(player, RemotePlayer)), None)


class Newcomer:
    """A connection whose player has not introduced itself; the player has a few seconds to do so."""

    def __init__(self, matchmaker: Matchmaker, link: Link, address: str, number: int | None) -> None:
        """Make one. ``number``: the number that the connection was told; None if its token will decide the number."""
        self.address = address
        self.number = number
        self.link = link
        self._matchmaker = matchmaker
        self._timer: asyncio.TimerHandle | None = None
        self._is_pending = True
        self._is_wrong = False
        """Whether the player has shown a wrong token and waits for the answer; further messages are ignored."""
        link.owner = self

    def greet(self) -> None:
        """Send the rules, and wait for the introduction."""
        matchmaker, link = self._matchmaker, self.link
        admission = matchmaker.admission
        wait_s = admission.hello_s if link.session.says_name else admission.limits.quiet_ns / 1e9
        self._timer = asyncio.get_running_loop().call_later(wait_s, self._on_timeout)
        rules, needs_token = matchmaker.config.rules, matchmaker.tokens is not None
        link.say(link.session.greet(session.Seating(rules=rules, number=self.number, needs_token=needs_token)))

    def on_message(self, message: session.Inbound) -> None:
        """Take the introduction, or send away a player that breaks the protocol."""
        match message:
            case _ if self._is_wrong:
                return
            case session.Broken(verdict, detail):
                self.send_away(detail if detail.startswith("not_protocol") else f"{verdict}: {detail}")
            case session.Introduction(name, token):
                if self.number is None:
                    self._show_token(token)
                else:
                    self._matchmaker.seats.seat(self, name)

    def on_lost(self, verdict: Verdict, detail: str) -> None:  # noqa: ARG002
        self.hand_over()
        self._matchmaker.observer.on_refusal(self.link.origin, f"left without a name: {detail}")

    def send_away(self, detail: str) -> None:
        """Send the reason, and hang up."""
        self._matchmaker.send_away(self.hand_over(), detail)

    def hand_over(self) -> Link:
        """Stop waiting for the introduction; return the link, which gets a new owner."""
        if self._timer is not None:
            self._timer.cancel()
        self._is_pending = False
        self._matchmaker.forget(self)
        return self.link

    def _show_token(self, token: str | None) -> None:
        name = self._matchmaker.name_of(token, self.address)
        if name is None and self._matchmaker.is_guessed_from(self.address):
            self._is_wrong = True
            if self._timer is not None:
                self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_later(WRONG_TOKEN_DELAY_S, self.send_away, UNKNOWN_TOKEN)
        elif name is None:
            self.send_away(UNKNOWN_TOKEN)
        else:
            self._matchmaker.admit_token_holder(self, name)

    def _on_timeout(self) -> None:
        """Accept an unfinished line as a name, or silence if the protocol has no names. Else send the player away."""
        self.link.take_unfinished()
        if self._is_pending:
            late_hint = "" if self.link.session.framer.first else f"; {FLUSH_HINT}"
            self.send_away(f"no name within {self._matchmaker.admission.hello_s:g} s{late_hint}")


def _digest(token: str) -> bytes:
    return hash_token(token).encode()


def hash_token(token: str) -> str:
    """Return the hash of a token. The hash can be stored, since nobody can connect with it."""
    return HASH_PREFIX + hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
