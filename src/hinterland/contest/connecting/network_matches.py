"""Matches of bots that connect: a match begins when all of its bots wait, and no bot plays two matches at once."""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict, deque
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING

from hinterland.contest.matches import VoidGames, complete_record
from hinterland.contest.plan import CONNECT
from hinterland.contract import silent
from hinterland.host.lag_monitor import Admission, LagMonitor
from hinterland.host.live_match import Keeping, LiveMatch, MatchLength
from hinterland.host.match_host import SESSIONS
from hinterland.host.matchmaker import AdmissionLimits, Matchmaker
from hinterland.host.network.link import Link
from hinterland.host.observer import Observers
from hinterland.host.players.remote_player import SEAT_TAKEN_OVER, RemotePlayer
from hinterland.host.specs import play_out, seat_player
from hinterland.host.thread_pools import Workers
from hinterland.referee.protocol import session

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Mapping

    from hinterland.contest.schedule import Task
    from hinterland.host.live_match import MatchConfig
    from hinterland.host.matchmaker import Newcomer
    from hinterland.host.observer import Observer
    from hinterland.host.player_connection import PlayerConnection
    from hinterland.referee.record import ContestPlace, Record
    from hinterland.referee.verdicts import Verdict

GAMES_AT_ONCE = 256
"""Greatest number of simultaneous games whose players all think on other machines."""
MISSING_NOTICE_S = 5.0
"""Seconds that a bot may be away between two matches before it is reported as missing."""
MAX_NAMES = 10
FINISH_S = 2.0
"""Seconds that a match may take to end after its last game."""


class Deliveries:
    """Finished games on their way from the thread that plays them to the thread that writes them.

    Any thread may put games in. One thread takes games out: it asks for the next games only once it has written those
    that it took before.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._come: list[Record] = []
        self._handed: list[Record] = []
        self._error: BaseException | None = None
        self._asked: Future[list[Record]] | None = None

    def put(self, record: Record) -> None:
        """Add a game."""
        with self._lock:
            self._come.append(record)
            self._answer()

    def fail(self, error: BaseException) -> None:
        """Pass on an error: the reader gets it after all games that were put in."""
        with self._lock:
            self._error = self._error or error
            self._answer()

    def next_games(self) -> Future[list[Record]]:
        """Return a future of the next games, or of the error of ``fail``.

        Call it after all earlier games have been written.
        """
        with self._lock:
            self._handed, self._asked = [], Future()
            asked = self._asked
            self._answer()
        return asked

    def take_rest(self) -> list[Record]:
        """Return all games that may not have been written: those of the last future, and those in no future yet."""
        with self._lock:
            found, self._handed, self._come = [*self._handed, *self._come], [], []
        return found

    def _answer(self) -> None:
        if self._asked is None or not (self._come or self._error):
            return
        asked, self._asked = self._asked, None
        if not asked.set_running_or_notify_cancel():
            return
        if self._come:
            self._handed, self._come = self._come, []
            asked.set_result(self._handed)
        else:
            asked.set_exception(self._error)


class WaitingBot:
    """The connection of a bot that has shown its token and waits for a match."""

    def __init__(self, matches: NetworkMatches, name: str, link: Link) -> None:
        self.name, self.link = name, link
        self._matches = matches
        link.owner = self

    def on_message(self, message: session.Inbound) -> None:
        """Take a message from the waiting bot. A bot that breaks the protocol is sent away."""
        match message:
            case session.Broken(verdict, detail):
                self._matches.forget_bot(self)
                self._matches.matchmaker.send_away(self.link, f"{verdict}: {detail}")
            case session.Ignored():
                self.link.say(self.link.session.report_ignored(message))

    def on_lost(self, verdict: Verdict, detail: str) -> None:  # noqa: ARG002
        """Forget the bot: its connection is lost."""
        self._matches.forget_bot(self)


class NetworkMatches:
    """Plays a round's matches in one event loop.

    Of the matches whose bots all wait, the first in the plan's order begins.
    """

    def __init__(
        self,
        config: MatchConfig,
        protocol: str,
        tokens: Mapping[str, str],
        deliveries: Deliveries,
        observer: Observer,
        *,
        house_at_once: int = 1,
        admission: AdmissionLimits | None = None,
        tell: Callable[[str], None] = silent,
    ) -> None:
        """``config``: the configuration sent to bots before their match is known.

        ``house_at_once``: greatest number of simultaneous games in which a player thinks on this machine. ``tell`` is
        called with lines about missing bots.
        """
        self._lag_monitor = LagMonitor()
        limits = admission or AdmissionLimits()
        self.matchmaker = Matchmaker(
            config, lambda: Link(SESSIONS[protocol](limits.limits), self._lag_monitor), observer, limits, tokens, self
        )
        self._bots: dict[str, WaitingBot] = {}
        """Waiting bots, by name."""
        self._players: list[RemotePlayer] = []
        """Bots in running matches, also those that lost their connection and may return."""
        self._elsewhere = Admission(GAMES_AT_ONCE, self._lag_monitor)
        self._here = Admission(house_at_once, self._lag_monitor)
        self._boards = Workers(1, "boards")
        self._deliveries, self._observer, self._tell = deliveries, observer, tell
        self._tables: dict[str, list[deque[Task]]] = defaultdict(list)
        self._busy: set[str] = set()
        self._matches: dict[asyncio.Task[None], LiveMatch | None] = {}
        self._begun = 0
        self.places: dict[int, ContestPlace] = {}
        """Places of the running matches in the contest, by their numbers here."""
        self._gone_s: dict[str, float] = dict.fromkeys(tokens, float("-inf"))
        self._missed = set(tokens)

    def begin_round(self, tasks: Iterable[Task]) -> None:
        """From now on play ``tasks``, and none of the matches that have not begun."""
        tables: dict[tuple[str, ...], deque[Task]] = defaultdict(deque)
        for task in tasks:
            tables[task.names].append(task)
        self._tables.clear()
        for waiting in tables.values():
            for name in connecting_players(waiting[0]).values():
                self._tables[name].append(waiting)
        for name in list(self._tables):
            self._find_match(name)
        self._report_missing(again=True)

    # What the matchmaker calls

    def choose_number(self, told: Counter[int | None]) -> int | None:  # noqa: ARG002
        """Return None: bots are told apart by their tokens, not by numbers."""
        return None

    def list_players(self) -> list[RemotePlayer]:
        return self._players

    def seat(self, newcomer: Newcomer, name: str) -> None:
        """Let a bot wait for its next match, which begins at once if the match's other bots wait already."""
        if (former := self._bots.pop(name, None)) is not None:
            former.link.close(former.link.session.dismiss(SEAT_TAKEN_OVER))
        self._bots[name] = WaitingBot(self, name, newcomer.hand_over())
        self._gone_s.pop(name, None)
        if name in self._missed:
            self._missed.remove(name)
            self._tell(f"{name} is here")
        self._find_match(name)

    # Waiting bots

    def forget_bot(self, bot: WaitingBot) -> None:
        """Forget a bot that has disconnected."""
        if self._bots.get(bot.name) is bot:
            del self._bots[bot.name]
            self._miss(bot.name)

    def _miss(self, name: str) -> None:
        """Note that a bot has disconnected, and report it later if it stays away."""
        loop = asyncio.get_running_loop()
        self._gone_s[name] = loop.time()
        loop.call_later(MISSING_NOTICE_S, self._report_missing)

    def _report_missing(self, *, again: bool = False) -> None:
        """Report all bots that have been away for a while, if one of them has not been reported yet.

        ``again``: report all missing bots in any case.
        """
        long_ago = asyncio.get_running_loop().time() - MISSING_NOTICE_S
        away = {name for name, since in self._gone_s.items() if since <= long_ago and any(self._tables[name])}
        if away if again else away - self._missed:
            self._missed |= away
            names = sorted(away)
            more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
            self._tell(f"waiting for {', '.join(names[:MAX_NAMES])}{more}")

    # Matches

    def _find_match(self, name: str) -> None:
        """Begin the first of a bot's matches whose bots are all present and free."""
        free = self._bots.keys() - self._busy
        if name not in free:
            return
        ready = [
            tasks for tasks in self._tables[name] if tasks and free.issuperset(connecting_players(tasks[0]).values())
        ]
        if ready:
            self._begin_match(min(ready, key=lambda tasks: tasks[0].place.task))

    def _begin_match(self, tasks: deque[Task]) -> None:
        task = tasks.popleft()
        self._busy.update(connecting_players(task).values())
        playing = asyncio.get_running_loop().create_task(self._host(task, tasks))
        self._matches[playing] = None
        playing.add_done_callback(partial(self._on_match_end, task))

    async def _host(self, task: Task, tasks: deque[Task]) -> None:
        """Play a match's missing games.

        If one of its bots disconnects before the board is ready, put the match back in its queue.
        """
        config = await self._boards.run(task.config)
        guests = connecting_players(task)
        if not self._bots.keys() >= set(guests.values()):
            tasks.appendleft(task)
            return
        seated = [self._seat_in_match(number, name, config) for number, name in guests.items()]
        self._begun += 1
        match_number = self._begun
        self.places[match_number] = task.place
        try:
            house = self._make_built_in_players(task, config)
            playing = self._live_match(match_number, task, config, [*seated, *house])
            await play_out(playing, seated, house, must_start=False)
        finally:
            del self.places[match_number]
            for player in seated:
                self._players.remove(player)

    def _seat_in_match(self, number: int, name: str, config: MatchConfig) -> RemotePlayer:
        """Seat a waiting bot in a match. If its connection is lost, the bot may return to the match with its token."""
        player = self.matchmaker.make_player(RemotePlayer, number, name, self._bots.pop(name).link)
        self._players.append(player)
        player.welcome(config.rules)
        return player

    def _make_built_in_players(self, task: Task, config: MatchConfig) -> list[PlayerConnection]:
        return [
            seat_player(
                config, number, name, spec, self._lag_monitor, self._observer,
                programs=task.programs, pause_s=self.matchmaker.admission.pause_s,
            )
            for number, (name, spec) in enumerate(zip(task.names, task.players, strict=True))
            if spec != CONNECT
        ]  # fmt: skip

    def _live_match(
        self, number: int, task: Task, config: MatchConfig, players: list[PlayerConnection]
    ) -> LiveMatch:
        def keep(record: Record) -> None:
            self._deliveries.put(complete_record(record, task))

        thinks_here = len(connecting_players(task)) < len(players)
        playing = LiveMatch(
            config, sorted(players, key=lambda player: player.number), self._lag_monitor,
            self._here if thinks_here else self._elsewhere, Observers([VoidGames(keep), self._observer]), number,
            MatchLength(games=task.missing, may_end_early=False), Keeping(keep=keep),
        )  # fmt: skip
        current = asyncio.current_task()
        assert current is not None
        self._matches[current] = playing
        return playing

    def _on_match_end(self, task: Task, playing: asyncio.Task[None]) -> None:
        """Free the bots of a match, and begin their next matches."""
        del self._matches[playing]
        if playing.cancelled():
            return
        if (error := playing.exception()) is not None:
            self._deliveries.fail(error)
            return
        names = connecting_players(task).values()
        self._busy.difference_update(names)
        for name in names:
            if name in self._bots:
                self._find_match(name)
            else:
                self._miss(name)

    async def finish(self) -> None:
        """Give bots time to hear how the last games ended; the records of these games are already written."""
        if self._matches:
            await asyncio.wait(list(self._matches), timeout=FINISH_S)

    async def suspend(self, detail: str) -> None:
        """End all matches and connections; ``detail`` tells bots why. Unfinished games are played anew later."""
        self.matchmaker.close(detail)
        last_words = session.Farewell(detail=detail)
        for bot in self._bots.values():
            bot.link.close(bot.link.session.dismiss(last_words))
        self._bots.clear()
        for player in self._players:
            player.dismiss(last_words)
        await asyncio.gather(*(playing.suspend() for playing in self._matches.values() if playing is not None))
        matches = list(self._matches)
        for playing in matches:
            playing.cancel()
        await asyncio.gather(*matches, return_exceptions=True)


def connecting_players(task: Task) -> dict[int, str]:
    """Return the names of a match's bots that connect, by their place in ``task.names``."""
    return {number: task.names[number] for number, spec in enumerate(task.players) if spec == CONNECT}
