"""Plays thousands of boards of gravity at once, in arrays. A game is scored only when it is over.

Each board has its stones and its free cells. Owners are found cell by cell on small boards and tile by tile on large
ones; both ways are exact. Each core takes strips of boards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from hinterland.contract.batch import OVER, Batch, Masks
from hinterland.gravity import planes as plane
from hinterland.gravity.area.cell_owner import NOBODY, own_cells
from hinterland.gravity.area.ownership import survey_rows
from hinterland.gravity.area.stones import Stones
from hinterland.gravity.rules import Position, Rules
from hinterland.gravity.spacing import half_run
from hinterland.jit import cores, in_strips, inlined, kernel

CELL_BY_CELL_SIDE = 32
"""On boards of up to this many cells a side, owners are found cell by cell: tiles would cost more time than they
save."""
ONE_CORE_CELLS = 1 << 16
"""If all boards together have at most this many cells, one core does the work: a second would save no time."""
CELLS_PER_MOVE = 16
"""Playing a move takes about as long as finding the owners of this many cells."""


class Boards(NamedTuple):
    """The moves on all boards, and the rules that they share."""

    cells: np.ndarray
    """int64 (boards, turns): row * size + col of each stone in order of play."""
    seats: np.ndarray
    """int64 (boards, turns)"""
    weights: np.ndarray
    """int64 (boards, turns)"""
    plies: np.ndarray
    """int64[boards]: number of stones."""
    placed: np.ndarray
    """int64 (boards, players): stones that each seat has placed."""
    spent: np.ndarray
    """int64 (boards, players): weight that each seat has placed."""
    to_move: np.ndarray
    """int64[boards]: the seat to move, or OVER."""
    free: np.ndarray
    """bool (boards, size * size): whether a stone may go on each cell."""
    room: np.ndarray
    """int64[boards]: number of free cells."""
    size: int
    players: int
    stones: int
    spacing: int
    weight: int
    """Weight that each seat spreads over its stones; 0 in a game without weights."""
    nearest: bool


class GravityBatch(Batch):
    """Many boards of gravity on which kernels play."""

    rules: Rules

    def __init__(self, rules: Rules, count: int) -> None:
        self.rules = rules
        self.count = count
        turns = rules.players * rules.stones
        self._boards = Boards(
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
        return self._boards.to_move

    def position(self, board: int) -> Position:
        played = self._boards
        plies = int(played.plies[board])
        columns = (row[board, :plies].tolist() for row in (played.seats, played.cells, played.weights))
        start = self.rules.start()
        history = ((seat, self.rules._move_of(cell, weight - 1)) for seat, cell, weight in zip(*columns, strict=True))
        return type(start)(self.rules, tuple(history))

    def first_illegal(self, actions: np.ndarray) -> int:
        return int(_first_illegal(self._boards, actions))

    def play_unchecked(self, actions: np.ndarray) -> None:
        self._run_on_cores(lambda first, end: _play(self._boards, actions, first, end), self.count, CELLS_PER_MOVE)

    def clear(self, boards: np.ndarray) -> None:
        _clear(self._boards, boards)

    def scores(self, boards: np.ndarray) -> np.ndarray:
        areas = np.zeros((len(boards), self.rules.players), dtype=np.int64)
        cells = self._boards.size**2
        self._run_on_cores(lambda first, end: _score(self._boards, boards, areas, first, end), len(boards), cells)
        return areas

    def write_masks(self, masks: Masks) -> None:
        played = self._boards
        going_on = (played.to_move != OVER)[:, None]
        np.logical_and(played.free, going_on, out=masks[0])
        if played.weight:
            left = played.weight - played.spent[np.arange(self.count), played.to_move]
            np.less(np.arange(played.weight), left[:, None] * going_on, out=masks[1])

    def write_planes(self, planes: np.ndarray) -> None:
        cells = self._boards.size**2
        self._run_on_cores(lambda first, end: _write_planes(self._boards, planes, first, end), self.count, cells)

    def write_random(self, state: np.ndarray, actions: np.ndarray) -> None:
        self._run_on_cores(
            lambda first, end: _write_random(self._boards, state, actions, first, end), self.count, CELLS_PER_MOVE
        )

    def state(self) -> Boards:
        named = self._boards._asdict().items()
        copies: dict[str, Any] = {name: value.copy() for name, value in named if isinstance(value, np.ndarray)}
        return self._boards._replace(**copies)

    def restore(self, state: Boards) -> None:
        for mine, saved in zip(self._boards, state, strict=True):
            if isinstance(mine, np.ndarray):
                mine[...] = saved

    @staticmethod
    def _run_on_cores(work: Callable[[int, int], None], count: int, cells: int) -> None:
        """Run a kernel on ``count`` boards, on all cores if there is enough work.

        ``cells``: the kernel's work for one board, as the number of cells whose owners can be found in the same time.
        """
        threads = cores() if count * cells > ONE_CORE_CELLS else 1
        in_strips(lambda _, first, end: work(first, end), count, max(1, -(-count // threads)), threads)


@kernel
def _first_illegal(played: Boards, actions: np.ndarray) -> int:
    """Return the first board whose action is illegal, -1 if there is none.

    ``actions``: int64 (boards, 1 or 2): for each board the cell and, in a game with weights, the weight less 1.
    """
    for board in range(played.plies.size):
        seat = played.to_move[board]
        cell = actions[board, 0]
        if seat == OVER or cell < 0 or cell >= played.free.shape[1] or not played.free[board, cell]:
            return board
        if played.weight > 0:
            weight = actions[board, 1]
            if weight < 0 or weight >= played.weight - played.spent[board, seat]:
                return board
    return -1


@inlined
def _next_to_move(played: Boards, board: int, seat: int) -> int:
    """Return the seat that moves after ``seat``, or OVER."""
    if played.room[board] == 0:
        return OVER
    for turn in range(1, played.players + 1):
        other = (seat + turn) % played.players
        if played.placed[board, other] < played.stones and (
            played.weight == 0 or played.spent[board, other] < played.weight
        ):
            return other
    return OVER


@kernel
def _play(played: Boards, actions: np.ndarray, first: int, end: int) -> None:
    """Play legal actions on the boards from ``first`` to before ``end``. ``actions``: as for ``_first_illegal``."""
    size = played.size
    for board in range(first, end):
        seat, ply, cell = played.to_move[board], played.plies[board], actions[board, 0]
        weight = actions[board, 1] + 1 if played.weight > 0 else 1
        played.cells[board, ply] = cell
        played.seats[board, ply] = seat
        played.weights[board, ply] = weight
        played.plies[board] = ply + 1
        played.placed[board, seat] += 1
        played.spent[board, seat] += weight
        row, col = cell // size, cell % size
        free = played.free[board]
        taken = 0
        for down in range(max(1 - played.spacing, -row), min(played.spacing, size - row)):
            half = half_run(played.spacing, down)
            start = (row + down) * size
            for here in range(start + max(col - half, 0), start + min(col + half + 1, size)):
                taken += free[here]
                free[here] = False
        played.room[board] -= taken
        played.to_move[board] = _next_to_move(played, board, seat)


@kernel
def _clear(played: Boards, boards: np.ndarray) -> None:
    for board in boards:
        played.plies[board] = 0
        played.placed[board] = 0
        played.spent[board] = 0
        played.to_move[board] = 0
        played.free[board] = True
        played.room[board] = played.size * played.size


@inlined(allocates=True)
def _lay_out(played: Boards, board: int, room: np.ndarray, starts: np.ndarray) -> Stones:
    """Return the stones of a board, sorted by seat. ``room``: float64 (3, turns); it and ``starts`` hold the result."""
    count = 0
    for seat in range(played.players):
        starts[seat] = count
        for ply in range(played.plies[board]):
            if played.seats[board, ply] == seat:
                room[0, count] = played.cells[board, ply] // played.size
                room[1, count] = played.cells[board, ply] % played.size
                room[2, count] = played.weights[board, ply]
                count += 1
    starts[played.players] = count
    return Stones(
        room[0, :count], room[1, :count], room[2, :count], starts, played.size, played.spacing, played.nearest
    )


@inlined(allocates=True)
def _list_all(size: int) -> np.ndarray:
    """Return rows and columns of all cells of a small board, float64 (2, cells); for a large board, an empty array."""
    cells = np.empty((2, size * size if size <= CELL_BY_CELL_SIDE else 0), dtype=np.float64)
    for cell in range(cells.shape[1]):
        cells[0, cell] = cell // size
        cells[1, cell] = cell % size
    return cells


@kernel(allocates=True)
def _score(played: Boards, boards: np.ndarray, areas: np.ndarray, first: int, end: int) -> None:
    """Set ``areas[first:end]``, int64 (n, players), to the areas of the boards with numbers ``boards[first:end]``."""
    room, starts = np.empty((3, played.cells.shape[1])), np.empty(played.players + 1, dtype=np.int64)
    cells = _list_all(played.size)
    count = cells.shape[1]
    pulls, own = np.empty((played.players, count)), np.empty(count, dtype=np.int64)
    no_board = np.empty((0, 0), dtype=np.int8)
    for i in range(first, end):
        stones = _lay_out(played, boards[i], room, starts)
        areas[i] = 0
        if played.plies[boards[i]] == 0:
            continue
        if count == 0:
            areas[i] = survey_rows(stones, 0, played.size, no_board)
        else:
            own_cells(stones, cells[0], cells[1], count, pulls, own)
            for cell in range(count):
                if own[cell] != NOBODY:
                    areas[i, own[cell]] += 1


@kernel(allocates=True)
def _write_planes(played: Boards, planes: np.ndarray, first: int, end: int) -> None:
    """Write the planes, float32 (boards, planes, size, size), of the boards from ``first`` to before ``end``."""
    size, players = played.size, played.players
    room, starts = np.empty((3, played.cells.shape[1])), np.empty(players + 1, dtype=np.int64)
    cells = _list_all(size)
    count = cells.shape[1]
    pulls, own = np.empty((players, count)), np.empty(count, dtype=np.int64)
    owner = np.empty((size, size), dtype=np.int8)
    left = np.empty((players, 2 if played.weight > 0 else 1))
    for board in range(first, end):
        stones = _lay_out(played, board, room, starts)
        owner[:] = NOBODY
        if played.plies[board] > 0 and count == 0:
            survey_rows(stones, 0, size, owner)
        elif played.plies[board] > 0:
            own_cells(stones, cells[0], cells[1], count, pulls, own)
            for cell in range(count):
                owner[cell // size, cell % size] = own[cell]
        for seat in range(players):
            left[seat, 0] = (played.stones - played.placed[board, seat]) / played.stones
            if played.weight > 0:
                left[seat, 1] = (played.weight - played.spent[board, seat]) / played.weight
        plane.write(stones, max(played.to_move[board], 0), float(max(played.weight, 1)), left, owner, planes[board])
        going_on = played.to_move[board] != OVER
        free = planes[board, planes.shape[1] - 1]
        for row in range(size):
            for col in range(size):
                free[row, col] = 1.0 if going_on and played.free[board, row * size + col] else 0.0


@inlined
def _draw(state: np.ndarray, board: int, count: int) -> int:
    """Draw a number from 0 to ``count - 1``.

    ``state``: uint64[boards], a xorshift generator for each board; see ``Batch``.
    """
    value = state[board]
    value ^= value << np.uint64(13)
    value ^= value >> np.uint64(7)
    value ^= value << np.uint64(17)
    state[board] = value
    return int(float(value >> np.uint64(11)) * 2.0**-53 * count)


@kernel
def _write_random(played: Boards, state: np.ndarray, actions: np.ndarray, first: int, end: int) -> None:
    """Draw a legal action for each board from ``first`` to before ``end``. ``actions``: as for ``_first_illegal``."""
    for board in range(first, end):
        actions[board] = 0
        seat = played.to_move[board]
        if seat == OVER:
            continue
        ahead = _draw(state, board, played.room[board])
        cell = 0
        while ahead > 0 or not played.free[board, cell]:
            ahead -= played.free[board, cell]
            cell += 1
        actions[board, 0] = cell
        if played.weight > 0:
            actions[board, 1] = _draw(state, board, played.weight - played.spent[board, seat])
