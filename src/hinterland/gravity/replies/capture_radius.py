"""From how near a new stone takes a cell: the capture radius, as an exact whole number.

For the seat to move let m(x) be its own pull on cell x and T(x) the greatest pull of any other seat. A new
stone of weight w at c makes x its own exactly when ``m + w / |x - c|^2 > T``, that is ``|x - c|^2 < w / (T -
m)``. Squared distances are whole, so what matters is the *reach* of x: the greatest whole k below that
quotient. It is -1 where nothing is to be gained (the cell is the mover's already, or lies under a stone), and
EVERYWHERE where any stone on the board will do (T = m).

Under the law "nearest" only the strongest single stones count: ``|x - c|^2 < w / T``, unless m > T already.

Quotients are often exactly whole (always so where one stone faces one), and the comparison is strict: floating
point brackets the quotient, and where the bracket holds a whole number the question ``w / k + m > T`` is
settled in whole numbers.
"""

from __future__ import annotations

import math

import numpy as np

from hinterland.gravity.area.cell_owner import add_pulls, doubt_of
from hinterland.gravity.area.exact_sums import sign_of_sum
from hinterland.jit import inlined, kernel

__all__ = ["EVERYWHERE", "reaches_of_row"]

EVERYWHERE = 1 << 30
"""Greater than any squared distance on a board."""


@inlined
def _gains_against(
    stones: np.ndarray, starts: np.ndarray, seat: int, other: int, weight: int, square: int, row: int, col: int
) -> bool:
    """Say, exactly, whether the mover with a new stone at a squared distance (0: none) out-pulls a seat on a cell."""
    count = starts[seat + 1] - starts[seat] + starts[other + 1] - starts[other] + 1
    numerators = np.zeros(count, dtype=np.int64)
    squares = np.ones(count, dtype=np.int64)
    term = 0
    if square > 0:
        numerators[0] = weight
        squares[0] = square
        term = 1
    for sign in (1, -1):
        side = seat if sign == 1 else other
        for i in range(starts[side], starts[side + 1]):
            numerators[term] = sign * int(stones[2, i])
            squares[term] = (row - int(stones[0, i])) ** 2 + (col - int(stones[1, i])) ** 2
            term += 1
    return sign_of_sum(numerators, squares, term) > 0


@inlined
def _takes(stones: np.ndarray, starts: np.ndarray, seat: int, weight: int, square: int, row: int, col: int) -> bool:
    """Say whether a new stone at a squared distance (0: none) makes a cell the mover's, exactly."""
    for other in range(starts.size - 1):
        if other != seat and not _gains_against(stones, starts, seat, other, weight, square, row, col):
            return False
    return True


@inlined
def _reach_exactly(
    stones: np.ndarray, starts: np.ndarray, seat: int, weight: int, low: int, high: int, row: int, col: int
) -> int:
    """Return the reach of a cell, known to be at least ``low`` and at most ``high``, by halving."""
    while low < high:
        middle = (low + high + 1) // 2
        if _takes(stones, starts, seat, weight, middle, row, col):
            low = middle
        else:
            high = middle - 1
    return low


@inlined
def _reach_gravity(
    stones: np.ndarray,
    starts: np.ndarray,
    seat: int,
    weight: int,
    own: float,
    rival: float,
    row: int,
    col: int,
    farthest: int,
) -> int:
    """Return the reach of a cell without a stone, given the float pulls of the mover and of its strongest rival."""
    error = doubt_of(stones.shape[1]) * (own + rival)
    lead = rival - own
    if lead < -error:
        return -1
    if lead > error:
        most = float(farthest + 1)
        below = math.ceil(min(weight / (lead + error) * (1.0 - 1e-15), most)) - 1
        above = math.ceil(min(weight / (lead - error) * (1.0 + 1e-15), most)) - 1
        if below == above:
            return EVERYWHERE if below >= farthest else below
        reach = _reach_exactly(stones, starts, seat, weight, below, above, row, col)
    else:
        if _takes(stones, starts, seat, weight, 0, row, col):
            return -1
        reach = _reach_exactly(stones, starts, seat, weight, 0, farthest, row, col)
    return EVERYWHERE if reach >= farthest else reach


@inlined
def _reach_of_one(weight: int, square: int, rival: int, farthest: int) -> int:
    """Return the greatest k with ``weight / k > rival / square``: the reach against a single stone."""
    reach = (weight * square - 1) // rival
    return EVERYWHERE if reach >= farthest else reach


@inlined
def _reach_nearest(
    stones: np.ndarray, starts: np.ndarray, seat: int, weight: int, row: int, col: int, farthest: int
) -> int:
    """Return the reach of a cell without a stone under the law "nearest", by cross-multiplication."""
    own_weight = 0
    own_square = 1
    rival = 0
    rival_square = 1
    for i in range(stones.shape[1]):
        stone = int(stones[2, i])
        square = (row - int(stones[0, i])) ** 2 + (col - int(stones[1, i])) ** 2
        if starts[seat] <= i < starts[seat + 1]:
            if stone * own_square > own_weight * square:
                own_weight = stone
                own_square = square
        elif stone * rival_square > rival * square:
            rival = stone
            rival_square = square
    if own_weight * rival_square > rival * own_square:
        return -1
    return EVERYWHERE if rival == 0 else _reach_of_one(weight, rival_square, rival, farthest)


@kernel
def reaches_of_row(  # noqa: PLR0912
    stones: np.ndarray,
    starts: np.ndarray,
    seat: int,
    weight: int,
    nearest: bool,
    row: int,
    places: np.ndarray,
    pulls: np.ndarray,
    reaches: np.ndarray,
) -> None:
    """Set ``reaches``, int32[size], to the reach of every cell of a row.

    ``places``: float64 (2, size), the cells' rows and columns; ``pulls``: float64 (3, size), overwritten.
    """
    size = reaches.size
    farthest = 2 * (size - 1) ** 2
    rivals = stones.shape[1] - (starts[seat + 1] - starts[seat])
    if nearest:
        for col in range(size):
            reaches[col] = _reach_nearest(stones, starts, seat, weight, row, col, farthest)
    elif stones.shape[1] == 1 and rivals == 1:
        for col in range(size):
            square = (row - int(stones[0, 0])) ** 2 + (col - int(stones[1, 0])) ** 2
            reaches[col] = _reach_of_one(weight, square, int(stones[2, 0]), farthest)
    else:
        pulls[1] = 0.0
        for other in range(starts.size - 1):
            add_pulls(stones, starts[other], starts[other + 1], places[0], places[1], size, False, pulls[2])
            if other == seat:
                pulls[0] = pulls[2]
            else:
                for col in range(size):
                    pulls[1, col] = max(pulls[1, col], pulls[2, col])
        for col in range(size):
            own = pulls[0, col]
            rival = pulls[1, col]
            if rival == 0.0:
                reaches[col] = EVERYWHERE if own == 0.0 else -1
            else:
                reaches[col] = _reach_gravity(stones, starts, seat, weight, own, rival, row, col, farthest)
    for i in range(stones.shape[1]):
        if int(stones[0, i]) == row:
            reaches[int(stones[1, i])] = -1
