"""Finds the owner of single cells: in floating point where that is beyond doubt, elsewhere in whole numbers.

A colour's pull on a cell is a sum of n quotients, one for each stone. Two quotients are added with one division and
four roundings. So the relative error of the sum is at most about (n / 2 + 4) 2^-53; ``rounding_share`` returns more, to
be safe. If the greatest pull exceeds the second greatest by more than this share, the colour of the greatest pull owns
the cell. All other cells, mostly those equally far from stones of two colours, are decided in whole numbers: by
``exact_sums.sign_of_sum`` (law "gravity") or by cross-multiplication (law "nearest"). Either way the answer is exact
and does not depend on the order of the stones. A cell whose greatest pull is shared belongs to nobody.
"""

from __future__ import annotations

import numpy as np

from hinterland.gravity.area.exact_sums import sign_of_sum
from hinterland.gravity.area.stones import Stones
from hinterland.jit import inlined

NOBODY = -1
UNDER_STONE_SQUARE = 1e-30
"""Squared distance used instead of 0 in the cell under a stone, so that the stone's pull there exceeds all others."""


@inlined
def rounding_share(stones: int) -> float:
    """Return a generous upper bound on the relative rounding error of a sum of ``stones`` pulls."""
    return 4.0 * (stones + 2) * 2.0**-52


@inlined
def square_to(stones: Stones, i: int, row: int, col: int) -> int:
    """Return the squared distance of a cell from a stone."""
    return (row - int(stones.rows[i])) ** 2 + (col - int(stones.cols[i])) ** 2


@inlined
def add_pulls(stones: Stones, seat: int, rows: np.ndarray, cols: np.ndarray, count: int, pulls: np.ndarray) -> None:
    """Set ``pulls[:count]`` to the pulls of a seat on the first ``count`` cells (rows, cols); all arrays are float64.

    The inner loops run over cells, so that the compiler can take several at a time. One division serves two stones,
    because divisions take most of the time.
    """
    pulls[:count] = 0.0
    first, last = stones.starts[seat], stones.starts[seat + 1]
    if stones.nearest:
        for i in range(first, last):
            for cell in range(count):
                pulls[cell] = max(pulls[cell], stones.weights[i] / _square_from(stones, i, rows[cell], cols[cell]))
    else:
        for i in range(first, last - 1, 2):
            one, other = stones.weights[i], stones.weights[i + 1]
            for cell in range(count):
                square = _square_from(stones, i, rows[cell], cols[cell])
                next_square = _square_from(stones, i + 1, rows[cell], cols[cell])
                pulls[cell] += (one * next_square + other * square) / (square * next_square)
        if (last - first) % 2:
            for cell in range(count):
                pulls[cell] += stones.weights[last - 1] / _square_from(stones, last - 1, rows[cell], cols[cell])


@inlined
def _square_from(stones: Stones, i: int, row: float, col: float) -> float:
    down, right = row - float(stones.rows[i]), col - float(stones.cols[i])
    return max(down * down + right * right, UNDER_STONE_SQUARE)


@inlined
def list_terms(
    stones: Stones, one: int, other: int, row: int, col: int, numerators: np.ndarray, squares: np.ndarray
) -> int:
    """Write the pull of seat ``one`` on a cell minus that of seat ``other`` as a sum of fractions; return their number.

    ``numerators``, ``squares``: int64, the tops and bottoms of the fractions, with room for all stones of both seats.
    """
    term = 0
    for sign in (1, -1):
        seat = one if sign == 1 else other
        for i in range(stones.starts[seat], stones.starts[seat + 1]):
            numerators[term] = sign * int(stones.weights[i])
            squares[term] = square_to(stones, i, row, col)
            term += 1
    return term


@inlined
def _strongest(stones: Stones, seat: int, row: int, col: int) -> tuple[int, int]:
    """Return weight and squared distance of the seat's stone that pulls hardest at a cell; (0, 1) if it has none."""
    best_weight = 0
    best_square = 1
    for i in range(stones.starts[seat], stones.starts[seat + 1]):
        weight = int(stones.weights[i])
        square = square_to(stones, i, row, col)
        if weight * best_square > best_weight * square:
            best_weight = weight
            best_square = square
    return best_weight, best_square


@inlined(allocates=True)
def _own_exactly(stones: Stones, row: int, col: int) -> int:
    """Return the owner of a cell on which no stone stands, computed in whole numbers."""
    numerators = np.empty(stones.rows.size, dtype=np.int64)
    squares = np.empty(stones.rows.size, dtype=np.int64)
    best = 0
    tied = False
    for seat in range(1, stones.starts.size - 1):
        if stones.nearest:
            weight, square = _strongest(stones, seat, row, col)
            best_weight, best_square = _strongest(stones, best, row, col)
            order = weight * best_square - best_weight * square
        else:
            order = sign_of_sum(numerators, squares, list_terms(stones, seat, best, row, col, numerators, squares))
        if order > 0:
            best = seat
        tied = order == 0 or (tied and order < 0)
    return NOBODY if tied else best


@inlined
def own_cells(
    stones: Stones, rows: np.ndarray, cols: np.ndarray, count: int, pulls: np.ndarray, own: np.ndarray
) -> None:
    """Set ``own[:count]`` (int64) to the owners of the first ``count`` cells (rows, cols).

    ``pulls``: float64 (players, >= count), overwritten.
    """
    players = stones.starts.size - 1
    for seat in range(players):
        add_pulls(stones, seat, rows, cols, count, pulls[seat])
    error = rounding_share(stones.rows.size)
    for cell in range(count):
        best = 0
        most = pulls[0, cell]
        second = 0.0
        for seat in range(1, players):
            pull = pulls[seat, cell]
            if pull > most:
                second = most
                most = pull
                best = seat
            elif pull > second:
                second = pull
        if most - second > error * most:
            own[cell] = best
        else:
            own[cell] = _own_exactly(stones, int(rows[cell]), int(cols[cell]))
