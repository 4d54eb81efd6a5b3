"""The lobby: tells each new connection a number, takes its player's name, and seats players until a match is complete.

Numbers are told in the order of connecting. A seat belongs to the first connection that sends a name: a connection that
never speaks keeps nobody out, and if there are more connections than seats, several are told the same number. A player
that leaves before the match begins frees its seat. If tokens are required, the token decides: it holds a name and a
seat, and brings its player back to that seat later.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from hinterland.errors import ArenaError
from hinterland.host.match_queue import MatchQueue
from hinterland.host.network.link import Carrier, Link
from hinterland.host.pending_connection import ALL_SEATS_TAKEN, PendingConnection
from hinterland.host.players.person import Person
from hinterland.host.players.remote_player import RemotePlayer
from hinterland.referee.protocol import session
from hinterland.referee.protocol.names import clean_name
from hinterland.referee.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hinterland.host.lag_monitor import LagMonitor
    from hinterland.host.live_match import MatchConfig
    from hinterland.host.observer import Observer
    from hinterland.host.players.player_connection import PlayerConnection
    from hinterland.referee.protocol.line_session import LineSession

HASH_PREFIX = "sha256:"
"""Prefix of a token's digest, where the token itself is not known."""
PERSON_WAIT_S = 60.0
"""Seconds that a game waits at its beginning until a person looks at it."""
RETURN_WAIT_S = 600.0
"""Seconds that a match resumed after a crash waits for a player who may come back."""
QUICK_WRONG_TOKENS = 5
"""Wrong tokens from one address that are answered at once; the answer to further ones is delayed."""
WRONG_TOKENS_S = 60.0
MAX_GUESSING_ADDRESSES = 10_000
"""Number of addresses whose wrong tokens are remembered."""


class AdmissionLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds on new connections and players."""

    hello_s: float = 5.0
    """Seconds that a connection has to introduce its player."""
    connections: int = 1200
    """Number of connections without a name; a further one replaces one that has been silent for long."""
    connections_per_address: int = 600
    """The same for one address."""
    grace_ms: int = 100
    """Milliseconds of network delay a move that are not charged."""
    pause_s: float = 2.0
    """Seconds between two games in protocol hps. Clients in use read two lines that come at once as one message, or
    look at the result for a while before they read again."""
    late_reply_s: float | None = None
    """Seconds after its deadline in which a late player must show that it is alive; None: the usual time."""
    limits: session.InboundLimits = session.InboundLimits()
    """What each connection may send."""


class Lobby:
    """Seats the players that connect. It belongs to one event loop."""

    def __init__(
        self,
        config: MatchConfig,
        size: int,
        make_session: Callable[[session.InboundLimits], LineSession],
        lag_monitor: LagMonitor,
        observer: Observer,
        admission: AdmissionLimits,
        tokens: Mapping[str, str] | None = None,
        *,
        matches: int = 1,
        new_queue: Callable[[MatchQueue], object] = lambda _: None,
    ) -> None:
        """Open the lobby.

        ``size``: number of players that come to each of the ``matches``. ``tokens``: the token of each player by name;
        None if none is needed. ``new_queue`` is called when a player comes to a new match.
        """
        self.queues: list[MatchQueue] = []
        """The matches that wait for players."""
        self.players: list[PlayerConnection] = []
        """The players of all matches that go on, so that they can come back."""
        self.config = config
        self.lag_monitor = lag_monitor
        self.observer = observer
        self.admission = admission
        self.tokens = tokens
        self._size = size
        self._matches_left = matches
        self._new_queue = new_queue
        self._pending: dict[PendingConnection, None] = {}
        """Connections without a name, in the order of connecting."""
        self._make_session = make_session
        self._wrong: dict[str, list[float]] = {}

    def close(self, detail: str = "the referee is closing") -> None:
        """Admit nobody any more, and dismiss all who wait, with a reason."""
        self._matches_left = 0
        for pending in list(self._pending):
            pending.send_away(detail)
        for queue in self.queues:
            for player in list(queue.players.values()):
                player.dismiss(session.Farewell(detail=detail))
        self.queues.clear()

    def begin(self, queue: MatchQueue) -> None:
        """Note that a match begins: its players can no longer be exchanged."""
        queue.has_begun = True
        self.queues.remove(queue)
        self.players += queue.players.values()

    def welcome(self, carrier: Carrier, address: str) -> Link | None:
        """Take a new connection. Return None if it was sent away."""
        link = Link(self._make_session(self.admission.limits), self.lag_monitor)
        link.attach_carrier(carrier)
        number = self._choose_number() if self.tokens is None else None
        refusal = self._find_refusal(address) or (ALL_SEATS_TAKEN if number is None and self.tokens is None else None)
        if refusal is not None:
            self.send_away(link, refusal)
            return None
        if len(self._pending) >= self.admission.connections:
            self._make_room()
        pending = PendingConnection(self, link, address, number)
        self._pending[pending] = None
        pending.greet()
        return link

    def send_away(self, link: Link, detail: str) -> None:
        """Send the reason, and hang up."""
        self.observer.on_refusal(link.origin, f"was sent away: {detail}")
        link.close(link.session.dismiss(session.Farewell(detail=detail)))

    def send_away_surplus(self) -> None:
        """Send away the connections without a name for which no seat is left."""
        if self.tokens is None and self.is_full:
            for pending in list(self._pending):
                pending.send_away(ALL_SEATS_TAKEN)

    @property
    def is_full(self) -> bool:
        return not any(map(self._count_free_seats, range(self._size)))

    def forget(self, pending: PendingConnection) -> None:
        self._pending.pop(pending, None)

    def _choose_number(self) -> int | None:
        """Return the number with most free seats beyond the connections that were told it; None if no seat is free."""
        counts = Counter(pending.number for pending in self._pending)
        numbers = [number for number in range(self._size) if self._count_free_seats(number)]
        return min(numbers, key=lambda number: (counts[number] - self._count_free_seats(number), number), default=None)

    def _count_free_seats(self, number: int) -> int:
        return self._matches_left + sum(number not in queue.players for queue in self.queues)

    def find_seat(self, number: int | None = None) -> tuple[MatchQueue, int] | None:
        """Return a seat for the next player, of a given number if there is one; None if no such seat is free.

        It is in the first queue where that number is free, or in a new queue.
        """
        for queue in self.queues:
            free = queue.free_number() if number is None else number
            if free is not None and free not in queue.players:
                return queue, free
        if not self._matches_left:
            return None
        self._matches_left -= 1
        queue = MatchQueue(self._size)
        self.queues.append(queue)
        self._new_queue(queue)
        return queue, 0 if number is None else number

    def _make_room(self) -> None:
        """Send away the connection that has been silent longest, of the address with the most connections."""
        address = Counter(pending.address for pending in self._pending).most_common(1)[0][0]
        longest = next(pending for pending in self._pending if pending.address == address)
        longest.send_away("too many connections from this address have sent no name")

    def _find_refusal(self, address: str) -> str | None:
        most = self.admission.connections_per_address
        if sum(pending.address == address for pending in self._pending) >= most:
            return f"more than {most} connections from one address have sent no name"
        return None

    def name_of(self, token: str | None, address: str) -> str | None:
        """Return whose token this is. The time that takes does not depend on how much of the token is right."""
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
        """Say whether many wrong tokens have come from an address in the last minute."""
        return len(self._recent_wrong(address)) >= QUICK_WRONG_TOKENS

    def _recent_wrong(self, address: str) -> list[float]:
        since = asyncio.get_running_loop().time() - WRONG_TOKENS_S
        return [moment for moment in self._wrong.get(address, ()) if moment > since][-QUICK_WRONG_TOKENS:]

    def seat_token_holder(self, pending: PendingConnection, name: str) -> None:
        """Seat the player whose token was shown, or bring it back to its seat."""
        player = self.find_player(name)
        place = self.find_seat() if player is None else None
        if player is not None and player.absence is not None:
            pending.send_away(f"{name} was taken out of this match: {player.absence[1]}")
        elif player is not None:
            player.come_back(pending.hand_over())
        elif place is None:
            pending.send_away(ALL_SEATS_TAKEN)
        else:
            pending.seat_player(place, name)

    def find_player(self, name: str) -> RemotePlayer | None:
        """Return the player of this name, in a match that goes on or waits for players."""
        gathering = [player for queue in self.queues for player in queue.players.values()]
        named = (player for player in (*self.players, *gathering) if player.name == name)
        return next((player for player in named if isinstance(player, RemotePlayer)), None)

    # People

    def seat_person(self, name: str) -> Person:
        """Seat a person who comes through a page. Raises ArenaError if no seat is free for one."""
        bots = len(self.tokens or ())
        persons = [player for queue in self.queues for player in queue.players.values() if isinstance(player, Person)]
        place = self.find_seat() if len(persons) < self._size - bots else None
        if place is None:
            raise ArenaError("all seats that are not kept for bots are taken" if bots else ALL_SEATS_TAKEN)
        queue, number = place
        person = Person(number, clean_name(name, (*queue.names, *(self.tokens or ()))), PERSON_WAIT_S)
        queue.seat(person)
        self.observer.on_join(person, "a browser")
        return person

    def rename(self, person: Person, name: str) -> None:
        """Change a person's name. Raises ArenaError once the match has begun."""
        queue = self._queue_of(person)
        others = [player.name for player in queue.players.values() if player is not person]
        person.name = clean_name(name, (*others, *(self.tokens or ())))
        self.observer.on_join(person, "a browser")

    def _queue_of(self, person: Person) -> MatchQueue:
        queue = next((queue for queue in self.queues if queue.players.get(person.number) is person), None)
        if queue is None:
            raise ArenaError("the match has begun; you can resign")
        return queue

    def unseat(self, person: Person) -> None:
        """Let a person leave. Raises ArenaError once the match has begun."""
        queue = self._queue_of(person)
        queue.free_seat(person.number)
        self.observer.on_leave(person, "they left their seat")
        self.send_away_surplus()

    def bring_back(self, seated: Sequence[tuple[int, str, bool]]) -> dict[int, Person]:
        """Seat the players of a match that goes on, ``(number, name, is a person)``; return the persons by number.

        The game waits until the bots have come back with their tokens.
        """
        place = self.find_seat()
        assert place is not None, "a match goes on before anybody has come"
        persons = {number: Person(number, name, RETURN_WAIT_S) for number, name, is_person in seated if is_person}
        for number, name, _ in seated:
            place[0].seat(persons.get(number) or self._make_absent_player(number, name))
        return persons

    def _make_absent_player(self, number: int, name: str) -> RemotePlayer:
        link = Link(self._make_session(self.admission.limits), self.lag_monitor)
        player = RemotePlayer(
            self.config.kind, number, name, link, self.observer,
            grace_ms=self.admission.grace_ms, pause_s=self.admission.pause_s, late_reply_s=self.admission.late_reply_s,
            may_return=self.tokens is not None, return_s=RETURN_WAIT_S,
        )  # fmt: skip
        if self.tokens is None:
            player.on_lost(Verdict.DISCONNECT, f"{name} has no token with which to come back after the server ended")
        return player


def _digest(token: str) -> bytes:
    return hash_token(token).encode()


def hash_token(token: str) -> str:
    """Return the hash of a token: it can be kept, since nobody can connect with it."""
    return HASH_PREFIX + hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
