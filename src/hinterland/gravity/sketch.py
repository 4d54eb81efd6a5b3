"""Sketches: a board at a coarse grid, in floating point, for a search that asks for thousands of reply maps a second.

A board of size x size cells is sketched by grid x grid of them, each standing for the cells around it. Stones keep
their places, which need not be those of the sketch's cells. What a seat's stones pull is summed up once and kept for
every ply of a line of play, so a stone costs one pass over the sketch and taking it back costs nothing.

The reply map is made like that of reply.py, with two differences. It shows what a stone would add to the area of its
seat *less those of the others*, as two players see it: a cell taken from another counts twice, one taken from nobody or
left to nobody counts once. And it does without arithmetic in whole numbers: pulls that differ by less than rounding
are equal, and quotients that close to a whole number are whole. So a sketch as fine as the board answers what the
rules do wherever pulls differ by more than that: on small boards with few stones, everywhere.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hinterland.jit import inlined, kernel

if TYPE_CHECKING:
    from hinterland.gravity.rules import Position, Stone

__all__ = ["Board", "Sketch", "best_free", "count_areas", "map_replies", "place", "places_of", "sketch_of"]

UNDER_A_STONE = 1e-9
"""Stands for the square 0 of the cell under a stone."""
TIE = 1e-12
"""Pulls that differ by such a share of themselves are equal."""
WHOLE = 1e-9
"""Quotients that differ from a whole number by such a share of themselves are whole."""


class Sketch(NamedTuple):
    """A position in a grid of grid x grid cells, and room for a line of play from it. Kernels overwrite the arrays."""

    pulls: np.ndarray
    """float64 (players, stones + 1, grid, grid): what a seat pulls after so many stones more."""
    free: np.ndarray
    """uint8 (plies + 1, grid, grid): 1 where a stone may go after so many plies."""
    placed: np.ndarray
    """int64[players]: how many stones each seat has placed since the position."""


class Board(NamedTuple):
    """What stays the same in all lines of play, and room for one reply map."""

    grid: int
    """Cells of the sketch a side."""
    square: float
    """The square of the spacing between stones, in cells of the sketch."""
    nearest: bool
    """Whether the strongest single stone counts."""
    roots: np.ndarray
    """int64[2 grid^2]: the whole part of the root of each number."""
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
        np.zeros(players, dtype=np.int64),
    )


def sketch_of(position: Position, grid: int, plies: int) -> tuple[Sketch, Board]:
    """Sketch a position, with room for so many plies."""
    rules = position.rules
    scale = grid / rules.size
    stones = max(position.stones_left(seat) for seat in range(rules.players))
    sketch = _empty_sketch(rules.players, min(stones, plies), plies, grid)
    board = Board(
        grid,
        (rules.spacing * scale) ** 2 * (1 - WHOLE),
        rules.law == "nearest",
        np.sqrt(np.arange(2 * grid * grid)).astype(np.int64),
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
    return sketch, board


def places_of(stones: list[Stone], scale: float) -> np.ndarray:
    """Return where stones stand in cells of a sketch, float64 (n, 2), if so many of them go to one of the board."""
    return (np.array([(stone.row, stone.col) for stone in stones]) + 0.5) * scale - 0.5


@inlined
def place(sketch: Sketch, board: Board, ply: int, seat: int, row: float, col: float, weight: int) -> None:
    """Place a stone at (row, col), in cells of the sketch, after so many plies."""
    before = sketch.pulls[seat, sketch.placed[seat]]
    sketch.placed[seat] += 1
    after = sketch.pulls[seat, sketch.placed[seat]]
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
def _enter_cap(lines: np.ndarray, line: int, middle: int, half: int, size: int, points: int) -> None:
    """Enter the run of a half-length around ``middle`` on a line, if that is on the board."""
    if 0 <= line < size:
        lines[line, max(middle - half, 0)] += points
        lines[line, min(middle + half + 1, size)] -= points


@inlined
def _enter_disc(board: Board, row: int, col: int, reach: int, points: int) -> None:
    """Enter the disc of all cells whose squared distance is at most ``reach``: a square and four caps (reply.py)."""
    size = board.grid
    half = board.roots[reach >> 1]
    top, bottom = max(row - half, 0), min(row + half + 1, size)
    left, right = max(col - half, 0), min(col + half + 1, size)
    board.tables[0, top, left] += points
    board.tables[0, top, right] -= points
    board.tables[0, bottom, left] -= points
    board.tables[0, bottom, right] += points
    for away in range(half + 1, min(board.roots[reach], size - 1) + 1):
        run = board.roots[reach - away * away]
        _enter_cap(board.tables[1], row - away, col, run, size, points)
        _enter_cap(board.tables[1], row + away, col, run, size, points)
        _enter_cap(board.tables[2], col - away, row, run, size, points)
        _enter_cap(board.tables[2], col + away, row, run, size, points)


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
def _enter_cell(board: Board, row: int, col: int, own: float, weight: int) -> int:
    """Enter the discs of a cell; return what it adds to the gains everywhere.

    A stone at a squared distance below weight / (rival - own) takes the cell, one at just that leaves it to nobody.
    """
    rival = board.rival[row, col]
    lead = rival - own
    if rival == 0.0:
        return 1 if own == 0.0 else 0
    if lead <= TIE * rival and not (board.nearest and lead >= -TIE * rival):
        return 1 if lead >= -TIE * rival else 0
    tied = 1 if lead <= TIE * rival else 0
    quotient = weight / (rival if board.nearest else lead)
    farthest = 2 * (board.grid - 1) ** 2
    if quotient > farthest:
        return 2 - tied
    takes = math.ceil(quotient * (1.0 - WHOLE)) - 1
    ties = int(quotient * (1.0 + WHOLE))
    if tied or takes != ties:
        _enter_disc(board, row, col, takes, 1)
    if not tied:
        _enter_disc(board, row, col, ties, 2 if takes == ties else 1)
    return 0


@kernel
def map_replies(sketch: Sketch, board: Board, seat: int, weight: int) -> None:
    """Set ``board.gains`` to what a stone of a seat on each cell would add to its area less those of the others."""
    board.tables[:] = 0
    own = sketch.pulls[seat, sketch.placed[seat]]
    _find_rival(sketch, board, seat)
    everywhere = 0
    for row in range(board.grid):
        for col in range(board.grid):
            everywhere += _enter_cell(board, row, col, own[row, col], weight)
    _sum_up(board, everywhere)


@inlined
def best_free(sketch: Sketch, board: Board, ply: int) -> int:
    """Return row * grid + col of the free cell of greatest gain, -1 where none is; cells of gain -1 are passed over."""
    best = -1
    most = -1
    free = sketch.free[ply]
    for row in range(board.grid):
        for col in range(board.grid):
            gain = (board.gains[row, col] + 1) * free[row, col] - 1
            if gain > most:
                most = gain
                best = row * board.grid + col
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
