"""Where to open: the cell on which a first stone keeps the most when the best reply has come.

On an empty board every cell gains all of it, so one ply says nothing. Here two are counted: for a stone on a cell the
exact reply map says the most that the next player can take. What is left is what the cell keeps.

Of eight cells that are each other's mirror images one is looked at. On a small board all of these are; a larger one is
looked at as a smaller one with the same proportions first, and then around what was best there, by shorter and shorter
steps until no neighbour is better.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import product

import msgspec
import numpy as np

from hinterland.gravity.rules import Position, Rules, Stone

SMALL = 30
"""On boards of at most this size all cells are looked at."""
FINER = 6
"""A larger board is first looked at on one so many times smaller."""
MOST_KNOWN = 64
"""The openings of so many rules are remembered."""
Cell = tuple[int, int]
_known: dict[tuple[Rules, int], Cell] = {}


def first_stone(rules: Rules, weight: int, has_time: Callable[[], bool], rng: np.random.Generator) -> Stone:
    """Return a first stone of this weight, by chance one of its cell's images; a good one where time is short."""
    cell = _known.get((rules, weight))
    if cell is None:
        cell = _best(rules, weight, has_time)
        if has_time():
            while len(_known) >= MOST_KNOWN:
                _known.pop(next(iter(_known)), None)
            _known[rules, weight] = cell
    row, col = cell
    images = sorted({image for a, b in ((row, col), (col, row)) for image in product(_both(a, rules), _both(b, rules))})
    return Stone(*images[rng.integers(len(images))], weight)


def _both(line: int, rules: Rules) -> Cell:
    return line, rules.size - 1 - line


def _best(rules: Rules, weight: int, has_time: Callable[[], bool]) -> Cell:
    """Return the best cell of those that stand for all, or where the search for it was when time ran out."""
    kept = cache(partial(_kept, rules.start(), weight))
    if rules.size <= SMALL:
        half = (rules.size + 1) // 2
        cells = [(row, col) for row in reversed(range(half)) for col in reversed(range(row, half))]
        return max((cell for cell in cells if cell == cells[0] or has_time()), key=kept)
    size = -(-rules.size // FINER)
    spacing = min(max(round(rules.spacing * size / rules.size), 1), size - 1)
    cell = _best(msgspec.structs.replace(rules, size=size, spacing=spacing), weight, has_time)
    cell = _folded(rules, *(int((line + 0.5) * rules.size / size) for line in cell))
    step = FINER // 2
    while step > 0 and has_time():
        near = [_folded(rules, cell[0] + down, cell[1] + right) for down, right in product((0, -step, step), repeat=2)]
        better = max((one for one in near if one == cell or has_time()), key=kept)
        step = step if better != cell else step // 2
        cell = better
    return cell


def _folded(rules: Rules, row: int, col: int) -> Cell:
    """Return the cell that stands for this one and its mirror images; the nearest one for a cell off the board."""
    near, far = sorted(max(min(_both(line, rules)), 0) for line in (row, col))
    return near, far


def _kept(start: Position, weight: int, cell: Cell) -> int:
    """Return how many cells the best reply to a first stone does not take."""
    after = start.play(Stone(*cell, weight))
    taken = 0 if after.to_move is None else int(after.reply_map(weight).max())
    return start.rules.size**2 - taken
