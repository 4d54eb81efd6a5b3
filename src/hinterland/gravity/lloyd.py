"""Finds even layouts of stones on the board, and which seats follow one."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from hinterland.gravity.rules import Position

MOST_SITES = 200
"""Number of sites of the largest layout that a seat is expected to follow; larger layouts take long to find."""


@lru_cache(maxsize=32)
def even_layout(size: int, points: int) -> tuple[tuple[int, int], ...]:
    """Return sites spread evenly over the board: a sunflower pattern that Lloyd's algorithm has relaxed.

    The algorithm moves each site, again and again, to the centroid of the places that are nearest to it.
    """
    turns = np.arange(points) * math.pi * (3.0 - math.sqrt(5.0))
    radii = 0.5 * np.sqrt((np.arange(points) + 0.5) / points)
    centres = 0.5 + radii[:, None] * np.stack([np.sin(turns), np.cos(turns)], axis=1)
    axis = (np.arange(96) + 0.5) / 96
    grid = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)
    for _ in range(60):
        down, right = ((axis[:, None] - centres[:, i]) ** 2 for i in range(2))
        nearest = (down[:, None] + right).argmin(axis=2).ravel()
        counts = np.maximum(np.bincount(nearest, minlength=points), 1)
        sums = np.stack([np.bincount(nearest, grid[:, i], points) for i in range(2)], axis=1)
        centres = np.where((np.bincount(nearest, minlength=points) > 0)[:, None], sums / counts[:, None], centres)
    cells = np.clip(np.round(centres * size, 6).astype(np.int64), 0, size - 1)
    return tuple((int(row), int(col)) for row, col in cells)


def layout_sites(position: Position, seat: int) -> tuple[tuple[int, int], ...]:
    """Return the sites of the even layout if a seat's last stone lies on one, else none.

    Return none, too, for a seat without a stone on the board, and in games of more than MOST_SITES stones a seat.
    """
    if position.rules.stones > MOST_SITES:
        return ()
    last = next((stone for mover, stone in reversed(position.moves) if mover == seat), None)
    even = even_layout(position.rules.size, position.rules.stones)
    return even if last is not None and (last.row, last.col) in even else ()
