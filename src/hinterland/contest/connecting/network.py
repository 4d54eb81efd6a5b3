"""The port at which a contest's bots connect, and the thread that plays their matches.

The thread has its own event loop, so that the engine's other matches go on meanwhile. Finished games reach the engine
as futures, one after another. The engine waits for these futures and for its own matches at the same time.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import threading
from typing import TYPE_CHECKING

import msgspec

from hinterland import catalog
from hinterland.contest import plan_file
from hinterland.contest.connecting.network_matches import Deliveries, NetworkMatches
from hinterland.contest.matches import make_built_in_players
from hinterland.contest.plan import CONNECT
from hinterland.contract import silent
from hinterland.errors import BadText
from hinterland.host.log_keeper import LogKeeper
from hinterland.host.match_host import HostConfig
from hinterland.host.matchmaker import AdmissionLimits
from hinterland.host.network.open_port import OpenPort
from hinterland.host.network.tcp import listen
from hinterland.host.observer import Observer, Observers
from hinterland.host.readiness import get_ready_for
from hinterland.referee.protocol.names import MAX_TOKEN_CHARS, MIN_TOKEN_CHARS
from hinterland.referee.verdicts import Verdict
from hinterland.storage.log_folder import LogFolder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

    from hinterland.contest.folder import ContestFolder
    from hinterland.contest.schedule import Task
    from hinterland.host.live_match import MatchConfig
    from hinterland.host.network.tcp import Listener
    from hinterland.referee.record import Record

OVER_MESSAGE, STOPPED_MESSAGE = "the contest is over", "the contest was stopped; connect again when it goes on"


class Entrance(msgspec.Struct, frozen=True, kw_only=True):
    """Address, protocol and admission limits of the port for bots."""

    host: str = "127.0.0.1"
    """Address to listen on."""
    port: int = 4000
    """Port; 0 takes a free one."""
    protocol: str = "json"
    """Name of the bots' protocol, one of those with tokens."""
    admission: AdmissionLimits = AdmissionLimits()


class Network:
    """Plays the matches of bots that connect, in a thread of its own."""

    def __init__(self, contest: ContestFolder, matches: NetworkMatches, deliveries: Deliveries) -> None:
        self._contest, self._matches, self._deliveries = contest, matches, deliveries
        self._port = OpenPort(lambda carrier: matches.matchmaker.welcome(carrier, carrier.address))
        self._loop = asyncio.new_event_loop()
        self._is_open = threading.Event()
        self._closing = asyncio.Event()
        self._thread: threading.Thread | None = None

    def open(self, listener: Listener) -> None:
        """Start the thread and let bots in."""
        plan = self._contest.plan
        kind = catalog.game(plan.game)
        get_ready_for(kind, None, make_built_in_players(kind, (player.spec for player in plan.players)))
        self._thread = threading.Thread(target=self._run, args=(listener,), name="network", daemon=True)
        self._thread.start()
        self._is_open.wait()

    def play(self, tasks: Iterable[Task]) -> Iterator[Future[list[Record]]]:
        """Play those ``tasks`` in which bots connect; yield futures of the finished games, void games included."""
        found = [task for task in tasks if task.needs_network]
        left = sum(len(task.missing) for task in found)
        self._loop.call_soon_threadsafe(self._matches.begin_round, found)
        while left:
            games = self._deliveries.next_games()
            yield games
            left -= sum(record.reason != Verdict.VOID for record in games.result())

    def suspend(self) -> None:
        """Disconnect all bots, and keep the finished games. Raises RecordError if these games cannot be written."""
        if self._thread is not None:
            self._loop.call_soon_threadsafe(self._closing.set)
            self._thread.join()
            self._thread = None
            self._contest.keep(self._deliveries.take_rest())
            self._contest.flush()
        self._loop.close()

    def _run(self, listener: Listener) -> None:
        try:
            self._loop.run_until_complete(self._serve(listener))
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
        except BaseException as error:
            self._deliveries.fail(error)
        finally:
            self._is_open.set()

    async def _serve(self, listener: Listener) -> None:
        self._port.open(listener)
        self._is_open.set()
        await self._closing.wait()
        await self._port.shut()
        if self._contest.played.is_over:
            await self._matches.finish()
        await self._matches.suspend(OVER_MESSAGE if self._contest.played.is_over else STOPPED_MESSAGE)
        await self._port.close()


@contextlib.contextmanager
def open_to_bots(
    contest: ContestFolder,
    entrance: Entrance,
    *,
    jobs: int = 1,
    observer: Observer | None = None,
    tell: Callable[[str], None] = silent,
) -> Iterator[Network | None]:
    """Open a port for a contest's bots, and yield the network; None if no player connects or the contest is over.

    ``jobs``: greatest number of simultaneous games in which a player thinks on this machine. ``tell`` is called with
    lines that say where bots connect and which bots are missing. Raises HinterlandError if the port is in use, a token
    is missing, or the protocol does not suit the game.
    """
    if contest.played.is_over or not any(player.spec == CONNECT for player in contest.plan.players):
        yield None
        return
    tokens = read_tokens(contest)
    config = _check_configs(contest, entrance, tokens)
    with contextlib.closing(listen(entrance.host, entrance.port)) as listener:
        deliveries, keeper = Deliveries(), None
        if contest.logs is not None:
            keeper = LogKeeper(
                LogFolder(contest.logs), lambda game, record: matches.places[game.match].address_of(record.number)
            )
        matches = NetworkMatches(
            config, entrance.protocol, tokens, deliveries,
            Observers([observer or Observer(), *([] if keeper is None else [keeper])]), house_at_once=jobs,
            admission=entrance.admission, tell=tell,
        )  # fmt: skip
        network = Network(contest, matches, deliveries)
        where = f"[{listener.host}]" if ":" in listener.host else listener.host
        tell(f"bots connect to {where}:{listener.port}, protocol {entrance.protocol}, with tokens")
        try:
            network.open(listener)
            yield network
        finally:
            network.suspend()
            if keeper is not None:
                keeper.close()


def read_tokens(contest: ContestFolder) -> dict[str, str]:
    """Return the token of each player that connects. Raises BadText that names a missing or bad token."""
    path, found = contest.folder / plan_file.PLAN_FILE, dict[str, str]()
    for name in (player.name for player in contest.plan.players if player.spec == CONNECT):
        token = contest.tokens.get(name)
        if token is None:
            line = f'{msgspec.json.encode(name).decode()} = "{secrets.token_urlsafe(9)}"'
            raise BadText(f"{path}: {name} connects and has no token; write one under [tokens], such as {line}")
        if not MIN_TOKEN_CHARS <= len(token) <= MAX_TOKEN_CHARS or len(token.split()) != 1:
            raise BadText(
                f"{path}: the token of {name} should be one word of {MIN_TOKEN_CHARS} to {MAX_TOKEN_CHARS} characters"
            )
        if token in found.values():
            raise BadText(f"{path}: the token of {name} is that of another player as well; give each its own")
        found[name] = token
    return found


def _check_configs(contest: ContestFolder, entrance: Entrance, tokens: dict[str, str]) -> MatchConfig:
    """Return the configuration that bots get before their match is known.

    Raises HinterlandError if the protocol does not suit the game.
    """
    tasks = contest.played.tasks
    found: list[Task] = [tasks[number] for number in range(min(len(contest.plan.variations), len(tasks)))]
    folder = str(contest.paths)
    configs = [msgspec.structs.replace(task, folder=folder).config() for task in found]
    for config in configs:
        HostConfig(config=config, protocol=entrance.protocol, tokens=tokens).check()  # type: ignore[arg-type]
    return configs[0]
