"""All boards of a few sizes, each solved: what a game has that was worked out for every board there is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec


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
    def features(self) -> Mapping[str, int]:
        """Numbers that describe it, by name; the same names for all boards of an atlas."""


class Atlas(msgspec.Struct, frozen=True):
    """All boards of some sizes."""

    unit: str
    """What the size of a board counts, in the plural."""
    sizes: range
    """The sizes of which it has all boards."""
    boards: Callable[[int], Sequence[AtlasBoard]]
    """Return those of a size, by number."""
    filters: tuple[str, ...]
    """Features by which people may choose boards."""
    outline: Callable[[AtlasBoard], Sequence[tuple[int, int]]]
    """Return the corners of a polygon around a board's points, as they follow one another."""
    options: Callable[[AtlasBoard], dict[str, Any]]
    """Return what ``Rules.from_options`` makes a board from."""
