"""What the areas of a position will come to, and what a stone adds to that: more than it takes at once, or less.

Say that a seat owns a cell x by a pull of a more than any other has. A stone of weight w takes x for another seat from
within a disc of area pi w / a. If the others put theirs anywhere on a board of area A, W of weight in sum, x is in
danger from W pi / (a A) of them. So x counts a / (a + k) with k = pi W / A for who owns it: all of it where the lead
is large or nobody has a stone to come, half of it where one stone is as likely to take it as not. Under the law
"nearest" no lead is needed, only a stone that is stronger than the owner's; so there a is the pull of that one.

The sum over all cells is the expected lead of a seat. It can be had for a new stone on every place of a lattice at
once, in vectors: with s for the square of the distance of a place from x, and w for the new stone's weight, the lead
at x is a = w / s - b, where b is what the rival is ahead by now; and a / (a + k) = (w - b s) / (w - b s + k s), which
is one division a place. Blocks of cells count as one, with their mean pulls. A place is off by little; boards are
coarse anyway.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from hinterland.jit import JIT_ON, inlined

LATTICE = 24 if JIT_ON else 6
"""A lattice has no more places a side."""
UNIT = 64
"""Expected gains are whole numbers of so many to a cell."""
CERTAIN = 1e-9
"""Stands for k where nobody has a stone to come."""


class Lattice(NamedTuple):
    """Places for a new stone, and the blocks of cells that it may take. Kernels overwrite ``ahead`` and ``gains``."""

    stride: int
    """Every so manieth row and column is one of the lattice."""
    block: int
    """So many cells a side count as one."""
    squares: np.ndarray
    """float32 (blocks, places): the squares of the distances from the blocks' middles to the places, in cells."""
    ahead: np.ndarray
    """float32 (2, blocks a side, blocks a side): what the mover and its strongest rival pull there."""
    gains: np.ndarray
    """float32[places]: what a stone adds to the expected lead, in blocks."""


def new_lattice(grid: int, *, blocks: bool) -> Lattice:
    """Return the lattice of a board of so many cells a side; ``blocks``: whether four places share one block."""
    stride = -(-grid // LATTICE)
    block = 2 * stride if blocks else stride
    squares = _squares(grid, stride, block)
    side = -(-grid // block)
    ahead, gains = np.zeros((2, side, side), dtype=np.float32), np.zeros(squares.shape[1], dtype=np.float32)
    return Lattice(stride, block, squares, ahead, gains)


@lru_cache(maxsize=16)
def _squares(grid: int, stride: int, block: int) -> np.ndarray:
    places = np.arange(stride // 2, grid, stride)
    middles = (np.arange(-(-grid // block)) + 0.5) * block - 0.5
    away = (middles[:, None] - places) ** 2
    squares: np.ndarray = (away[:, None, :, None] + away[None, :, None, :]).astype(np.float32)
    return squares.reshape(middles.size**2, places.size**2)


@inlined
def danger(left: np.ndarray, seat: int, cells: int) -> float:
    """Return k for the cells of a seat. ``left``: int64[players], the weight that each has to come."""
    return max(math.pi * float(left.sum() - left[seat]) / cells, CERTAIN)


@inlined
def pool(lattice: Lattice, number: int, pulls: np.ndarray) -> None:
    """Set ``lattice.ahead[number]`` to the mean pulls on blocks. ``pulls``: float64 (grid, grid)."""
    grid, side = pulls.shape[0], lattice.block
    for i in range(lattice.ahead.shape[1]):
        for j in range(lattice.ahead.shape[1]):
            bottom, right = min((i + 1) * side, grid), min((j + 1) * side, grid)
            total = 0.0
            for row in range(i * side, bottom):
                for col in range(j * side, right):
                    total += pulls[row, col]
            lattice.ahead[number, i, j] = total / ((bottom - i * side) * (right - j * side))


@inlined
def lead_of(own: float, rival: float, nearest: bool) -> float:
    """Return the lead by which a cell is owned; below 0 where that is the rival's."""
    if nearest:
        return own if own > rival else -rival
    return own - rival


@inlined
def _add(
    gains: np.ndarray, squares: np.ndarray, pulls: tuple[np.float32, ...], factors: tuple[np.float32, ...]
) -> None:
    """Add what every place adds to one block. ``pulls``: own and rival's; ``factors``: weight, k of own, of rivals."""
    lead = pulls[0] - pulls[1]
    weight, kept, won = factors
    for place in range(gains.size):
        square = squares[place]
        after = weight + lead * square
        gains[place] += after / (abs(after) + (kept if after > np.float32(0.0) else won) * square)


@inlined
def _add_nearest(
    gains: np.ndarray, squares: np.ndarray, pulls: tuple[np.float32, ...], factors: tuple[np.float32, ...]
) -> None:
    """Do the same under the law "nearest"."""
    own, rival = pulls
    weight, kept, won = factors
    for place in range(gains.size):
        square = squares[place]
        mine, theirs = max(weight, own * square), rival * square
        after = mine if mine > theirs else -theirs
        gains[place] += after / (abs(after) + (kept if mine > theirs else won) * square)


@inlined
def add_up(lattice: Lattice, weight: int, kept: float, won: float, nearest: bool) -> None:
    """Set ``lattice.gains`` by what the mover and its rival pull. ``kept``, ``won``: k of the mover, of its rivals."""
    gains, own, rival = lattice.gains, lattice.ahead[0], lattice.ahead[1]
    factors = np.float32(weight), np.float32(kept), np.float32(won)
    gains[:] = 0.0
    before = 0.0
    number = 0
    for i in range(own.shape[0]):
        for j in range(own.shape[0]):
            pulls = own[i, j], rival[i, j]
            lead = lead_of(pulls[0], pulls[1], nearest)
            before += lead / (abs(lead) + (kept if lead > 0.0 else won))
            if nearest:
                _add_nearest(gains, lattice.squares[number], pulls, factors)
            else:
                _add(gains, lattice.squares[number], pulls, factors)
            number += 1
    gains -= np.float32(before)
