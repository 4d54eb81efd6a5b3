"""The lobby gives each player that connects a number, and a seat in the queue of a match.

A match begins when its queue is complete. Each connection is told a number at once, in the order of connecting; if
there are more connections than seats, several are told the same number. Of connections with the same number, the first
that sends a name gets the seat: a connection that never speaks keeps nobody out. A player that leaves before the match
begins frees its seat.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from hinterland.errors import ArenaError
from hinterland.host.live_match import MatchConfig
from hinterland.host.matchmaker import ALL_SEATS_TAKEN, AdmissionLimits, Matchmaker, Newcomer
from hinterland.host.network.link import Carrier, Link
from hinterland.host.observer import Observer
from hinterland.host.player_connection import PlayerConnection
from hinterland.host.players.person import Person
from hinterland.host.players.remote_player import RemotePlayer
from hinterland.referee.protocol import session
from hinterland.referee.protocol.names import clean_name
from hinterland.referee.verdicts import Verdict

PERSON_WAIT_S = 60.0
"""Seconds that a game waits at its beginning until a person looks at it."""
RETURN_WAIT_S = 600.0
"""Seconds that a match which goes on after a crash waits for a player to come back."""
NUMBER_TAKEN_MEANWHILE = "another player took your number by sending its name first; connect again"


class MatchQueue:
    """The seats of a match before it begins, and the players in them."""

    def __init__(self, size: int) -> None:
        self.players: dict[int, PlayerConnection] = {}
        """The players that have introduced themselves, by number."""
        self.size = size
        self.has_begun = False
        """Whether the match has begun and its players are fixed."""
        self._changed = asyncio.Event()

    @property
    def is_complete(self) -> bool:
        return len(self.players) == self.size

    @property
    def names(self) -> list[str]:
        return [player.name for player in self.players.values()]

    def free_number(self) -> int | None:
        return next((number for number in range(self.size) if number not in self.players), None)

    def seat(self, player: PlayerConnection) -> None:
        self.players[player.number] = player
        self._changed.set()

    def free_seat(self, number: int) -> None:
        self.players.pop(number, None)
        self._changed.set()

    async def wait_until_complete(self) -> list[PlayerConnection]:
        """Wait for all players; return them in the order of their numbers."""
        while not self.is_complete:
            self._changed.clear()
            await self._changed.wait()
        return [self.players[number] for number in range(self.size)]


class QueuedPlayer(RemotePlayer):
    """A player in a queue. If it leaves before the match begins, its seat becomes free."""

    queue: MatchQueue
    on_left: Callable[[], None]
    """Called when the player has left before the match began."""

    def on_message(self, message: session.Inbound) -> None:
        super().on_message(message)
        if not self.queue.has_begun and isinstance(message, session.Broken):
            self._observer.on_leave(self, message.detail)
            self._leave()

    def on_lost(self, verdict: Verdict, detail: str) -> None:
        super().on_lost(verdict, detail)
        if not self.queue.has_begun:
            self._leave()

    def _leave(self) -> None:
        self.queue.free_seat(self.number)
        self.on_left()


class Lobby:
    """Seats players for one match after another. It belongs to one event loop."""

    def __init__(
        self,
        config: MatchConfig,
        size: int,
        make_link: Callable[[], Link],
        observer: Observer,
        admission: AdmissionLimits,
        tokens: Mapping[str, str] | None = None,
        *,
        matches: int = 1,
        new_queue: Callable[[MatchQueue], object] = lambda _: None,
    ) -> None:
        """Open the lobby.

        ``size``: number of players that connect to each match. ``matches``: number of matches. ``tokens``: the token of
        each player by name; None if none is needed. ``new_queue`` is called with the queue of each new match.
        """
        self.matchmaker = Matchmaker(config, make_link, observer, admission, tokens, self)
        self.queues: list[MatchQueue] = []
        """The queues of the matches that wait for players."""
        self.players: list[PlayerConnection] = []
        """The players of all running matches. A player that has lost its connection may come back."""
        self._observer = observer
        self._tokens = tokens
        self._size = size
        self._matches_left = matches
        self._new_queue = new_queue

    def welcome(self, carrier: Carrier, address: str) -> Link | None:
        """Take a new connection. Return its link, or None if the connection was sent away."""
        return self.matchmaker.welcome(carrier, address)

    def close(self, detail: str = "the referee is closing") -> None:
        """Seat nobody from now on, and send the waiting players a reason."""
        self._matches_left = 0
        self.matchmaker.send_newcomers_away(detail)
        for queue in self.queues:
            for player in list(queue.players.values()):
                player.dismiss(session.Farewell(detail=detail))
        self.queues.clear()

    def begin(self, queue: MatchQueue) -> None:
        """Note that a match begins: its players can no longer be replaced."""
        queue.has_begun = True
        self.queues.remove(queue)
        self.players += queue.players.values()

    # What the matchmaker calls

    def choose_number(self, told: Counter[int | None]) -> int | None:
        """Return the number to tell a new connection; None if no seat is free.

        From each number's free seats, subtract the connections that were told this number; the greatest difference
        wins.
        """
        numbers = [number for number in range(self._size) if self._count_free_seats(number)]
        return min(numbers, key=lambda number: (told[number] - self._count_free_seats(number), number), default=None)

    def list_players(self) -> list[PlayerConnection]:
        return [*self.players, *(player for queue in self.queues for player in queue.players.values())]

    def seat(self, newcomer: Newcomer, name: str) -> None:
        """Seat a player under the number that it was told.

        If the seat is taken, seat the player under another number, provided that its protocol can still announce one.
        Otherwise send the player away.
        """
        number, link = newcomer.number, newcomer.link
        absent = None if number is not None else self.matchmaker.find_player(name)
        if absent is not None and absent.absence is not None:
            newcomer.send_away(f"{name} was taken out of this match: {absent.absence[1]}")
            return
        place = self._find_seat(number)
        if place is None and number is not None and not link.session.number_is_final:
            place = self._find_seat()
        if place is None:
            newcomer.send_away(ALL_SEATS_TAKEN if number is None or self._is_full else NUMBER_TAKEN_MEANWHILE)
            return
        queue, seat = place
        name = name if number is None else clean_name(name, queue.names)
        player = self.matchmaker.make_player(QueuedPlayer, seat, name, newcomer.hand_over())
        player.queue = queue
        player.on_left = self._send_away_surplus
        queue.seat(player)
        link.say(link.session.welcome(seat, name))
        self._observer.on_join(player, link.origin)
        self._send_away_surplus()

    # Seats

    def _send_away_surplus(self) -> None:
        """If no seat is left, send away all connections without a name."""
        if self._tokens is None and self._is_full:
            self.matchmaker.send_newcomers_away(ALL_SEATS_TAKEN)

    @property
    def _is_full(self) -> bool:
        return not any(map(self._count_free_seats, range(self._size)))

    def _count_free_seats(self, number: int) -> int:
        return self._matches_left + sum(number not in queue.players for queue in self.queues)

    def _find_seat(self, number: int | None = None) -> tuple[MatchQueue, int] | None:
        """Return the queue and the number of a free seat; None if there is none.

        ``number``: the number that the seat must have; None: any. A new queue is made if no queue has such a seat.
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

    # People

    def seat_person(self, name: str) -> Person:
        """Seat a person who comes through a page. Raises ArenaError if no seat is free for a person."""
        bots = len(self._tokens or ())
        persons = [player for queue in self.queues for player in queue.players.values() if isinstance(player, Person)]
        place = self._find_seat() if len(persons) < self._size - bots else None
        if place is None:
            raise ArenaError("all seats that are not kept for bots are taken" if bots else ALL_SEATS_TAKEN)
        queue, number = place
        person = Person(number, clean_name(name, (*queue.names, *(self._tokens or ()))), PERSON_WAIT_S)
        queue.seat(person)
        self._observer.on_join(person, "a browser")
        return person

    def rename(self, person: Person, name: str) -> None:
        """Change a person's name. Raises ArenaError once the match has begun."""
        queue = self._queue_of(person)
        others = [player.name for player in queue.players.values() if player is not person]
        person.name = clean_name(name, (*others, *(self._tokens or ())))
        self._observer.on_join(person, "a browser")

    def _queue_of(self, person: Person) -> MatchQueue:
        queue = next((queue for queue in self.queues if queue.players.get(person.number) is person), None)
        if queue is None:
            raise ArenaError("the match has begun; you can resign")
        return queue

    def unseat(self, person: Person) -> None:
        """Free a person's seat. Raises ArenaError once the match has begun."""
        queue = self._queue_of(person)
        queue.free_seat(person.number)
        self._observer.on_leave(person, "they left their seat")
        self._send_away_surplus()

    def bring_back(self, seated: Sequence[tuple[int, str, bool]]) -> dict[int, Person]:
        """Seat the players of a match that goes on; return the persons by number.

        ``seated`` has for each player its number, its name and whether it is a person. The match waits until the bots
        have come back with their tokens.
        """
        place = self._find_seat()
        assert place is not None, "a match goes on before anybody has come"
        persons = {number: Person(number, name, RETURN_WAIT_S) for number, name, is_person in seated if is_person}
        for number, name, _ in seated:
            place[0].seat(persons.get(number) or self._make_absent_player(number, name))
        return persons

    def _make_absent_player(self, number: int, name: str) -> RemotePlayer:
        matchmaker = self.matchmaker
        player = matchmaker.make_player(RemotePlayer, number, name, matchmaker.make_link(), RETURN_WAIT_S)
        if self._tokens is None:
            player.on_lost(Verdict.DISCONNECT, f"{name} has no token with which to come back after the server ended")
        return player
