"""Discs with stairs for a rim against true discs, cell by cell."""

import numpy as np
import pytest

from hinterland.gravity.search.stairs import enter_stairs, stairs_of

GRID = 40


def painted(square, row, col):
    """Return how often each cell is covered by the disc that stands for a squared radius."""
    table = np.zeros((GRID + 1, GRID + 1), dtype=np.int32)
    enter_stairs(table, row, col, stairs_of(GRID)[int(square)])
    return table.cumsum(axis=0).cumsum(axis=1)[:GRID, :GRID]


def disc(square, row, col):
    """Return the cells whose centres are that near to the upper left corner of a cell."""
    places = np.arange(GRID) + 0.5
    return (places[:, None] - row) ** 2 + (places - col) ** 2 <= square


@pytest.mark.parametrize(("row", "col"), [(20, 20), (1, 39), (0, 0), (3, 30), (40, 17)])
def test_no_cell_is_covered_twice_and_few_are_wrong(row, col):
    for square in (*range(1, 40), 63, 100, 250, 399, 900, 1600, 3000, 3042):
        found = painted(square, row, col)
        assert set(np.unique(found)) <= {0, 1}
        wrong = (found != disc(square, row, col)).sum()
        assert wrong <= 6 * square**0.5, square


def test_areas_are_those_of_discs():
    for square in range(1, 390):
        assert abs(painted(square, 20, 20).sum() - np.pi * (square + 0.5)) <= 8 + 0.03 * square, square
