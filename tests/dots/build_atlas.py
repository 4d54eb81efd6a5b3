"""How the atlas that is shipped was made: ``python tests/dots/build_atlas.py`` writes it anew, in some minutes.

A board less one of its dots is a smaller board, whose places are known. Its lines part the plane into cells, and the
dot belongs into one of them, if that is there: which cells there are depends on the places. So the smaller board
walks at random, a dot at a time, its turns unchanged, until there is a cell for the dot. (Up to 9 dots such a walk
can lead from any places to any others: Richter, "Kombinatorische Realisierbarkeitskriterien für orientierte
Matroide", 1988.)

Then the dots step apart, as if each were pushed away by the lines through two others; and of several such boards that
is taken whose least distance of a dot from a line is greatest.
"""

from __future__ import annotations

import gzip
from importlib import resources
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from hinterland.dots.atlas.atlas_file import CSV_HEADER, SHIPPED_FILE, SHIPPED_SIZES, Entry, to_row
from hinterland.dots.atlas.atlas_survey import survey
from hinterland.dots.order_types.canonical import code_of, label_board, sides_of
from hinterland.dots.order_types.enumeration import list_codes
from hinterland.errors import RulesError
from hinterland.jit import inlined, kernel

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SIZE = 256
"""Coordinates are 0 .. SIZE - 1."""
TRIES, STARTS = 4_000, 6
WALK, SPREAD = 64, 30_000
"""How many steps are tried at a time, to walk and to step apart."""
NONE = -1
TRIANGLE = ((0, 0), (SIZE - 1, 0), (SIZE // 2, SIZE - 1))


def build(most: int = SHIPPED_SIZES[-1]) -> bytes:
    """Return the packed atlas of all order types of up to so many dots."""
    rows = [CSV_HEADER, *(to_row(entry) for entry in _entries(most))]
    return gzip.compress("".join(f"{row}\n" for row in rows).encode("ascii"), mtime=0)


def _entries(most: int) -> Iterator[Entry]:
    known: dict[int, np.ndarray] = {}
    for dots in range(SHIPPED_SIZES[0], most + 1):
        known = {code: realise(sides_of(code, dots), known) for code in list_codes(dots).tolist()}
        for number, (code, places) in enumerate(known.items()):
            (entry,) = survey(dots, number, [code])
            yield msgspec.structs.replace(entry, points=tuple((int(x), int(y)) for x, y in places))


def realise(side: np.ndarray, known: Mapping[int, np.ndarray]) -> np.ndarray:
    """Return places of dots with these sides: int64 (n, 2). Raises RulesError when none were found in TRIES tries.

    ``known``: for the code of each order type of one dot less its places, the dots in canonical order; for 3 dots
    it may be empty. The same call finds the same places.
    """
    dots = len(side)
    if dots == 3:
        return np.array(TRIANGLE if side[0, 1, 2] > 0 else TRIANGLE[::-1], dtype=np.int64)
    rng = np.random.default_rng(dots)
    starts = [_without(side, dot, known) for dot in range(dots)]
    found: list[np.ndarray] = []
    for number in range(TRIES):
        dot = number % dots
        if _place(side, starts[dot], dot):
            found.append(starts[dot].copy())
            _step_apart(side, found[-1], _steps(SPREAD, dots, rng))
        if len(found) == STARTS or (found and number >= STARTS * dots):
            return max(found, key=_least_distance)
        _walk(side, starts[dot], dot, _steps(WALK, dots, rng))
    raise RulesError(f"no places were found for these {dots} dots")


def _without(side: np.ndarray, dot: int, known: Mapping[int, np.ndarray]) -> np.ndarray:
    """Return places for all dots but one, whose place means nothing."""
    others = np.delete(np.arange(len(side)), dot)
    rest = side[np.ix_(others, others, others)]
    labelled, senses = label_board(rest)
    places = np.zeros((len(side), 2), dtype=np.int64)
    places[others[labelled[0]]] = known[code_of(rest)]
    if senses[0] < 0:
        places[:, 0] = SIZE - 1 - places[:, 0]
    return places


def _steps(count: int, dots: int, rng: np.random.Generator) -> np.ndarray:
    """Draw steps long and short: (dot, right, up), int64 (count, 3)."""
    far = np.exp(rng.uniform(0, np.log(SIZE), (count, 1)))
    steps = np.empty((count, 3), dtype=np.int64)
    steps[:, :1] = rng.integers(dots, size=(count, 1))
    steps[:, 1:] = np.rint(rng.normal(size=(count, 2)) * far)
    return steps


@kernel
def _place(side: np.ndarray, places: np.ndarray, dot: int) -> bool:
    """Put a dot where its turns with all others are right, as clear of their lines as can be; say whether it can be."""
    best = 0.0
    best_x = best_y = 0
    for x in range(SIZE):
        for y in range(SIZE):
            places[dot, 0] = x
            places[dot, 1] = y
            if _is_right(side, places, dot, NONE):
                room = _room(places, dot)
                if room > best:
                    best = room
                    best_x = x
                    best_y = y
    places[dot, 0] = best_x
    places[dot, 1] = best_y
    return best > 0.0


@kernel
def _walk(side: np.ndarray, places: np.ndarray, left_out: int, steps: np.ndarray) -> None:
    """Take all steps that change no turn; one dot is not there."""
    for step in range(len(steps)):
        dot = steps[step, 0]
        if dot != left_out and _move(places, steps[step], 1) and not _is_right(side, places, dot, left_out):
            _move(places, steps[step], -1)


@kernel
def _step_apart(side: np.ndarray, places: np.ndarray, steps: np.ndarray) -> None:
    """Take all steps that change no turn and do not bring dots nearer to lines than they were, all in all."""
    push = _push(places)
    for step in range(len(steps)):
        if not _move(places, steps[step], 1):
            continue
        if _is_right(side, places, steps[step, 0], NONE):
            after = _push(places)
            if after <= push:
                push = after
                continue
        _move(places, steps[step], -1)


@inlined
def _move(places: np.ndarray, step: np.ndarray, sense: int) -> bool:
    """Take a step, or take it back; say whether it stays on the plane, else it is not taken."""
    x = places[step[0], 0] + sense * step[1]
    y = places[step[0], 1] + sense * step[2]
    if not (0 <= x < SIZE and 0 <= y < SIZE):
        return False
    places[step[0], 0] = x
    places[step[0], 1] = y
    return True


@inlined
def _area(places: np.ndarray, i: int, j: int, k: int) -> int:
    """Return twice the area of a triangle, positive where its dots turn left."""
    left = (places[j, 0] - places[i, 0]) * (places[k, 1] - places[i, 1])
    right = (places[j, 1] - places[i, 1]) * (places[k, 0] - places[i, 0])
    return int(left - right)


@inlined
def _is_right(side: np.ndarray, places: np.ndarray, dot: int, left_out: int) -> bool:
    """Say whether a dot turns with all pairs of others as it should."""
    for i in range(len(places)):
        if i in (dot, left_out):
            continue
        for j in range(i):
            if j not in (dot, left_out) and _area(places, dot, i, j) * side[dot, i, j] <= 0:
                return False
    return True


@inlined
def _squared(places: np.ndarray, i: int, j: int) -> int:
    """Return the squared distance of two dots."""
    across = places[i, 0] - places[j, 0]
    up = places[i, 1] - places[j, 1]
    return int(across * across + up * up)


@inlined
def _distance(places: np.ndarray, i: int, j: int, k: int) -> float:
    """Return how far the middle one of three dots is from the line through the others."""
    longest = max(_squared(places, i, j), _squared(places, j, k), _squared(places, k, i))
    return float(abs(_area(places, i, j, k)) / np.sqrt(max(longest, 1)))


@inlined
def _room(places: np.ndarray, dot: int) -> float:
    """Return the least of these distances with a dot in them."""
    least = float(SIZE)
    for i in range(len(places)):
        for j in range(i):
            if dot not in (i, j):
                least = min(least, _distance(places, dot, i, j))
    return least


@kernel
def _least_distance(places: np.ndarray) -> float:
    """Return the least of all these distances."""
    least = float(SIZE)
    for dot in range(len(places)):
        least = min(least, _room(places, dot))
    return least


@inlined
def _push(places: np.ndarray) -> float:
    """Return how strongly dots are pushed by lines: the sum of distance ** -4."""
    push = 0.0
    for i in range(len(places)):
        for j in range(i):
            for k in range(j):
                distance = _distance(places, i, j, k)
                push += 1.0 / (distance * distance * distance * distance)
    return push


if __name__ == "__main__":
    (resources.files("hinterland.dots.atlas") / SHIPPED_FILE).write_bytes(build())
