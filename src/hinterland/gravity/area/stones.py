"""The stones of a position as kernels want them."""

from __future__ import annotations

from collections.abc import Iterable
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
    table = np.array(sorted(placed), dtype=np.float64).reshape(-1, 4)
    starts = np.searchsorted(table[:, 0], np.arange(players + 1)).astype(np.int64)
    rows, cols, weights = np.ascontiguousarray(table[:, 1:].T)
    return Stones(rows, cols, weights, starts, size, spacing, nearest)
