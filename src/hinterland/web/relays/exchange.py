"""Messages between processes over Redis. Senders do not wait for receivers, and Redis keeps no message.

Litestar's channels are not used: after a lost connection to Redis they neither send nor receive, and report no error.
This module logs a lost connection once and tries again until Redis answers. When Redis answers again, receivers ask for
the current state.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
from collections.abc import Callable, Set
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from hinterland.errors import ArenaError, BadText, HinterlandError, quote
from hinterland.web.rates import Bucket

if TYPE_CHECKING:
    from redis.asyncio import Redis
    from redis.asyncio.client import PubSub

log = logging.getLogger("hinterland.web")
PASSWORD = "HINTERLAND_REDIS_PASSWORD"
"""Environment variable with the password of Redis: other users can read a command line, but no environment."""
REDIS_TIMEOUT_S = 3.0
"""Seconds within which Redis must answer."""
RETRY_S = 0.5
SENDING_CONNECTIONS = 8
"""Number of connections for sending."""
KNOWN = "redis://HOST:PORT/NUMBER, rediss:// with TLS, or unix:///SOCKET"


class Exchange:
    """Sends and receives the messages of one process. Call the methods only in the event loop."""

    def __init__(
        self, url: str, wanted: Callable[[], Set[str]], hear: Callable[[str, bytes], None],
        turned: Callable[[bool], None], bytes_per_second: float | None = None,
    ) -> None:  # fmt: skip
        """``wanted`` returns the channels to listen to, at least one; ``hear`` gets each message and its channel.

        ``turned`` is called with True when Redis can be reached, with False when it cannot. At most
        ``bytes_per_second`` are read. Raises BadText for an invalid URL, ArenaError if the library is missing.
        """
        self._redis, database = _client(url)
        self._prefix = f"hinterland:{database}:"
        self._wanted = wanted
        self._hear = hear
        self._turned = turned
        self._heard = None if bytes_per_second is None else Bucket(bytes_per_second, 2 * bytes_per_second)
        self._channels: Set[str] = frozenset()
        """Channels to which this process has subscribed at Redis."""
        self._changing = asyncio.Lock()
        self._listener: PubSub | None = None
        self._has_failed = False
        self._listening: asyncio.Task[None] | None = None
        self.is_up = False
        """Whether Redis can be reached."""
        self._fault: str | None = None
        """Why Redis cannot be reached; "" if it can, None before the first attempt."""

    def start(self) -> None:
        """Begin to listen, in the running loop."""
        self._listening = asyncio.get_running_loop().create_task(self._listen())

    async def stop(self) -> None:
        """Stop sending and listening."""
        if self._listening is not None:
            self._listening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._listening
        await self._redis.aclose()

    async def resubscribe(self) -> None:
        """Subscribe to exactly the wanted channels."""
        async with self._changing:
            if self._listener is None:
                return
            wanted = frozenset(self._wanted())
            begun, left = wanted - self._channels, self._channels - wanted
            self._channels = wanted
            with contextlib.suppress(*_losses()):  # the listening task reports the loss
                if begun:
                    await self._listener.subscribe(*map(self._named, begun))
                if left:
                    await self._listener.unsubscribe(*map(self._named, left))

    async def say(self, channel: str, message: bytes) -> bool:
        """Send a message to all current listeners of a channel. Say whether Redis has accepted it."""
        if self.is_up:
            with contextlib.suppress(*_losses()):
                await self._redis.publish(self._named(channel), message)
                return True
        return False

    async def _listen(self) -> None:
        while True:
            try:
                async with self._redis.pubsub() as listener:
                    await self._hear_all(listener)
            except _losses() as error:
                self._turn(str(error) or "it does not answer")
            finally:
                self._listener = None
            await asyncio.sleep(RETRY_S)

    async def _hear_all(self, listener: PubSub) -> None:
        self._channels = frozenset(self._wanted())
        await listener.subscribe(*map(self._named, self._channels))
        self._listener = listener
        await self.resubscribe()
        is_silent = False
        while True:
            message = await listener.get_message(timeout=REDIS_TIMEOUT_S)
            if message is None and is_silent:
                raise TimeoutError
            is_silent = message is None
            if message is None:
                await listener.ping()
            elif message["type"] == "subscribe":
                self._turn("")
            elif message["type"] == "message":
                self._take(message["channel"].decode().removeprefix(self._prefix), message["data"])
                await self._rest(len(message["data"]))

    async def _rest(self, size: int) -> None:
        """After a message of ``size`` bytes, let other tasks run, and wait as long as the limit on bytes demands."""
        await asyncio.sleep(0)
        while self._heard is not None and (wait_s := self._heard.take(min(size, self._heard.burst))):
            await asyncio.sleep(wait_s)

    def _take(self, channel: str, message: bytes) -> None:
        try:
            self._hear(channel, message)
        except Exception as error:
            if not self._has_failed:
                is_ours = not isinstance(error, HinterlandError | msgspec.MsgspecError)
                words = "what came by Redis on channel %s could not be taken; this is said once: %s"
                log.error(words, channel, error, exc_info=is_ours)
            self._has_failed = True

    def _named(self, channel: str) -> str:
        return self._prefix + channel

    def _turn(self, fault: str) -> None:
        was, self._fault, self.is_up = self._fault, fault, not fault
        if fault and not was:
            log.warning("Redis cannot be reached: %s; it is tried again", fault)
        elif was and not fault:
            log.warning("Redis can be reached again")
        if was is None or bool(was) != bool(fault):
            self._turned(self.is_up)


def check(url: str) -> None:
    """Check Redis. Raises BadText for an invalid URL, ArenaError in one line if Redis cannot be used."""

    async def ask() -> None:
        redis, _ = _client(url)
        try:
            await redis.ping()
        finally:
            await redis.aclose()

    _client(url)
    try:
        asyncio.run(ask())
    except _losses() as error:
        raise ArenaError(f"Redis at {_place(url)} cannot be used: {error or 'it does not answer'}") from None


def _client(url: str) -> tuple[Redis, int]:
    """Return a client, and the number of the database; arenas that share a Redis have different numbers."""
    try:
        from redis.asyncio import BlockingConnectionPool, Redis  # noqa: PLC0415
        from redis.asyncio.retry import Retry  # noqa: PLC0415
        from redis.backoff import NoBackoff  # noqa: PLC0415
    except ImportError:
        raise ArenaError("Redis needs its library: pip install 'hinterland[redis]'") from None
    is_numbered = url.startswith("unix:") or re.fullmatch(r"/?\d*", urlsplit(url).path)
    try:
        pool = BlockingConnectionPool.from_url(
            url if is_numbered else "", max_connections=SENDING_CONNECTIONS + 1, timeout=REDIS_TIMEOUT_S,
            socket_timeout=REDIS_TIMEOUT_S, socket_connect_timeout=REDIS_TIMEOUT_S, retry=Retry(NoBackoff(), 0),
            password=os.environ.get(PASSWORD),
        )  # fmt: skip
        pool.make_connection()  # type: ignore[no-untyped-call]
    except (ValueError, TypeError):
        raise BadText(f"--redis is {KNOWN}, not {quote(_place(url))}") from None
    return Redis.from_pool(pool), int(pool.connection_kwargs.get("db", 0))


def _place(url: str) -> str:
    """Return a URL without its password."""
    _, at, place = urlsplit(url).netloc.rpartition("@")
    return url.replace(urlsplit(url).netloc, place) if at else url


def _losses() -> tuple[type[Exception], ...]:
    """Return the types of errors that say that Redis cannot be reached."""
    from redis.exceptions import RedisError  # noqa: PLC0415

    return (RedisError, OSError, TimeoutError)
