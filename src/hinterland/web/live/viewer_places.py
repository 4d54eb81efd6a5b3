"""Who may watch where there is room for so many: shares by address, and whoever plays always comes in.

Where all places are taken the next viewer gets that of the address which has most, unless that would be its own. Nobody
gets the place of somebody who plays: who holds a key cannot be kept out by any crowd.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, Protocol, TypeVar


class PlaceHolder(Protocol):
    """What has a place."""

    @property
    def share(self) -> str:
        """In whose share it is; of those with one share some may watch and others play."""

    @property
    def plays(self) -> bool:
        """Whether it cannot be kept out."""

    def make_way(self) -> None:
        """Go: another has its place now."""


Holder = TypeVar("Holder", bound=PlaceHolder)


class Places(Generic[Holder]):
    """The places there are; they belong to the event loop."""

    def __init__(self, left: Callable[[Holder], None] = lambda _: None) -> None:
        """Begin with nobody. ``left`` is told who has left, or had to."""
        self._by_share: dict[str, dict[Holder, None]] = {}
        self._count = 0
        self._left = left

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Holder]:
        return iter([one for share in self._by_share.values() for one in share])

    def has_room(self, share: str, most: float, most_per_share: float) -> bool:
        """Say whether one more could watch; ``most_per_share`` is for those who only watch."""
        mine = len(self._by_share.get(share, ()))
        return mine < most_per_share and (self._count < most or self._next_to_go(mine + 1) is not None)

    def take(self, newcomer: Holder, most: float, most_per_share: float) -> bool:
        """Let somebody in, in the place of another if need be; say whether that was done."""
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
        """Give a place up, unless that was done before."""
        mine = self._by_share.get(one.share, {})
        if one in mine:
            del mine[one]
            self._count -= 1
            if not mine:
                del self._by_share[one.share]
            self._left(one)

    def _next_to_go(self, fewer: int) -> Holder | None:
        """Return who came last of those who only watch, of the largest share that has more than so many."""
        for mine in sorted(self._by_share.values(), key=len, reverse=True):
            if len(mine) <= fewer:
                return None
            if (last := next((one for one in reversed(mine) if not one.plays), None)) is not None:
                return last
        return None
