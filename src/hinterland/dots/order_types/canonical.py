"""The canonical numbering of an order type, and its symmetries.

Seen from a corner of the hull all other dots lie in order, from right to left. So a corner and a sense of rotation
number the dots; the numbering whose turns of triples, one after the other, are the greatest ("+" above "-") is the
canonical one. Where several are, they are the symmetries of the board.

Turns with the corner are all to the left in its numbering; the others, as bits, are the code of the order type.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from hinterland.dots.order_types import chirotopes as order
from hinterland.jit import inlined, kernel

__all__ = ["LARGEST", "around", "code_of", "compared", "numberings", "sides_of", "signs_of", "symmetries"]

LARGEST = 9
"""The most dots whose codes fit a word: 56 bits."""


def code_of(side: np.ndarray) -> int:
    """Return the code of the order type of a board, the same for all boards of it, mirrored ones as well."""
    numbered, senses = numberings(np.ascontiguousarray(side))
    inner = numbered[0, 1:]
    turns = side[np.ix_(inner, inner, inner)] * senses[0]
    return sum(
        1 << bit for bit, (i, j, k) in enumerate(list(combinations(range(len(inner)), 3))[::-1]) if turns[i, j, k] > 0
    )


def signs_of(code: int, dots: int) -> str:
    """Return an order type in the form of ``Rules.orientations``, numbered canonically."""
    inner = comb(dots - 1, 3)
    bits = f"{code:0{inner}b}" if inner else ""
    return "+" * comb(dots - 1, 2) + bits.translate({ord("0"): "-", ord("1"): "+"})


def sides_of(code: int, dots: int) -> np.ndarray:
    """Return the turn of any three dots of an order type, see ``order.sides``: int8 (n, n, n)."""
    return order.sides(signs_of(code, dots), dots)


@kernel
def symmetries(side: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what each symmetry makes of every dot, int64 (s, n), and its sense: 1 keeps all turns, -1 changes all.

    ``side``: int8 (n, n, n). The identity is the first.
    """
    numbered, senses = numberings(side)
    images = np.empty_like(numbered)
    for row in range(len(numbered)):
        for number in range(side.shape[0]):
            images[row, numbered[0, number]] = numbered[row, number]
    return images, senses * senses[0]


@kernel
def numberings(side: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return all canonical numberings: the dots in order, int64 (s, n), and the sense of each, 1 against the clock."""
    dots = side.shape[0]
    kept = np.empty((2 * dots, dots), dtype=np.int64)
    senses = np.empty(2 * dots, dtype=np.int64)
    tried = np.empty(dots, dtype=np.int64)
    rows = 0
    for corner in range(dots):
        if not around(side, corner, tried):
            continue
        for sense in (1, -1):
            better = 1 if rows == 0 else compared(side, tried, sense, kept[0], senses[0])
            if better > 0:
                rows = 0
            if better >= 0:
                kept[rows] = tried
                senses[rows] = sense
                rows += 1
            tried[1:] = tried[:0:-1].copy()
    return kept[:rows], senses[:rows]


@inlined
def around(side: np.ndarray, corner: int, dots: np.ndarray) -> bool:
    """Write down a corner of the hull and the others against the clock around it; return False where it is none."""
    seen = 0
    dots[0] = corner
    for dot in range(side.shape[0]):
        if dot == corner:
            continue
        before = 1
        for other in range(side.shape[0]):
            if side[corner, dot, other] < 0:
                before += 1
        if seen >> before & 1:
            return False
        seen |= 1 << before
        dots[before] = dot
    return True


@inlined
def compared(side: np.ndarray, tried: np.ndarray, sense: int, best: np.ndarray, best_sense: int) -> int:
    """Return 1, 0 or -1: the turns of one numbering are greater than those of another, the same, or less."""
    for i in range(1, tried.size - 2):
        for j in range(i + 1, tried.size - 1):
            for k in range(j + 1, tried.size):
                turn = side[tried[i], tried[j], tried[k]] * sense
                kept = side[best[i], best[j], best[k]] * best_sense
                if turn != kept:
                    return 1 if turn > kept else -1
    return 0
