"""Puzzles of gravity: where the last stone of a game belongs, by the exact reply map.

Neighbouring cells gain nearly alike, so the answer is a region: all cells that gain enough. A puzzle has a single
answer if all cells farther than ANSWER_RADIUS_SIDES from the best cell gain at least a tenth less.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hinterland.contract import Goal, PuzzleDraft, PuzzleKind, Reckoning
from hinterland.gravity.rules import Law, Position, Rules, Stone

SIZE, SPACING = 400, 28
"""The rules of a puzzle's board, in cells."""
LEAST_STONES, MOST_STONES = 2, 5
"""Stones of each player."""
SHRINK_RATIO = 4
"""Puzzles are searched for on boards with this many times fewer cells a side."""
ANSWER_RADIUS_SIDES = 0.1
"""Greatest distance of an answer from the best cell, as a share of the side."""
MARGIN_PARTS = 10
"""Every cell farther away than ANSWER_RADIUS_SIDES gains less than the best cell, by at least 1 / MARGIN_PARTS of the
best gain."""
ENOUGH_SHARE = 0.95
"""A cell answers the goal "most" if it has at least this share of the greatest gain."""
LEAST_WIN_SHARE, MOST_WIN_SHARE = 0.9, 0.97
"""The goal is "win" if the gain that is needed to win is between these shares of the greatest gain."""
FIRST_PLAYER_CELLS, LAST_PLAYER_CELLS = 16, 2
"""Numbers of random cells that the first and the last player compare for a stone; the last player compares fewer, so
that games are close."""
LAST_BUT_ONE_CELLS = 64
"""Number of random cells that are compared for the last stone but one. After this stone, only nearly the greatest gain
should win."""


def draw(rng: np.random.Generator) -> PuzzleDraft | None:
    """Play a close game, at random but with care, up to the last stone; None if the last stone has no single answer."""
    stones = int(rng.integers(LEAST_STONES, MOST_STONES + 1))
    law: Law = "nearest" if rng.random() < 0.2 else "gravity"
    position = Rules(size=SIZE // SHRINK_RATIO, stones=stones, spacing=SPACING // SHRINK_RATIO, law=law).start()
    while len(position.moves) < 2 * stones - 2:
        cells = (FIRST_PLAYER_CELLS, LAST_PLAYER_CELLS)[position.to_move or 0]
        position = position.play(_choose_stone(position, cells, rng))
    found = reckon(position := _play_last_but_one(position, rng))
    return None if found.worth - found.elsewhere < found.margin else _enlarge(position)


def _enlarge(position: Position) -> PuzzleDraft:
    """Return the same stones on a board of the full size."""
    rules = position.rules
    options: dict[str, Any] = {"size": SIZE, "stones": rules.stones, "spacing": SPACING, "law": rules.law}
    enlarged, half = Rules.from_options(options).start(), SHRINK_RATIO // 2
    for _, stone in position.moves:
        enlarged = enlarged.play(Stone(SHRINK_RATIO * stone.row + half, SHRINK_RATIO * stone.col + half))
    return PuzzleDraft(options, enlarged)


def _play_last_but_one(position: Position, rng: np.random.Generator) -> Position:
    """Place the last stone but one so that only nearly the greatest gain wins, if bisection finds such a cell.

    Bisection works because the more this stone gains, the more the other player lacks.
    """
    gains = position.reply_map()
    candidates = rng.integers(position.rules.size, size=(LAST_BUT_ONE_CELLS, 2)).tolist()
    cells = [cell for cell in candidates if gains[cell[0], cell[1]] >= 0]
    cells.sort(key=lambda cell: int(gains[cell[0], cell[1]]))
    low, high = 0, len(cells)
    after = position.play(Stone(*cells[-1]))
    while low < high:
        middle = (low + high) // 2
        after = position.play(Stone(*cells[middle]))
        lacking, most = _cells_to_win(after), after.best_reply()[1]
        if _is_close_win(lacking, most):
            break
        low, high = (middle + 1, high) if lacking <= LEAST_WIN_SHARE * most else (low, middle)
    return after


def _cells_to_win(position: Position) -> int:
    """Return how many more cells the seat to move needs to own more than half of the board."""
    return position.rules.total_score // 2 + 1 - position.scores[position.to_move or 0]


def _is_close_win(lacking: int, most: int) -> bool:
    """Say whether winning takes nearly the greatest gain, but not quite the greatest."""
    return LEAST_WIN_SHARE * most < lacking <= MOST_WIN_SHARE * most


def _choose_stone(position: Position, choices: int, rng: np.random.Generator) -> Stone:
    """Return the best of ``choices`` random stones, none near the edge of the board; on an empty board, any of them."""
    size = position.rules.size
    cells = rng.integers(size // 10, size - size // 10, (choices, 2)).tolist()
    if not position.moves:
        return Stone(*cells[0])
    gains = position.reply_map()
    best = max(cells, key=lambda cell: int(gains[cell[0], cell[1]]))
    return Stone(*best) if gains[best[0], best[1]] >= 0 else position.legal_moves.sample(rng)


def reckon(position: Position) -> Reckoning:
    """Compare the gains of all cells."""
    gains = position.reply_map().astype(np.int64)
    size = position.rules.size
    row, col = divmod(int(gains.argmax()), size)
    away = np.arange(size)
    near = (away[:, None] - row) ** 2 + (away[None, :] - col) ** 2 <= (ANSWER_RADIUS_SIDES * size) ** 2
    legal = gains >= 0
    margin = -(-int(gains.max()) // MARGIN_PARTS)
    return Reckoning.of(gains[legal], near[legal], Stone(row, col), margin)


def needed(position: Position, found: Reckoning) -> tuple[str, int]:
    """Return the goal and the gain that reaches it. The goal is "win" if only a gain near the greatest wins."""
    lacking = _cells_to_win(position)
    if _is_close_win(lacking, found.worth):
        return "win", lacking
    return "most", math.ceil(ENOUGH_SHARE * found.worth)


def worth(position: Position, stone: Stone) -> int:
    """Return the gain of a stone."""
    seat = position.to_move or 0
    return position.play(stone).scores[seat] - position.scores[seat]


PUZZLES = PuzzleKind(
    goals={
        "win": Goal("Win with the last stone", "Place it so that you own more than half of the board."),
        "most": Goal("Take the most", "Place the last stone where it gains the most cells."),
    },
    unit="cells",
    is_gain=True,
    draw=draw,
    reckon=reckon,
    needed=needed,
    worth=worth,
)
