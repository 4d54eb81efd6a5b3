"""The stones of a position as arrays, for kernels."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

import numpy as np


class Stones(NamedTuple):
    """The stones on a board, sorted by seat, and the rules of their pull and their spacing."""

    rows: np.ndarray
    """float64[n], whole numbers; so are ``cols`` and ``weights``."""
    cols: np.ndarray
    weights: np.ndarray
    starts: np.ndarray
    """int64[players + 1]: seat s has the stones from ``starts[s]`` to before ``starts[s + 1]``."""
    size: int
    """Cells a side of the board."""
    spacing: int
    """The least distance between two stones."""
    nearest: bool
    """Whether only a colour's strongest single stone counts."""


class NewStone(NamedTuple):
    """A stone that is about to be placed, on any cell."""

    stones: Stones
    """The stones on the board."""
    seat: int
    weight: int


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
