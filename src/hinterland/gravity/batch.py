"""Thousands of boards of gravity at once, in arrays; a game is scored when it is over, and at no other time.

Each board remembers its stones and which cells are free. Small boards are owned cell by cell, large ones tile by tile;
both are exact. Boards are shared out among the cores in strips.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hinterland.contract.batch import OVER, Batch, Masks
from hinterland.gravity import planes as plane
from hinterland.gravity.area.cell_owner import NOBODY, own_cells
from hinterland.gravity.area.ownership import survey_rows
from hinterland.gravity.area.stones import Stones
from hinterland.gravity.spacing import half_run
from hinterland.jit import cores, in_strips, inlined, kernel

if TYPE_CHECKING:
    from collections.abc import Callable

    from hinterland.gravity.rules import Position, Rules

SMALL = 32
"""On boards of at most this size tiles settle less than they cost."""
QUICK = 1 << 16
"""So many cells of all boards together are not worth waking a second core for."""
TOUCHED = 16
"""About how many cells a move costs."""


class Table(NamedTuple):
    """What has been played on all boards, and the rules they share."""

    cells: np.ndarray
    """int64 (boards, turns): row * size + col of each stone in order of play; like ``seats`` and ``weights``."""
    seats: np.ndarray
    weights: np.ndarray
    plies: np.ndarray
    """int64[boards]: how many stones there are."""
    placed: np.ndarray
    """int64 (boards, players): how many stones each seat has placed, and in ``spent`` what they weigh."""
    spent: np.ndarray
    to_move: np.ndarray
    """int64[boards]: the seat to move, or OVER."""
    free: np.ndarray
    """bool (boards, size * size): the cells on which a stone may go; ``room`` int64[boards] counts them."""
    room: np.ndarray
    size: int
    players: int
    stones: int
    spacing: int
    weight: int
    """What a seat may spend, 0 where stones have no weights."""
    nearest: bool


class GravityBatch(Batch):
    """Boards of gravity, played on by kernels."""

    rules: Rules

    def __init__(self, rules: Rules, count: int) -> None:
        self.rules = rules
        self.count = count
        turns = rules.players * rules.stones
        self._table = Table(
            cells=np.zeros((count, turns), dtype=np.int64),
            seats=np.zeros((count, turns), dtype=np.int64),
            weights=np.zeros((count, turns), dtype=np.int64),
            plies=np.zeros(count, dtype=np.int64),
            placed=np.zeros((count, rules.players), dtype=np.int64),
            spent=np.zeros((count, rules.players), dtype=np.int64),
            to_move=np.zeros(count, dtype=np.int64),
            free=np.ones((count, rules.size**2), dtype=np.bool_),
            room=np.full(count, rules.size**2, dtype=np.int64),
            size=rules.size,
            players=rules.players,
            stones=rules.stones,
            spacing=rules.spacing,
            weight=rules.weight or 0,
            nearest=rules.law == "nearest",
        )

    @property
    def to_move(self) -> np.ndarray:
        """The seat to move on each board: see ``Batch``."""
        return self._table.to_move

    def position(self, board: int) -> Position:
        """Return one board as a position."""
        table = self._table
        plies = int(table.plies[board])
        played = zip(*(row[board, :plies].tolist() for row in (table.seats, table.cells, table.weights)), strict=True)
        start = self.rules.start()
        history = ((seat, self.rules._move_of(cell, weight - 1)) for seat, cell, weight in played)
        return type(start)(self.rules, tuple(history))

    def first_illegal(self, actions: np.ndarray) -> int:
        """Return the first board whose action may not be played; -1 for none."""
        return int(_first_illegal(self._table, actions))

    def play_unchecked(self, actions: np.ndarray) -> None:
        """Play an action on each board."""
        self._share_out(lambda first, end: _play(self._table, actions, first, end), self.count, TOUCHED)

    def clear(self, boards: np.ndarray) -> None:
        """Begin anew on these boards."""
        _clear(self._table, boards)

    def scores(self, boards: np.ndarray) -> np.ndarray:
        """Return the areas on these boards."""
        areas = np.zeros((len(boards), self.rules.players), dtype=np.int64)
        cells = self._table.size**2
        self._share_out(lambda first, end: _score(self._table, boards, areas, first, end), len(boards), cells)
        return areas

    def write_masks(self, masks: Masks) -> None:
        """Write the free cells and, where there are weights, which can be spent."""
        table = self._table
        going_on = (table.to_move != OVER)[:, None]
        np.logical_and(table.free, going_on, out=masks[0])
        if table.weight:
            left = table.weight - table.spent[np.arange(self.count), table.to_move]
            np.less(np.arange(table.weight), left[:, None] * going_on, out=masks[1])

    def write_planes(self, planes: np.ndarray) -> None:
        """Write what the seat to move sees."""
        cells = self._table.size**2
        self._share_out(lambda first, end: _write_planes(self._table, planes, first, end), self.count, cells)

    def write_random(self, state: np.ndarray, actions: np.ndarray) -> None:
        """Write random legal actions."""
        self._share_out(lambda first, end: _write_random(self._table, state, actions, first, end), self.count, TOUCHED)

    def state(self) -> Table:
        """Return a copy of all boards."""
        named = self._table._asdict().items()
        copies: dict[str, Any] = {name: value.copy() for name, value in named if isinstance(value, np.ndarray)}
        return self._table._replace(**copies)

    def restore(self, state: Table) -> None:
        """Put all boards back."""
        for mine, saved in zip(self._table, state, strict=True):
            if isinstance(mine, np.ndarray):
                mine[...] = saved

    @staticmethod
    def _share_out(work: Callable[[int, int], None], count: int, cells: int) -> None:
        """Run a kernel on so many boards, on all cores where they have many cells to look at."""
        threads = cores() if count * cells > QUICK else 1
        in_strips(lambda _, first, end: work(first, end), count, max(1, -(-count // threads)), threads)


@kernel
def _first_illegal(table: Table, actions: np.ndarray) -> int:
    """Return the first board on which an action, int64 (boards, factors), is illegal, -1 for none."""
    for board in range(table.plies.size):
        seat = table.to_move[board]
        cell = actions[board, 0]
        if seat == OVER or cell < 0 or cell >= table.free.shape[1] or not table.free[board, cell]:
            return board
        if table.weight > 0:
            weight = actions[board, 1]
            if weight < 0 or weight >= table.weight - table.spent[board, seat]:
                return board
    return -1


@inlined
def _next_to_move(table: Table, board: int, seat: int) -> int:
    """Return who moves after a seat."""
    if table.room[board] == 0:
        return OVER
    for turn in range(1, table.players + 1):
        other = (seat + turn) % table.players
        if table.placed[board, other] < table.stones and (
            table.weight == 0 or table.spent[board, other] < table.weight
        ):
            return other
    return OVER


@kernel
def _play(table: Table, actions: np.ndarray, first: int, end: int) -> None:
    """Play legal actions, int64 (boards, factors), on the boards from ``first`` to before ``end``."""
    size = table.size
    for board in range(first, end):
        seat, ply, cell = table.to_move[board], table.plies[board], actions[board, 0]
        weight = actions[board, 1] + 1 if table.weight > 0 else 1
        table.cells[board, ply] = cell
        table.seats[board, ply] = seat
        table.weights[board, ply] = weight
        table.plies[board] = ply + 1
        table.placed[board, seat] += 1
        table.spent[board, seat] += weight
        row, col = cell // size, cell % size
        free = table.free[board]
        taken = 0
        for down in range(max(1 - table.spacing, -row), min(table.spacing, size - row)):
            half = half_run(table.spacing, down)
            start = (row + down) * size
            for here in range(start + max(col - half, 0), start + min(col + half + 1, size)):
                taken += free[here]
                free[here] = False
        table.room[board] -= taken
        table.to_move[board] = _next_to_move(table, board, seat)


@kernel
def _clear(table: Table, boards: np.ndarray) -> None:
    for board in boards:
        table.plies[board] = 0
        table.placed[board] = 0
        table.spent[board] = 0
        table.to_move[board] = 0
        table.free[board] = True
        table.room[board] = table.size * table.size


@inlined(allocates=True)
def _lay_out(table: Table, board: int, room: np.ndarray, starts: np.ndarray) -> Stones:
    """Return the stones of a board, sorted by seat, in ``room``, float64 (3, turns), and ``starts``."""
    count = 0
    for seat in range(table.players):
        starts[seat] = count
        for ply in range(table.plies[board]):
            if table.seats[board, ply] == seat:
                room[0, count] = table.cells[board, ply] // table.size
                room[1, count] = table.cells[board, ply] % table.size
                room[2, count] = table.weights[board, ply]
                count += 1
    starts[table.players] = count
    return Stones(
        room[0, :count], room[1, :count], room[2, :count], starts, table.size, table.spacing, table.nearest
    )


@inlined(allocates=True)
def _list_all(size: int) -> np.ndarray:
    """Return rows and columns of all cells of a small board, float64 (2, cells); of a large one, none."""
    cells = np.empty((2, size * size if size <= SMALL else 0), dtype=np.float64)
    for cell in range(cells.shape[1]):
        cells[0, cell] = cell // size
        cells[1, cell] = cell % size
    return cells


@kernel(allocates=True)
def _score(table: Table, boards: np.ndarray, areas: np.ndarray, first: int, end: int) -> None:
    """Write the areas, int64 (n, players), of the boards numbered ``boards[first:end]``."""
    room, starts = np.empty((3, table.cells.shape[1])), np.empty(table.players + 1, dtype=np.int64)
    cells = _list_all(table.size)
    count = cells.shape[1]
    pulls, own = np.empty((table.players, count)), np.empty(count, dtype=np.int64)
    no_board = np.empty((0, 0), dtype=np.int8)
    for i in range(first, end):
        stones = _lay_out(table, boards[i], room, starts)
        areas[i] = 0
        if table.plies[boards[i]] == 0:
            continue
        if count == 0:
            areas[i] = survey_rows(stones, 0, table.size, no_board)
        else:
            own_cells(stones, cells[0], cells[1], count, pulls, own)
            for cell in range(count):
                if own[cell] != NOBODY:
                    areas[i, own[cell]] += 1


@kernel(allocates=True)
def _write_planes(table: Table, planes: np.ndarray, first: int, end: int) -> None:
    """Write the planes, float32 (boards, planes, size, size), of the boards from ``first`` to before ``end``."""
    size, players = table.size, table.players
    room, starts = np.empty((3, table.cells.shape[1])), np.empty(players + 1, dtype=np.int64)
    cells = _list_all(size)
    count = cells.shape[1]
    pulls, own = np.empty((players, count)), np.empty(count, dtype=np.int64)
    owner = np.empty((size, size), dtype=np.int8)
    left = np.empty((players, 2 if table.weight > 0 else 1))
    for board in range(first, end):
        stones = _lay_out(table, board, room, starts)
        owner[:] = NOBODY
        if table.plies[board] > 0 and count == 0:
            survey_rows(stones, 0, size, owner)
        elif table.plies[board] > 0:
            own_cells(stones, cells[0], cells[1], count, pulls, own)
            for cell in range(count):
                owner[cell // size, cell % size] = own[cell]
        for seat in range(players):
            left[seat, 0] = (table.stones - table.placed[board, seat]) / table.stones
            if table.weight > 0:
                left[seat, 1] = (table.weight - table.spent[board, seat]) / table.weight
        plane.write(stones, max(table.to_move[board], 0), float(max(table.weight, 1)), left, owner, planes[board])
        going_on = table.to_move[board] != OVER
        free = planes[board, planes.shape[1] - 1]
        for row in range(size):
            for col in range(size):
                free[row, col] = 1.0 if going_on and table.free[board, row * size + col] else 0.0


@inlined
def _draw(state: np.ndarray, board: int, count: int) -> int:
    """Draw a number from 0 to before ``count``; ``state`` is that of a xorshift generator, see ``Batch``."""
    value = state[board]
    value ^= value << np.uint64(13)
    value ^= value >> np.uint64(7)
    value ^= value << np.uint64(17)
    state[board] = value
    return int(float(value >> np.uint64(11)) * 2.0**-53 * count)


@kernel
def _write_random(table: Table, state: np.ndarray, actions: np.ndarray, first: int, end: int) -> None:
    """Write a random legal action, int64 (boards, factors), for the boards from ``first`` to before ``end``."""
    for board in range(first, end):
        actions[board] = 0
        seat = table.to_move[board]
        if seat == OVER:
            continue
        ahead = _draw(state, board, table.room[board])
        cell = 0
        while ahead > 0 or not table.free[board, cell]:
            ahead -= table.free[board, cell]
            cell += 1
        actions[board, 0] = cell
        if table.weight > 0:
            actions[board, 1] = _draw(state, board, table.weight - table.spent[board, seat])
