"""Puzzles of gravity: where the last stone of a game belongs, by the exact reply map.

Cells side by side gain nearly alike, so the answer is a region: all cells that gain enough. It is one answer where no
cell farther than NEAR of the board's side from the best one comes within a tenth of what that gains.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hinterland.contract import Goal, PuzzleDraft, PuzzleKind, Reckoning
from hinterland.gravity.rules import Law, Position, Rules, Stone

SIZE, SPACING, FEWEST, MOST = 400, 28, 2, 5
"""Of the boards, and how many stones each player has."""
FINER = 4
"""Puzzles are looked for on boards that have so many times fewer cells a side."""
NEAR = 0.1
"""How far from the best cell the answer may reach, as a share of the side."""
SHORT = 10
"""Every cell elsewhere gains less than the best one by at least one part in so many."""
ENOUGH = 0.95
"""A cell that gains such a share of the most is right where the most is asked for."""
EARNED, SURE = 0.9, 0.97
"""A win is asked for where it takes from one to the other share of the most."""
CAREFUL, CARELESS = 16, 2
"""The first player looks at so many cells for a stone, who has the last stone at fewer: so games are close."""
LOOKED_AT = 64
"""Of so many cells that is taken for the last stone but one after which a win takes nearly the most there is."""


def draw(rng: np.random.Generator) -> PuzzleDraft | None:
    """Play a close game, at random but with some care, until one stone is left; None without one best answer."""
    stones = int(rng.integers(FEWEST, MOST + 1))
    law: Law = "nearest" if rng.random() < 0.2 else "gravity"
    position = Rules(size=SIZE // FINER, stones=stones, spacing=SPACING // FINER, law=law).start()
    while len(position.moves) < 2 * stones - 2:
        position = position.play(_placed(position, (CAREFUL, CARELESS)[position.to_move or 0], rng))
    found = reckon(position := _close(position, rng))
    return None if found.worth - found.elsewhere < found.margin else _finer(position)


def _finer(position: Position) -> PuzzleDraft:
    """Return the same stones on a board of the full size."""
    rules = position.rules
    options: dict[str, Any] = {"size": SIZE, "stones": rules.stones, "spacing": SPACING, "law": rules.law}
    finer = Rules.from_options(options).start()
    for _, stone in position.moves:
        finer = finer.play(Stone(FINER * stone.row + FINER // 2, FINER * stone.col + FINER // 2))
    return PuzzleDraft(options, finer)


def _close(position: Position, rng: np.random.Generator) -> Position:
    """Place the last stone but one so that winning takes nearly the most there is, if a search by halves finds that.

    The more it gains, the more the other player lacks.
    """
    gains = position.reply_map()
    drawn = rng.integers(position.rules.size, size=(LOOKED_AT, 2)).tolist()
    cells = [cell for cell in drawn if gains[cell[0], cell[1]] >= 0]
    cells.sort(key=lambda cell: int(gains[cell[0], cell[1]]))
    low, high = 0, len(cells)
    after = position.play(Stone(*cells[-1]))
    while low < high:
        middle = (low + high) // 2
        after = position.play(Stone(*cells[middle]))
        lacking, most = _lacking(after), after.best_reply()[1]
        if _is_win(lacking, most):
            break
        low, high = (middle + 1, high) if lacking <= EARNED * most else (low, middle)
    return after


def _lacking(position: Position) -> int:
    """Return what the seat to move lacks to own more than half of the cells."""
    return position.rules.total_score // 2 + 1 - position.scores[position.to_move or 0]


def _is_win(lacking: int, most: int) -> bool:
    """Say whether winning takes nearly the most there is, and not all of it: so is no matter of a single cell."""
    return EARNED * most < lacking <= SURE * most


def _placed(position: Position, choices: int, rng: np.random.Generator) -> Stone:
    """Return the best of some stones, none of them in the outermost tenth; the first anywhere there."""
    size = position.rules.size
    cells = rng.integers(size // 10, size - size // 10, (choices, 2)).tolist()
    if not position.moves:
        return Stone(*cells[0])
    gains = position.reply_map()
    best = max(cells, key=lambda cell: int(gains[cell[0], cell[1]]))
    return Stone(*best) if gains[best[0], best[1]] >= 0 else position.legal_moves.sample(rng)


def reckon(position: Position) -> Reckoning:
    """Return what all cells gain."""
    gains = position.reply_map().astype(np.int64)
    size = position.rules.size
    row, col = divmod(int(gains.argmax()), size)
    away = np.arange(size)
    near = (away[:, None] - row) ** 2 + (away[None, :] - col) ** 2 <= (NEAR * size) ** 2
    legal = gains >= 0
    margin = -(-int(gains.max()) // SHORT)
    return Reckoning.of(gains[legal], near[legal], Stone(row, col), margin)


def needed(position: Position, found: Reckoning) -> tuple[str, int]:
    """Ask for the win, which is more than half of the cells, where only the answer brings it; else for the most."""
    lacking = _lacking(position)
    if _is_win(lacking, found.worth):
        return "win", lacking
    return "most", math.ceil(ENOUGH * found.worth)


def worth(position: Position, stone: Stone) -> int:
    """Return what one stone gains."""
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
