"""Gravity with two stones a side on small boards, exactly: all placements, by alpha-beta search.

The first player places a, the second b, then a', then b'. The last ply is a reply map that also counts the cells it
leaves to nobody. Let a cell's squared distances to the stones be p, q (the first player's) and s (the second's). A
stone at squared distance d makes it the second player's when ``1/d > 1/p + 1/q - 1/s = N/D`` with ``D = p q s``, so for
``d <= (D - 1) // N``, and nobody's when ``d = D / N``: whole numbers, below 2^63 up to size 1000. Where N <= 0, any
d will do.

Leads are the second player's cells less the first's. Stones may stand side by side (spacing 1). Cells are numbered row
by row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.jit import inlined, kernel

EVERYWHERE = 1 << 29
"""Greater than any squared distance on a board."""
MOST_LEAD = 1 << 40
"""Greater than any lead."""


class Line(NamedTuple):
    """Best play: a lead and the four cells."""

    lead: int
    first: int
    second: int
    third: int
    fourth: int


@inlined
def _square(cell: int, other: int, size: int) -> int:
    """Return the squared distance of two cells."""
    down, right = cell // size - other // size, cell % size - other % size
    return down * down + right * right


@kernel
def set_reaches(size: int, own: int, others: tuple[int, int], opened: np.ndarray, closed: np.ndarray) -> None:
    """Set the squared distances up to which a new stone takes a cell (``opened``), or at least levels it (``closed``).

    Both int32[size**2].
    """
    for cell in range(size * size):
        p, q, s = _square(cell, others[0], size), _square(cell, others[1], size), _square(cell, own, size)
        over = s * (p + q) - p * q
        if s == 0:
            opened[cell] = closed[cell] = EVERYWHERE
        elif p == 0 or q == 0:
            opened[cell] = closed[cell] = -1
        elif over <= 0:
            opened[cell] = closed[cell] = EVERYWHERE
        else:
            opened[cell] = min((p * q * s - 1) // over, EVERYWHERE)
            closed[cell] = min(p * q * s // over, EVERYWHERE)


@kernel
def lead_of(size: int, stone: int, opened: np.ndarray, closed: np.ndarray, squares: np.ndarray) -> int:
    """Return the lead after the last stone. ``squares``: int32[2 size - 1], of -size + 1 .. size - 1."""
    row, col = stone // size, stone % size
    across = squares[size - 1 - col : 2 * size - 1 - col]
    total = np.int32(0)
    for line in range(size):
        down = squares[size - 1 + line - row]
        wide = opened[line * size : (line + 1) * size]
        near = closed[line * size : (line + 1) * size]
        for i in range(size):
            square = across[i] + down
            total += np.int32(square <= wide[i]) + np.int32(square <= near[i])
    return int(total) - size * size


@inlined
def _to_front(order: np.ndarray, place: int) -> None:
    """Move a cell to the front: the refutation of one move mostly refutes the next."""
    cell = order[place]
    for i in range(place, 0, -1):
        order[i] = order[i - 1]
    order[0] = cell


@kernel
def best_last(
    size: int, own: int, others: tuple[int, int], enough: int, order: np.ndarray, work: np.ndarray
) -> tuple[int, int]:
    """Return the greatest lead of a last stone and its cell, or one of at least ``enough``, the first that is found.

    ``order``: int64, the cells in the order of trial; ``work``: int32 (3, size**2), overwritten.
    """
    opened, closed, squares = work[0], work[1], work[2]
    for i in range(2 * size - 1):
        squares[i] = (i - size + 1) ** 2
    set_reaches(size, own, others, opened, closed)
    most, where, at = -MOST_LEAD, -1, 0
    for i in range(size * size):
        cell = order[i]
        if cell not in (own, others[0], others[1]):
            lead = lead_of(size, cell, opened, closed, squares)
            if lead > most:
                most, where, at = lead, cell, i
                if most >= enough:
                    break
    _to_front(order, at)
    return most, where


@kernel
def best_third(
    size: int, first: int, second: int, enough: int, orders: np.ndarray, work: np.ndarray
) -> tuple[int, int, int]:
    """Return the least lead that the first player's second stone leaves, with it and the answer.

    Stops at a lead of at most ``enough``. ``orders``: int64 (3, size**2), the orders of trial of second, third and last
    stones.
    """
    least, third, fourth, at = MOST_LEAD, -1, -1, 0
    for i in range(size * size):
        cell = orders[1, i]
        if cell not in (first, second):
            lead, answer = best_last(size, second, (first, cell), least, orders[2], work)
            if lead < least:
                least, third, fourth, at = lead, cell, answer, i
                if least <= enough:
                    break
    _to_front(orders[1], at)
    return least, third, fourth


@kernel
def best_second(size: int, first: int, enough: int, orders: np.ndarray, work: np.ndarray) -> tuple[int, int, int, int]:
    """Return the greatest lead that the second player's first stone secures, with all stones behind it.

    Stops at a lead of at least ``enough``.
    """
    most, second, third, fourth, at = -MOST_LEAD, -1, -1, -1, 0
    for i in range(size * size):
        cell = orders[0, i]
        if cell != first:
            lead, after, answer = best_third(size, first, cell, most, orders, work)
            if lead > most:
                most, second, third, fourth, at = lead, cell, after, answer, i
                if most >= enough:
                    break
    _to_front(orders[0], at)
    return most, second, third, fourth


@kernel
def lead_against(size: int, stones: tuple[int, int], enough: int, orders: np.ndarray, work: np.ndarray) -> int:
    """Return the second player's greatest lead with two stones against two that stand already; stops at ``enough``."""
    most, at = -MOST_LEAD, 0
    for i in range(size * size):
        cell = orders[0, i]
        if cell not in stones:
            lead, _ = best_last(size, cell, stones, enough, orders[2], work)
            if lead > most:
                most, at = lead, i
                if most >= enough:
                    break
    _to_front(orders[0], at)
    return most


def from_the_middle(size: int) -> np.ndarray:
    """Return all cells, the innermost first."""
    row, col = np.divmod(np.arange(size * size), size)
    away = (2 * row - size + 1) ** 2 + (2 * col - size + 1) ** 2
    return np.argsort(away, kind="stable")


def openings(size: int) -> list[int]:
    """Return one cell of each class of symmetric cells, the innermost first."""
    half = (size + 1) // 2
    places = [divmod(cell, size) for cell in from_the_middle(size).tolist()]
    return [row * size + col for row, col in places if row <= col < half]


def scratch(size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the orders of trial, and room for ``best_last``."""
    return np.tile(from_the_middle(size), (3, 1)), np.empty((3, max(size * size, 2 * size)), dtype=np.int32)


def solve(size: int) -> Line:
    """Return best play from the empty board."""
    orders, work = scratch(size)
    best = Line(MOST_LEAD, -1, -1, -1, -1)
    for first in openings(size):
        found = best_second(size, first, best.lead, orders, work)
        if found[0] < best.lead:
            best = Line(found[0], first, *found[1:])
    return best


def best_layout(size: int) -> tuple[int, int, int]:
    """Return the least lead against two stones that are placed before the second player places any, and their cells."""
    orders, work = scratch(size)
    cells = from_the_middle(size).tolist()
    best = (MOST_LEAD, -1, -1)
    for first in openings(size):
        for other in cells:
            if other != first and (lead := lead_against(size, (first, other), best[0], orders, work)) < best[0]:
                best = (lead, first, other)
    return best
