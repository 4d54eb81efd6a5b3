"""The players of one match while they gather: whoever leaves before it begins makes room for the next."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from hinterland.referee.shell.remote import RemoteChair
from hinterland.referee.wire import talk

if TYPE_CHECKING:
    from collections.abc import Callable

    from hinterland.referee.verdicts import Verdict

__all__ = ["GatheringChair", "Party"]


class Party:
    """Numbers and who has them."""

    def __init__(self, size: int) -> None:
        self.chairs: dict[int, RemoteChair] = {}
        """Those that have introduced themselves."""
        self.coming: set[int] = set()
        """Numbers of connections that have not yet."""
        self.size = size
        self.has_begun = False
        """Whether the match has begun: nobody comes or goes any more."""
        self._changed = asyncio.Event()

    @property
    def is_complete(self) -> bool:
        """Say whether everybody is here."""
        return len(self.chairs) == self.size

    @property
    def names(self) -> list[str]:
        """The names that are taken."""
        return [chair.name for chair in self.chairs.values()]

    def free_number(self) -> int | None:
        """Return the lowest number that nobody has."""
        return next((n for n in range(self.size) if n not in self.chairs and n not in self.coming), None)

    def sit(self, chair: RemoteChair) -> None:
        """Seat a player that has introduced itself."""
        self.chairs[chair.number] = chair
        self._changed.set()

    def give_up(self, number: int) -> None:
        """Free the chair of somebody who left."""
        self.chairs.pop(number, None)
        self._changed.set()

    async def complete(self) -> list[RemoteChair]:
        """Wait until everybody is here; return them in the order of their numbers."""
        while not self.is_complete:
            self._changed.clear()
            await self._changed.wait()
        return [self.chairs[number] for number in range(self.size)]


class GatheringChair(RemoteChair):
    """A player that sits and waits; until the match begins it may leave without a trace."""

    party: Party
    """Whom it waits with."""
    gone: Callable[[], None]
    """To be called when it has left."""

    def heard(self, heard: talk.Heard) -> None:
        """Take what the player says; who breaks the protocol now loses its chair."""
        super().heard(heard)
        if not self.party.has_begun and isinstance(heard, talk.Broken):
            self._watcher.went(self.number, self.name, heard.detail)
            self._leave()

    def lost(self, verdict: Verdict, detail: str) -> None:
        """Learn that the link is gone."""
        super().lost(verdict, detail)
        if not self.party.has_begun:
            self._leave()

    def _leave(self) -> None:
        self.party.give_up(self.number)
        self.gone()
