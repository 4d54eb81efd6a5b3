"""A host: listens on a port, seats who comes, and plays match after match, several at once.

It is run by ``hinterland referee`` and by the arena alike; both watch it through a ``Watcher``.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Literal, get_args

import msgspec

from hinterland.errors import HinterlandError, RulesError, UnknownName
from hinterland.referee.judge import Illegal
from hinterland.referee.shell.admission import Admission
from hinterland.referee.shell.heartbeat import Heartbeat
from hinterland.referee.shell.lobby import Doors, Lobby
from hinterland.referee.shell.play import MOST_REFUSALS, MatchInPlay, Terms, farewell
from hinterland.referee.shell.seats import check_spec, make_chair, opened
from hinterland.referee.shell.tcp import BACKLOG, TcpCarrier
from hinterland.referee.shell.watcher import Watcher
from hinterland.referee.wire import talk
from hinterland.referee.wire.hps import HpsTalk
from hinterland.referee.wire.hps_2016 import Hps2016Talk
from hinterland.referee.wire.hps_2018 import Hps2018Talk
from hinterland.referee.wire.json_lines import JsonTalk
from hinterland.referee.wire.names import clean_name

if TYPE_CHECKING:
    import socket

    from hinterland.contract import Rules
    from hinterland.referee import match
    from hinterland.referee.record import Book, Record
    from hinterland.referee.shell.chair import Chair
    from hinterland.referee.shell.link import Link
    from hinterland.referee.shell.party import Party
    from hinterland.referee.shell.remote import RemoteChair

__all__ = ["PROTOCOLS", "Host", "Plan", "default_protocol", "has_stones"]

Protocol = Literal["hps", "hps-2016", "hps-2018", "json"]
PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)
TALKS: dict[str, type[HpsTalk | JsonTalk]] = {
    "hps": HpsTalk, "hps-2016": Hps2016Talk, "hps-2018": Hps2018Talk, "json": JsonTalk
}  # fmt: skip
DRAIN_S = 1.0
"""How long the last connections may take to receive what was sent last."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a host is to do."""

    terms: Terms
    """What each match is played under."""
    protocol: Protocol = "hps"
    """How clients are spoken to."""
    house: tuple[str, ...] = ()
    """Specs of players that are seated after those who come: of the house, or programs to start (``cmd:…``)."""
    sandbox: bool = False
    """Whether programs that the host starts run in a sandbox."""
    matches: int = 1
    """How many are played before the host is done."""
    games_at_once: int = 256
    """More games than that wait for their turn."""
    doors: Doors = Doors()
    """Who may come in."""
    tokens: dict[str, str] | None = None
    """By name, where players need them."""

    @property
    def guests(self) -> int:
        """How many players of a match come over the network."""
        return self.terms.rules.players - len(self.house)

    @property
    def games(self) -> int:
        """How many games a match has: one a player, unless a connection of the protocol plays fewer."""
        return TALKS[self.protocol].games or self.terms.rules.players

    @property
    def illegal(self) -> Illegal:
        """What an illegal move costs those who come."""
        return self.terms.illegal or TALKS[self.protocol].illegal

    @property
    def habits(self) -> str:
        """How the protocol is played beyond its words, for people; nothing where it is strict."""
        habits = TALKS[self.protocol].habits
        if not habits:
            return ""
        again = f"an illegal move is asked again, {MOST_REFUSALS} times a turn"
        before = [again] if self.illegal is Illegal.RETRY else []
        after = [f"{self.doors.pause_s:g} s between games"] if self.games > 1 else []
        return " · ".join([*before, habits, *after])

    def check(self) -> None:
        """Raise HinterlandError unless this can be played."""
        if self.protocol not in PROTOCOLS:
            raise UnknownName("protocol", self.protocol, PROTOCOLS)
        kind = self.terms.kind
        self._check_words()
        if self.guests < 1:
            raise RulesError(f"{len(self.house)} of {self.terms.rules.players} players are seated; none could come")
        for spec in self.house:
            check_spec(kind, spec, sandbox=self.sandbox)

    def _check_words(self) -> None:
        """Raise RulesError where the protocol has no words for what is to be played."""
        rules, spoken = self.terms.rules, TALKS[self.protocol]
        if self.protocol != "json" and not has_stones(rules):
            other = f"play {rules.game} with --protocol json"
            raise RulesError(f"protocol {self.protocol} is for games with stones; {other}")
        if not spoken.has_weights and getattr(rules, "weight", None) is not None:
            raise RulesError(f"protocol {self.protocol} has no word for weights; play them with --protocol hps or json")
        if not spoken.has_tokens and self.tokens is not None:
            raise RulesError(f"protocol {self.protocol} has no word for tokens; take them with --protocol hps or json")


def has_stones(rules: Rules) -> bool:
    """Say whether a game can be played over protocol hps."""
    return type(getattr(rules, "stones", None)) is int


def default_protocol(terms: Terms, *, needs_tokens: bool) -> Protocol:
    """Return the protocol for who does not care."""
    return "json" if needs_tokens or not has_stones(terms.rules) else "hps"


class Host:
    """Plays the matches of a plan with whoever connects. It belongs to one event loop."""

    def __init__(
        self,
        plan: Plan,
        watcher: Watcher,
        *,
        ledger: Book | None = None,
        confirm: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Make ready. ``confirm`` is awaited when everybody is here, before a match begins."""
        self.heartbeat = Heartbeat()
        self.admission = Admission(plan.games_at_once, self.heartbeat)
        self.lobby = Lobby(
            plan.terms, plan.guests, TALKS[plan.protocol], self.heartbeat, watcher, plan.doors, plan.tokens,
            matches=plan.matches, new_party=self._expect,
        )  # fmt: skip
        self.results: list[match.Result] = []
        """Of the matches that are over."""
        self._plan = plan
        self._watcher = watcher
        self._ledger = ledger
        self._keeping = threading.Lock()
        self._confirm = confirm
        self._confirming = asyncio.Lock()
        self._matches: dict[asyncio.Task[match.Result], MatchInPlay | None] = {}
        self._carriers: set[TcpCarrier] = set()
        self._woken = asyncio.Event()
        self.is_done = False
        """Whether all is over, or ended."""
        self._is_stopping = False
        self._begun = 0

    async def serve(self, listener: socket.socket) -> list[match.Result]:
        """Play all matches of the plan. Raises HinterlandError where one cannot go on."""
        server = await asyncio.get_running_loop().create_server(self._carrier, sock=listener, backlog=BACKLOG)
        try:
            while self._matches or (len(self.results) < self._plan.matches and not self._is_stopping):
                await self._woken.wait()
                self._woken.clear()
                for task in [task for task in self._matches if task.done()]:
                    del self._matches[task]
                    if not task.cancelled():
                        self.results.append(task.result())
        finally:
            self.is_done = True
            server.close()
            await self._close()
        return self.results

    def stop(self) -> None:
        """Begin no more games; those that go on are finished."""
        self._is_stopping = True
        self.lobby.close()
        for task, playing in self._matches.items():
            if playing is None:
                task.cancel()
            else:
                playing.stop()
        self._woken.set()

    def abort(self, detail: str) -> None:
        """End everything at once; running games have no result."""
        self.stop()
        for playing in self._matches.values():
            if playing is not None:
                playing.abort(detail)

    def _expect(self, party: Party) -> None:
        """Play a match as soon as its party is complete."""
        task = asyncio.get_running_loop().create_task(self._host(party))
        self._matches[task] = None
        task.add_done_callback(lambda _: self._woken.set())

    async def _host(self, party: Party) -> match.Result:
        """Wait for the players of a match, and play it with them."""
        await party.complete()
        if self._confirm is not None:
            async with self._confirming:
                await self._confirm()
                while not party.is_complete:
                    await party.complete()
                    await self._confirm()
        guests = await party.complete()  # somebody may have left meanwhile, and another come
        self.lobby.begin(party)
        house = self._seat_house(guests)
        self._begun += 1
        playing = MatchInPlay(
            self._plan.terms, [*guests, *house], self.heartbeat, self.admission, self._watcher, self._begun,
            games=self._plan.games,
            keep=None if self._ledger is None else self._keep,
            file=None if self._ledger is None else str(self._ledger.file),
        )  # fmt: skip
        task = asyncio.current_task()
        assert task is not None
        self._matches[task] = playing
        return await self._play(playing, guests, house)

    def _keep(self, record: Record) -> None:
        """Put a record on the disk. Matches do so on threads of their own, one at a time."""
        assert self._ledger is not None
        with self._keeping:
            self._ledger.add(record)

    def _seat_house(self, guests: Sequence[Chair]) -> list[Chair]:
        terms = self._plan.terms
        names = [guest.name for guest in guests]
        made = []
        for number, spec in enumerate(self._plan.house, start=len(guests)):
            names.append(clean_name(spec, names))
            made.append(
                make_chair(
                    terms, number, names[-1], spec, self.heartbeat, self._watcher,
                    sandbox=self._plan.sandbox, pause_s=self._plan.doors.pause_s,
                )
            )  # fmt: skip
        return made

    async def _play(self, playing: MatchInPlay, guests: Sequence[RemoteChair], house: Sequence[Chair]) -> match.Result:
        last_words = talk.Farewell(detail="the referee had to end the match")
        try:
            async with opened(house):
                result = await playing.play()
                last_words = farewell(result)
                for chair in house:
                    chair.farewell(last_words)
        except HinterlandError as error:
            last_words = talk.Farewell(detail=f"the referee had to end the match: {error}")
            raise
        finally:
            for chair in guests:
                chair.farewell(last_words)
                self.lobby.chairs.remove(chair)
        return result

    def _carrier(self) -> TcpCarrier:
        return TcpCarrier(self._welcome, self._carriers.discard)

    def _welcome(self, carrier: TcpCarrier) -> Link | None:
        self._carriers.add(carrier)
        return self.lobby.welcome(carrier, carrier.address)

    async def _close(self) -> None:
        """Wait a moment for the last words to arrive, then cut whoever is left."""
        for task in self._matches:
            task.cancel()
        await asyncio.gather(*self._matches, return_exceptions=True)
        self.lobby.close()
        deadline = asyncio.get_running_loop().time() + DRAIN_S
        while self._carriers and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(0.005)
        for carrier in list(self._carriers):
            carrier.abort()
        while self._carriers:
            await asyncio.sleep(0)
