"""All order types of a number of dots, each made once, by adding a corner to the order types with one dot less.

Seen from a corner, all other dots have an order. So a board is given by a corner, this order of the other dots, and the
turns of their triples. For any four of the other dots, i, j, k and l in this order, the turns (i j k), (i j l), (i k
l), (j k l) change their sign at most once; this is the only condition. (These are the signotopes of Felsner and Weil,
"Sweeps, arrangements and signotopes", 2001.) So adding a corner to a board means listing the orders of the board's dots
in which any four dots satisfy the condition. The orders are built dot by dot; once the first few dots break the
condition, no order that begins with them is built.

A board has at least three corners, and could be made by adding any of them. It is accepted only if the corner added is
the first dot of a canonical labelling (McKay, "Isomorph-free exhaustive generation", 1998). If symmetries of the
smaller board map several orders to each other, only the lexicographically least of them is used. So no board is made
twice, and the boards made need not be remembered.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import comb

import numpy as np

from hinterland.dots.order_types.canonical import MAX_CODED_DOTS, compare, find_symmetries, sides_of, write_radial_order
from hinterland.errors import RulesError
from hinterland.jit import inlined, kernel

MAX_COUNTED_DOTS = MAX_CODED_DOTS + 1
"""Largest number of dots whose order types are counted."""


@cache
def list_codes(dots: int) -> np.ndarray:
    """Return the codes of all order types with ``dots`` dots up to reflection, greatest first: int64[types].

    The first code is that of dots on a circle. Do not change the array. Raises RulesError below 3 and above
    MAX_CODED_DOTS dots.
    """
    if not 3 <= dots <= MAX_CODED_DOTS:
        raise RulesError(f"order types are listed for 3 to {MAX_CODED_DOTS} dots, not {dots}")
    if dots == 3:
        return np.zeros(1, dtype=np.int64)
    bits = 1 << np.arange(comb(dots - 1, 3), dtype=np.int64)[::-1]
    found = np.concatenate([(turns > 0) @ bits for turns in _extend_all(dots)])
    return np.sort(found)[::-1].copy()


def count_order_types(dots: int) -> int:
    """Count the order types with ``dots`` dots up to reflection. Raises RulesError above MAX_COUNTED_DOTS."""
    if dots == MAX_COUNTED_DOTS:
        return sum(len(turns) for turns in _extend_all(dots))
    return len(list_codes(dots))


def _extend_all(dots: int) -> Iterator[np.ndarray]:
    """Yield the result of ``extend`` for each order type with one dot less."""
    for code in list_codes(dots - 1):
        yield extend(sides_of(int(code), dots - 1))


@kernel(allocates=True)
def extend(side: np.ndarray) -> np.ndarray:
    """Add a corner to a board in all ways, and return the accepted boards, each as the turns that form its code.

    ``side``: turns of the board, int8 (m, m, m). Returns int8 (boards, triples of m dots).
    """
    dots = side.shape[0]
    images, senses = find_symmetries(side)
    rows = _list_orders(_find_followers(side))
    turns = np.empty((len(rows), dots * (dots - 1) * (dots - 2) // 6), dtype=np.int8)
    board = np.zeros((dots + 1, dots + 1, dots + 1), dtype=np.int8)
    found = 0
    for row in rows:
        if not _is_least(row, images, senses):
            continue
        _lay_out(side, row, board)
        sense = _find_canonical_sense(board)
        if sense:
            _write_turns(side, row, sense, turns[found])
            found += 1
    return turns[:found]


@inlined(allocates=True)
def _list_orders(after: np.ndarray) -> np.ndarray:
    """Return all orders of the m dots, int64 (orders, m), in which each dot may come after any three before it.

    ``after``: what ``_find_followers`` returns.
    """
    dots = after.shape[0]
    found = np.empty((256, dots), dtype=np.int64)
    size = 0
    row = np.full(dots, -1, dtype=np.int64)
    left = (1 << dots) - 1
    place = 0
    while place >= 0:
        if row[place] >= 0:
            left ^= 1 << row[place]
        row[place] += 1
        while row[place] < dots and not (left >> row[place] & 1 and _can_continue(after, row, place, left)):
            row[place] += 1
        if row[place] == dots:
            row[place] = -1
            place -= 1
            continue
        left ^= 1 << row[place]
        if place < dots - 1:
            place += 1
            continue
        if size == len(found):
            longer = np.empty((2 * size, dots), dtype=np.int64)
            longer[:size] = found
            found = longer
        found[size] = row
        size += 1
    return found[:size]


@inlined(allocates=True)
def _find_followers(side: np.ndarray) -> np.ndarray:
    """Return for each ordered triple (i, j, k) a bit mask of the dots that may come after it: int64 (m, m, m).

    A dot may come after the triple if the turns of these four dots change their sign at most once.
    """
    dots = side.shape[0]
    after = np.zeros((dots, dots, dots), dtype=np.int64)
    for i in range(dots):
        for j in range(dots):
            for k in range(dots):
                for last in range(dots):
                    first, second, third = side[i, j, k], side[i, j, last], side[i, k, last]
                    changes = int(first != second) + int(second != third) + int(third != side[j, k, last])
                    if changes <= 1:
                        after[i, j, k] |= 1 << last
    return after


@inlined
def _can_continue(after: np.ndarray, row: np.ndarray, last: int, left: int) -> bool:
    """Say whether the order may go on after place ``last``.

    Each other dot in ``left`` must be able to come after any two earlier dots and the dot at place ``last``.
    """
    rest = left ^ 1 << row[last]
    for i in range(last - 1):
        for j in range(i + 1, last):
            if rest & ~after[row[i], row[j], row[last]]:
                return False
    return True


@inlined
def _is_least(row: np.ndarray, images: np.ndarray, senses: np.ndarray) -> bool:
    """Say whether no symmetry of the smaller board maps this order to a lesser one.

    A symmetry that reverses turns also reverses the order.
    """
    for symmetry in range(1, len(images)):
        for place in range(row.size):
            image = images[symmetry, row[place if senses[symmetry] > 0 else row.size - 1 - place]]
            if image != row[place]:
                if image < row[place]:
                    return False
                break
    return True


@inlined
def _lay_out(side: np.ndarray, row: np.ndarray, board: np.ndarray) -> None:
    """Write the turns of a board to ``board``: dot 0 is the added corner, the other dots are those of ``row``."""
    for i in range(row.size):
        for j in range(row.size):
            turn = (j > i) - (j < i)
            board[0, i + 1, j + 1] = turn
            board[i + 1, 0, j + 1] = -turn
            board[i + 1, j + 1, 0] = turn
            for k in range(row.size):
                board[i + 1, j + 1, k + 1] = side[row[i], row[j], row[k]]


@inlined(allocates=True)
def _find_canonical_sense(board: np.ndarray) -> int:
    """Return the sense, 1 or -1, of a canonical labelling that begins with dot 0; 0 if there is none."""
    dots = board.shape[0]
    every = np.arange(dots)
    own = np.arange(dots)
    other = np.arange(dots)
    other[1:] = own[:0:-1]
    sense = 1
    if compare(board, other, -1, own, 1) > 0:
        own, other = other, own
        sense = -1
    for corner in range(1, dots):
        if write_radial_order(board, every, corner, other):
            if compare(board, other, 1, own, sense) > 0:
                return 0
            other[1:] = other[:0:-1].copy()
            if compare(board, other, -1, own, sense) > 0:
                return 0
    return sense


@inlined
def _write_turns(side: np.ndarray, row: np.ndarray, sense: int, turns: np.ndarray) -> None:
    """Write the turns of all triples of ``row`` to ``turns``; if ``sense`` is -1, backwards and with signs reversed."""
    order = row[::sense]
    turn = 0
    for i in range(row.size):
        for j in range(i + 1, row.size):
            for k in range(j + 1, row.size):
                turns[turn] = sense * side[order[i], order[j], order[k]]
                turn += 1
