"""The viewers of a game. No states queue for a viewer: it only holds a mark that its last state is stale.

A slow viewer therefore skips versions instead of filling memory, and no game waits for a viewer.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from math import inf
from typing import Any, Generic, TypeVar

from hinterland.web.live.game_view import Watched
from hinterland.web.live.viewer_places import Places

TRY_LATER = 1013
TOO_MANY_VIEWERS = "too many are watching; try again in a minute"
COUNT_DELAY_S = 0.25
"""Delay before a new number of viewers is shown, so that many arrivals count once."""
CONNECTIONS_PER_KEY = 8
"""Connections with one key; the next replaces the oldest."""
VIEWERS_PER_TURN = 16
"""Viewers notified in one turn of the event loop; moves of players are read between turns."""


View = TypeVar("View", bound=Watched)


class Viewer(Generic[View]):
    """One open connection."""

    stands_for = 1
    """Number of people behind it."""

    def __init__(self, view: View, key: str | None, *, follows: bool = False, share: str = "") -> None:
        """Make a viewer. ``key``: the key it plays with, if any; ``follows``: whether it moves on with the show.

        ``share``: the share of its address; "" for the server's own viewers.
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
        """Whether it holds a key of this game or is the server's own: no number of viewers keeps it out."""
        return not self.share or (self.key is not None and bool(self.view.own_places(self.key)))

    def make_way(self) -> None:
        """Close, in favour of an address with fewer viewers."""
        self.complain(TOO_MANY_VIEWERS)
        self.close(TRY_LATER, TOO_MANY_VIEWERS)

    def wake(self) -> None:
        """Note that the game has changed."""
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

    def __init__(self, counted: Callable[[], None] | None = None) -> None:
        """Begin empty. ``counted`` is called when the number of viewers changes; by default everybody is woken."""
        self._viewers: Places[Viewer[Any]] = Places(self._left)
        self._counted = counted or self.wake
        self._counting: asyncio.TimerHandle | None = None
        self._pending: deque[Viewer[Any]] = deque()
        self.has_viewers = asyncio.Event()
        """Set while anybody watches."""
        self.people = 0
        """Number of people who watch, including those behind shared connections."""

    def __len__(self) -> int:
        return len(self._viewers)

    def __iter__(self) -> Iterator[Viewer[Any]]:
        return iter(self._viewers)

    def admit(self, viewer: Viewer[Any], most: float, most_per_share: float) -> bool:
        """Admit a viewer if there is room, see ``Places``; say whether there was."""
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
        """Note how many people are behind a viewer."""
        if people != viewer.stands_for:
            self.people += people - viewer.stands_for
            viewer.stands_for = people
            self._count_soon()

    def wake(self) -> None:
        """Note that the game has changed: players hear of it at once, viewers a few at a time."""
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
