"""What the people at a table have agreed on: another game, and whether hints may be asked for meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Set
from typing import Literal

import msgspec

Matter = Literal["again", "hints"]


class Terms(msgspec.Struct, frozen=True):
    """What viewers are told of it. Players are numbers."""

    here: tuple[int, ...]
    """Who looks at the table."""
    again: tuple[int, ...]
    """Who wants another game."""
    hints: tuple[int, ...]
    """Who wants hints to be had."""
    has_hints: bool
    """Whether all do."""
    left: int | None
    """Who wants no more games."""
    is_offered: bool
    """Whether anybody may take the seat that is free."""


class Agreement:
    """The wishes of the people at one table. Programs agree with everything. It belongs to one event loop."""

    def __init__(self, people: Callable[[], Set[int]]) -> None:
        """Begin with no wishes. ``people``: the numbers of those who are asked."""
        self.left: int | None = None
        """Who wants no more games."""
        self._people = people
        self._wishes: dict[Matter, set[int]] = {"again": set(), "hints": set()}
        self._changed = asyncio.Event()

    def wishers(self, matter: Matter) -> tuple[int, ...]:
        """Return who wishes for something."""
        return tuple(sorted(self._wishes[matter]))

    def is_agreed(self, matter: Matter) -> bool:
        """Say whether all wish for something."""
        people = self._people()
        return bool(people) and people <= self._wishes[matter]

    def wish(self, player: int, matter: Matter, *, yes: bool) -> None:
        """Note a wish, or that it is one no more. Who wants no other game parts from the others."""
        (self._wishes[matter].add if yes else self._wishes[matter].discard)(player)
        if matter == "again" and not yes and self.left is None:
            self.left = player
        self._changed.set()

    async def another_game(self) -> bool:
        """Wait until all want another game, or one does not; say which."""
        while self.left is None and not self.is_agreed("again"):
            self._changed.clear()
            await self._changed.wait()
        self._wishes["again"].clear()
        return self.left is None
