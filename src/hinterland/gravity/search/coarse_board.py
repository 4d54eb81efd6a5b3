"""Sketches: a board at a coarse grid, in floating point, for a search that asks for thousands of reply maps a second.

A board of size x size cells is sketched by grid x grid of them, each standing for the cells around it. Stones keep
their places, which need not be those of the sketch's cells. What a seat's stones pull is summed up once and kept for
every ply of a line of play, so a stone costs one pass over the sketch and taking it back costs nothing.

The reply map is made like that of reply.py, with two differences. It shows what a stone would add to the area of its
seat *less those of the others*, as two players see it: a cell taken from another counts twice, one taken from nobody or
left to nobody counts once. And it does without arithmetic in whole numbers: pulls that differ by less than rounding
are equal, and quotients that close to a whole number are whole. So a sketch as fine as the board answers what the
rules do wherever pulls differ by more than that: on small boards with few stones, everywhere.

Sketches of 64 x 64 cells and more, short of the board itself, enter one disc for each block of 2 x 2 cells, of its mean
pulls. That makes a map three times as quick, and changes gains by what docs/performance.md says.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hinterland.gravity.search import lloyd
from hinterland.jit import inlined, kernel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.gravity.rules import Position, Stone

__all__ = [
    "Board", "Sketch", "best_apart", "best_free", "count_areas", "map_replies", "place", "places_of", "sketch_of",
]  # fmt: skip

UNDER_A_STONE = 1e-9
"""Stands for the square 0 of the cell under a stone."""
APART = 0.25
"""In playouts a seat's stones are so far apart at least, as a share of the board's side."""
CROWDED = 0.7
"""The same, of many stones: divided by the root of their number."""
TIE = 1e-12
"""Pulls that differ by such a share of themselves are equal."""
BLOCKS = 64
"""Sketches of so many cells a side and more enter discs by blocks, unless they are as fine as the board."""
WHOLE = 1e-9
"""Quotients that differ from a whole number by such a share of themselves are whole."""


class Sketch(NamedTuple):
    """A position in a grid of grid x grid cells, and room for a line of play from it. Kernels overwrite the arrays."""

    pulls: np.ndarray
    """float64 (players, stones + 1, grid, grid): what a seat pulls after so many stones more."""
    free: np.ndarray
    """uint8 (plies + 1, grid, grid): 1 where a stone may go after so many plies."""
    apart: np.ndarray
    """uint8 (players, stones + 1, grid, grid): 1 where a seat goes in playouts after so many stones more.

    That is where none of its own is near, for rivals of the mover that keep to an even layout only on its places.
    """
    placed: np.ndarray
    """int64[players]: how many stones each seat has placed since the position."""


class Board(NamedTuple):
    """What stays the same in all lines of play, and room for one reply map."""

    grid: int
    """Cells of the sketch a side."""
    square: float
    """The square of the spacing between stones, in cells of the sketch."""
    near: float
    """The square of how far from its own stones a seat places others in playouts, in cells of the sketch."""
    keeps: np.ndarray
    """uint8[players]: 1 for a rival of the mover that keeps to an even layout."""
    nearest: bool
    """Whether the strongest single stone counts."""
    blocks: bool
    """Whether four cells together are entered as one disc."""
    roots: np.ndarray
    """int16[2 grid^2]: for each number the greatest i with i^2, or i (i + 1) where blocks are entered, up to it."""
    tables: np.ndarray
    """int32 (3, grid + 1, grid + 1): squares; caps by row; caps by column. Overwritten."""
    rival: np.ndarray
    """float64 (grid, grid): the greatest pull of any other seat. Overwritten."""
    gains: np.ndarray
    """int32 (grid, grid): what a stone on each cell would add to its seat's area less those of others. Overwritten."""


def _empty_sketch(players: int, stones: int, plies: int, grid: int) -> Sketch:
    """Return an empty board with room for so many stones of each seat, and so many plies."""
    return Sketch(
        np.zeros((players, stones + 1, grid, grid)),
        np.ones((plies + 1, grid, grid), dtype=np.uint8),
        np.ones((players, stones + 1, grid, grid), dtype=np.uint8),
        np.zeros(players, dtype=np.int64),
    )


def _roots(grid: int, blocks: bool) -> np.ndarray:
    numbers = np.arange(2 * grid * grid)
    return ((np.sqrt(4 * numbers + 1) - 1) / 2 if blocks else np.sqrt(numbers)).astype(np.int16)


def sketch_of(position: Position, grid: int, plies: int, *, habits: bool = True) -> tuple[Sketch, Board]:
    """Sketch a position, with room for so many plies.

    ``habits``: whether rivals of the mover that keep to an even layout are expected to go on so.
    """
    rules = position.rules
    scale = grid / rules.size
    blocks = BLOCKS <= grid < rules.size and grid % 2 == 0
    stones = max(position.stones_left(seat) for seat in range(rules.players))
    sketch = _empty_sketch(rules.players, min(stones, plies), plies, grid)
    board = Board(
        grid,
        (rules.spacing * scale) ** 2 * (1 - WHOLE),
        (min(APART, CROWDED / math.sqrt(rules.stones)) * grid) ** 2,
        np.zeros(rules.players, dtype=np.uint8),
        rules.law == "nearest",
        blocks,
        _roots(grid, blocks),
        np.zeros((3, grid + 1, grid + 1), dtype=np.int32),
        np.zeros((grid, grid)),
        np.zeros((grid, grid), dtype=np.int32),
    )
    places = (np.arange(grid) + 0.5) / scale - 0.5
    for seat, stone in position.moves:
        squares = (places[:, None] - stone.row) ** 2 + (places - stone.col) ** 2
        pull = stone.weight / np.maximum(squares * scale**2, UNDER_A_STONE)
        before = sketch.pulls[seat, 0]
        sketch.pulls[seat, 0] = np.maximum(before, pull) if board.nearest else before + pull
        sketch.free[0] &= squares >= rules.spacing**2
        sketch.apart[seat, 0] &= squares * scale**2 >= board.near
    for seat in set(range(rules.players)) - {position.to_move} if habits else ():
        if expected := lloyd.haunts(position, seat):
            board.keeps[seat] = 1
            _keep_to(sketch.apart[seat, 0], expected, scale)
    return sketch, board


def _keep_to(apart: np.ndarray, haunts: Sequence[tuple[int, int]], scale: float) -> None:
    """Leave in ``apart``, uint8 (grid, grid), only the cells that hold one of some places."""
    rows, cols = ((np.array(haunts).T + 0.5) * scale).astype(np.int64)
    expected = np.zeros_like(apart)
    expected[rows, cols] = 1
    apart &= expected


def places_of(stones: list[Stone], scale: float) -> np.ndarray:
    """Return where stones stand in cells of a sketch, float64 (n, 2), if so many of them go to one of the board."""
    return (np.array([(stone.row, stone.col) for stone in stones]) + 0.5) * scale - 0.5


@inlined
def place(sketch: Sketch, board: Board, ply: int, seat: int, row: float, col: float, weight: int) -> None:
    """Place a stone at (row, col), in cells of the sketch, after so many plies."""
    before = sketch.pulls[seat, sketch.placed[seat]]
    apart = sketch.apart[seat, sketch.placed[seat]]
    sketch.placed[seat] += 1
    after = sketch.pulls[seat, sketch.placed[seat]]
    still_apart = sketch.apart[seat, sketch.placed[seat]]
    free = sketch.free[ply]
    still_free = sketch.free[ply + 1]
    for cell_row in range(board.grid):
        down = (cell_row - row) * (cell_row - row)
        for cell_col in range(board.grid):
            square = down + (cell_col - col) * (cell_col - col)
            pull = weight / max(square, UNDER_A_STONE)
            if board.nearest:
                after[cell_row, cell_col] = max(before[cell_row, cell_col], pull)
            else:
                after[cell_row, cell_col] = before[cell_row, cell_col] + pull
            still_free[cell_row, cell_col] = free[cell_row, cell_col] * (square >= board.square)
            still_apart[cell_row, cell_col] = apart[cell_row, cell_col] * (square >= board.near)


@inlined
def _find_rival(sketch: Sketch, board: Board, seat: int) -> None:
    """Set ``board.rival`` to the greatest pull of any seat but one."""
    board.rival[:] = 0.0
    for other in range(sketch.placed.size):
        if other != seat:
            pulls = sketch.pulls[other, sketch.placed[other]]
            for row in range(board.grid):
                for col in range(board.grid):
                    board.rival[row, col] = max(board.rival[row, col], pulls[row, col])


@inlined
def _enter_cap(
    lines: np.ndarray,
    line: int,
    step: int,
    room: int,
    middle: int,
    even: int,
    reach: int,
    inner: int,
    outer: int,
    roots: np.ndarray,
    points: int,
) -> None:
    """Enter the runs of a cap around ``middle``, from the square outwards as far as there are lines."""
    size = lines.shape[0] - 1
    for away in range(inner + 1, min(outer, room) + 1):
        half = int(roots[np.uint64(reach - away * (away + even))])
        run = lines[np.uint64(line + step * away)]
        run[np.uint64(max(middle - half, 0))] += points
        run[np.uint64(min(middle + half + even + 1, size))] -= points


@inlined
def _enter_disc(tables: np.ndarray, roots: np.ndarray, row: int, col: int, even: int, reach: int, points: int) -> None:
    """Enter a disc as a square and four caps, like reply.py.

    With ``even`` 0 these are the cells (row + i, col + j) with i^2 + j^2 <= reach. With ``even`` 1 the centre is the
    corner of that cell and the next ones below and to the right: i (i + 1) + j (j + 1) <= reach, counted from each.
    """
    last = tables.shape[1] - 2
    inner = int(roots[np.uint64(reach >> 1)])
    outer = int(roots[np.uint64(reach)])
    squares, by_row, by_col = tables[0], tables[1], tables[2]
    top, bottom = np.uint64(max(row - inner, 0)), np.uint64(min(row + inner + even, last) + 1)
    left, right = np.uint64(max(col - inner, 0)), np.uint64(min(col + inner + even, last) + 1)
    squares[top, left] += points
    squares[top, right] -= points
    squares[bottom, left] -= points
    squares[bottom, right] += points
    _enter_cap(by_row, row, -1, row, col, even, reach, inner, outer, roots, points)
    _enter_cap(by_row, row + even, 1, last - row - even, col, even, reach, inner, outer, roots, points)
    _enter_cap(by_col, col, -1, col, row, even, reach, inner, outer, roots, points)
    _enter_cap(by_col, col + even, 1, last - col - even, row, even, reach, inner, outer, roots, points)


@inlined
def _sum_up(board: Board, everywhere: int) -> None:
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
def _enter_cells(board: Board, own: np.ndarray, weight: int) -> int:
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
def _enter_blocks(board: Board, own: np.ndarray, weight: int) -> int:
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
def map_replies(sketch: Sketch, board: Board, seat: int, weight: int) -> None:
    """Set ``board.gains`` to what a stone of a seat on each cell would add to its area less those of the others."""
    board.tables[:] = 0
    own = sketch.pulls[seat, sketch.placed[seat]]
    _find_rival(sketch, board, seat)
    everywhere = _enter_blocks(board, own, weight) if board.blocks else _enter_cells(board, own, weight)
    _sum_up(board, everywhere)


@inlined
def best_free(sketch: Sketch, board: Board, ply: int) -> int:
    """Return row * grid + col of the free cell of greatest gain, -1 where none is; cells of gain -1 are passed over."""
    return _best_of(board.gains, sketch.free[ply], sketch.free[ply])


@inlined
def best_apart(sketch: Sketch, board: Board, ply: int, seat: int) -> int:
    """Return the same among the free cells that are apart from a seat's own stones, -1 where none is."""
    return _best_of(board.gains, sketch.free[ply], sketch.apart[seat, sketch.placed[seat]])


@inlined
def _best_of(gains: np.ndarray, free: np.ndarray, apart: np.ndarray) -> int:
    best = -1
    most = -1
    for row in range(gains.shape[0]):
        for col in range(gains.shape[0]):
            gain = (gains[row, col] + 1) * (free[row, col] & apart[row, col]) - 1
            if gain > most:
                most = gain
                best = row * gains.shape[0] + col
    return best


@inlined
def count_areas(sketch: Sketch, board: Board, areas: np.ndarray) -> None:
    """Set ``areas``, float64[players], to the cells of the sketch that each seat owns."""
    areas[:] = 0.0
    for row in range(board.grid):
        for col in range(board.grid):
            best = 0
            most = 0.0
            second = 0.0
            for seat in range(areas.size):
                pull = sketch.pulls[seat, sketch.placed[seat], row, col]
                if pull > most:
                    second = most
                    most = pull
                    best = seat
                elif pull > second:
                    second = pull
            if most - second > TIE * most:
                areas[best] += 1.0
