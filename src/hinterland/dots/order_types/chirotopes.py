"""Order types: all that the game knows about the places of its dots.

The turn of every three dots decides which lines cross, and so the value of a board; coordinates add nothing. Signs that
satisfy the axioms below are an abstract order type (an acyclic uniform oriented matroid of rank 3). Each abstract order
type of up to 8 dots is the order type of some dots in the plane. From 9 dots on, a few belong to no dots in the plane;
with slightly crooked lines, the game can be played on them, too (Goodman and Pollack, "Proof of Grünbaum's Conjecture
on the Stretchability of Certain Arrangements of Pseudolines", 1980).

There are two axioms. First, seen from any dot, the other dots have an order: if those on one side of a line through
that dot are reflected in the dot, so that all lie on the same side, "is to the left of" is transitive (the
Grassmann-Plücker relation of three terms). Second, there is an outside. A side of the hull is a pair of dots with all
others on its left; there must be such sides, and no dot may be an end of all of them (by Farkas's lemma, if the signs
are not acyclic, some dot is an end of every side).
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from hinterland.errors import RulesError


def dots_of(turns: int) -> int | None:
    """Return the number of dots that have ``turns`` triples; None if no number of dots has."""
    dots = 3
    while comb(dots, 3) < turns:
        dots += 1
    return dots if comb(dots, 3) == turns else None


def sides(signs: str, dots: int) -> np.ndarray:
    """Return the turn of dots i, j, k at [i, j, k]: 1 left, -1 right, 0 if two are the same dot; int8 (n, n, n)."""
    turn = np.frombuffer(signs.encode(), dtype=np.uint8)
    value = np.where(turn == ord("+"), 1, -1).astype(np.int8)
    i, j, k = np.array(list(combinations(range(dots), 3))).T
    table = np.zeros((dots, dots, dots), dtype=np.int8)
    for a, b, c in ((i, j, k), (j, k, i), (k, i, j)):
        table[a, b, c] = value
        table[b, a, c] = -value
    return table


def check_axioms(side: np.ndarray) -> None:
    """Raise RulesError unless these turns are those of an abstract order type."""
    dots = len(side)
    for dot in range(dots):
        others = np.delete(np.arange(dots), dot)
        front = side[dot, others[0], others].copy()
        front[0] = 1
        order = side[dot][np.ix_(others, others)] * np.outer(front, front)
        if len(set((order > 0).sum(axis=1).tolist())) < dots - 1:
            raise RulesError(f"no dots have these orientations: seen from dot {dot}, the others have no order")
    hull = np.argwhere((side > 0).sum(axis=2) == dots - 2).tolist()
    ends = [set(pair) for pair in hull]
    if not ends or set.intersection(*ends):
        raise RulesError("no dots have these orientations: there is no outside")
