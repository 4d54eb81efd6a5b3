"""Outlines of regions: a few closed polygons a region, from a map of owners, small enough for an SVG.

The edges between a region and the rest are followed with the region on the right hand, which gives closed loops; the
fill rule "evenodd" leaves out holes. Each loop is then thinned by the Douglas-Peucker algorithm to within a tolerance.
"""

from __future__ import annotations

import numpy as np

Loop = np.ndarray
"""Corners (column, row) of a closed polygon in order, float64 (n, 2)."""


def outlines(mask: np.ndarray, tolerance: float) -> list[Loop]:
    """Return the polygons around the True cells of ``mask``, bool (rows, cols); cell (r, c) begins at (c, r)."""
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
    """Map each corner to the corners that edges lead to, the region on the right hand."""
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
    """Take an edge out of the map; where two lead on, turn right, so that loops touch but never cross."""
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
    """Drop corners that lie within the tolerance of the line between those kept."""
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
