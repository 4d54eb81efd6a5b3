"""The owner of single cells: floating point where its margin is beyond doubt, whole numbers elsewhere.

A colour's pull on a cell is a sum of n correctly rounded quotients, so it is off by at most n times half a unit
in the last place. Where the greatest pull leads the next by more than several times that, it owns the cell; the
rest, mirror lines above all, goes to ``exact.sign_of_sum`` (law "gravity") or to cross-multiplication (law
"nearest"). Either way the answer is the exact one, whatever the order of the stones.
"""

from __future__ import annotations

import numpy as np

from hinterland.gravity.area.exact_sums import sign_of_sum
from hinterland.jit import inlined

__all__ = ["NOBODY", "add_pulls", "doubt_of", "own_cells", "stronger"]

NOBODY = -1
ON_A_STONE = 1e-30
"""Stands for the square 0 of the cell under a stone: its pull there outweighs all others."""


@inlined
def doubt_of(stones: int) -> float:
    """Return what share of a pull rounding may have changed in a sum over so many stones, with room to spare."""
    return 4.0 * (stones + 2) * 2.0**-52


@inlined
def add_pulls(
    stones: np.ndarray,
    first: int,
    last: int,
    rows: np.ndarray,
    cols: np.ndarray,
    count: int,
    nearest: bool,
    pulls: np.ndarray,
) -> None:
    """Set ``pulls[:count]`` to the pull of the stones ``first`` to ``last`` on the cells (rows, cols).

    ``stones``: float64 (3, n): row, column, weight; ``rows``, ``cols``, ``pulls``: float64. The inner loop runs
    over cells, so that the compiler can take several at a time.
    """
    pulls[:count] = 0.0
    for i in range(first, last):
        if nearest:
            for cell in range(count):
                down = rows[cell] - stones[0, i]
                right = cols[cell] - stones[1, i]
                pulls[cell] = max(pulls[cell], stones[2, i] / max(down * down + right * right, ON_A_STONE))
        else:
            for cell in range(count):
                down = rows[cell] - stones[0, i]
                right = cols[cell] - stones[1, i]
                pulls[cell] += stones[2, i] / max(down * down + right * right, ON_A_STONE)


@inlined
def stronger(stones: np.ndarray, starts: np.ndarray, row: int, col: int, one: int, other: int) -> int:
    """Compare two seats' pulls on a cell without a stone, exactly: 1, 0 or -1 as ``one`` pulls more, as much, less."""
    count = starts[one + 1] - starts[one] + starts[other + 1] - starts[other]
    numerators = np.empty(count, dtype=np.int64)
    squares = np.empty(count, dtype=np.int64)
    term = 0
    for sign in (1, -1):
        seat = one if sign == 1 else other
        for i in range(starts[seat], starts[seat + 1]):
            numerators[term] = sign * int(stones[2, i])
            squares[term] = (row - int(stones[0, i])) ** 2 + (col - int(stones[1, i])) ** 2
            term += 1
    return sign_of_sum(numerators, squares, count)


@inlined
def _own_exactly(stones: np.ndarray, starts: np.ndarray, row: int, col: int) -> int:
    """Return the owner of a cell without a stone under the law "gravity", in whole numbers."""
    best = 0
    tied = False
    for seat in range(1, starts.size - 1):
        order = stronger(stones, starts, row, col, seat, best)
        if order > 0:
            best = seat
            tied = False
        elif order == 0:
            tied = True
    return NOBODY if tied else best


@inlined
def _own_nearest_exactly(stones: np.ndarray, starts: np.ndarray, row: int, col: int) -> int:
    """Return the owner of a cell without a stone under the law "nearest", by cross-multiplication."""
    best = NOBODY
    best_weight = 0
    best_square = 1
    for seat in range(starts.size - 1):
        for i in range(starts[seat], starts[seat + 1]):
            weight = int(stones[2, i])
            square = (row - int(stones[0, i])) ** 2 + (col - int(stones[1, i])) ** 2
            margin = weight * best_square - best_weight * square
            if margin > 0:
                best = seat
                best_weight = weight
                best_square = square
            elif margin == 0 and best != seat:
                best = NOBODY
    return best


@inlined
def own_cells(
    stones: np.ndarray,
    starts: np.ndarray,
    rows: np.ndarray,
    cols: np.ndarray,
    count: int,
    nearest: bool,
    pulls: np.ndarray,
    own: np.ndarray,
) -> None:
    """Set ``own[:count]`` (int64) to the owners of cells. ``pulls``: float64 (players, >= count), overwritten."""
    for seat in range(starts.size - 1):
        add_pulls(stones, starts[seat], starts[seat + 1], rows, cols, count, nearest, pulls[seat])
    doubt = doubt_of(stones.shape[1])
    for cell in range(count):
        best = 0
        most = pulls[0, cell]
        second = 0.0
        for seat in range(1, starts.size - 1):
            pull = pulls[seat, cell]
            if pull > most:
                second = most
                most = pull
                best = seat
            elif pull > second:
                second = pull
        if most - second > doubt * most:
            own[cell] = best
        elif nearest:
            own[cell] = _own_nearest_exactly(stones, starts, int(rows[cell]), int(cols[cell]))
        else:
            own[cell] = _own_exactly(stones, starts, int(rows[cell]), int(cols[cell]))
