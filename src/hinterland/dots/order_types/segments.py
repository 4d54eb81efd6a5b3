"""The segments between dots: all lines that can be drawn, numbered, and which of them cross."""

from __future__ import annotations

from itertools import combinations

import msgspec
import numpy as np


class Segments(msgspec.Struct, frozen=True):
    """All lines that can be drawn between dots, numbered in the order of their ends.

    Bit i of a set stands for line i.
    """

    ends: tuple[tuple[int, int], ...]
    """For each line, the dots a < b that it joins."""
    number: dict[tuple[int, ...], int]
    """The number of each line, by its ends."""
    crossed: tuple[int, ...]
    """For each line, the set of lines that cross it."""
    star: tuple[int, ...]
    """For each dot, the set of lines that end on it."""


def segments_of(sides: np.ndarray) -> Segments:
    """Return the lines of a board; ``sides``: the turns of its dots, see ``chirotopes.sides``."""
    dots = len(sides)
    lines = tuple(combinations(range(dots), 2))
    first, second = np.array(lines).T
    return Segments(
        lines,
        {ends: line for line, ends in enumerate(lines)},
        tuple(_to_bits(find_crossing(sides, a, b)[first, second]) for a, b in lines),
        tuple(_to_bits((first == dot) | (second == dot)) for dot in range(dots)),
    )


def find_crossing(sides: np.ndarray, a: int, b: int) -> np.ndarray:
    """Say for any two dots whether the line between them crosses the line from a to b: bool (n, n)."""
    parted = np.multiply.outer(sides[a, b], sides[a, b]) < 0
    parting = sides[:, :, a] * sides[:, :, b] < 0
    return np.asarray(parted & parting)


def _to_bits(members: np.ndarray) -> int:
    return int.from_bytes(np.packbits(members, bitorder="little").tobytes(), "little")
