"""Finds the best response to rivals whose habits are known: a plan for all own stones, improved stone by stone.

If all rivals follow a simple rule (habits.py), or are expected to look two plies ahead (two_plies.py), the mover's own
stones decide how the game ends. A plan is the mover's stones to come, in order. A tree would spend its time on
everything that may happen in a few plies. This file compares whole games instead, by iterated local search (Lourenço,
Martin and Stützle 2003). A change of a plan moves one stone: to where it takes the most when all other stones stand, a
little aside, or anywhere. Or two stones swap their turns, or one stone gives weight to another. A change is kept if it
does not make the plan worse. If no change has improved the plan for a long time, some stones of the best plan are
lifted off the board, and the search goes on from there.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hinterland.gravity.coarse.coarse_board import (
    TWO_PLIES,
    CoarseBoard,
    best_free,
    count_leads,
    is_free,
    place,
    place_at,
)
from hinterland.gravity.coarse.coarse_replies import map_expected, map_replies
from hinterland.gravity.search.habits import habitual_cell
from hinterland.gravity.search.stones_left import Turns, next_seat
from hinterland.gravity.search.two_plies import two_plies_cell
from hinterland.jit import inlined, kernel, part
from hinterland.search.copying import copy_values
from hinterland.search.random_numbers import below

OPEN_ROW = -1.0
"""The row of a stone whose place is open: in play it goes where the seat's expected lead grows most."""
NEAR_CELLS_PER_SIDE = 10
"""A stone whose place is not free goes to the nearest free cell, if that is at most grid / 10 away."""
KINDS_OF_CHANGE = 10
"""Changes are drawn from this many kinds, equally likely: one moves a stone anywhere, one swaps turns or moves weight,
four move a stone aside, four move a stone to its best place."""
STEP_DOUBLINGS = 3
"""Number of distances by which a stone may move aside: 1, 2 or 4 cells."""
PATIENCE_PER_STONE = 4
"""A plan is given up after this many changes in a row without a gain, for each stone of the plan."""
STONES_PER_LIFTED = 4
"""When a plan is given up, the search goes on from the best plan with one stone in four lifted, but at least two."""
LEAST_GAIN = 1e-9
"""Least gain that counts; sums of the same pulls in another order differ by less."""


class Climb(NamedTuple):
    """Plans for the mover, and the games to which they lead. Kernels overwrite the arrays.

    A plan, float64 (stones, 3), holds row and column, in cells of the coarse board, and weight of each own stone. A
    line, float64 (plies, 4), holds seat, row, column and weight of all stones to come. A value, float64[players], is
    the lead of each seat at the end, as a share of the board.
    """

    trial: np.ndarray
    """The plan that is tried."""
    trial_line: np.ndarray
    trial_value: np.ndarray
    plan: np.ndarray
    """The plan that is being improved."""
    line: np.ndarray
    value: np.ndarray
    best: np.ndarray
    """The best plan so far."""
    best_value: np.ndarray
    stale: np.ndarray
    """int64[1]: changes in a row that did not improve ``plan``."""
    seed: np.ndarray
    """int64[1]: the state of the random numbers; see random_numbers.py."""


def new_climb(turns: Turns, plies: int, seed: np.ndarray) -> Climb:
    """Return a climb that begins with a plan of open places (``OPEN_ROW``) only; its lines have ``plies`` plies.

    The stones of this plan share the weight that is left as equally as whole units allow.
    """
    own, left = int(turns.stones[turns.seat]), int(turns.weights[turns.seat])
    plan = np.full((own, 3), OPEN_ROW)
    plan[:, 2] = [(left + number) // own for number in range(own)]
    line, value = np.full((plies, 4), OPEN_ROW), np.full(turns.stones.size, -np.inf)
    return Climb(
        trial=plan,
        trial_line=line,
        trial_value=value,
        plan=plan.copy(),
        line=line.copy(),
        value=value.copy(),
        best=plan.copy(),
        best_value=value.copy(),
        stale=np.zeros(1, dtype=np.int64),
        seed=seed,
    )


@kernel(allocates=True)
def improve(board: CoarseBoard, turns: Turns, climb: Climb, rounds: int) -> int:
    """Try ``rounds`` plans and return this number. In the first plan of a climb all places are open (``OPEN_ROW``)."""
    seat, patience = turns.seat, PATIENCE_PER_STONE * climb.plan.shape[0]
    for _ in range(rounds):
        begins = math.isinf(climb.value[seat]) or climb.stale[0] >= patience
        first = 0
        if begins:
            _lift_stones(climb)
        else:
            first = _change_plan(board, turns, climb)
        play_trial(board, turns, climb, first)
        value = climb.trial_value[seat]
        climb.stale[0] = 0 if begins or value > climb.value[seat] + LEAST_GAIN else climb.stale[0] + 1
        if begins or value >= climb.value[seat]:
            copy_values(climb.trial, climb.plan)
            copy_values(climb.trial_line, climb.line)
            copy_values(climb.trial_value, climb.value)
        if value > climb.best_value[seat]:
            copy_values(climb.trial, climb.best)
            copy_values(climb.trial_value, climb.best_value)
    return rounds


@part(allocates=True)
def play_trial(board: CoarseBoard, turns: Turns, climb: Climb, first: int) -> None:
    """Play ``climb.trial`` to the end; set its line and its value, and fill in places that are open or not free.

    ``first``: the number of the first own stone that differs from ``climb.plan``; until then ``climb.line`` is
    repeated.
    """
    stones, weights = turns.stones.copy(), turns.weights.copy()
    board.placed[:] = 0
    climb.trial_line[:, 0] = OPEN_ROW
    seat, own = turns.seat, 0
    for ply in range(climb.trial_line.shape[0]):
        if seat < 0:
            break
        weight = int(climb.trial[own, 2]) if seat == turns.seat else max(weights[seat] // stones[seat], 1)
        row, col = OPEN_ROW, OPEN_ROW
        if own < first or (own == first and seat != turns.seat and first > 0):
            row, col = climb.line[ply, 1], climb.line[ply, 2]
        elif seat == turns.seat and stones.sum() > 1:
            row, col = _planned_place(board, ply, climb.trial[own], seat, weights * (stones > 0))
        if row < -0.5:
            cell = _expected_cell(board, ply, seat, weight, (stones, weights))
            if cell < 0:
                break
            row, col = place_at(board, cell)
        if seat == turns.seat:
            climb.trial[own, 0], climb.trial[own, 1] = row, col
            own += 1
        place(board, ply, seat, row, col, weight)
        stone = climb.trial_line[ply]
        stone[0], stone[1], stone[2], stone[3] = seat, row, col, weight
        stones[seat] -= 1
        weights[seat] -= weight
        seat = next_seat(seat, stones, weights)
    weights[:] = 0
    count_leads(board, weights, climb.trial_value)


@inlined(allocates=True)
def _expected_cell(board: CoarseBoard, ply: int, seat: int, weight: int, left: tuple[np.ndarray, np.ndarray]) -> int:
    """Return the place to which a seat's habit takes it, else the place of greatest gain; -1 if none is free."""
    map_replies(board, seat, weight)
    if board.habits[seat] == TWO_PLIES:
        return two_plies_cell(board, ply, seat, left[0], left[1])
    cell = habitual_cell(board, ply, seat)
    return cell if cell >= 0 else best_free(board, ply)


@inlined(allocates=True)
def _planned_place(
    board: CoarseBoard, ply: int, stone: np.ndarray, seat: int, left: np.ndarray
) -> tuple[float, float]:
    """Return a planned stone's place, else a free cell near it, else the cell of greatest expected lead.

    Row and column are OPEN_ROW if there is none.
    """
    cell = -1
    if stone[0] > -0.5:
        if (stone[0] % 1.0 > 0.0 or stone[1] % 1.0 > 0.0) and is_free(board, ply, stone[0], stone[1]):
            return stone[0], stone[1]
        last = board.grid - 1
        cell = _nearest_free(board, ply, min(max(round(stone[0]), 0), last), min(max(round(stone[1]), 0), last))
    if cell < 0 and board.foresees:
        map_expected(board, seat, int(stone[2]), left)
        cell = best_free(board, ply)
    if cell < 0:
        return OPEN_ROW, OPEN_ROW
    return place_at(board, cell)


@inlined
def _nearest_free(board: CoarseBoard, ply: int, row: int, col: int) -> int:
    """Return the free cell that is nearest to (row, col), -1 if none is near."""
    free, grid, away = board.free[ply], board.grid, board.grid // NEAR_CELLS_PER_SIDE
    best, least = -1, 2 * grid * grid
    if free[row, col]:
        return row * grid + col
    for i in range(max(row - away, 0), min(row + away + 1, grid)):
        for j in range(max(col - away, 0), min(col + away + 1, grid)):
            square = (i - row) * (i - row) + (j - col) * (j - col)
            if free[i, j] and square < least:
                least = square
                best = i * grid + j
    return best


@inlined(allocates=True)
def _lift_stones(climb: Climb) -> None:
    """Set ``climb.trial`` to the best plan with some places open."""
    copy_values(climb.best, climb.trial)
    own = climb.best.shape[0]
    for _ in range(max(own // STONES_PER_LIFTED, 2)):
        climb.trial[below(climb.seed, own), 0] = OPEN_ROW


@inlined(allocates=True)
def _change_plan(board: CoarseBoard, turns: Turns, climb: Climb) -> int:
    """Set ``climb.trial`` to ``climb.plan`` with one change; return the number of the first stone that changes."""
    copy_values(climb.plan, climb.trial)
    own, last = climb.plan.shape[0], board.grid - 1
    number, other, kind = below(climb.seed, own), below(climb.seed, own), below(climb.seed, KINDS_OF_CHANGE)
    stone = climb.trial[number]
    if kind == 0:
        stone[0], stone[1] = below(climb.seed, board.grid), below(climb.seed, board.grid)
    elif kind == 1 and (turns.weights[turns.seat] == own or below(climb.seed, 2) == 0):
        for axis in range(2):
            climb.trial[number, axis], climb.trial[other, axis] = climb.plan[other, axis], climb.plan[number, axis]
    elif kind == 1 and number != other:
        moved = below(climb.seed, int(stone[2]))
        stone[2] -= moved
        climb.trial[other, 2] += moved
    elif kind % 2 == 1:
        away = 1 << below(climb.seed, STEP_DOUBLINGS)
        stone[0] = min(max(stone[0] + (below(climb.seed, 3) - 1) * away, 0), last)
        stone[1] = min(max(stone[1] + (below(climb.seed, 3) - 1) * away, 0), last)
    else:
        cell = _best_place(board, turns, climb, number)
        if cell >= 0:
            stone[0], stone[1] = place_at(board, cell)
    return min(number, other) if kind == 1 else number


@inlined
def _best_place(board: CoarseBoard, turns: Turns, climb: Climb, number: int) -> int:
    """Return the place where the mover's stone ``number`` takes the most when all others stand; -1 if there is none."""
    board.placed[:] = 0
    ply = 0
    own = -1
    for step in range(climb.line.shape[0]):
        stone = climb.line[step]
        if stone[0] == turns.seat:
            own += 1
        if stone[0] >= 0.0 and not (stone[0] == turns.seat and own == number):
            place(board, ply, int(stone[0]), stone[1], stone[2], int(stone[3]))
            ply += 1
    map_replies(board, turns.seat, int(climb.plan[number, 2]))
    return best_free(board, ply)
