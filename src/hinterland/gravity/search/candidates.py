"""Places on the board that a search looks at: openings, places around a move, and the exact best for a last stone."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import product

import msgspec
import numpy as np

from hinterland.gravity.coarse import coarse_board
from hinterland.gravity.coarse.coarse_replies import map_replies
from hinterland.gravity.rules import Position, Stone
from hinterland.gravity.spacing import forbid

LATTICE = 5
"""The first stone of a game is looked for on so many rows of a quarter of the board; on smaller boards on all."""
GRID = 48
"""A stone for which there is no time is looked for on so many cells a side."""
BEST = 20
"""Of them so many are tried, which are the best."""
NEAR = 2
"""A place that a stone may not go to stands for one at most so many steps away."""


def best_last(position: Position) -> Stone:
    """Return the stone that gains the most, exactly, with all the weight that the seat to move has left."""
    return position.best_reply(position.weight_left(position.to_move or 0) or 1)[0]


def lead_when_answered(position: Position, stone: Stone) -> int:
    """Return by how much the seat to move leads all others in the end if the best last stone answers, exactly."""
    after = position.play(stone)
    ended = after if after.to_move is None else after.play(best_last(after))
    return 2 * ended.scores[position.to_move or 0] - sum(ended.scores)


def first_free(position: Position) -> Stone:
    """Return a stone on the first free cell in reading order, with all the weight that the seat to move has left."""
    first = next(iter(position.legal_moves))
    return Stone(first.row, first.col, position.weight_left(position.to_move or 0) or 1)


def best_coarse(position: Position, weight: int) -> Stone:
    """Return a stone of this weight that gains about the most, by a coarse board: in a hundredth of the time."""
    board = _replies(position, weight)
    size, grid = position.rules.size, board.gains.shape[0]
    gains = np.where(board.free[0], board.gains, -1).ravel()
    best = np.argsort(-gains, kind="stable")[:BEST]
    found = legal(position, np.stack(np.divmod(best, grid), axis=1), np.full(BEST, weight)[: best.size], size / grid)
    return found[0] if found else msgspec.structs.replace(first_free(position), weight=weight)


def coarse_map(position: Position, weight: int) -> np.ndarray:
    """Return about what a stone gains on each cell, by a coarse board and in its cells.

    int32 (size, size); -1 where a stone may not go.
    """
    gains = _replies(position, weight).gains
    size = position.rules.size
    place = np.arange(size) * gains.shape[0] // size
    everywhere = gains[np.ix_(place, place)]
    forbid(position.new_stone(weight).stones, everywhere)
    return everywhere


def _replies(position: Position, weight: int) -> coarse_board.CoarseBoard:
    """Return a coarse board with what each of its cells gains."""
    board = coarse_board.coarsen(position, min(GRID, position.rules.size), 1)
    map_replies(board, position.to_move or 0, weight)
    return board


def openings(position: Position) -> list[Stone]:
    """Return first stones all over the board, from its middle outwards; those that symmetry makes equal only once."""
    size = position.rules.size
    half = (size + 1) // 2
    lines = range(half) if half <= 2 * LATTICE else [int((i + 0.5) * half / LATTICE) for i in range(LATTICE)]
    weights = _shares(position)
    return [Stone(row, col, weight) for row, col in product(lines, lines) if row <= col for weight in weights][::-1]


def _shares(position: Position) -> list[int]:
    """Return weights for a first stone: little, an even share, and more; 1 in a game without weights."""
    left = position.weight_left(position.to_move or 0)
    if left is None:
        return [1]
    stones = position.rules.stones
    most = max(left - stones + 1, 1)
    return sorted({min(max(weight, 1), most) for weight in (1, left // stones, 2 * left // stones)})


def around(position: Position, stones: Iterable[Stone], step: float) -> list[Stone]:
    """Return legal stones with the weights of the given ones, on them and one step to each side."""
    away = max(round(step), 1)
    near = {
        Stone(stone.row + down * away, stone.col + right * away, stone.weight): None
        for stone in stones
        for down, right in product((0, -1, 1), repeat=2)
    }
    return [stone for stone in near if stone in position.legal_moves]


def legal(position: Position, places: np.ndarray, weights: np.ndarray, scale: float) -> list[Stone]:
    """Return the stones at places of a coarse board, or the legal ones nearest to them; without those that have none.

    ``places``: float64 (n, 2), in cells of a coarse board; ``scale``: cells of the board to one of those.
    """
    steps = sorted(product(range(-NEAR, NEAR + 1), repeat=2), key=lambda step: step[0] ** 2 + step[1] ** 2)
    found = []
    for (row, col), weight in zip(places.tolist(), weights.tolist(), strict=True):
        down, right = round((row + 0.5) * scale - 0.5), round((col + 0.5) * scale - 0.5)
        step = max(math.ceil(scale / 4), 1)
        near = (Stone(down + i * step, right + j * step, weight) for i, j in steps)
        stone = next((stone for stone in near if stone in position.legal_moves), None)
        if stone is not None:
            found.append(stone)
    return found
