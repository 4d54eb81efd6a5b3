"""The segments between dots: what lines can be drawn, by number, and which of them cross."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import msgspec
import numpy as np

__all__ = ["Segments", "ends_of", "segments_of"]


class Segments(msgspec.Struct, frozen=True):
    """The lines that can be drawn between dots, numbered in the order of their ends; sets of them are bits."""

    ends: tuple[tuple[int, int], ...]
    """The dots a < b that each line joins."""
    number: dict[tuple[int, ...], int]
    """The number of each line by its ends."""
    crossed: tuple[int, ...]
    """The set of lines that cross each."""
    star: tuple[int, ...]
    """The set of lines that end on each dot."""


@cache
def ends_of(dots: int) -> tuple[tuple[int, int], ...]:
    """List the lines a < b of so many dots in their order, by which they are numbered."""
    return tuple(combinations(range(dots), 2))


def segments_of(sides: np.ndarray) -> Segments:
    """Return the lines of a board with these turns, int8 (n, n, n)."""
    dots = len(sides)
    lines = ends_of(dots)
    number: dict[tuple[int, ...], int] = {ends: line for line, ends in enumerate(lines)}
    star = tuple(sum(1 << line for line, ends in enumerate(lines) if dot in ends) for dot in range(dots))
    return Segments(lines, number, _crossings(sides), star)


def _crossings(sides: np.ndarray) -> tuple[int, ...]:
    lines = ends_of(len(sides))
    first, second = np.array(lines).T
    crossed = []
    for a, b in lines:
        parted = sides[a, b][first] * sides[a, b][second] < 0
        parting = sides[first, second, a] * sides[first, second, b] < 0
        crossed.append(int.from_bytes(np.packbits(parted & parting, bitorder="little").tobytes(), "little"))
    return tuple(crossed)
