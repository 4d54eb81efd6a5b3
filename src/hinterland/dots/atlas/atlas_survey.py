"""Computes the atlas: every order type of a few dots, and its value.

The work is divided into chunks. The number of an order type is its place in ``enumeration.list_codes``; dots on a
circle have the number 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import msgspec
import numpy as np

from hinterland.dots.atlas.atlas_file import SHIPPED_SIZES, Entry, entries
from hinterland.dots.order_types.canonical import sides_of, signs_of
from hinterland.dots.order_types.enumeration import list_codes
from hinterland.dots.solver.small_boards import evaluate

TYPES_PER_CHUNK = 16
"""Order types in a chunk."""
Chunk = tuple[int, int, list[int]]
"""(number of dots, number of the chunk's first order type, codes of the chunk's order types)."""


def split_into_chunks(dots: int, start: int = 0) -> Iterator[Chunk]:
    """Divide the order types with ``dots`` dots into chunks, from number ``start`` on.

    Raises as ``list_codes`` does.
    """
    types = list_codes(dots)
    for first in range(start, len(types), TYPES_PER_CHUNK):
        yield dots, first, types[first : first + TYPES_PER_CHUNK].tolist()


def survey_chunk(chunk: Chunk) -> list[Entry]:
    """Solve the order types of a chunk, and find coordinates for those of a size that ships with the package."""
    return [_add_points(entry) for entry in survey(*chunk)]


def survey(dots: int, first: int, chunk: list[int]) -> list[Entry]:
    """Solve the order types with these codes, numbered from ``first``."""
    found = []
    for number, code in enumerate(chunk, start=first):
        side = sides_of(code, dots)
        value, best = evaluate(side)
        found.append(Entry(dots, number, value, *count_hull_and_crossings(side), best, signs_of(code, dots)))
    return found


def _add_points(entry: Entry) -> Entry:
    if entry.dots not in SHIPPED_SIZES:
        return entry
    return msgspec.structs.replace(entry, points=entries(entry.dots)[entry.number].points)


def count_hull_and_crossings(side: np.ndarray) -> tuple[int, int]:
    """Count the corners of the hull, and the crossings if every two dots were joined. ``side``: turns, int8 (n, n, n).

    A pair of dots separates two others that lie on different sides of its line. Among four dots in convex position, one
    crossing occurs, and two pairs separate the other two dots; among any other four dots, no crossing occurs, and three
    pairs do. Either way the number of crossings is 3 minus the number of such pairs. The board's crossings are the sum
    over all sets of four dots.
    """
    dots = len(side)
    left = (side > 0).sum(axis=2)
    hull = int((left == dots - 2).sum())
    parted = int((left * (dots - 2 - left)).sum() - left.trace() * (dots - 2)) // 2
    return hull, 3 * comb(dots, 4) - parted
