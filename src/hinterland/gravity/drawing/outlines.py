"""Finds closed lines on a board: outlines of regions with few enough corners for an SVG, and contours of the pull.

An outline follows the edges between a region and other cells, with the region on the right hand, until the loop closes.
Holes have loops of their own; the fill rule "evenodd" leaves them out. Each loop is then thinned by the Douglas-Peucker
algorithm to within a tolerance.

On a contour the greatest pull of any colour is the same everywhere; on the next contour outwards it is half as great.
Contours are traced on a grid of squares that reaches a little beyond the board, so that no contour runs along the
board's edge. Then a Newton step moves each corner onto the contour's exact level; the pull can be computed at every
place.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hinterland.gravity.rules import Position


Loop = np.ndarray
"""Corners (column, row) of a closed polygon in order, float64 (n, 2)."""


def outlines(mask: np.ndarray, tolerance: float) -> list[Loop]:
    """Return the polygons around the True cells of ``mask``, bool (rows, cols).

    The upper left corner of the cell in row r and column c is (c, r).
    """
    onward = _edges(mask)
    loops = []
    while onward:
        start = next(iter(onward))
        corner = start
        loop = []
        heading = (0, 0)
        while True:
            loop.append(corner)
            following = _next_corner(onward, corner, heading)
            heading = (following[0] - corner[0], following[1] - corner[1])
            corner = following
            if corner == start:
                break
        loops.append(_thin(np.array(loop, dtype=np.float64), tolerance))
    return loops


Corner = tuple[int, int]


def _edges(mask: np.ndarray) -> dict[Corner, list[Corner]]:
    """Map each corner to the ends of the region's edges that begin there, with the region on the right hand."""
    padded = np.pad(mask, 1).astype(np.int8)
    onward: dict[Corner, list[Corner]] = {}
    down = padded[1:, 1:-1] - padded[:-1, 1:-1]
    across = padded[1:-1, 1:] - padded[1:-1, :-1]
    for row, col in np.argwhere(down != 0).tolist():
        begin, end = ((col, row), (col + 1, row)) if down[row, col] > 0 else ((col + 1, row), (col, row))
        onward.setdefault(begin, []).append(end)
    for row, col in np.argwhere(across != 0).tolist():
        begin, end = ((col, row + 1), (col, row)) if across[row, col] > 0 else ((col, row), (col, row + 1))
        onward.setdefault(begin, []).append(end)
    return onward


def _next_corner(onward: dict[Corner, list[Corner]], corner: Corner, heading: tuple[int, int]) -> Corner:
    """Take an edge out of ``onward`` and return its end; of two edges the right-hand one, so that loops never cross."""
    ends = onward[corner]
    number = 0
    if len(ends) > 1:
        right = (corner[0] - heading[1], corner[1] + heading[0])
        number = ends.index(right) if right in ends else 0
    following = ends.pop(number)
    if not ends:
        del onward[corner]
    return following


def _thin(loop: Loop, tolerance: float) -> Loop:
    """Drop corners that are at most ``tolerance`` away from the line between the corners that are kept."""
    closed = np.vstack([loop, loop[:1]])
    far = int(((closed - closed[0]) ** 2).sum(axis=1).argmax())
    kept = np.zeros(len(closed), dtype=bool)
    kept[[0, far, len(closed) - 1]] = True
    spans = [(0, far), (far, len(closed) - 1)]
    while spans:
        first, last = spans.pop()
        if last - first < 2:
            continue
        between = closed[first + 1 : last] - closed[first]
        chord = closed[last] - closed[first]
        length = max(float(np.hypot(*chord)), 1e-9)
        gaps = np.abs(between[:, 0] * chord[1] - between[:, 1] * chord[0]) / length
        worst = int(gaps.argmax())
        if gaps[worst] > tolerance:
            middle = first + 1 + worst
            kept[middle] = True
            spans += [(first, middle), (middle, last)]
    return closed[:-1][kept[:-1]]


GRID_SQUARES = 480
"""Squares along a side of the grid. A board of fewer than 120 cells a side has four squares a cell instead."""
MARGIN_SQUARES = 3
"""Squares of the grid beyond each edge of the board."""
INNERMOST_RADIUS = 0.022
"""Distance of the innermost contour from a stone of average weight, as a share of the board's side."""
MOST_PIECE_SQUARES = 5
"""Greatest distance between two corners of a contour, in squares of the grid."""
LEAST_SQUARE = 1e-6
"""Least squared distance from a stone, in cells, with which pulls are computed."""


def contours(position: Position) -> Iterator[Loop]:
    """Yield contours, float64 (n, 2): (column, row) in cells from the board's corner; some lead outside the board."""
    size = position.rules.size
    if not position.moves:
        return
    step = size / min(GRID_SQUARES, size * 4)
    places = np.arange(-MARGIN_SQUARES * step, size + MARGIN_SQUARES * step, step) + step / 2
    levels = _levels(position, *np.meshgrid(places, places))
    for level in range(math.ceil(levels.min()), 1):
        for loop in outlines(levels >= level, tolerance=0.5):
            yield _move_to_level(position, _divide_sides(loop) * step + places[0] - step / 2, level, step)


def _levels(position: Position, cols: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the greatest pull at each place as a level: 0 on the innermost contour, -1 on the next, and so on."""
    rules = position.rules
    pulls = np.zeros((rules.players, *cols.shape))
    for seat, stone in position.moves:
        squares = (cols - stone.col - 0.5) ** 2 + (rows - stone.row - 0.5) ** 2
        pull = stone.weight / np.maximum(squares, LEAST_SQUARE)
        pulls[seat] = np.maximum(pulls[seat], pull) if rules.law == "nearest" else pulls[seat] + pull
    usual = 1 if rules.weight is None else rules.weight / rules.stones
    levels: np.ndarray = np.log2(pulls.max(axis=0) * (INNERMOST_RADIUS * rules.size) ** 2 / usual)
    return levels


def _divide_sides(loop: Loop) -> Loop:
    """Cut the sides of a loop into pieces no longer than MOST_PIECE_SQUARES."""
    ends = np.roll(loop, -1, axis=0)
    pieces = np.maximum(np.ceil(np.hypot(*(ends - loop).T) / MOST_PIECE_SQUARES), 1).astype(np.int64)
    first = np.repeat(np.cumsum(pieces) - pieces, pieces)
    share = (np.arange(pieces.sum()) - first) / np.repeat(pieces, pieces)
    divided: Loop = np.repeat(loop, pieces, axis=0) + share[:, None] * np.repeat(ends - loop, pieces, axis=0)
    return divided


def _move_to_level(position: Position, loop: Loop, level: int, step: float) -> Loop:
    """Move each corner of a loop onto the level ``level``, by at most ``step`` in each direction."""
    col, row = loop.T
    reach = step / 8
    here = _levels(position, col, row)
    slope = np.stack([_levels(position, col + reach, row) - here, _levels(position, col, row + reach) - here]) / reach
    move = (level - here) * slope / np.maximum((slope**2).sum(axis=0), 1e-12)
    moved: Loop = loop + np.clip(move, -step, step).T
    return moved
