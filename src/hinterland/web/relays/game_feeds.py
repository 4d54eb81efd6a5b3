"""The arena's side of relays: for each game one viewer sends the state to all relays that show the game."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from functools import partial

import msgspec

from hinterland.errors import BadText, HinterlandError
from hinterland.web.languages.reader import without_folders
from hinterland.web.live.audience import TRY_LATER, Viewer
from hinterland.web.live.game_view import GameView
from hinterland.web.live.viewer_connection import NO_GAME, POLICY
from hinterland.web.relays.exchange import RETRY_S, Exchange
from hinterland.web.relays.messages import (
    ARENA,
    BEAT_S,
    MAX_GAMES,
    MAX_RELAYS,
    RELAYS,
    REPORT_BYTES,
    SHOWCASE,
    SILENCE_TIMEOUT_S,
    Closing,
    Report,
    Shown,
    Trouble,
    Update,
)

log = logging.getLogger("hinterland.web")
FAREWELL_S = 0.5
"""Seconds within which the last messages must be sent."""
BYTES_PER_SECOND = 2 * 1024 * 1024
"""Most bytes of relays' reports that are read in a second. Redis buffers the rest, or closes the connection."""
COUNT_S = 0.05
"""Delay before viewers are counted again, so that many reports make one count."""
GAMES_PER_TURN = 4
"""Games whose feed is begun or resent in one turn of the event loop; moves of players are read between turns."""
Find = Callable[[str], Awaitable[GameView | None]]
Tell = Callable[[str, Update], Awaitable[bool]]


class GameFeed:
    """One game, sent to all relays that show it."""

    def __init__(self, address: str, find: Find, tell: Tell) -> None:
        self._address = address
        self._find = find
        self._tell = tell
        self._people = 0
        self._viewer: Viewer[GameView] | None = None
        self.task = asyncio.get_running_loop().create_task(self._run())

    def again(self) -> None:
        """Send the current state again, for relays that have not received a state."""
        if self._viewer is not None:
            self._viewer.wake()

    def count(self, people: int) -> None:
        """Note the number of viewers at relays."""
        self._people = people
        if self._viewer is not None:
            self._viewer.view.audience.recount(self._viewer, people)

    async def _run(self) -> None:
        try:
            view = await self._find(self._address)
        except HinterlandError as error:
            await self._tell(self._address, Closing(TRY_LATER, without_folders(str(error))))
            return
        if view is None:
            await self._tell(self._address, Closing(POLICY, NO_GAME))
            return
        viewer = self._viewer = Viewer(view, None, follows=self._address == SHOWCASE)
        viewer.stands_for = self._people
        view.audience.join(viewer)
        try:
            with contextlib.suppress(HinterlandError):  # every viewer gets the error
                await view.arrive(None)
            await self._attend(viewer)
        finally:
            viewer.view.audience.leave(viewer)
            viewer.view.leave(None)

    async def _attend(self, viewer: Viewer[GameView]) -> None:
        while viewer.closing is None:
            await viewer.wait_for_news()
            while viewer.complaints:
                await self._tell(self._address, Trouble(without_folders(viewer.complaints.popleft())))
            if viewer.is_stale:
                viewer.is_stale = False
                if not await self._tell(self._address, Shown(viewer.view.snapshot())):
                    await asyncio.sleep(RETRY_S)
                    viewer.wake()
        await self._tell(self._address, Closing(*viewer.closing))


class GameFeeds:
    """The feeds of all games that relays show. Call the methods only in the event loop."""

    def __init__(self, url: str, find: Find) -> None:
        """``find`` returns the game at an address.

        Raises BadText for a bad URL, ArenaError if the library is missing.
        """
        self._exchange = Exchange(
            url, lambda: {RELAYS}, self._hear, lambda _: self._asked.set(), bytes_per_second=BYTES_PER_SECOND
        )
        self._find = find
        self._feeds: dict[str, GameFeed] = {}
        self._reports: dict[str, tuple[float, Report]] = {}
        """Arrival time and content of the latest report of each relay."""
        self._asked = asyncio.Event()
        """Set when ``_beat`` should send its message at once, for a new relay."""
        self._beating: asyncio.Task[None] | None = None
        self._counting: asyncio.TimerHandle | None = None
        self._todo: dict[str, None] = {}
        """Addresses of games to begin or resend, in the order requested."""

    @property
    def relays(self) -> int:
        """Number of relays."""
        return len(self._reports)

    @property
    def people(self) -> int:
        """Number of viewers at relays."""
        return sum(sum(report.viewers.values()) for _, report in self._reports.values())

    def start(self) -> None:
        """Begin to serve relays."""
        self._exchange.start()
        self._beating = asyncio.get_running_loop().create_task(self._beat())

    async def stop(self) -> None:
        """Send the last messages within ``FAREWELL_S``, and stop."""
        if self._beating is None:
            return
        self._beating.cancel()
        self._beating = None
        if self._counting is not None:
            self._counting.cancel()
        tasks = {feed.task for feed in self._feeds.values()}
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=FAREWELL_S)
            for task in late:
                task.cancel()
        await self._exchange.stop()

    async def _tell(self, address: str, what: Update) -> bool:
        return await self._exchange.say(address, msgspec.json.encode(what))

    async def _beat(self) -> None:
        """Every ``BEAT_S`` seconds, tell relays that the arena is there, and forget silent relays."""
        while True:
            await self._exchange.say(ARENA, b"")
            silent_s = time.monotonic() - SILENCE_TIMEOUT_S
            self._reports = {relay: heard for relay, heard in self._reports.items() if heard[0] > silent_s}
            if self._counting is None:
                self._count()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BEAT_S):
                    await self._asked.wait()
            self._asked.clear()

    def _hear(self, _: str, message: bytes) -> None:
        if self._beating is None:
            return
        if len(message) > REPORT_BYTES:
            raise BadText(f"a report of a relay has at most {REPORT_BYTES // 1024} KiB, not {len(message):,} bytes")
        report = msgspec.json.decode(message, type=Report)
        if report.relay not in self._reports:
            if len(self._reports) >= MAX_RELAYS:
                return
            self._asked.set()
        self._reports[report.relay] = (time.monotonic(), report)
        self._do_soon(address for address in report.awaited if address in self._feeds)
        if self._counting is None:
            self._counting = asyncio.get_running_loop().call_later(COUNT_S, self._count)

    def _count(self) -> None:
        """Count the viewers of each game. Begin and end feeds, so that exactly the games that relays show have one."""
        self._counting = None
        watched: Counter[str] = Counter()
        for _, report in self._reports.values():
            watched.update(report.viewers)
        for address, feed in self._feeds.items():
            feed.count(watched[address])
            if address not in watched:
                feed.task.cancel()
        self._do_soon(address for address in watched if address not in self._feeds)

    def _do_soon(self, addresses: Iterable[str]) -> None:
        is_idle = not self._todo
        self._todo.update(dict.fromkeys(addresses))
        if is_idle and self._todo:
            asyncio.get_running_loop().call_soon(self._do_some)

    def _do_some(self) -> None:
        """Begin or resend the feeds of a few games; other games wait for the next turn of the event loop."""
        for address in list(self._todo)[:GAMES_PER_TURN]:
            del self._todo[address]
            if address in self._feeds:
                self._feeds[address].again()
            elif len(self._feeds) < MAX_GAMES and self._beating is not None:
                self._begin(address)
        if self._todo:
            asyncio.get_running_loop().call_soon(self._do_some)

    def _begin(self, address: str) -> None:
        people = sum(report.viewers.get(address, 0) for _, report in self._reports.values())
        feed = self._feeds[address] = GameFeed(address, self._find, self._tell)
        feed.count(people)
        feed.task.add_done_callback(partial(self._ended, address))

    def _ended(self, address: str, task: asyncio.Task[None]) -> None:
        del self._feeds[address]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("relays are not told of %s any more", address, exc_info=error)
