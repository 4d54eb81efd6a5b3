"""The viewers of a game: who has a place, and when each is updated.

There is no queue of states for a viewer, only a mark that what the viewer has is stale. A slow viewer therefore skips
states instead of filling memory, and no game waits for a viewer. Updates are rare enough that no player has to wait for
them.

If all places are taken, a new viewer replaces one from the address with most viewers, unless the new viewer comes from
this address. Nobody replaces a player, and the holder of a key always gets a place.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator
from math import inf
from typing import Any, Generic, Protocol, TypeVar

from hinterland.web.live.page_messages import ViewerMessage

TRY_LATER = 1013
TOO_MANY_VIEWERS = "too many are watching; try again in a minute"
COUNT_DELAY_S = 0.25
"""Delay before a new number of viewers is shown, so that many arrivals make one update."""
CONNECTIONS_PER_KEY = 8
"""Most connections with one key to a game; a further connection replaces the oldest."""
VIEWERS_PER_TURN = 16
"""Viewers notified in one turn of the event loop; moves of players are read between turns."""
UPDATE_INTERVAL_S = 0.05
"""Shortest time between two updates, since programs may play thousands of moves a second."""
MAX_SNAPSHOTS_PER_S, MAX_BYTES_PER_S = 5000, 20_000_000
"""Approximate limits of one game: snapshots and bytes that it sends in a second to all its viewers together."""


class Watched(Protocol):
    """A game that live connections show: a game of this process, or one that a relay receives."""

    @property
    def audience(self) -> Audience:
        """The viewers."""

    def own_places(self, key: str | None) -> frozenset[int]:
        """Return the seats for which the holder of ``key`` moves, as indices into the list of seats on the page."""

    async def arrive(self, key: str | None) -> None:
        """Note a viewer."""

    def leave(self, key: str | None) -> None:
        """Note that a viewer has left."""

    def encode_for(self, key: str | None) -> bytes:
        """Return the present state as the holder of a key sees it, encoded in the reader's language."""

    async def act(self, key: str | None, message: ViewerMessage) -> None:
        """Carry out a message of a viewer. Raises HinterlandError, whose message is for that viewer."""


class PlaceHolder(Protocol):
    """A viewer that holds a place."""

    @property
    def share(self) -> str:
        """The address or network that this viewer counts for."""

    @property
    def plays(self) -> bool:
        """Whether this viewer plays: a player always gets a place, and nobody replaces it."""

    def make_way(self) -> None:
        """Leave, so that another viewer can have the place."""


Holder = TypeVar("Holder", bound=PlaceHolder)


class Places(Generic[Holder]):
    """A limited number of places for viewers. Call the methods only in the event loop."""

    def __init__(self, left: Callable[[Holder], None] = lambda _: None) -> None:
        """Begin empty. ``left`` is called for each holder that leaves or is replaced."""
        self._by_share: dict[str, dict[Holder, None]] = {}
        self._count = 0
        self._left = left

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Holder]:
        return iter([one for share in self._by_share.values() for one in share])

    def has_room(self, share: str, most: float, most_per_share: float) -> bool:
        """Say whether one more viewer from ``share`` (an address or a network) could get a place.

        ``most``: limit of all places; ``most_per_share``: limit of one share, which does not apply to players.
        """
        mine = len(self._by_share.get(share, ()))
        return mine < most_per_share and (self._count < most or self._next_to_go(mine + 1) is not None)

    def take(self, newcomer: Holder, most: float, most_per_share: float) -> bool:
        """Give a newcomer a place, if need be that of another viewer; say whether the newcomer got one."""
        if not newcomer.plays and not self.has_room(newcomer.share, most, most_per_share):
            return False
        if self._count >= most:
            fewer = 0 if newcomer.plays else len(self._by_share.get(newcomer.share, ())) + 1
            if (leaving := self._next_to_go(fewer)) is not None:
                self.leave(leaving)
                leaving.make_way()
        self._by_share.setdefault(newcomer.share, {})[newcomer] = None
        self._count += 1
        return True

    def leave(self, one: Holder) -> None:
        """Give up a place; may be called twice."""
        mine = self._by_share.get(one.share, {})
        if one in mine:
            del mine[one]
            self._count -= 1
            if not mine:
                del self._by_share[one.share]
            self._left(one)

    def _next_to_go(self, fewer: int) -> Holder | None:
        """Return the viewer to replace: the latest of the address with most viewers; never a player.

        Addresses with at most ``fewer`` viewers keep theirs; None if there is no viewer to replace.
        """
        for mine in sorted(self._by_share.values(), key=len, reverse=True):
            if len(mine) <= fewer:
                return None
            if (last := next((one for one in reversed(mine) if not one.plays), None)) is not None:
                return last
        return None


View = TypeVar("View", bound=Watched)


class Viewer(Generic[View]):
    """One open connection."""

    stands_for = 1
    """Number of people behind this connection."""

    def __init__(self, view: View, key: str | None, *, follows: bool = False, share: str = "") -> None:
        """``key``: what the viewer plays with, or None; ``follows``: whether it follows the games of the front page.

        ``share``: the address or network that the viewer counts for; "" for the server's own viewers.
        """
        self.view = view
        self.share = share
        self.key = key
        self.follows = follows
        self.is_stale = True
        self.complaints: deque[str] = deque(maxlen=8)
        self.closing: tuple[int, str] | None = None
        self._woken = asyncio.Event()
        self._woken.set()

    @property
    def plays(self) -> bool:
        """Whether this viewer holds a key of the game, or is the server's own."""
        return not self.share or (self.key is not None and bool(self.view.own_places(self.key)))

    def make_way(self) -> None:
        """Close the connection, so that a viewer from an address with fewer viewers can have the place."""
        self.complain(TOO_MANY_VIEWERS)
        self.close(TRY_LATER, TOO_MANY_VIEWERS)

    def wake(self) -> None:
        """Mark the state that this viewer has as stale, since the game has changed."""
        self.is_stale = True
        self._woken.set()

    def complain(self, message: str) -> None:
        """Send an error to this viewer only."""
        self.complaints.append(message)
        self._woken.set()

    def close(self, code: int, reason: str) -> None:
        """Close the connection after everything has been sent."""
        self.closing = (code, reason)
        self._woken.set()

    async def wait_for_news(self) -> None:
        """Wait until there is something to send."""
        await self._woken.wait()
        self._woken.clear()


class Audience:
    """The viewers of one game."""

    def __init__(self, counted: Callable[[], None] | None = None, size: Callable[[], int] = lambda: 0) -> None:
        """Begin empty. ``counted`` is called when the number of viewers changes; by default it wakes all viewers.

        ``size``: approximate bytes of one update.
        """
        self._viewers: Places[Viewer[Any]] = Places(self._left)
        self._counted = counted or self.wake
        self._counting: asyncio.TimerHandle | None = None
        self._pending: deque[Viewer[Any]] = deque()
        self._size = size
        self._waking: asyncio.TimerHandle | None = None
        self._woken_s = 0.0
        self.has_viewers = asyncio.Event()
        """Set while anybody watches."""
        self.people = 0
        """Number of people who watch, including those behind shared connections."""

    def __len__(self) -> int:
        return len(self._viewers)

    def __iter__(self) -> Iterator[Viewer[Any]]:
        return iter(self._viewers)

    def admit(self, viewer: Viewer[Any], most: float, most_per_share: float) -> bool:
        """Admit a viewer if there is room, as ``Places`` says; return whether the viewer was admitted."""
        if not self._viewers.take(viewer, most, most_per_share):
            return False
        self.people += viewer.stands_for
        self.has_viewers.set()
        self._count_soon()
        if viewer.share and viewer.plays:
            tabs = [one for one in self._viewers if one.key == viewer.key and one is not viewer]
            for oldest in tabs[: max(len(tabs) - CONNECTIONS_PER_KEY + 1, 0)]:
                self.leave(oldest)
                oldest.make_way()
        return True

    def join(self, viewer: Viewer[Any]) -> None:
        """Admit a viewer without a limit."""
        self.admit(viewer, inf, inf)

    def leave(self, viewer: Viewer[Any]) -> None:
        self._viewers.leave(viewer)

    def _left(self, viewer: Viewer[Any]) -> None:
        self.people -= viewer.stands_for
        if not self._viewers:
            self.has_viewers.clear()
        self._count_soon()

    def recount(self, viewer: Viewer[Any], people: int) -> None:
        """Set the number of people for whom a viewer stands."""
        if people != viewer.stands_for:
            self.people += people - viewer.stands_for
            viewer.stands_for = people
            self._count_soon()

    def wake(self) -> None:
        """Note that the game has changed: wake players at once, and the other viewers a few at a time."""
        is_telling = bool(self._pending)
        first = [viewer for viewer in self._viewers if viewer.key is not None]
        notified = set(first) | set(self._pending)
        for viewer in first:
            viewer.wake()
        self._pending.extend(viewer for viewer in self._viewers if viewer not in notified)
        if not is_telling:
            self._wake_some()

    def _wake_some(self) -> None:
        for _ in range(min(VIEWERS_PER_TURN, len(self._pending))):
            self._pending.popleft().wake()
        if self._pending:
            asyncio.get_running_loop().call_soon(self._wake_some)

    def wake_soon(self) -> None:
        """Wake everybody as soon as the interval between updates allows."""
        if self._waking is not None:
            return
        wait_s = self._woken_s + self._interval_s - time.monotonic()
        if wait_s <= 0:
            self.wake_now()
        else:
            self._waking = asyncio.get_running_loop().call_later(wait_s, self.wake_now)

    def wake_now(self) -> None:
        """Wake everybody now, and begin the next interval."""
        if self._waking is not None:
            self._waking.cancel()
            self._waking = None
        self._woken_s = time.monotonic()
        self.wake()

    @property
    def _interval_s(self) -> float:
        """Return the shortest time between updates: it grows with the size of an update and the number of viewers."""
        per_viewer_s = max(1 / MAX_SNAPSHOTS_PER_S, self._size() / MAX_BYTES_PER_S)
        return max(UPDATE_INTERVAL_S, len(self) * per_viewer_s)

    def dismiss(self, code: int, reason: str) -> None:
        """Close every connection."""
        for viewer in self._viewers:
            viewer.close(code, reason)

    def _count_soon(self) -> None:
        if self._counting is None:
            self._counting = asyncio.get_running_loop().call_later(COUNT_DELAY_S, self._count)

    def _count(self) -> None:
        self._counting = None
        self._counted()
