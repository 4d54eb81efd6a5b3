"""Coarse boards: a position on a coarse grid, in floating point, for a search that plays thousands of stones a second.

A board of size x size cells becomes one of grid x grid coarse cells, each of which stands for the cells around it.
Stones keep their places, which need not be the middles of coarse cells. The pulls of each seat are kept for every ply
of a line of play. So placing a stone takes one pass over the coarse board, and taking it back costs nothing.

Where stones may almost touch, a stone beside another takes half of what the other holds, and only its direction from
the other decides which half. No coarse cell shows this. So if the spacing is small, the places on a *ring* around each
stone, as near as the spacing allows, are compared, too. A *place* has a number: first come the cells, row * grid + col,
then the places beside each stone. With rings, playouts go by gains alone, because expected leads do not see the rings;
even so, a seat that keeps away from its own stones (mcts.py) goes to cells only.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from hinterland.gravity.coarse.coarse_discs import Group, new_group, new_rims, octagons_of
from hinterland.gravity.coarse.expected_lead import Lattice, danger, lead_of, new_lattice
from hinterland.gravity.lloyd import even_layout
from hinterland.gravity.rules import Position, Rules, Stone
from hinterland.jit import inlined, part

UNDER_STONE_SQUARE = 1e-9
"""Squared distance used instead of 0 in the cell under a stone."""
OWN_SPACING_SIDES = 0.25
"""Least distance between a seat's own stones in playouts, as a share of the board's side."""
CROWDED_SPACING_SIDES = 0.7
"""With many stones a seat, the least distance between its own stones in playouts is this divided by the square root of
their number, as a share of the board's side."""
TIE_SHARE = 1e-12
"""Relative difference up to which two pulls count as equal."""
BLOCKS_LEAST_GRID = 16
"""On coarse boards of at least this many cells a side, a reply map has one disc for each block of four cells
(coarse_replies.py), unless the board is as fine as the real one."""
ROUNDING_SHARE = 1e-9
"""Relative rounding error allowed for in a quotient."""
RING_DIRECTIONS = 16
"""Directions from a stone in which the places beside it are compared."""
RING_DISTANCE_WEIGHT = 0.1
"""Weight of a place's distance against its direction: a place twice as far away as the spacing counts as much as one
that lies 0.1 radians off its direction."""
RING_MOST_SPACING = 0.75
"""The places beside stones are compared on coarse boards on which the spacing is less than this many cells."""

NO_HABIT, LAYOUT, GREEDY, MIRROR, HUG, TWO_PLIES = range(6)
"""What a seat is expected to do (search/habits.py). NO_HABIT: anything. LAYOUT: go to the sites of an even layout.
GREEDY: take the greatest gain at once. MIRROR: answer with the point reflection of another seat's last stone. HUG: stay
close to other seats' stones. TWO_PLIES: go where most is kept after the best answer (search/two_plies.py), which is
expected only of rivals without one of the habits above."""


class CoarseBoard(NamedTuple):
    """A position on grid x grid cells, with room for a line of play from it and for one reply map.

    Kernels overwrite all arrays except ``habits``, ``roots`` and ``octagons``.
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
    """Whether reply maps have one disc for each block of four cells."""
    pulls: np.ndarray
    """float64 (players, stones + 1, grid, grid): each seat's pull at each cell after 0, 1, 2 … of its stones in the
    line of play."""
    free: np.ndarray
    """uint8 (plies + 1, grid, grid): 1 where a stone may go after 0, 1, 2 … plies of the line of play."""
    foresees: bool
    """Whether playouts place all stones but the last by expected leads (expected_lead.py), not by immediate gains.

    Always false on a board with rings."""
    mixes: bool
    """Whether, though ``foresees`` is true, most playouts place stones by immediate gains, to the end of the game."""
    lattice: Lattice
    """The cells on which expected leads are computed."""
    expected: np.ndarray
    """uint8 (players, stones + 1, grid, grid): 1 where a seat is expected to go in playouts, after 0, 1, 2 … of its
    stones in the line of play.

    A seat is expected on all cells that are not near its own stones; a rival whose habit is an even layout is expected
    only on the sites of the layout.
    """
    placed: np.ndarray
    """int64[players]: stones that each seat has placed in the line of play."""
    habits: np.ndarray
    """int64[players]: the habit of each seat; NO_HABIT for the mover."""
    stones: np.ndarray
    """float64 (stones + plies, 3): seat, row and column of all stones of the position and the line of play."""
    begun: int
    """Number of stones in the position, before the line of play."""
    roots: np.ndarray
    """int16[2 grid^2]: the square roots of 0, 1, 2 …, rounded down."""
    octagons: np.ndarray
    """int16 (2 grid^2 + 1, 2): the octagons that stand for discs of blocks; see ``coarse_discs.octagons_of``."""
    tables: np.ndarray
    """int32 (3, grid + 1, grid + 1): tables of differences for the discs of single cells. A disc is entered as a square
    and four caps: the squares in the first table, the caps above and below them in the second, the caps beside them in
    the third."""
    rims: np.ndarray
    """int32[n]: differences for discs of blocks; see ``coarse_discs.new_rims``."""
    group: Group
    """Room for the discs of blocks that are entered together."""
    rival: np.ndarray
    """float64 (grid, grid): the greatest pull of any seat but the one whose gains are mapped; used in games of three
    players or more."""
    gains: np.ndarray
    """int32 (grid, grid): what a stone on each cell would add to its seat's lead, in cells."""
    ring: np.ndarray
    """float64 (n, 2): rows and columns from a stone to the n places beside it; n is 0 on a board without rings."""
    ring_gains: np.ndarray
    """int32 (stones + plies, n): what a stone on each place beside each stone would add to its seat's lead, in cells.

    -1 beside the seat's own stones, and where ``forget_near`` was called; rows of stones to come mean nothing."""


def needs_rings(rules: Rules, grid: int) -> bool:
    """Say whether the places beside stones matter, and the cells of a coarse board are too large to show them.

    By the law "nearest" they do not: a stone beside another takes one side of the other's region, as any stone does.
    """
    return rules.law != "nearest" and grid < rules.size and rules.spacing * grid / rules.size < RING_MOST_SPACING


@lru_cache(maxsize=64)
def ring_offsets(spacing: int) -> np.ndarray:
    """Return rows and columns from a stone to the places beside it, in cells of the real board: int64 (n, 2).

    In each direction the place is as near as the spacing allows; a place a little farther away is taken if it lies
    better in this direction.
    """
    aside = np.stack(np.meshgrid(*2 * [np.arange(-3, 4)], indexing="ij"), axis=-1).reshape(-1, 2)
    offsets = []
    for angle in np.arange(RING_DIRECTIONS) * (2 * math.pi / RING_DIRECTIONS):
        ahead = np.array([math.sin(angle), math.cos(angle)])
        places = np.rint((spacing + 1) * ahead).astype(np.int64) + aside
        away = np.hypot(places[:, 0], places[:, 1])
        is_near = (away >= spacing) & (away < spacing + 2)
        places, away = places[is_near], away[is_near]
        off = np.arccos(np.clip(places @ ahead / away, -1, 1))
        offsets.append(places[(off + RING_DISTANCE_WEIGHT * (away / spacing - 1)).argmin()])
    return np.array(offsets)


def _empty(position: Position, grid: int, plies: int, *, foresees: bool, mixes: bool) -> CoarseBoard:
    """Return a board without stones, with room for a position and ``plies`` plies after it."""
    rules = position.rules
    scale = grid / rules.size
    blocks = BLOCKS_LEAST_GRID <= grid < rules.size and grid % 2 == 0
    stones = min(max(position.stones_left(seat) for seat in range(rules.players)), plies)
    numbers = np.arange(2 * grid * grid)
    has_rings = needs_rings(rules, grid)
    ring = ring_offsets(rules.spacing) * scale if has_rings else np.zeros((0, 2))
    return CoarseBoard(
        grid=grid,
        spacing_square=(rules.spacing * scale) ** 2 * (1 - ROUNDING_SHARE),
        own_square=(min(OWN_SPACING_SIDES, CROWDED_SPACING_SIDES / math.sqrt(rules.stones)) * grid) ** 2,
        nearest=rules.law == "nearest",
        blocks=blocks,
        pulls=np.zeros((rules.players, stones + 1, grid, grid)),
        free=np.ones((plies + 1, grid, grid), dtype=np.uint8),
        foresees=foresees and not has_rings,
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
        ring=ring,
        ring_gains=np.zeros((len(position.moves) + plies, len(ring)), dtype=np.int32),
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

    ``habits``: one for each seat; empty if no seat has any. ``foresees``, ``mixes``: as in CoarseBoard.
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
    """Return rows and columns of stones in coarse cells: float64 (n, 2). ``scale``: coarse cells for each real cell."""
    return (np.array([(stone.row, stone.col) for stone in stones]) + 0.5) * scale - 0.5


@part
def place(board: CoarseBoard, ply: int, seat: int, row: float, col: float, weight: int) -> None:
    """Place a stone at (row, col), in cells of this board, as ply ``ply`` of the line of play."""
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


@part
def place_at(board: CoarseBoard, number: int) -> tuple[float, float]:
    """Return row and column of a place, in cells of this board. ``number``: the place's number."""
    cells = board.grid * board.grid
    if number < cells:
        return float(number // board.grid), float(number % board.grid)
    stone, direction = divmod(number - cells, board.ring.shape[0])
    return board.stones[stone, 1] + board.ring[direction, 0], board.stones[stone, 2] + board.ring[direction, 1]


@part
def gain_at(board: CoarseBoard, number: int) -> int:
    """Return the gain of a place. ``number``: the place's number."""
    cells = board.grid * board.grid
    if number < cells:
        return int(board.gains[number // board.grid, number % board.grid])
    stone, direction = divmod(number - cells, board.ring.shape[0])
    return int(board.ring_gains[stone, direction])


@part
def forget_near(board: CoarseBoard, number: int, apart: int) -> None:
    """Set the gain of a place, and of those near it, to -1. ``number``: the place's number.

    Near a cell are the cells up to ``apart`` rows and columns away; near a place beside a stone, all places beside it.
    """
    cells = board.grid * board.grid
    if number < cells:
        row, col = number // board.grid, number % board.grid
        board.gains[max(row - apart, 0) : row + apart + 1, max(col - apart, 0) : col + apart + 1] = -1
    else:
        board.ring_gains[(number - cells) // board.ring.shape[0]] = -1


@part
def is_free(board: CoarseBoard, ply: int, row: float, col: float) -> bool:
    """Say whether a stone may go to (row, col), which need not be a cell."""
    last = board.grid - 0.5
    if min(row, col) <= -0.5 or max(row, col) >= last:
        return False
    for other in range(board.begun + ply):
        down, right = row - board.stones[other, 1], col - board.stones[other, 2]
        if down * down + right * right < board.spacing_square:
            return False
    return True


@inlined
def best_free(board: CoarseBoard, ply: int) -> int:
    """Return the number of the free place of greatest gain, -1 if there is none; places of gain -1 do not count."""
    best = _best_of(board.gains, board.free[ply], board.free[ply])
    return best if board.ring.shape[0] == 0 else _best_on_rings(board, ply, best)


@part
def _best_on_rings(board: CoarseBoard, ply: int, best: int) -> int:
    """Return the number of the best free place: one beside a stone, or ``best``, which is -1 if no cell is free."""
    directions = board.ring.shape[0]
    most = gain_at(board, best) if best >= 0 else -1
    for place in range((board.begun + ply) * directions):
        if board.ring_gains[place // directions, place % directions] > most:
            number = board.grid * board.grid + place
            row, col = place_at(board, number)
            if is_free(board, ply, row, col):
                most = gain_at(board, number)
                best = number
    return best


@inlined
def best_expected(board: CoarseBoard, ply: int, seat: int) -> int:
    """Return the cell of greatest gain among the free cells to which a seat is expected to go; -1 if there is none."""
    return _best_of(board.gains, board.free[ply], board.expected[seat, board.placed[seat]])


@part
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


@part
def count_areas(board: CoarseBoard, left: np.ndarray, areas: np.ndarray) -> None:
    """Set ``areas``, float64[players], to the cells that each seat owns.

    ``left``: int64[players], the weight that each seat may still place. If any weight is left, a cell counts the less
    for its owner, the more it is endangered (expected_lead.py).
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
