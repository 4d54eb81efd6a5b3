"""The atlas: every order type of a few dots, and what it is worth.

The work is shared out in chunks through ``concurrent.futures.Executor``, and comes back in order, so that what is
there at any time is the beginning of the whole. An order type has a number, see ``enumeration.codes``; that of a
circle is 0.
"""

from __future__ import annotations

from collections import deque
from itertools import islice
from math import comb
from typing import TYPE_CHECKING

import msgspec

from hinterland.dots.atlas.atlas_file import SHIPPED_SIZES, Entry, entries
from hinterland.dots.order_types.canonical import sides_of, signs_of
from hinterland.dots.order_types.enumeration import codes
from hinterland.dots.solver.small_boards import evaluate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor, Future

    import numpy as np

__all__ = ["CHUNK", "explore", "hull_and_crossings", "survey"]

CHUNK = 16
"""Order types a job."""


def explore(dots: int, executor: Executor, start: int = 0, ahead: int = 4) -> Iterator[list[Entry]]:
    """Solve every order type of so many dots from number ``start`` on; yield them in order, a chunk at a time.

    ``ahead``: how many jobs are handed out at a time. The executor may be of other machines. Raises as ``codes`` does.
    """
    types = codes(dots)
    firsts = iter(range(start, len(types), CHUNK))

    def hand_out(first: int) -> Future[list[Entry]]:
        return executor.submit(survey, dots, first, types[first : first + CHUNK].tolist())

    waiting = deque(hand_out(first) for first in islice(firsts, ahead))
    while waiting:
        yield [_with_points(entry) for entry in waiting.popleft().result()]
        waiting.extend(hand_out(first) for first in islice(firsts, 1))


def survey(dots: int, first: int, chunk: list[int]) -> list[Entry]:
    """Solve the order types of these codes, numbered from ``first``: the job of ``explore``."""
    return [_survey_one(dots, number, code) for number, code in enumerate(chunk, start=first)]


def _survey_one(dots: int, number: int, code: int) -> Entry:
    side = sides_of(code, dots)
    value, best = evaluate(side)
    hull, crossings = hull_and_crossings(side)
    return Entry(dots, number, value, hull, crossings, best, signs_of(code, dots))


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
