"""All boards of a few sizes, each solved: what a game has that was worked out for every board there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import msgspec

__all__ = ["Atlas", "AtlasBoard"]


class AtlasBoard(Protocol):
    """One board of an atlas."""

    @property
    def number(self) -> int:
        """Its number among those of its size, from 0."""

    @property
    def points(self) -> Sequence[tuple[int, int]]:
        """Where everything lies, y upwards."""

    @property
    def value(self) -> int:
        """The first mover's score less the other's under best play."""

    @property
    def best(self) -> int:
        """How many first moves keep the value."""

    @property
    def hull(self) -> int:
        """How many points are corners of the convex hull."""

    @property
    def crossings(self) -> int:
        """In how many places lines between the points cross."""


class Atlas(msgspec.Struct, frozen=True):
    """All boards of some sizes."""

    unit: str
    """What the size of a board counts, in the plural."""
    sizes: range
    """The sizes of which it has all boards."""
    boards: Callable[[int], Sequence[AtlasBoard]]
    """Return those of a size, by number."""
    outline: Callable[[AtlasBoard], Sequence[tuple[int, int]]]
    """Return the corners of a board's hull, as they follow one another."""
    options: Callable[[AtlasBoard], dict[str, Any]]
    """Return what ``Rules.from_options`` makes a board from."""
