"""Chooses stones that a search looks at: openings, stones around a move, and the exact best reply."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import product

import msgspec
import numpy as np

from hinterland.gravity.coarse import coarse_board
from hinterland.gravity.coarse.coarse_replies import map_replies
from hinterland.gravity.rules import Position, Stone
from hinterland.gravity.search.config import CONFIG
from hinterland.gravity.spacing import forbid


def even_weight(position: Position, seat: int | None = None) -> int:
    """Return an even share of the weight that a seat has left, by default the seat to move; 1 without weights."""
    seat = position.to_move if seat is None else seat
    left = None if seat is None else position.weight_left(seat)
    if seat is None or left is None:
        return 1
    return max(1, left // max(position.stones_left(seat), 1))


def best_reply(position: Position) -> Stone:
    """Return the stone of even weight that gains the most, exactly. A last stone has all the weight that is left."""
    return position.best_reply(even_weight(position))[0]


def first_free(position: Position) -> Stone:
    """Return a stone on the first free cell in reading order, with all the weight that the seat to move has left."""
    first = next(iter(position.legal_moves))
    return Stone(first.row, first.col, position.weight_left(position.to_move or 0) or 1)


def best_coarse(position: Position, weight: int) -> Stone:
    """Return a stone that gains nearly the most; a coarse board finds it in a hundredth of an exact search's time."""
    board = _map_coarse_board(position, weight)
    size, grid, count = position.rules.size, board.gains.shape[0], CONFIG.quick_reply_cells
    gains = np.where(board.free[0], board.gains, -1).ravel()
    best = np.argsort(-gains, kind="stable")[:count]
    found = legal(position, np.stack(np.divmod(best, grid), axis=1), np.full(count, weight)[: best.size], size / grid)
    return found[0] if found else msgspec.structs.replace(first_free(position), weight=weight)


def map_coarsely(position: Position, weight: int) -> np.ndarray:
    """Return roughly what a stone gains on each cell, in cells of a coarse board.

    int32 (size, size); -1 where a stone may not go.
    """
    gains = _map_coarse_board(position, weight).gains
    size = position.rules.size
    place = np.arange(size) * gains.shape[0] // size
    everywhere = gains[np.ix_(place, place)]
    forbid(position.new_stone(weight).stones, everywhere)
    return everywhere


def _map_coarse_board(position: Position, weight: int) -> coarse_board.CoarseBoard:
    board = coarse_board.coarsen(position, min(CONFIG.quick_reply_grid, position.rules.size), 1)
    map_replies(board, position.to_move or 0, weight)
    return board


def openings(position: Position) -> list[Stone]:
    """Return first stones all over the board, from its middle outwards; of each set of mirror images only one."""
    size, count = position.rules.size, CONFIG.openings_per_quarter_side
    half = (size + 1) // 2
    lines = list(range(half)) if half <= 2 * count else [int((i + 0.5) * half / count) for i in range(count)]
    if half > 2 * count and coarse_board.needs_rings(position.rules, CONFIG.openings_grid):
        lines.append(half - 1)
    weights = _opening_weights(position)
    return [Stone(row, col, weight) for row, col in product(lines, lines) if row <= col for weight in weights][::-1]


def _opening_weights(position: Position) -> list[int]:
    """Return weights for a first stone: little, an even share, and more; 1 in a game without weights."""
    left = position.weight_left(position.to_move or 0)
    if left is None:
        return [1]
    stones = position.rules.stones
    most = max(left - stones + 1, 1)
    return sorted({min(max(weight, 1), most) for weight in (1, left // stones, 2 * left // stones)})


def turn_at_random(openings: list[Stone], size: int, seed: int) -> list[Stone]:
    """Turn and mirror first stones by a symmetry of the board that ``seed`` chooses; seed 0 leaves them unchanged."""
    chances = np.random.default_rng(seed).integers(2, size=3) if seed else np.zeros(3)
    last, (down, right, across) = size - 1, chances.tolist()
    turned = []
    for stone in openings:
        row, col = last - stone.row if down else stone.row, last - stone.col if right else stone.col
        turned.append(Stone(col, row, stone.weight) if across else Stone(row, col, stone.weight))
    return turned


def around(position: Position, stones: Iterable[Stone], step: float) -> list[Stone]:
    """Return the legal stones on the cells of given stones and a step to each side of these, with the same weights."""
    away = max(round(step), 1)
    near = {
        Stone(stone.row + down * away, stone.col + right * away, stone.weight): None
        for stone in stones
        for down, right in product((0, -1, 1), repeat=2)
    }
    return [stone for stone in near if stone in position.legal_moves]


def legal(position: Position, places: np.ndarray, weights: np.ndarray, scale: float) -> list[Stone]:
    """Return, for each place of a coarse board, the legal stone there or the nearest one.

    Places without a legal stone near are left out.

    ``places``: float64 (n, 2), in cells of a coarse board; ``scale``: cells of the real board for each cell of the
    coarse one.
    """
    offsets = range(-CONFIG.nudge_steps, CONFIG.nudge_steps + 1)
    steps = sorted(product(offsets, repeat=2), key=lambda step: step[0] ** 2 + step[1] ** 2)
    found = []
    for (row, col), weight in zip(places.tolist(), weights.tolist(), strict=True):
        down, right = round((row + 0.5) * scale - 0.5), round((col + 0.5) * scale - 0.5)
        step = max(math.ceil(scale / 4), 1)
        near = (Stone(down + i * step, right + j * step, weight) for i, j in steps)
        stone = next((stone for stone in near if stone in position.legal_moves), None)
        if stone is not None:
            found.append(stone)
    return found
