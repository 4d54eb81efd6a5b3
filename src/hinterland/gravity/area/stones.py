"""The stones of a position as arrays, for kernels."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

import numpy as np


class Stones(NamedTuple):
    """The stones on a board, sorted by seat, and the rules for pull and spacing."""

    rows: np.ndarray
    """float64[n]: the row of each stone, a whole number. ``cols`` and ``weights`` are alike."""
    cols: np.ndarray
    weights: np.ndarray
    starts: np.ndarray
    """int64[players + 1]: the stones of seat s are numbered from ``starts[s]`` to before ``starts[s + 1]``."""
    size: int
    """Cells a side of the board."""
    spacing: int
    """The least distance between two stones."""
    nearest: bool
    """Whether a colour pulls only with its strongest single stone (the law "nearest")."""


class NewStone(NamedTuple):
    """A stone that ``seat`` is about to place; its cell is still open."""

    stones: Stones
    """The stones on the board."""
    seat: int
    weight: int


def lay_out(
    placed: Iterable[tuple[int, int, int, int]], players: int, size: int, spacing: int, *, nearest: bool
) -> Stones:
    """Return stones as arrays; each is given as (seat, row, col, weight)."""
    ordered = sorted(placed)
    counts = [0] * (players + 1)
    for seat, _, _, _ in ordered:
        counts[seat + 1] += 1
    _, *columns = zip(*ordered, strict=True) if ordered else [()] * 4
    rows, cols, weights = (np.array(column, dtype=np.float64) for column in columns)
    return Stones(rows, cols, weights, np.array([*accumulate(counts)], dtype=np.int64), size, spacing, nearest)
