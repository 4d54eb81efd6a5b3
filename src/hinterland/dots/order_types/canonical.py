"""The canonical labelling of an order type, and its symmetries.

Seen from a corner of the hull, all other dots have an order from right to left. So a corner and a sense of rotation
give each dot a number. Each such labelling gives a sequence of the turns of all triples. The labelling with the
greatest sequence ("+" above "-") is the canonical one. The board has one symmetry for each labelling that gives this
sequence: on a circle of n dots there are 2n.

In the canonical labelling, all turns that include the first dot are to the left. The other turns, as bits, are the code
of the order type.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from hinterland.dots.order_types import chirotopes
from hinterland.jit import inlined, kernel
from hinterland.search.copying import copy_values

MAX_CODED_DOTS = 9
"""Largest number of dots whose codes, of 56 bits, fit a word."""


def label_board(sides: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the canonical labellings of a whole board, see ``find_labellings``; ``sides``: int8 (n, n, n)."""
    return find_labellings(np.ascontiguousarray(sides), np.arange(len(sides)))


def code_of(sides: np.ndarray) -> int:
    """Return the code of a board's order type, the same for all boards of this type and their mirror images."""
    labelled, senses = label_board(sides)
    inner = labelled[0, 1:]
    turns = sides[np.ix_(inner, inner, inner)] * senses[0]
    return sum(
        1 << bit for bit, (i, j, k) in enumerate(list(combinations(range(len(inner)), 3))[::-1]) if turns[i, j, k] > 0
    )


def signs_of(code: int, dots: int) -> str:
    """Return an order type in the form of ``Rules.orientations``, canonically labelled."""
    inner = comb(dots - 1, 3)
    bits = f"{code:0{inner}b}" if inner else ""
    return "+" * comb(dots - 1, 2) + bits.translate({ord("0"): "-", ord("1"): "+"})


def sides_of(code: int, dots: int) -> np.ndarray:
    """Return the turn of any three dots of an order type, see ``chirotopes.sides``: int8 (n, n, n)."""
    return chirotopes.sides(signs_of(code, dots), dots)


@kernel(allocates=True)
def find_symmetries(sides: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each of s symmetries the images of all dots, int64 (s, n), and the sense of the symmetry, int64[s].

    ``sides``: int8 (n, n, n). The sense is 1 if the symmetry keeps turns, -1 if it reverses them. The identity comes
    first.
    """
    labelled, senses = find_labellings(sides, np.arange(sides.shape[0]))
    images = np.empty_like(labelled)
    for row in range(len(labelled)):
        for label in range(sides.shape[0]):
            images[row, labelled[0, label]] = labelled[row, label]
    return images, senses * senses[0]


@kernel(allocates=True)
def find_labellings(sides: np.ndarray, present: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return all canonical labellings of some dots: the dots in order, int64 (s, m), and the sense of each, 1 or -1.

    ``sides``: int8 (n, n, n). ``present``: int64[m], the dots. The sense is 1 if the dots of the labelling go
    anticlockwise around the first one, -1 if clockwise.
    """
    size = present.size
    kept = np.empty((2 * size, size), dtype=np.int64)
    senses = np.empty(2 * size, dtype=np.int64)
    tried = np.empty(size, dtype=np.int64)
    if write_radial_order(sides, present, present[0], tried) and _is_convex(sides, tried):
        _write_rotations(present, tried, kept, senses)
        return kept, senses
    rows = 0
    for corner in present:
        if not write_radial_order(sides, present, corner, tried):
            continue
        for sense in (1, -1):
            better = 1 if rows == 0 else compare(sides, tried, sense, kept[0], senses[0])
            if better > 0:
                rows = 0
            if better >= 0:
                copy_values(tried, kept[rows])
                senses[rows] = sense
                rows += 1
            _reverse(tried[1:])
    return kept[:rows], senses[:rows]


@inlined
def _reverse(values: np.ndarray) -> None:
    for place in range(values.size // 2):
        values[place], values[-1 - place] = values[-1 - place], values[place]


@inlined
def _is_convex(sides: np.ndarray, order: np.ndarray) -> bool:
    """Say whether all dots are corners of their hull; ``order``: the dots, in order around one corner."""
    right = 0
    for place in range(order.size):
        right += sides[order[place - 2], order[place - 1], order[place]] < 0
    return right == 0


@inlined
def _write_rotations(present: np.ndarray, order: np.ndarray, kept: np.ndarray, senses: np.ndarray) -> None:
    """Write all labellings of dots in convex position to ``kept`` and ``senses``: from each corner, both ways round."""
    for number in range(present.size):
        start = 0
        while order[start] != present[number]:
            start += 1
        for label in range(present.size):
            kept[2 * number, label] = order[(start + label) % present.size]
            kept[2 * number + 1, label] = order[start - label]
        senses[2 * number], senses[2 * number + 1] = 1, -1


@inlined
def write_radial_order(sides: np.ndarray, present: np.ndarray, corner: int, order: np.ndarray) -> bool:
    """Write ``corner``, then the dots anticlockwise around it, to ``order``; return False if it is not on the hull."""
    seen = 0
    order[0] = corner
    for dot in present:
        if dot == corner:
            continue
        before = 1
        for other in present:
            if sides[corner, dot, other] < 0:
                before += 1
        if seen >> before & 1:
            return False
        seen |= 1 << before
        order[before] = dot
    return True


@inlined
def compare(sides: np.ndarray, tried: np.ndarray, sense: int, best: np.ndarray, best_sense: int) -> int:
    """Return 1, 0 or -1 if the turns of ``tried`` are greater than, equal to or less than those of ``best``."""
    for i in range(1, tried.size - 2):
        for j in range(i + 1, tried.size - 1):
            for k in range(j + 1, tried.size):
                turn = sides[tried[i], tried[j], tried[k]] * sense
                kept = sides[best[i], best[j], best[k]] * best_sense
                if turn != kept:
                    return 1 if turn > kept else -1
    return 0
