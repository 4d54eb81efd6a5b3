"""Listens on a port, seats the players that connect, and plays matches, several at once.

``hinterland referee`` and the arena run such hosts, and watch them through an ``Observer``.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Literal, get_args

import msgspec

from hinterland.contract import StoneRules
from hinterland.errors import RulesError, UnknownName
from hinterland.host.commit import MatchStore
from hinterland.host.lag_monitor import Admission, LagMonitor
from hinterland.host.live_match import (
    MAX_REFUSALS_PER_TURN,
    Keeping,
    LiveMatch,
    MatchConfig,
    MatchLength,
    Resumed,
)
from hinterland.host.lobby import Lobby, MatchQueue
from hinterland.host.matchmaker import AdmissionLimits
from hinterland.host.network.link import Link
from hinterland.host.network.open_port import OpenPort
from hinterland.host.network.tcp import Listener
from hinterland.host.observer import Observer
from hinterland.host.player_connection import PlayerConnection
from hinterland.host.players.person import Person
from hinterland.host.processes.command import USUAL_LIMITS, ProgramOptions
from hinterland.host.processes.process_limits import ProcessLimits
from hinterland.host.specs import check_spec, make_player, name_player, play_out
from hinterland.referee import match
from hinterland.referee.protocol.hps import HpsSession
from hinterland.referee.protocol.hps_2016 import Hps2016Session
from hinterland.referee.protocol.hps_2018 import Hps2018Session
from hinterland.referee.protocol.json_lines import JsonSession
from hinterland.referee.protocol.names import clean_name
from hinterland.referee.verdicts import Illegal
from hinterland.storage.records import RecordSink

Protocol = Literal["hps", "hps-2016", "hps-2018", "json"]
PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)
SESSIONS: dict[str, type[HpsSession | JsonSession]] = {
    "hps": HpsSession, "hps-2016": Hps2016Session, "hps-2018": Hps2018Session, "json": JsonSession
}  # fmt: skip
MAX_OPEN_ENDED_GAMES = 1000
"""Most games of a match that goes on as long as its players want."""
KEPT_RESULTS = 100
"""Number of match results kept in memory: a referee may host for months, and all results are in the records."""
PROGRAM_PREFIX = "program:"
"""``program:NAME`` is the spec of a program that the operator has registered under this name."""


class HostConfig(msgspec.Struct, frozen=True, kw_only=True):
    """What a host plays, with whom, and within which limits."""

    config: MatchConfig
    """The terms of each match."""
    protocol: Protocol = "hps"
    """The protocol of the clients."""
    own_players: tuple[str, ...] = ()
    """Specs of the players that the host seats after those that connect: built-in ones, or programs."""
    programs: dict[str, str] = {}
    """The command of each ``program:NAME`` in ``own_players``."""
    sandbox: bool = False
    """Whether the host's programs run in a sandbox."""
    limits: ProcessLimits = USUAL_LIMITS
    """Limits of each program of the host."""
    matches: int = 1
    """Number of matches to play."""
    games_at_once: int = 256
    """Most games that run at a time; further games wait."""
    admission: AdmissionLimits = AdmissionLimits()
    """Limits on new connections and players."""
    tokens: dict[str, str] | None = None
    """Token of each player by name; None if none is needed."""
    is_open_ended: bool = False
    """Whether a match has as many games as its players want."""

    @property
    def guests(self) -> int:
        """Number of players of each match that the host does not seat itself."""
        return self.config.rules.players - len(self.own_players)

    @property
    def games(self) -> int:
        """Most games of a match: one for each player, unless the protocol allows fewer or the match is open-ended."""
        return (
            MAX_OPEN_ENDED_GAMES if self.is_open_ended else SESSIONS[self.protocol].games or self.config.rules.players
        )

    @property
    def illegal(self) -> Illegal:
        """Cost of an illegal move for players that connect."""
        return self.config.illegal or SESSIONS[self.protocol].illegal

    @property
    def habits(self) -> str:
        """A line for people: what is accepted beyond the protocol's rules; empty if nothing is."""
        habits = SESSIONS[self.protocol].habits
        if not habits:
            return ""
        again = f"an illegal move is asked again, {MAX_REFUSALS_PER_TURN} times a turn"
        before = [again] if self.illegal is Illegal.RETRY else []
        after = [f"{self.admission.pause_s:g} s between games"] if self.games > 1 else []
        return " · ".join([*before, habits, *after])

    def check(self) -> None:
        """Raise HinterlandError unless the host can play such matches."""
        if self.protocol not in PROTOCOLS:
            raise UnknownName("protocol", self.protocol, PROTOCOLS)
        kind = self.config.kind
        self._check_words()
        if self.guests < 1:
            seated = f"{len(self.own_players)} of {self.config.rules.players} players"
            raise RulesError(f"{seated} are seated here; leave a seat for a player that connects")
        for spec in self.own_players:
            check_spec(kind, self.programs.get(spec, spec), sandbox=self.sandbox)

    def _check_words(self) -> None:
        """Raise RulesError if the protocol cannot express these rules."""
        rules, spoken = self.config.rules, SESSIONS[self.protocol]
        if self.protocol == "json":
            return
        if not isinstance(rules, StoneRules):
            other = f"play {rules.game} with --protocol json"
            raise RulesError(f"protocol {self.protocol} is for games with stones; {other}")
        if not spoken.has_weights and rules.weight is not None:
            raise RulesError(f"protocol {self.protocol} cannot express weights; use --protocol hps or json")
        if not spoken.has_tokens and self.tokens is not None:
            raise RulesError(f"protocol {self.protocol} cannot express tokens; use --protocol hps or json")


def default_protocol(config: MatchConfig, *, needs_tokens: bool) -> Protocol:
    """Return the protocol to use if none is chosen."""
    return "json" if needs_tokens or not isinstance(config.rules, StoneRules) else "hps"


class MatchHost:
    """Plays matches with the players that connect. It belongs to one event loop."""

    def __init__(
        self,
        plan: HostConfig,
        observer: Observer,
        *,
        records: RecordSink | None = None,
        confirm: Callable[[], Awaitable[None]] | None = None,
        store: MatchStore | None = None,
        another: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        """Make ready.

        ``confirm`` is awaited when all players of a match have come, before the match begins. ``store`` is for a host
        of one match: it writes the match move by move, so that the match can go on after a crash, and adds to the
        ``records`` itself. ``another`` says after each game whether to play another one; None: always.
        """
        self._plan = plan
        self.lag_monitor = LagMonitor()
        self.admission = Admission(plan.games_at_once, self.lag_monitor)
        self.lobby = Lobby(
            plan.config, plan.guests, self._make_link, observer, plan.admission, plan.tokens,
            matches=plan.matches, new_queue=self._start_match,
        )  # fmt: skip
        self._results: deque[match.Result] = deque(maxlen=KEPT_RESULTS)
        self._matches_over = 0
        self._observer = observer
        self._records = records
        self._confirm = confirm
        self._store = store
        self._another = another
        self._resumed: Resumed | None = None
        self._confirming = asyncio.Lock()
        self._matches: dict[asyncio.Task[match.Result], LiveMatch | None] = {}
        self.port = OpenPort(lambda carrier: self.lobby.welcome(carrier, carrier.address))
        """The port for bots."""
        self._woken = asyncio.Event()
        self.is_done = False
        """Whether all matches are over, or have been ended early."""
        self._is_stopping = False
        self._matches_begun = 0

    async def serve(self, listener: Listener | None) -> list[match.Result]:
        """Play all matches; return the results of the last hundred. ``listener`` None: nobody connects over a port.

        Raises HinterlandError if a match cannot go on.
        """
        if listener is not None:
            self.port.open(listener)
        try:
            while self._matches or (self._matches_over < self._plan.matches and not self._is_stopping):
                await self._woken.wait()
                self._woken.clear()
                for task in [task for task in self._matches if task.done()]:
                    del self._matches[task]
                    if not task.cancelled():
                        self._results.append(task.result())
                        self._matches_over += 1
        finally:
            self.is_done = True
            await self.port.shut()
            await self._close()
        return list(self._results)

    def _make_link(self) -> Link:
        return Link(SESSIONS[self._plan.protocol](self._plan.admission.limits), self.lag_monitor)

    def stop(self) -> None:
        """Begin no more games; running games are finished."""
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

    async def suspend(self) -> None:
        """End everything at once, so that the matches can go on later."""
        self.stop()
        await asyncio.gather(*(playing.suspend() for playing in self._matches.values() if playing is not None))

    def resume(self, seated: Sequence[tuple[int, str, bool]], resumed: Resumed) -> dict[int, Person]:
        """Go on with a match that had begun.

        ``seated`` has for each player its number, its name and whether it is a person.
        """
        self._resumed = resumed
        return self.lobby.bring_back(seated)

    def _start_match(self, queue: MatchQueue) -> None:
        """Start a task that waits until a queue is complete and then plays its match."""
        task = asyncio.get_running_loop().create_task(self._host(queue))
        self._matches[task] = None
        task.add_done_callback(lambda _: self._woken.set())

    async def _host(self, queue: MatchQueue) -> match.Result:
        await queue.wait_until_complete()
        if self._confirm is not None:
            async with self._confirming:
                await self._confirm()
                while not queue.is_complete:
                    await queue.wait_until_complete()
                    await self._confirm()
        guests = await queue.wait_until_complete()  # during ``confirm`` a player may have been replaced
        self.lobby.begin(queue)
        own = self._make_own_players(guests)
        self._matches_begun += 1
        playing = LiveMatch(
            self._plan.config, [*guests, *own], self.lag_monitor, self.admission, self._observer, self._matches_begun,
            MatchLength(games=range(self._plan.games), another=self._another),
            Keeping(
                keep=None if self._records is None or self._store is not None else self._records.add,
                file=None if self._records is None else str(self._records.path),
                store=self._store, resumed=self._resumed,
            ),
        )  # fmt: skip
        task = asyncio.current_task()
        assert task is not None
        self._matches[task] = playing
        return await self._play(playing, guests, own)

    def _make_own_players(self, guests: Sequence[PlayerConnection]) -> list[PlayerConnection]:
        config = self._plan.config
        names = [guest.name for guest in guests]
        programs = ProgramOptions(sandbox=self._plan.sandbox, limits=self._plan.limits)
        made = []
        for number, named in enumerate(self._plan.own_players, start=len(guests)):
            spec = self._plan.programs.get(named, named)
            names.append(clean_name(name_player(named.removeprefix(PROGRAM_PREFIX)), names))
            made.append(
                make_player(
                    config, number, names[-1], spec, self.lag_monitor, self._observer,
                    programs=programs, pause_s=self._plan.admission.pause_s,
                )
            )  # fmt: skip
        return made

    async def _play(
        self, playing: LiveMatch, guests: Sequence[PlayerConnection], own: Sequence[PlayerConnection]
    ) -> match.Result:
        try:
            return await play_out(playing, guests, own)
        finally:
            for player in guests:
                self.lobby.players.remove(player)

    async def _close(self) -> None:
        for task in self._matches:
            task.cancel()
        await asyncio.gather(*self._matches, return_exceptions=True)
        self.lobby.close()
        await self.port.close()
