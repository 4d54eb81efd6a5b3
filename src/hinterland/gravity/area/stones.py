"""The stones of a position as kernels want them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

import numpy as np


class Stones(NamedTuple):
    """The stones on a board, sorted by seat, and what decides where they pull and where others may go."""

    rows: np.ndarray
    """float64[n], like ``cols`` and ``weights``: all whole."""
    cols: np.ndarray
    weights: np.ndarray
    starts: np.ndarray
    """int64[players + 1]: the stones of seat s are those from ``starts[s]`` to before ``starts[s + 1]``."""
    size: int
    """Cells a side of the board."""
    spacing: int
    """The least distance between two stones."""
    nearest: bool
    """Whether only a colour's strongest single stone counts."""


class NewStone(NamedTuple):
    """A stone that is about to be placed, on whatever cell."""

    stones: Stones
    """Those on the board."""
    seat: int
    """Whose it is."""
    weight: int
    """How heavy."""


def lay_out(
    placed: Iterable[tuple[int, int, int, int]], players: int, size: int, spacing: int, *, nearest: bool
) -> Stones:
    """Lay out stones, each as (seat, row, col, weight)."""
    ordered = sorted(placed)
    counts = [0] * (players + 1)
    for seat, _, _, _ in ordered:
        counts[seat + 1] += 1
    _, *columns = zip(*ordered, strict=True) if ordered else [()] * 4
    rows, cols, weights = (np.array(column, dtype=np.float64) for column in columns)
    return Stones(rows, cols, weights, np.array([*accumulate(counts)], dtype=np.int64), size, spacing, nearest)
