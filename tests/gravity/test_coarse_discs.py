"""Discs drawn as octagons against true discs, cell by cell."""

import numpy as np
import pytest

from hinterland.gravity.coarse.coarse_discs import (
    enter_octagons,
    new_group,
    new_rims,
    octagons_of,
    set_disc,
    sum_octagons,
)

GRID = 40


def painted(square, row, col):
    """Return how often each cell is covered by the disc that stands for a squared radius."""
    rims = new_rims(GRID)
    counts = np.zeros((GRID, GRID), dtype=np.int32)
    group = new_group()
    set_disc(group, 0, row, col, octagons_of(GRID)[int(square)])
    enter_octagons(rims, GRID, group, 1, 1)
    sum_octagons(rims, counts, 0)
    return counts


def disc(square, row, col):
    """Return the cells whose centres are that near to the upper left corner of a cell."""
    places = np.arange(GRID) + 0.5
    return (places[:, None] - row) ** 2 + (places - col) ** 2 <= square


@pytest.mark.parametrize(("row", "col"), [(20, 20), (1, 39), (1, 1), (39, 1), (3, 30), (39, 17)])
def test_no_cell_is_covered_twice_and_few_are_wrong(row, col):
    for square in (*range(1, 40), 63, 100, 250, 399, 900, 1600, 3000, 3042):
        found = painted(square, row, col)
        assert set(np.unique(found)) <= {0, 1}
        wrong = (found != disc(square, row, col)).sum()
        assert wrong <= 6 * square**0.5, square


def test_areas_are_those_of_discs():
    for square in range(1, 390):
        assert abs(painted(square, 20, 20).sum() - np.pi * (square + 0.5)) <= 8 + 0.05 * square, square
