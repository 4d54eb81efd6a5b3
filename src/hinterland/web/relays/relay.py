"""A relay: a separate process that shows the games of an arena to viewers."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from hinterland.errors import IllegalMove
from hinterland.host.lag_monitor import LagMonitor
from hinterland.web.app_context import AppContext
from hinterland.web.live.audience import TRY_LATER, Audience
from hinterland.web.live.page_messages import Snapshot, ViewerMessage, ViewerPong, translate_snapshot
from hinterland.web.live.viewer_connection import ConnectionEnd
from hinterland.web.operations.health import BEAT_PERIOD_NS, describe_lag
from hinterland.web.relays.exchange import Exchange
from hinterland.web.relays.messages import (
    ARENA,
    BEAT_S,
    MAX_GAMES,
    RELAYS,
    SILENCE_TIMEOUT_S,
    Closing,
    Report,
    Shown,
    Trouble,
    Update,
)
from hinterland.web.settings import RelaySettings

UPDATES = msgspec.json.Decoder(Update)
"""Made when the module is imported: the interpreter crashes if two threads decode a type for the first time at once."""
REPORT_DELAY_S = 0.05
"""Delay before a report, so that many changes make one report."""
ARENA_TIMEOUT_S = 10.0
"""Seconds within which the arena must send a game, which it may have to load."""
UNWATCHED_KEEP_S = 15.0
"""Seconds for which a game without viewers is still received, for viewers who come back."""
AWAY = "the arena cannot be reached from here"
RESTARTED = 1012


class RelayedGame:
    """A game that the arena judges, as this relay received it. Call the methods only in the event loop."""

    def __init__(self, counted: Callable[[], None]) -> None:
        """Make a game without a state. ``counted``: see ``Audience``."""
        self.audience = Audience(counted, self._size)
        self.left_s = time.monotonic()
        """Time at which a viewer last asked for the game or left, in seconds on the monotonic clock."""
        self._snapshot: Snapshot | None = None
        self._heard_s = 0.0
        self._closing: Closing | None = None
        self._is_known = asyncio.Event()

    @property
    def is_awaited(self) -> bool:
        """Say whether no state has arrived yet."""
        return self._snapshot is None

    async def known(self) -> None:
        """Wait for the first state. Raises ConnectionEnd if the game cannot be shown."""
        self.left_s = time.monotonic()
        await self._is_known.wait()
        if self._closing is not None:
            raise ConnectionEnd(self._closing.code, self._closing.reason)

    def hear(self, update: Update) -> None:
        """Show a received message."""
        match update:
            case Shown(shot):
                self._snapshot, self._heard_s = shot, time.monotonic()
                self._is_known.set()
                self.audience.wake_soon()
            case Trouble(message):
                for viewer in self.audience:
                    viewer.complain(message)
            case Closing():
                self.close(update)

    def close(self, closing: Closing) -> None:
        """Close."""
        self._closing = closing
        self._is_known.set()
        self.audience.dismiss(closing.code, closing.reason)

    def encode_for(self, key: str | None) -> bytes:  # noqa: ARG002
        """Return the current game, encoded, in the reader's language."""
        assert self._snapshot is not None
        return msgspec.json.encode(_age_clock(translate_snapshot(self._snapshot), time.monotonic() - self._heard_s))

    def own_places(self, key: str | None) -> frozenset[int]:  # noqa: ARG002
        """Return no places: nobody plays here."""
        return frozenset()

    async def arrive(self, key: str | None) -> None:
        """Do nothing: a game begins when a player's page opens, and players connect to the arena."""

    def leave(self, key: str | None) -> None:  # noqa: ARG002
        """Note that a viewer has left."""
        self.left_s = time.monotonic()

    async def act(self, key: str | None, message: ViewerMessage) -> None:  # noqa: ARG002
        """Refuse: players connect to the arena itself. Raises IllegalMove."""
        if not isinstance(message, ViewerPong):
            raise IllegalMove("not_yours", "you are watching: only players can do that")

    def _size(self) -> int:
        """Return the number of bytes that moves take in one update."""
        return 0 if self._snapshot is None else len(memoryview(self._snapshot.moves))


class Relay(AppContext):
    """The games of a relay. Make a relay before the server starts; use it within its context ``running``."""

    settings: RelaySettings

    def __init__(self, settings: RelaySettings) -> None:
        """Make a relay. Raises BadText for an invalid Redis URL, ArenaError if the library is missing."""
        super().__init__(settings)
        self.lag = LagMonitor(BEAT_PERIOD_NS, 0)
        self._name = secrets.token_hex(8)
        self._exchange = Exchange(settings.redis, lambda: {ARENA, *self._games}, self._hear, self._turned)
        self._games: dict[str, RelayedGame] = {}
        self._arena_s = -SILENCE_TIMEOUT_S
        """Time of the arena's last message, in seconds on the monotonic clock."""
        self._changed = asyncio.Event()
        self._reporting: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def running(self, _: Any = None) -> AsyncIterator[None]:
        """Run until the server stops."""
        self.lag.start()
        self._exchange.start()
        self._reporting = asyncio.get_running_loop().create_task(self._report())
        try:
            yield
        finally:
            await self.stop()
            self.lag.stop()

    async def stop(self) -> None:
        """Disconnect all viewers, whose pages then connect to another relay; may be called twice."""
        if self._reporting is None:
            return
        self._reporting.cancel()
        self._reporting = None
        self._dismiss("this relay is stopping")
        await self._exchange.say(RELAYS, self._written_report())
        await self._exchange.stop()

    @property
    def fault(self) -> str:
        """Why this relay is not healthy; "" if it is."""
        return describe_lag(self.lag) or ("" if self.reaches_arena else AWAY)

    @property
    def reaches_arena(self) -> bool:
        """Say whether the arena has sent a message within ``SILENCE_TIMEOUT_S``."""
        return self._exchange.is_up and time.monotonic() - self._arena_s < SILENCE_TIMEOUT_S

    async def find(self, address: str) -> RelayedGame:
        """Return a game once its state has arrived. Raises ConnectionEnd if the game cannot be shown."""
        if not self.reaches_arena:
            raise ConnectionEnd(TRY_LATER, AWAY)
        game = self._games.get(address)
        if game is None and len(self._games) >= MAX_GAMES:
            raise ConnectionEnd(TRY_LATER, "too many games are watched here; try again in a minute")
        if game is None:
            game = self._games[address] = RelayedGame(self._changed.set)
            await self._exchange.resubscribe()
        self._changed.set()
        try:
            async with asyncio.timeout(ARENA_TIMEOUT_S):
                await game.known()
        except TimeoutError:
            raise ConnectionEnd(TRY_LATER, "the arena does not answer; try again in a moment") from None
        return game

    # Reporting

    async def _report(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BEAT_S):
                    await self._changed.wait()
            self._changed.clear()
            if not self.reaches_arena:
                self._dismiss(AWAY)
            self._forget()
            await self._exchange.resubscribe()
            await self._exchange.say(RELAYS, self._written_report())
            await asyncio.sleep(REPORT_DELAY_S)

    def _written_report(self) -> bytes:
        viewers = {address: len(game.audience) for address, game in self._games.items()}
        awaited = tuple(address for address, game in self._games.items() if game.is_awaited)
        return msgspec.json.encode(Report(self._name, viewers, awaited))

    def _forget(self) -> None:
        """Forget the games that nobody has watched for ``UNWATCHED_KEEP_S``."""
        left_s = time.monotonic() - UNWATCHED_KEEP_S
        for address, game in list(self._games.items()):
            if not game.audience and game.left_s < left_s:
                del self._games[address]

    # Receiving

    def _hear(self, channel: str, message: bytes) -> None:
        if channel == ARENA:
            self._arena_s = time.monotonic()
        elif channel in self._games:
            update: Update = UPDATES.decode(message)
            self._games[channel].hear(update)
            if isinstance(update, Closing):
                del self._games[channel]

    def _turned(self, is_up: bool) -> None:
        self._changed.set()
        if not is_up:
            self._dismiss(AWAY)

    def _dismiss(self, reason: str) -> None:
        """Disconnect all viewers; their pages reconnect by themselves."""
        for game in self._games.values():
            game.close(Closing(RESTARTED, reason))
        self._games.clear()


def _age_clock(shot: Snapshot, seconds: float) -> Snapshot:
    """Return a snapshot in which the running clock is reduced by ``seconds``, the age of the snapshot."""
    seat, left = shot.to_move, shot.left_ms
    if seat is None or left is None or left[seat] is None or shot.clock_stands:
        return shot
    now_ms = max((left[seat] or 0) - round(1000 * seconds), 0)
    return msgspec.structs.replace(shot, left_ms=(*left[:seat], now_ms, *left[seat + 1 :]))


def relay_of(connection: Any) -> Relay:
    """Return the relay that a connection came to."""
    relay: Relay = connection.app.state.context
    return relay
