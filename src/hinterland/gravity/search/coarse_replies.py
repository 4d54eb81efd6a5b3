"""The reply map of a coarse board, which a search asks for thousands of times a second.

It is made like that of replies/reply_map.py, with two differences. It shows what a stone would add to the area of its
seat *less those of the others*, as two players see it: a cell taken from another counts twice, one taken from nobody or
left to nobody counts once. And it does without arithmetic in whole numbers: pulls that differ by less than rounding
are equal, and quotients that close to a whole number are whole. So a coarse board as fine as the real one answers what
the rules do wherever pulls differ by more than that: on small boards with few stones, everywhere.

Coarse boards of 64 x 64 cells and more, short of the real one, enter one disc for each block of 2 x 2 cells, of its
mean pulls. That makes a map three times as quick, and changes gains by what docs/performance.md says.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hinterland.gravity.search.coarse_board import TIE, WHOLE, CoarseBoard
from hinterland.jit import inlined, kernel


@inlined
def _find_rival(board: CoarseBoard, seat: int) -> None:
    """Set ``board.rival`` to the greatest pull of any seat but one."""
    board.rival[:] = 0.0
    for other in range(board.placed.size):
        if other != seat:
            pulls = board.pulls[other, board.placed[other]]
            for row in range(board.grid):
                for col in range(board.grid):
                    board.rival[row, col] = max(board.rival[row, col], pulls[row, col])


class Disc(NamedTuple):
    """Cells that are gained together, around a cell or around the corner that four cells share."""

    even: int
    """1 around the corner of a cell and the next ones below and to the right, else 0."""
    reach: int
    """The greatest i^2 + j^2 of a cell (i, j); around a corner i (i + 1) + j (j + 1), counted from each of the four."""
    inner: int
    """How far the square within the disc goes."""
    outer: int
    """How far the disc goes."""
    points: int
    """What each cell counts."""


@inlined
def _enter_cap(
    lines: np.ndarray, line: int, step: int, room: int, middle: int, disc: Disc, roots: np.ndarray
) -> None:
    """Enter the runs of a cap around ``middle``, from the square outwards as far as there are lines."""
    size = lines.shape[0] - 1
    for away in range(disc.inner + 1, min(disc.outer, room) + 1):
        half = int(roots[np.uint64(disc.reach - away * (away + disc.even))])
        run = lines[np.uint64(line + step * away)]
        run[np.uint64(max(middle - half, 0))] += disc.points
        run[np.uint64(min(middle + half + disc.even + 1, size))] -= disc.points


@inlined
def _enter_disc(tables: np.ndarray, roots: np.ndarray, row: int, col: int, even: int, reach: int, points: int) -> None:
    """Enter a disc as a square and four caps."""
    last = tables.shape[1] - 2
    inner = int(roots[np.uint64(reach >> 1)])
    disc = Disc(even, reach, inner, int(roots[np.uint64(reach)]), points)
    squares, by_row, by_col = tables[0], tables[1], tables[2]
    top, bottom = np.uint64(max(row - inner, 0)), np.uint64(min(row + inner + even, last) + 1)
    left, right = np.uint64(max(col - inner, 0)), np.uint64(min(col + inner + even, last) + 1)
    squares[top, left] += points
    squares[top, right] -= points
    squares[bottom, left] -= points
    squares[bottom, right] += points
    _enter_cap(by_row, row, -1, row, col, disc, roots)
    _enter_cap(by_row, row + even, 1, last - row - even, col, disc, roots)
    _enter_cap(by_col, col, -1, col, row, disc, roots)
    _enter_cap(by_col, col + even, 1, last - col - even, row, disc, roots)


@inlined
def _sum_up(board: CoarseBoard, everywhere: int) -> None:
    """Sum the differences up to the gains."""
    size = board.grid
    squares, by_row, by_col = board.tables[0], board.tables[1], board.tables[2]
    for col in range(size):
        total = 0
        for row in range(size):
            total += by_col[col, row]
            by_col[col, row] = total
    for row in range(size):
        square = 0
        cap = 0
        for col in range(size):
            square += squares[row, col]
            cap += by_row[row, col]
            squares[row, col] = square + (squares[row - 1, col] if row > 0 else 0)
            board.gains[row, col] = everywhere + cap + squares[row, col] + by_col[col, row]


@inlined
def _reaches(own: float, rival: float, weight: int, nearest: bool, farthest: int) -> tuple[int, int]:
    """Return the squared distances up to which a new stone takes a cell, and up to which it leaves it to nobody.

    -1 stands for nowhere and ``farthest`` for everywhere. A cell that is nobody's can only be taken.
    """
    lead = rival - own
    tied = abs(lead) <= TIE * rival
    if rival == 0.0 or (tied and not nearest):
        return (farthest if own <= rival or tied else -1), -1
    if lead < 0.0 and not tied:
        return -1, -1
    quotient = weight / (rival if nearest else lead)
    if quotient > farthest:
        return farthest, -1 if tied else farthest
    takes = math.ceil(quotient * (1.0 - WHOLE)) - 1
    return takes, -1 if tied else int(quotient * (1.0 + WHOLE))


@inlined
def _enter_cells(board: CoarseBoard, own: np.ndarray, weight: int) -> int:
    """Enter the discs of all cells, one by one; return what is gained everywhere."""
    farthest = 2 * (board.grid - 1) ** 2
    everywhere = 0
    for row in range(board.grid):
        for col in range(board.grid):
            takes, ties = _reaches(own[row, col], board.rival[row, col], weight, board.nearest, farthest)
            everywhere += (takes == farthest) + (ties == farthest)
            points = 1 + (takes == ties)
            for again in range(3 - points):
                reach = ties if again else takes
                if 0 <= reach < farthest:
                    _enter_disc(board.tables, board.roots, row, col, 0, reach, points)
    return everywhere


@inlined
def _enter_blocks(board: CoarseBoard, own: np.ndarray, weight: int) -> int:
    """Enter one disc for four cells, from their mean pulls; return what is gained everywhere."""
    farthest = 2 * (board.grid - 1) ** 2
    everywhere = 0
    for row in range(0, board.grid, 2):
        for col in range(0, board.grid, 2):
            rival = own_pull = 0.0
            for i in range(2):
                for j in range(2):
                    rival += board.rival[row + i, col + j]
                    own_pull += own[row + i, col + j]
            if own_pull < rival:
                quotient = 4 * weight / (rival if board.nearest else rival - own_pull)
                if quotient > farthest:
                    everywhere += 8
                elif quotient >= 0.5:
                    _enter_disc(board.tables, board.roots, row, col, 1, int(quotient - 0.5), 8)
    return everywhere


@kernel
def map_replies(board: CoarseBoard, seat: int, weight: int) -> None:
    """Set ``board.gains`` to what a stone of a seat on each cell would add to its area less those of the others."""
    board.tables[:] = 0
    own = board.pulls[seat, board.placed[seat]]
    _find_rival(board, seat)
    everywhere = _enter_blocks(board, own, weight) if board.blocks else _enter_cells(board, own, weight)
    _sum_up(board, everywhere)
