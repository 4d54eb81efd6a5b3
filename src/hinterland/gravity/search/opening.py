"""Finds where ``reply`` opens: on the cell on which a first stone keeps the most after the best reply.

On an empty board a stone on any cell gains the whole board, so looking one ply ahead says nothing. Two plies say more:
after a stone on a cell, the exact reply map gives the most that the next player can take. All other cells are what the
stone keeps.

Cells come in groups of up to eight that are mirror images of each other; of each group only one is tried. On a small
board all groups are tried. For a larger board, a smaller one with the same proportions is searched first. Then the
cells around its best cell are tried, by shorter and shorter steps, until no neighbour is better.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import product

import msgspec
import numpy as np

from hinterland.gravity.rules import Position, Rules, Stone

WHOLE_BOARD_SIDE = 30
"""On boards of up to this many cells a side, all cells are tried, except mirror images of others."""
SHRINK_RATIO = 6
"""A larger board is first searched as a board with this many times fewer cells a side."""
MOST_KNOWN_OPENINGS = 64
"""Openings that are remembered, one for each pair of rules and weight."""
Cell = tuple[int, int]
_known_openings: dict[tuple[Rules, int], Cell] = {}


def first_stone(rules: Rules, weight: int, has_time: Callable[[], bool], rng: np.random.Generator) -> Stone:
    """Return a first stone on the best cell or one of its mirror images; if time is short, on a good cell."""
    cell = _known_openings.get((rules, weight))
    if cell is None:
        cell = _find_best(rules, weight, has_time)
        if has_time():
            while len(_known_openings) >= MOST_KNOWN_OPENINGS:
                _known_openings.pop(next(iter(_known_openings)), None)
            _known_openings[rules, weight] = cell
    row, col = cell
    images = sorted(
        {image for a, b in ((row, col), (col, row)) for image in product(_images(a, rules), _images(b, rules))}
    )
    return Stone(*images[rng.integers(len(images))], weight)


def _images(line: int, rules: Rules) -> Cell:
    """Return a row or column and its mirror image."""
    return line, rules.size - 1 - line


def _find_best(rules: Rules, weight: int, has_time: Callable[[], bool]) -> Cell:
    """Return the best cell, which stands for its mirror images, too; if time runs out, the best cell so far."""
    kept = cache(partial(_count_kept, rules.start(), weight))
    if rules.size <= WHOLE_BOARD_SIDE:
        half = (rules.size + 1) // 2
        cells = [(row, col) for row in reversed(range(half)) for col in reversed(range(row, half))]
        return max((cell for cell in cells if cell == cells[0] or has_time()), key=kept)
    size = -(-rules.size // SHRINK_RATIO)
    spacing = min(max(round(rules.spacing * size / rules.size), 1), size - 1)
    cell = _find_best(msgspec.structs.replace(rules, size=size, spacing=spacing), weight, has_time)
    cell = _fold(rules, *(int((line + 0.5) * rules.size / size) for line in cell))
    step = SHRINK_RATIO // 2
    while step > 0 and has_time():
        near = [_fold(rules, cell[0] + down, cell[1] + right) for down, right in product((0, -step, step), repeat=2)]
        better = max((one for one in near if one == cell or has_time()), key=kept)
        step = step if better != cell else step // 2
        cell = better
    return cell


def _fold(rules: Rules, row: int, col: int) -> Cell:
    """Return the cell that stands for (row, col) and its mirror images; a cell off the board is first moved onto it."""
    near, far = sorted(max(min(_images(line, rules)), 0) for line in (row, col))
    return near, far


def _count_kept(start: Position, weight: int, cell: Cell) -> int:
    """Return how many cells a first stone on ``cell`` keeps after the best reply."""
    after = start.play(Stone(*cell, weight))
    taken = 0 if after.to_move is None else int(after.reply_map(weight).max())
    return start.rules.size**2 - taken
