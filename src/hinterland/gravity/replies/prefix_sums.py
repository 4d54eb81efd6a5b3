"""Sums up tables of differences, which gives the number of discs that cover each cell; see octagons.py.

Entries of chords are summed along the chords: within a row, or from row to row. Entries of edges are summed first along
the edges, then along the rows. Sums along diagonals keep their places in memory; the window that shows the sums of one
row moves on by a place for each row. The results overwrite the first table, row by row, once a row has been summed.
"""

from __future__ import annotations

import numpy as np

from hinterland.gravity.replies import octagons
from hinterland.jit import inlined, kernel


@kernel(allocates=True)
def sum_up(table: np.ndarray, part: int, size: int) -> None:
    """Sum up the tables of a part (``octagons.new_tables``) in place; ``sums_of`` returns the result."""
    tables = octagons.TABLES[part]
    area = (size + 1) * (size + 2)
    lines = table[: tables * area].reshape(tables, size + 1, size + 2)
    if part == octagons.SIDES:
        _sum_sides(lines)
    else:
        _sum_corners(lines, table[tables * area : tables * area + 4 * (size + 2)].reshape(4, size + 2))


def sums_of(table: np.ndarray, size: int) -> np.ndarray:
    """Return how many discs of a part cover each cell, as a view of tables that are summed up: int32 (size, size)."""
    return table[: (size + 1) * (size + 2)].reshape(size + 1, size + 2)[:size, 1:-1]


@inlined
def _add_line(sums: np.ndarray, line: np.ndarray) -> None:
    for col in range(sums.size):
        sums[col] += line[col]


@inlined(allocates=True)
def _sum_sides(lines: np.ndarray) -> None:
    size = lines.shape[1] - 1
    chords, edges = np.zeros(size + 2, dtype=np.int32), np.zeros(size + 2, dtype=np.int32)
    for row in range(size):
        _add_line(chords, lines[octagons.DOWN, row])
        _add_line(edges, lines[octagons.UPRIGHT, row])
        across = lines[octagons.ACROSS, row]
        total = np.int32(0)
        for col in range(1, size + 1):
            total = np.int32(total + np.int32(across[col] + edges[col]))
            across[col] = np.int32(total + chords[col])


@inlined(allocates=True)
def _sum_corners(lines: np.ndarray, rims: np.ndarray) -> None:
    size = lines.shape[1] - 1
    width = size + 2
    falling, rising = np.zeros((2, size + width), dtype=np.int32), np.zeros((2, size + width), dtype=np.int32)
    for rim in range(4):
        for i in range(1, width):
            rims[rim, i] += rims[rim, i - 1]
    _add_line(falling[0, size:], rims[octagons.FALLING_TOP])
    _add_line(rising[0, :width], rims[octagons.RISING_TOP])
    for row in range(size):
        falls, falls_edge = falling[0, size - row : size - row + width], falling[1, size - row : size - row + width]
        rises, rises_edge = rising[0, row : row + width], rising[1, row : row + width]
        falls[1] += rims[octagons.FALLING_LEFT, row]
        rises[size] += rims[octagons.RISING_RIGHT, row]
        _add_line(falls, lines[octagons.FALLING, row])
        _add_line(falls_edge, lines[octagons.FALLING_EDGE, row])
        _add_line(rises, lines[octagons.RISING, row])
        _add_line(rises_edge, lines[octagons.RISING_EDGE, row])
        sums = lines[0, row]
        total = np.int32(0)
        for col in range(1, size + 1):
            total = np.int32(total + np.int32(falls_edge[col] + rises_edge[col]))
            sums[col] = np.int32(total + np.int32(falls[col] + rises[col]))
