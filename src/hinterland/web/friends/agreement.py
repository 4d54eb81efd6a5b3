"""The agreements of the people in a match: another game, and hints during a game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Set
from typing import Literal

import msgspec

Matter = Literal["again", "hints"]


class Terms(msgspec.Struct, frozen=True):
    """The agreements as viewers see them. Players are numbers."""

    here: tuple[int, ...]
    """Players who are looking at the page."""
    again: tuple[int, ...]
    """Players who want another game."""
    hints: tuple[int, ...]
    """Players who allow hints."""
    has_hints: bool
    """Whether all allow hints."""
    left: int | None
    """The player who has left the match."""
    is_offered: bool
    """Whether the challenge is open to anybody."""


class Agreement:
    """The wishes of the people in one match. Programs agree with everything. It belongs to one event loop."""

    def __init__(self, people: Callable[[], Set[int]]) -> None:
        """Begin with no wishes. ``people``: the numbers of those who must agree."""
        self.left: int | None = None
        """The player who wants no more games."""
        self._people = people
        self._wishes: dict[Matter, set[int]] = {"again": set(), "hints": set()}
        self._changed = asyncio.Event()

    def wishers(self, matter: Matter) -> tuple[int, ...]:
        """Return the players who wish for something."""
        return tuple(sorted(self._wishes[matter]))

    def is_agreed(self, matter: Matter) -> bool:
        """Say whether all wish for something."""
        people = self._people()
        return bool(people) and people <= self._wishes[matter]

    def wish(self, player: int, matter: Matter, *, yes: bool) -> None:
        """Note a wish, or take it back. A player who wants no other game leaves the match."""
        (self._wishes[matter].add if yes else self._wishes[matter].discard)(player)
        if matter == "again" and not yes and self.left is None:
            self.left = player
        self._changed.set()

    async def another_game(self) -> bool:
        """Wait until all want another game, or one leaves; say which."""
        while self.left is None and not self.is_agreed("again"):
            self._changed.clear()
            await self._changed.wait()
        self._wishes["again"].clear()
        return self.left is None
