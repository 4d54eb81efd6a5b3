"""The atlas: every order type of a few dots, and what it is worth.

The work is shared out in chunks. An order type has a number, see ``enumeration.codes``; that of a circle is 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import msgspec
import numpy as np

from hinterland.dots.atlas.atlas_file import SHIPPED_SIZES, Entry, entries
from hinterland.dots.order_types.canonical import sides_of, signs_of
from hinterland.dots.order_types.enumeration import codes
from hinterland.dots.solver.small_boards import evaluate

CHUNK = 16
"""Order types a chunk."""
Chunk = tuple[int, int, list[int]]
"""(dots, number of the first order type, codes)."""


def chunks(dots: int, start: int = 0) -> Iterator[Chunk]:
    """Share out the order types of so many dots from number ``start`` on. Raises as ``codes`` does."""
    types = codes(dots)
    for first in range(start, len(types), CHUNK):
        yield dots, first, types[first : first + CHUNK].tolist()


def survey_chunk(chunk: Chunk) -> list[Entry]:
    """Solve the order types of a chunk; those that ship have places for their dots."""
    return [_with_points(entry) for entry in survey(*chunk)]


def survey(dots: int, first: int, chunk: list[int]) -> list[Entry]:
    """Solve the order types of these codes, numbered from ``first``."""
    found = []
    for number, code in enumerate(chunk, start=first):
        side = sides_of(code, dots)
        value, best = evaluate(side)
        found.append(Entry(dots, number, value, *hull_and_crossings(side), best, signs_of(code, dots)))
    return found


def _with_points(entry: Entry) -> Entry:
    if entry.dots not in SHIPPED_SIZES:
        return entry
    return msgspec.structs.replace(entry, points=entries(entry.dots)[entry.number].points)


def hull_and_crossings(side: np.ndarray) -> tuple[int, int]:
    """Return how many corners the hull has, and in how many points all lines together cross. ``side``: int8 (n, n, n).

    Each pair of dots parts two others where these lie on both of its sides. In convex position four dots are parted so
    twice, else three times; what is missing from three are the crossings.
    """
    dots = len(side)
    left = (side > 0).sum(axis=2)
    hull = int((left == dots - 2).sum())
    parted = int((left * (dots - 2 - left)).sum() - left.trace() * (dots - 2)) // 2
    return hull, 3 * comb(dots, 4) - parted
