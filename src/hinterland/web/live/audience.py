"""Who watches a game. No states queue for a viewer: it holds only the mark that what it last saw is stale.

A slow viewer therefore skips versions instead of filling memory, and a game never waits for anybody who watches it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from hinterland.web.live.game_view import Watched

COUNT_DELAY_S = 0.25
"""A crowd that comes at once is counted once."""
AT_ONCE = 16
"""Of a crowd so many are told in one go; in between, the loop hears what players say."""


View = TypeVar("View", bound=Watched)


class Viewer(Generic[View]):
    """One open connection."""

    stands_for = 1
    """How many people look through it."""

    def __init__(self, table: View, key: str | None, *, follows: bool = False) -> None:
        """Make a viewer: ``key``: what it plays with, if it does; ``follows``: it goes along when the show moves on."""
        self.table = table
        self.key = key
        self.follows = follows
        self.is_stale = True
        self.complaints: deque[str] = deque(maxlen=8)
        self.closing: tuple[int, str] | None = None
        self._woken = asyncio.Event()
        self._woken.set()

    def wake(self) -> None:
        """Note that the game has changed."""
        self.is_stale = True
        self._woken.set()

    def complain(self, message: str) -> None:
        """Tell this viewer alone what was wrong."""
        self.complaints.append(message)
        self._woken.set()

    def close(self, code: int, reason: str) -> None:
        """Close the connection once all that is to be told has been told."""
        self.closing = (code, reason)
        self._woken.set()

    async def news(self) -> None:
        """Wait until there is something to tell."""
        await self._woken.wait()
        self._woken.clear()


class Audience:
    """The viewers of one table."""

    def __init__(self, counted: Callable[[], None] | None = None) -> None:
        """Begin with nobody. ``counted`` is called when it has grown or shrunk; by default everybody is woken."""
        self._viewers: set[Viewer[Any]] = set()
        self._counted = counted or self.wake
        self._counting: asyncio.TimerHandle | None = None
        self._untold: deque[Viewer[Any]] = deque()
        self.some = asyncio.Event()
        """Set while anybody watches."""
        self.people = 0
        """How many watch, those included who look through the same connection."""

    def __len__(self) -> int:
        return len(self._viewers)

    def __iter__(self) -> Iterator[Viewer[Any]]:
        return iter(tuple(self._viewers))

    def join(self, viewer: Viewer[Any]) -> None:
        """Let a viewer watch."""
        self._viewers.add(viewer)
        self.people += viewer.stands_for
        self.some.set()
        self._count_soon()

    def leave(self, viewer: Viewer[Any]) -> None:
        """Forget a viewer."""
        if viewer in self._viewers:
            self._viewers.remove(viewer)
            self.people -= viewer.stands_for
        if not self._viewers:
            self.some.clear()
        self._count_soon()

    def recount(self, viewer: Viewer[Any], people: int) -> None:
        """Note for how many people one of the viewers stands."""
        if people != viewer.stands_for:
            self.people += people - viewer.stands_for
            viewer.stands_for = people
            self._count_soon()

    def wake(self) -> None:
        """Note that the game has changed: who plays hears of it at once, the crowd a few at a time."""
        is_telling = bool(self._untold)
        first = [viewer for viewer in self._viewers if viewer.key is not None]
        told = set(first) | set(self._untold)
        for viewer in first:
            viewer.wake()
        self._untold.extend(viewer for viewer in self._viewers if viewer not in told)
        if not is_telling:
            self._wake_some()

    def _wake_some(self) -> None:
        for _ in range(min(AT_ONCE, len(self._untold))):
            self._untold.popleft().wake()
        if self._untold:
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
