"""Limited places for viewers: shares by address, and players always come in.

If all places are taken, the next viewer replaces one of the address that has most, unless that is its own. Nobody
replaces a player: no number of viewers keeps out the holder of a key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, Protocol, TypeVar


class PlaceHolder(Protocol):
    """A holder of a place."""

    @property
    def share(self) -> str:
        """Its share; within one share some may watch and others play."""

    @property
    def plays(self) -> bool:
        """Whether it cannot be kept out."""

    def make_way(self) -> None:
        """Leave, in favour of another."""


Holder = TypeVar("Holder", bound=PlaceHolder)


class Places(Generic[Holder]):
    """The places. They belong to the event loop."""

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
        """Say whether one more could watch; ``most_per_share`` limits those who only watch."""
        mine = len(self._by_share.get(share, ()))
        return mine < most_per_share and (self._count < most or self._next_to_go(mine + 1) is not None)

    def take(self, newcomer: Holder, most: float, most_per_share: float) -> bool:
        """Admit a newcomer, replacing another if need be; say whether that was possible."""
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
        """Return the latest of those who only watch, of the largest share with more than ``fewer`` of them."""
        for mine in sorted(self._by_share.values(), key=len, reverse=True):
            if len(mine) <= fewer:
                return None
            if (last := next((one for one in reversed(mine) if not one.plays), None)) is not None:
                return last
        return None
