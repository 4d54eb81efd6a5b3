"""Recognises habits, which are simple rules that rivals follow, and predicts the cells to which habits lead.

Many programs follow one simple rule. On a large board a stone hardly ever stands by chance just where a rule would have
placed it. So a rival whose last stone stands there is expected to follow that rule to the end, in playouts and in the
tree. The tree then need not look at the rival's other answers, and sees farther.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from hinterland.gravity.coarse.coarse_board import (
    GREEDY,
    HUG,
    LAYOUT,
    MIRROR,
    NO_HABIT,
    CoarseBoard,
    best_expected,
    best_free,
)
from hinterland.gravity.lloyd import even_layout, layout_sites
from hinterland.gravity.rules import Position, Stone
from hinterland.gravity.search import candidates
from hinterland.gravity.search.config import CONFIG
from hinterland.jit import inlined, part

HUG_MARGIN_COARSE_CELLS = 1.5
"""A cell is close by a stone if their distance exceeds the spacing by less than this many cells of a coarse board."""


def find_habits(position: Position, *, compares: bool = True) -> tuple[int, ...]:
    """Return the habits of all seats; NO_HABIT for the seat to move. ``compares``: as for ``find_habit``."""
    seats = range(position.rules.players)
    return tuple(
        NO_HABIT if seat == position.to_move else find_habit(position, seat, compares=compares) for seat in seats
    )


@lru_cache(maxsize=256)
def find_habit(position: Position, seat: int, *, compares: bool = True) -> int:
    """Return the habit by which a seat placed its last stone; ``NO_HABIT`` if it shows none.

    ``compares``: whether to compare the seat's last two stones with the greatest gains, for which two exact best cells
    must be found.
    """
    own = [ply for ply, (mover, _) in enumerate(position.moves) if mover == seat]
    if not own:
        return NO_HABIT
    if _is_mirrored(position, own[-1]):
        return MIRROR
    if layout_sites(position, seat):
        return LAYOUT
    if compares and _is_greedy(position, own):
        return GREEDY
    answers = [ply for ply in own if ply > 0]
    return HUG if len(answers) > 1 and all(_is_hugging(position, ply) for ply in answers) else NO_HABIT


def _is_greedy(position: Position, own: list[int]) -> bool:
    """Say whether a seat's last stone gained the most possible, or its last two stones nearly the most."""
    last = _share_of_best(position, own[-1])
    if last >= 1:
        return True
    return last >= CONFIG.greedy_share and len(own) > 1 and _share_of_best(position, own[-2]) >= CONFIG.greedy_share


def _is_mirrored(position: Position, ply: int) -> bool:
    """Say whether a stone is the point reflection of the stone before it, which must be another seat's."""
    seat, stone = position.moves[ply]
    if ply == 0 or position.moves[ply - 1][0] == seat:
        return False
    before: Stone = position.moves[ply - 1][1]
    last = position.rules.size - 1
    return (stone.row, stone.col) == (last - before.row, last - before.col)


def _share_of_best(position: Position, ply: int) -> float:
    """Return what a stone gained at once, as a share of the greatest gain; 0 for the first stone on the board."""
    seat, stone = position.moves[ply]
    if ply == 0:
        return 0.0
    before = position.before(ply)
    gain = position.after(ply + 1).scores[seat] - before.scores[seat]
    return gain / max(before.best_reply(stone.weight)[1], 1)


def _is_hugging(position: Position, ply: int) -> bool:
    """Say whether a stone was placed close by a stone of another seat."""
    seat, stone = position.moves[ply]
    farthest = (position.rules.spacing + CONFIG.hug_margin) ** 2
    return any(
        mover != seat and (stone.row - other.row) ** 2 + (stone.col - other.col) ** 2 < farthest
        for mover, other in position.moves[:ply]
    )


def predict_stone(position: Position, habit: int) -> Stone | None:
    """Return the exact stone to which LAYOUT or MIRROR takes the seat to move; None without a free place of this kind.

    The stone has an even share of the weight that is left.
    """
    rules, weight = position.rules, candidates.even_weight(position)
    last = rules.size - 1
    if habit == LAYOUT:
        sites = [Stone(row, col, weight) for row, col in even_layout(rules.size, rules.stones)]
        free = [site for site in sites if site in position.legal_moves]
        return max(free, key=lambda site: position.play(site).scores[position.to_move or 0], default=None)
    if habit == MIRROR:
        other = next((stone for seat, stone in reversed(position.moves) if seat != position.to_move), None)
        image = other and Stone(last - other.row, last - other.col, weight)
        return image if image in position.legal_moves else None
    return None


@part
def habitual_cell(board: CoarseBoard, ply: int, seat: int) -> int:
    """Return the number of the place to which a seat's habit takes it; -1 without a habit or without room.

    ``board.gains`` must be the gains of this seat; cells of gain -1 are passed over.
    """
    habit = board.habits[seat]
    best = -1
    if habit == LAYOUT:
        best = best_expected(board, ply, seat)
    elif habit == MIRROR:
        best = _mirror_cell(board, ply, seat)
    elif habit == HUG:
        best = _hug_cell(board, ply, seat)
    elif habit != NO_HABIT:
        best = best_free(board, ply)
    return best


@inlined
def _mirror_cell(board: CoarseBoard, ply: int, seat: int) -> int:
    """Return the cell of the point reflection of another seat's last stone, -1 if this cell is not free."""
    number = board.begun + ply - 1
    while number >= 0 and board.stones[number, 0] == seat:
        number -= 1
    if number < 0:
        return -1
    last = board.grid - 1
    row = min(max(round(last - board.stones[number, 1]), 0), last)
    col = min(max(round(last - board.stones[number, 2]), 0), last)
    return row * board.grid + col if board.free[ply, row, col] and board.gains[row, col] >= 0 else -1


@inlined
def _hug_cell(board: CoarseBoard, ply: int, seat: int) -> int:
    """Return the cell of greatest gain close by a stone of another seat, -1 if no such cell is free."""
    farthest = (np.sqrt(board.spacing_square) + HUG_MARGIN_COARSE_CELLS) ** 2
    best = -1
    most = -1
    for row in range(board.grid):
        for col in range(board.grid):
            if board.free[ply, row, col] and board.gains[row, col] > most:
                for number in range(board.begun + ply):
                    down, right = row - board.stones[number, 1], col - board.stones[number, 2]
                    if board.stones[number, 0] != seat and down * down + right * right < farthest:
                        most = board.gains[row, col]
                        best = row * board.grid + col
                        break
    return best
