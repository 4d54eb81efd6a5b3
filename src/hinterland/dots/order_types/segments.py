"""The segments between dots: what lines can be drawn, by number, and which of them cross."""

from __future__ import annotations

from itertools import combinations

import msgspec
import numpy as np


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


def segments_of(sides: np.ndarray) -> Segments:
    """Return the lines of a board with these turns, int8 (n, n, n)."""
    dots = len(sides)
    lines = tuple(combinations(range(dots), 2))
    first, second = np.array(lines).T
    return Segments(
        lines,
        {ends: line for line, ends in enumerate(lines)},
        tuple(_packed(crossing(sides, a, b)[first, second]) for a, b in lines),
        tuple(_packed((first == dot) | (second == dot)) for dot in range(dots)),
    )


def crossing(sides: np.ndarray, a: int, b: int) -> np.ndarray:
    """Say for any two dots whether the line between them crosses that from a to b: bool (n, n)."""
    parted = np.multiply.outer(sides[a, b], sides[a, b]) < 0
    parting = sides[:, :, a] * sides[:, :, b] < 0
    return np.asarray(parted & parting)


def _packed(members: np.ndarray) -> int:
    """Return a set as bits."""
    return int.from_bytes(np.packbits(members, bitorder="little").tobytes(), "little")
