"""Computes the reply map of a coarse board, which a search asks for thousands of times a second.

The map is made like that of replies/reply_map.py, with two differences. First, it shows what a stone would add to the
lead of its seat, which is the seat's area less the rival's. A cell that passes from a rival to the seat counts twice; a
cell that passes from nobody to the seat, or from a rival to nobody, counts once. Second, all arithmetic is in floating
point. Pulls that differ by no more than rounding count as equal; a quotient that differs from a whole number by no more
than rounding counts as this number. So a coarse board that is as fine as the real one agrees with the rules wherever
pulls differ by more than rounding. On small boards with few stones, it agrees everywhere.

A coarse board of at least 16 x 16 cells enters one disc for each block of 2 x 2 cells, unless it is as fine as the real
board. The disc is computed from the mean pulls of the block and entered as an octagon (coarse_discs.py). Blocks make a
map many times faster; docs/performance-log.md says by how much gains change.
"""

from __future__ import annotations

import math

import numpy as np

from hinterland.gravity.coarse.coarse_board import ROUNDING_SHARE, TIE_SHARE, CoarseBoard
from hinterland.gravity.coarse.coarse_discs import LANES, enter_octagons, set_disc, sum_octagons
from hinterland.gravity.coarse.expected_lead import LEAST_DANGER, UNITS_PER_CELL, danger, pool, sum_gains
from hinterland.jit import inlined, kernel, part

BLOCK_POINTS = 8
"""Points for taking a block: each of its four cells counts twice."""


@inlined
def _pool_rivals(board: CoarseBoard, seat: int) -> None:
    """Set ``board.rival`` to the greatest pull of any seat except ``seat``."""
    board.rival[:] = 0.0
    for other in range(board.placed.size):
        if other != seat:
            pulls = board.pulls[other, board.placed[other]]
            for row in range(board.grid):
                for col in range(board.grid):
                    board.rival[row, col] = max(board.rival[row, col], pulls[row, col])


@inlined
def _enter_cap(
    lines: np.ndarray, line: int, step: int, middle: int, outward: tuple[int, int, int], points: int, roots: np.ndarray
) -> None:
    """Enter the chords of a disc's cap, each centred on ``middle``.

    ``outward``: the disc's squared radius, half the side of the square within it, and how far it extends on the board.
    """
    size = lines.shape[0] - 1
    reach, inner, outer = outward
    for away in range(inner + 1, outer + 1):
        half = int(roots[np.uint64(reach - away * away)])
        run = lines[np.uint64(line + step * away)]
        run[np.uint64(max(middle - half, 0))] += points
        run[np.uint64(min(middle + half + 1, size))] -= points


@inlined
def _enter_disc(tables: np.ndarray, roots: np.ndarray, row: int, col: int, reach: int, points: int) -> None:
    """Enter the disc of all cells up to a squared distance of ``reach`` from (row, col), as a square and four caps."""
    last = tables.shape[1] - 2
    inner = int(roots[np.uint64(reach >> 1)])
    outer = int(roots[np.uint64(reach)])
    squares, by_row, by_col = tables[0], tables[1], tables[2]
    top, bottom = np.uint64(max(row - inner, 0)), np.uint64(min(row + inner, last) + 1)
    left, right = np.uint64(max(col - inner, 0)), np.uint64(min(col + inner, last) + 1)
    squares[top, left] += points
    squares[top, right] -= points
    squares[bottom, left] -= points
    squares[bottom, right] += points
    _enter_cap(by_row, row, -1, col, (reach, inner, min(outer, row)), points, roots)
    _enter_cap(by_row, row, 1, col, (reach, inner, min(outer, last - row)), points, roots)
    _enter_cap(by_col, col, -1, row, (reach, inner, min(outer, col)), points, roots)
    _enter_cap(by_col, col, 1, row, (reach, inner, min(outer, last - col)), points, roots)


@inlined
def _sum_up(board: CoarseBoard, everywhere: int) -> None:
    """Sum up the differences in ``board.tables`` into ``board.gains``, and add ``everywhere`` to each gain.

    ``everywhere``: the points that a stone gains wherever it goes.
    """
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
    """Return the squared distances up to which a new stone takes a cell, and up to which it leaves the cell to nobody.

    -1 stands for nowhere and ``farthest`` for everywhere. The second number is -1 for a cell that is nobody's.
    """
    lead = rival - own
    tied = abs(lead) <= TIE_SHARE * rival
    if rival == 0.0 or (tied and not nearest):
        return (farthest if own <= rival or tied else -1), -1
    if lead < 0.0 and not tied:
        return -1, -1
    quotient = weight / (rival if nearest else lead)
    if quotient > farthest:
        return farthest, -1 if tied else farthest
    takes = math.ceil(quotient * (1.0 - ROUNDING_SHARE)) - 1
    return takes, -1 if tied else int(quotient * (1.0 + ROUNDING_SHARE))


@inlined
def _enter_cells(board: CoarseBoard, own: np.ndarray, rival: np.ndarray, weight: int) -> int:
    """Enter the discs of all cells, one by one; return the points that a stone gains wherever it goes."""
    farthest = 2 * (board.grid - 1) ** 2
    everywhere = 0
    for row in range(board.grid):
        for col in range(board.grid):
            takes, ties = _reaches(own[row, col], rival[row, col], weight, board.nearest, farthest)
            everywhere += (takes == farthest) + (ties == farthest)
            points = 1 + (takes == ties)
            for again in range(3 - points):
                reach = ties if again else takes
                if 0 <= reach < farthest:
                    _enter_disc(board.tables, board.roots, row, col, reach, points)
    return everywhere


@inlined
def _square_blocks(
    board: CoarseBoard, own: np.ndarray, rival: np.ndarray, weight: int, row: int, scratch: np.ndarray
) -> None:
    """Set ``scratch[0]`` to the squared distance up to which a stone takes each block of two rows; 0 for none.

    ``scratch``: float64 (3, grid), overwritten.
    """
    squares, pulls, leads = scratch[0], scratch[1], scratch[2]
    for col in range(board.grid):
        pulls[col] = rival[row, col] + rival[row + 1, col]
        leads[col] = pulls[col] - own[row, col] - own[row + 1, col]
    for block in range(board.grid // 2):
        lead = leads[2 * block] + leads[2 * block + 1]
        pull = pulls[2 * block] + pulls[2 * block + 1] if board.nearest else lead
        squares[block] = 4 * weight / pull if lead > 0.0 else 0.0


@inlined(allocates=True)
def _enter_blocks(board: CoarseBoard, own: np.ndarray, rival: np.ndarray, weight: int) -> int:
    """Enter one disc for each block of four cells; return the points that a stone gains wherever it goes."""
    farthest = 2 * (board.grid - 1) ** 2
    everywhere = count = 0
    scratch = np.empty((3, board.grid))
    for row in range(0, board.grid, 2):
        _square_blocks(board, own, rival, weight, row, scratch)
        for block in range(board.grid // 2):
            square = scratch[0, block]
            if square > farthest:
                everywhere += BLOCK_POINTS
            elif square >= 0.5:
                set_disc(board.group, count, row + 1, 2 * block + 1, board.octagons[np.uint64(square)])
                count += 1
                if count == LANES:
                    enter_octagons(board.rims, board.grid, board.group, count, BLOCK_POINTS)
                    count = 0
    enter_octagons(board.rims, board.grid, board.group, count, BLOCK_POINTS)
    return everywhere


@inlined
def _sum_square(pulls: np.ndarray, row: int, col: int, side: int) -> float:
    """Return the sum of pulls on side x side cells, of which (row, col) is the first."""
    total = 0.0
    for i in range(row, row + side):
        for j in range(col, col + side):
            total += pulls[i, j]
    return total


@part
def _count_ring_gains(board: CoarseBoard, seat: int, own: np.ndarray, rival: np.ndarray, weight: int) -> None:
    """Set ``board.ring_gains`` to what a stone of ``seat`` beside each rival's stone would add to the seat's lead.

    A stone takes a cell, or a block, if it stands in the cell's disc: a true disc, where the map of blocks has an
    octagon. Cells of equal pulls count as in the map. Most discs hold all places of a ring or none, which the distance
    between the disc's centre and the ring's stone tells.
    """
    side = 2 if board.blocks else 1
    longest = 0.0
    for direction in range(board.ring.shape[0]):
        longest = max(longest, board.ring[direction, 0] ** 2 + board.ring[direction, 1] ** 2)
    for stone in range(board.begun + board.placed.sum()):
        gains = board.ring_gains[stone]
        gains[:] = -1 if board.stones[stone, 0] == seat else 0
        if board.stones[stone, 0] == seat:
            continue
        everywhere = 0
        for i in range(0, board.grid, side):
            down = i + 0.5 * (side - 1) - board.stones[stone, 1]
            for j in range(0, board.grid, side):
                pull = _sum_square(rival, i, j, side)
                lead = pull - _sum_square(own, i, j, side)
                if side == 1 and abs(lead) <= TIE_SHARE * pull:
                    everywhere += 0 if board.nearest else 1
                    continue
                if lead <= 0.0:
                    continue
                right = j + 0.5 * (side - 1) - board.stones[stone, 2]
                away = down * down + right * right
                slack = side * side * weight / (pull if board.nearest else lead) - away
                wide = 4.0 * longest * away
                if slack > longest and (slack - longest) * (slack - longest) > wide:
                    everywhere += 2 * side * side
                elif slack > 0.0 or slack * slack < wide:
                    for direction in range(board.ring.shape[0]):
                        up, left = board.ring[direction, 0], board.ring[direction, 1]
                        if up * up + left * left - 2.0 * (down * up + right * left) < slack:
                            gains[direction] += 2 * side * side
        gains += np.int32(everywhere)


@kernel
def map_replies(board: CoarseBoard, seat: int, weight: int) -> None:
    """Set ``board.gains`` to what a stone of ``seat`` on each cell would add to the lead of this seat, in cells.

    Likewise set ``board.ring_gains``, on a board with rings.
    """
    own = board.pulls[seat, board.placed[seat]]
    rival = board.rival
    if board.placed.size == 2:
        rival = board.pulls[1 - seat, board.placed[1 - seat]]
    else:
        _pool_rivals(board, seat)
    if board.blocks:
        board.rims[:] = 0
        sum_octagons(board.rims, board.gains, _enter_blocks(board, own, rival, weight))
    else:
        board.tables[:] = 0
        _sum_up(board, _enter_cells(board, own, rival, weight))
    if board.ring.shape[0] > 0:
        _count_ring_gains(board, seat, own, rival, weight)


@part
def map_expected(board: CoarseBoard, seat: int, weight: int, left: np.ndarray) -> None:
    """Set ``board.gains`` to what a stone of ``seat`` on each cell would add to its expected lead; -1 off the lattice.

    Gains are whole numbers of units, of which UNITS_PER_CELL make a cell. ``left``: int64[players], the weight that
    each seat may still place, the weight of this stone included.
    """
    lattice, cells = board.lattice, board.grid * board.grid
    pool(lattice, 0, board.pulls[seat, board.placed[seat]])
    if board.placed.size == 2:
        pool(lattice, 1, board.pulls[1 - seat, board.placed[1 - seat]])
    else:
        _pool_rivals(board, seat)
        pool(lattice, 1, board.rival)
    left[seat] -= weight
    kept, won = danger(left, seat, cells), math.pi * left[seat] / cells
    left[seat] += weight
    sum_gains(lattice, weight, kept, max(won, LEAST_DANGER), board.nearest)
    board.gains[:] = -1
    unit = UNITS_PER_CELL * float(lattice.block * lattice.block)
    place = 0
    for row in range(lattice.stride // 2, board.grid, lattice.stride):
        for col in range(lattice.stride // 2, board.grid, lattice.stride):
            board.gains[row, col] = int(max(unit * lattice.gains[place], 0.0))
            place += 1
