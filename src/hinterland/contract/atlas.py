"""Atlases: all boards of a few sizes, each of them solved."""

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
        """Coordinates of everything on the board, y upwards."""

    @property
    def value(self) -> int:
        """The first mover's score less the other's under best play."""

    @property
    def best(self) -> int:
        """Number of first moves that keep the value."""

    @property
    def features(self) -> Mapping[str, int]:
        """Numbers that describe the board, by name. All boards of an atlas have the same names."""


class Atlas(msgspec.Struct, frozen=True):
    """All boards of some sizes."""

    unit: str
    """What the size of a board counts, such as "dots", in the plural."""
    sizes: range
    """Sizes of which the atlas has all boards."""
    boards: Callable[[int], Sequence[AtlasBoard]]
    """Return the boards of a size, by number."""
    filters: tuple[str, ...]
    """Features by which people can choose boards."""
    outline: Callable[[AtlasBoard], Sequence[tuple[int, int]]]
    """Return the corners of a polygon around a board's points, in order."""
    options: Callable[[AtlasBoard], dict[str, Any]]
    """Return the options from which ``Rules.from_options`` makes a board."""
