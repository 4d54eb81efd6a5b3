"""The best response to rivals whose habits are known: a plan for all own stones, improved stone by stone.

Where everybody else follows a simple rule (habits.py), or is taken to look two plies ahead (two_plies.py), a game is a
plan: the seat's own stones, in their order, say how it ends. A tree shares its time out over all that may happen in a
few plies; here whole games are compared instead, by iterated local search (Lourenço, Martin and Stützle 2003). One
stone at a time is changed: it goes to where it takes the most from the end of the game without it, a little aside, or
anywhere, or two stones change turns or share their weight anew. What is no worse is kept; where nothing better was
found for long, some stones of the best plan are lifted, and it begins again from there.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hinterland.gravity.coarse.coarse_board import CoarseBoard, best_free, count_leads, place
from hinterland.gravity.coarse.coarse_replies import map_expected, map_replies
from hinterland.gravity.habits import TWO_PLIES
from hinterland.gravity.search.habitual import habitual_cell
from hinterland.gravity.search.stones_left import Turns, next_seat
from hinterland.gravity.search.two_plies import two_plies_cell
from hinterland.jit import inlined, kernel
from hinterland.search.random_numbers import below

GRID = 48
"""Plans are compared on a board of so many cells a side."""
OPEN = -1.0
"""Stands for the row of a stone whose place is open: it goes where its expected lead grows most."""
NEAR = 10
"""A stone whose place is not free goes to the nearest that is, if that is within one so manieth of the board."""
CHANGES = 10
"""Of so many changes one goes anywhere, one to another turn, half of the others aside and half to the best place."""
AWAY = 3
"""A stone goes aside by 1, 2 or 4 cells: so many powers of two."""
PATIENCE = 4
"""A plan is left after so many changes for each stone of which none was a gain."""
LIFTED = 4
"""Then one stone of so many is lifted, and no fewer than two."""
GAIN = 1e-9
"""Sums differ by less for another order of stones."""


class Climb(NamedTuple):
    """Plans for the mover: float64 (stones, 3), row and column, in cells of the coarse board, and weight of each stone.

    Lines are what comes of them, float64 (plies, 4): seat, row, column and weight of all stones to come. Values,
    float64[players], are by what each seat leads at the end, in shares of the board. Kernels overwrite the arrays.
    """

    trial: np.ndarray
    """The plan that is tried."""
    trial_line: np.ndarray
    trial_value: np.ndarray
    plan: np.ndarray
    """The one that is being improved."""
    line: np.ndarray
    value: np.ndarray
    best: np.ndarray
    """The best so far."""
    best_value: np.ndarray
    stale: np.ndarray
    """int64[1]: how many changes in a row did not better ``plan``."""
    seed: np.ndarray
    """int64[1]: see random_numbers.py."""


def new_climb(turns: Turns, plies: int, seed: np.ndarray) -> Climb:
    """Return a plan in which all places are open and weights even, for a line of so many plies."""
    own, left = int(turns.stones[turns.seat]), int(turns.weights[turns.seat])
    plan = np.full((own, 3), OPEN)
    plan[:, 2] = [(left + number) // own for number in range(own)]
    line, value = np.full((plies, 4), OPEN), np.full(turns.stones.size, -np.inf)
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
    """Try so many plans, the first of them with all places open; return how many."""
    seat, patience = turns.seat, PATIENCE * climb.plan.shape[0]
    for _ in range(rounds):
        begins = math.isinf(climb.value[seat]) or climb.stale[0] >= patience
        first = 0
        if begins:
            _lift(climb)
        else:
            first = _change(board, turns, climb)
        _follow(board, turns, climb, first)
        value = climb.trial_value[seat]
        climb.stale[0] = 0 if begins or value > climb.value[seat] + GAIN else climb.stale[0] + 1
        if begins or value >= climb.value[seat]:
            climb.plan[:], climb.line[:], climb.value[:] = climb.trial, climb.trial_line, climb.trial_value
        if value > climb.best_value[seat]:
            climb.best[:], climb.best_value[:] = climb.trial, climb.trial_value
    return rounds


@kernel(allocates=True)
def _follow(board: CoarseBoard, turns: Turns, climb: Climb, first: int) -> None:
    """Play the plan that is tried to the end, and set its line and its value; what is open or not free is filled in.

    ``first``: the first own stone that is not the one of the plan that is being improved; up to it all goes as there.
    """
    stones, weights = turns.stones.copy(), turns.weights.copy()
    board.placed[:] = 0
    climb.trial_line[:, 0] = OPEN
    seat, own = turns.seat, 0
    for ply in range(climb.trial_line.shape[0]):
        if seat < 0:
            break
        weight = int(climb.trial[own, 2]) if seat == turns.seat else max(weights[seat] // stones[seat], 1)
        cell = -1
        if own < first or (own == first and seat != turns.seat and first > 0):
            cell = int(climb.line[ply, 1]) * board.grid + int(climb.line[ply, 2])
        elif seat == turns.seat and stones.sum() > 1:
            cell = _planned(board, ply, climb.trial[own], seat, weights * (stones > 0))
        if cell < 0:
            cell = _expected(board, ply, seat, weight, (stones, weights))
        if cell < 0:
            break
        row, col = float(cell // board.grid), float(cell % board.grid)
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
def _expected(board: CoarseBoard, ply: int, seat: int, weight: int, left: tuple[np.ndarray, np.ndarray]) -> int:
    """Return the cell to which its habit takes a seat, that of greatest gain for one without; -1 where none is free."""
    map_replies(board, seat, weight)
    if board.habits[seat] == TWO_PLIES:
        return two_plies_cell(board, ply, seat, left[0], left[1])
    cell = habitual_cell(board, ply, seat)
    return cell if cell >= 0 else best_free(board, ply)


@inlined(allocates=True)
def _planned(board: CoarseBoard, ply: int, stone: np.ndarray, seat: int, left: np.ndarray) -> int:
    """Return the cell of a planned stone, one near it or one of expected lead; -1 where there is no such place."""
    cell = -1
    if stone[0] >= 0.0:
        cell = _nearest_free(board, ply, int(stone[0]), int(stone[1]))
    if cell < 0 and board.foresees:
        map_expected(board, seat, int(stone[2]), left)
        cell = best_free(board, ply)
    return cell


@inlined
def _nearest_free(board: CoarseBoard, ply: int, row: int, col: int) -> int:
    """Return the free cell nearest to one, -1 where none is near."""
    free, grid, away = board.free[ply], board.grid, board.grid // NEAR
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
def _lift(climb: Climb) -> None:
    """Try the best plan with some places open."""
    climb.trial[:] = climb.best
    own = climb.best.shape[0]
    for _ in range(max(own // LIFTED, 2)):
        climb.trial[below(climb.seed, own), 0] = OPEN


@inlined(allocates=True)
def _change(board: CoarseBoard, turns: Turns, climb: Climb) -> int:
    """Try the plan with a change; return the first stone that it changes."""
    climb.trial[:] = climb.plan
    own, last = climb.plan.shape[0], board.grid - 1
    number, other, kind = below(climb.seed, own), below(climb.seed, own), below(climb.seed, CHANGES)
    stone = climb.trial[number]
    if kind == 0:
        stone[0], stone[1] = below(climb.seed, board.grid), below(climb.seed, board.grid)
    elif kind == 1 and (turns.weights[turns.seat] == own or below(climb.seed, 2) == 0):
        climb.trial[number, :2], climb.trial[other, :2] = climb.plan[other, :2], climb.plan[number, :2]
    elif kind == 1 and number != other:
        moved = below(climb.seed, int(stone[2]))
        stone[2] -= moved
        climb.trial[other, 2] += moved
    elif kind % 2 == 1:
        away = 1 << below(climb.seed, AWAY)
        stone[0] = min(max(stone[0] + (below(climb.seed, 3) - 1) * away, 0), last)
        stone[1] = min(max(stone[1] + (below(climb.seed, 3) - 1) * away, 0), last)
    else:
        cell = _best_place(board, turns, climb, number)
        if cell >= 0:
            stone[0], stone[1] = cell // board.grid, cell % board.grid
    return min(number, other) if kind == 1 else number


@inlined
def _best_place(board: CoarseBoard, turns: Turns, climb: Climb, number: int) -> int:
    """Return the cell on which one of the mover's stones takes the most once all others stand; -1 for none."""
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
