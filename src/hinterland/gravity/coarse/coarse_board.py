"""Coarse boards: a position on a coarse grid, in floating point, for a search that plays thousands of stones a second.

A board of size x size cells becomes one of grid x grid coarse cells, each of which stands for the cells around it.
Stones keep their places, which need not be the middles of coarse cells. Each seat's pull is summed once and kept for
every ply of a line of play. So a stone costs one pass over the coarse board, and taking it back costs nothing.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hinterland.gravity.coarse.coarse_discs import Group, new_group, new_rims, octagons_of
from hinterland.gravity.coarse.expected_lead import Lattice, danger, lead_of, new_lattice
from hinterland.gravity.lloyd import even_layout
from hinterland.gravity.rules import Position, Stone
from hinterland.jit import inlined

UNDER_STONE_SQUARE = 1e-9
"""Squared distance used instead of 0 in the cell under a stone."""
OWN_SPACING_SIDES = 0.25
"""Least distance between a seat's own stones in playouts, as a share of the board's side."""
CROWDED_SPACING_SIDES = 0.7
"""The least distance between many own stones, in sides of the board, is this divided by the root of their number."""
TIE_SHARE = 1e-12
"""Relative difference up to which two pulls count as equal."""
BLOCKS_LEAST_GRID = 16
"""Cells a side from which discs are entered for blocks of four cells, unless the board is as fine as the real one."""
ROUNDING_SHARE = 1e-9
"""Relative rounding error of a quotient."""

NO_HABIT, LAYOUT, GREEDY, MIRROR, HUG, TWO_PLIES = range(6)
"""What a seat is expected to do (search/habits.py): anything; go to sites of an even layout; take the greatest gain at
once; answer with the point reflection of another seat's last stone; stay close by other seats' stones; go where most is
kept after the best answer (search/two_plies.py), which is expected only of rivals without a habit."""


class CoarseBoard(NamedTuple):
    """A position on grid x grid cells, room for a line of play from it, and for one reply map.

    Kernels overwrite the arrays but for ``habits``, ``roots`` and ``octagons``.
    """

    grid: int
    """Cells a side."""
    spacing_square: float
    """Square of the spacing between stones, in cells of this board."""
    own_square: float
    """Square of the least distance between a seat's own stones in playouts, in cells of this board."""
    nearest: bool
    """Whether a seat's pull is that of its strongest stone (the law "nearest")."""
    blocks: bool
    """Whether four cells together are entered as one disc."""
    pulls: np.ndarray
    """float64 (players, stones + 1, grid, grid): a seat's pull at each cell, by its stones since the position."""
    free: np.ndarray
    """uint8 (plies + 1, grid, grid): 1 where a stone may go, by plies since the position."""
    foresees: bool
    """Whether playouts place stones by expected leads, while more stones are to come, instead of by immediate gains."""
    mixes: bool
    """Whether most playouts nevertheless place stones by immediate gains, to the end of the game."""
    lattice: Lattice
    """Places where expected leads are computed."""
    expected: np.ndarray
    """uint8 (players, stones + 1, grid, grid): 1 where a seat goes in playouts, by its stones since the position.

    These are the cells that are not near the seat's own stones. For a rival whose habit is an even layout, they are
    only the sites of the layout.
    """
    placed: np.ndarray
    """int64[players]: stones that each seat has placed since the position."""
    habits: np.ndarray
    """int64[players]: the habit of each seat; the mover has none."""
    stones: np.ndarray
    """float64 (stones + plies, 3): seat, row and column of all stones of the position and the line of play."""
    begun: int
    """Number of stones of the position."""
    roots: np.ndarray
    """int16[2 grid^2]: the whole part of each number's square root."""
    octagons: np.ndarray
    """int16 (2 grid^2 + 1, 2): the discs of blocks, where discs are entered by blocks; see coarse_discs.py."""
    tables: np.ndarray
    """int32 (3, grid + 1, grid + 1): squares, caps by row, caps by column."""
    rims: np.ndarray
    """int32: the tables of coarse_discs.py, for discs of blocks."""
    group: Group
    """Room for a group of such discs."""
    rival: np.ndarray
    """float64 (grid, grid): the greatest pull of any other seat, in games of three players and more."""
    gains: np.ndarray
    """int32 (grid, grid): what a stone on each cell would add to its seat's lead, in cells."""


def _empty(position: Position, grid: int, plies: int, *, foresees: bool, mixes: bool) -> CoarseBoard:
    """Return a board without stones, with room for ``plies`` plies from a position."""
    rules = position.rules
    scale = grid / rules.size
    blocks = BLOCKS_LEAST_GRID <= grid < rules.size and grid % 2 == 0
    stones = min(max(position.stones_left(seat) for seat in range(rules.players)), plies)
    numbers = np.arange(2 * grid * grid)
    return CoarseBoard(
        grid=grid,
        spacing_square=(rules.spacing * scale) ** 2 * (1 - ROUNDING_SHARE),
        own_square=(min(OWN_SPACING_SIDES, CROWDED_SPACING_SIDES / math.sqrt(rules.stones)) * grid) ** 2,
        nearest=rules.law == "nearest",
        blocks=blocks,
        pulls=np.zeros((rules.players, stones + 1, grid, grid)),
        free=np.ones((plies + 1, grid, grid), dtype=np.uint8),
        foresees=foresees,
        mixes=mixes,
        lattice=new_lattice(grid, blocks=grid >= BLOCKS_LEAST_GRID),
        expected=np.ones((rules.players, stones + 1, grid, grid), dtype=np.uint8),
        placed=np.zeros(rules.players, dtype=np.int64),
        habits=np.zeros(rules.players, dtype=np.int64),
        stones=np.zeros((len(position.moves) + plies, 3)),
        begun=len(position.moves),
        roots=np.sqrt(numbers).astype(np.int16),
        octagons=octagons_of(grid if blocks else 1),
        tables=np.zeros((3, grid + 1, grid + 1), dtype=np.int32),
        rims=new_rims(grid if blocks else 1),
        group=new_group(),
        rival=np.zeros((grid, grid)),
        gains=np.zeros((grid, grid), dtype=np.int32),
    )


def coarsen(
    position: Position,
    grid: int,
    plies: int,
    *,
    habits: tuple[int, ...] = (),
    foresees: bool = False,
    mixes: bool = False,
) -> CoarseBoard:
    """Lay a position out on a coarse board, with room for ``plies`` plies.

    ``habits``: one for each seat, or empty. ``foresees``, ``mixes``: as in CoarseBoard.
    """
    rules = position.rules
    scale = grid / rules.size
    board = _empty(position, grid, plies, foresees=foresees, mixes=mixes)
    places = (np.arange(grid) + 0.5) / scale - 0.5
    for ply, (seat, stone) in enumerate(position.moves):
        board.stones[ply] = (seat, (stone.row + 0.5) * scale - 0.5, (stone.col + 0.5) * scale - 0.5)
        squares = (places[:, None] - stone.row) ** 2 + (places - stone.col) ** 2
        pull = stone.weight / np.maximum(squares * scale**2, UNDER_STONE_SQUARE)
        before = board.pulls[seat, 0]
        board.pulls[seat, 0] = np.maximum(before, pull) if board.nearest else before + pull
        board.free[0] &= squares >= rules.spacing**2
        board.expected[seat, 0] &= squares * scale**2 >= board.own_square
    for seat, habit in enumerate(habits):
        board.habits[seat] = habit
        if habit == LAYOUT:
            board.expected[seat, 0] = 0
            for row, col in even_layout(rules.size, rules.stones):
                if all((row - o.row) ** 2 + (col - o.col) ** 2 >= rules.spacing**2 for _, o in position.moves):
                    board.expected[seat, 0, int((row + 0.5) * scale), int((col + 0.5) * scale)] = 1
    return board


def places_of(stones: list[Stone], scale: float) -> np.ndarray:
    """Return where stones stand, float64 (n, 2), in cells of a coarse board. ``scale``: coarse cells to a real one."""
    return (np.array([(stone.row, stone.col) for stone in stones]) + 0.5) * scale - 0.5


@inlined
def place(board: CoarseBoard, ply: int, seat: int, row: float, col: float, weight: int) -> None:
    """Place a stone at (row, col), in cells of this board, as ply number ``ply`` since the position."""
    stone = board.stones[board.begun + ply]
    stone[0], stone[1], stone[2] = seat, row, col
    before = board.pulls[seat, board.placed[seat]]
    expected = board.expected[seat, board.placed[seat]]
    board.placed[seat] += 1
    after = board.pulls[seat, board.placed[seat]]
    still_expected = board.expected[seat, board.placed[seat]]
    free = board.free[ply]
    still_free = board.free[ply + 1]
    for cell_row in range(board.grid):
        down = (cell_row - row) * (cell_row - row)
        for cell_col in range(board.grid):
            square = down + (cell_col - col) * (cell_col - col)
            pull = weight / max(square, UNDER_STONE_SQUARE)
            if board.nearest:
                after[cell_row, cell_col] = max(before[cell_row, cell_col], pull)
            else:
                after[cell_row, cell_col] = before[cell_row, cell_col] + pull
            still_free[cell_row, cell_col] = free[cell_row, cell_col] * (square >= board.spacing_square)
            still_expected[cell_row, cell_col] = expected[cell_row, cell_col] * (square >= board.own_square)


@inlined
def best_free(board: CoarseBoard, ply: int) -> int:
    """Return row * grid + col of the free cell of greatest gain, -1 if there is none; cells of gain -1 do not count."""
    return _best_of(board.gains, board.free[ply], board.free[ply])


@inlined
def best_expected(board: CoarseBoard, ply: int, seat: int) -> int:
    """Return the cell of greatest gain among the free cells to which a seat is expected to go, -1 where none is."""
    return _best_of(board.gains, board.free[ply], board.expected[seat, board.placed[seat]])


@inlined
def _best_of(gains: np.ndarray, free: np.ndarray, expected: np.ndarray) -> int:
    best = -1
    most = -1
    for row in range(gains.shape[0]):
        for col in range(gains.shape[0]):
            gain = (gains[row, col] + 1) * (free[row, col] & expected[row, col]) - 1
            if gain > most:
                most = gain
                best = row * gains.shape[0] + col
    return best


@inlined
def count_areas(board: CoarseBoard, left: np.ndarray, areas: np.ndarray) -> None:
    """Set ``areas``, float64[players], to the cells that each seat owns.

    ``left``: int64[players], the weight that each seat may still place. If any is left, the cells that it endangers
    count less.
    """
    ended = left.sum() == 0
    areas[:] = 0.0
    for row in range(board.grid):
        for col in range(board.grid):
            best = 0
            most = 0.0
            second = 0.0
            for seat in range(areas.size):
                pull = board.pulls[seat, board.placed[seat], row, col]
                if pull > most:
                    second = most
                    most = pull
                    best = seat
                elif pull > second:
                    second = pull
            if most - second > TIE_SHARE * most:
                lead = lead_of(most, second, board.nearest)
                areas[best] += 1.0 if ended else lead / (lead + danger(left, best, board.grid * board.grid))


@inlined(allocates=True)
def count_leads(board: CoarseBoard, left: np.ndarray, leads: np.ndarray) -> None:
    """Set ``leads``, float64[players], to each seat's area less those of all others, as a share of the board.

    ``left``: as for count_areas.
    """
    count_areas(board, left, leads)
    owned = leads.sum()
    for seat in range(leads.size):
        leads[seat] = (2.0 * leads[seat] - owned) / (board.grid * board.grid)
